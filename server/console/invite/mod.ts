import type { ConsolePage } from "../page_context.ts";
import { codesPage } from "./wave.ts";
import { invitePage } from "./invite.ts";
import { letterPage } from "./letter.ts";
export { badLink, invitationFields, letterPreviews } from "./letter.ts";

export const INVITE_PAGES: ConsolePage[] = [invitePage, letterPage, codesPage];
