import type { ConsolePage } from "../visit.ts";
import { codesPage } from "./codes.ts";
import { invitePage } from "./invite.ts";

/** The pages that invite people. */
export const INVITE_PAGES: ConsolePage[] = [invitePage, codesPage];
