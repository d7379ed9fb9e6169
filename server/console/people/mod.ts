/** The pages of people, and what can be done with a person in a step or two. @module */
import type { ConsolePage } from "../page_context.ts";
import { answersPage } from "./answers.ts";
import { chosenPage } from "./chosen.ts";
import { correctPersonPage } from "./correct_person.ts";
import { peoplePage } from "./list.ts";
import { personPage } from "./person.ts";
import { renewPersonPage } from "./renew_person.ts";

export const PEOPLE_PAGES: ConsolePage[] = [
  peoplePage,
  personPage,
  chosenPage,
  correctPersonPage,
  answersPage,
  renewPersonPage,
];
