/** The wordings of consent. A proof of consent names a wording by the id of the wording. @module */
import { digestSha256 } from "../runtime/mod.ts";
import type { Lang } from "./record.ts";

/** The wording of consent as a page shows it: plain text, with all placeholders filled. */
export interface ConsentText {
  lang: Lang;
  text: string;
}

/**
 * Gives the id by which proofs of consent name a wording. The id is a hash of the language and the wording, so that
 * different wordings never have the same id.
 */
export const consentTextId = ({ lang, text }: ConsentText): string =>
  digestSha256(`${lang}\n${text}`).toString("base64url");
