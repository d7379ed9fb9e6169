/** The pages of people, and what can be done with a person in a step or two. @module */
import type { ConsolePage } from "../page_context.ts";
import { answersPage, correctPersonPage, renewPersonPage } from "./change_person.ts";
import { chosenPage } from "./chosen.ts";
import { peoplePage } from "./list.ts";
import { personPage } from "./person.ts";

export const PEOPLE_PAGES: ConsolePage[] = [
  peoplePage,
  personPage,
  chosenPage,
  correctPersonPage,
  answersPage,
  renewPersonPage,
];
