import type { ConsolePage } from "../page_context.ts";
import { erasePersonPage, exportPersonPage, remindPage, undeliverablePage } from "./actions.ts";
import { invitePersonPage } from "./invite_person.ts";
import { peoplePage } from "./list.ts";
import { personPage } from "./person.ts";

export const PEOPLE_PAGES: ConsolePage[] = [
  peoplePage,
  personPage,
  remindPage,
  invitePersonPage,
  undeliverablePage,
  exportPersonPage,
  erasePersonPage,
];
