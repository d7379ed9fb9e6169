import { digestSha256 } from "../runtime/mod.ts";
import type { Lang } from "./record.ts";

/** A wording that people agree to, as it is displayed: plain text, names filled in. */
export interface ConsentText {
  lang: Lang;
  text: string;
}

/** The id of a wording, which the proof of consent names: a hash, so that a wording never changes under its id. */
export function consentTextId({ lang, text }: ConsentText): string {
  return digestSha256(`${lang}\n${text}`).toString("base64url");
}
