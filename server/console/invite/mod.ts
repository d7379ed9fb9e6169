import type { ConsolePage } from "../page_context.ts";
import { codesPage } from "./codes.ts";
import { invitePage } from "./invite.ts";

/** The pages that invite people. */
export const INVITE_PAGES: ConsolePage[] = [invitePage, codesPage];
