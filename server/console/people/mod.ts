import type { ConsolePage } from "../page_context.ts";
import { exportPersonPage, remindPage, undeliverablePage } from "./actions.ts";
import { erasePersonPage } from "./erase.ts";
import { invitePersonPage } from "./invite_person.ts";
import { peoplePage } from "./list.ts";
import { personPage } from "./person.ts";

/** The pages of people. */
export const PEOPLE_PAGES: ConsolePage[] = [
  peoplePage,
  personPage,
  remindPage,
  invitePersonPage,
  undeliverablePage,
  exportPersonPage,
  erasePersonPage,
];
