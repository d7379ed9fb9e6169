/** The proof of consent of a person, as the console shows it. @module */
import type { ShownSignup } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { facts, showTime } from "../components.ts";

/** The proof of consent: the wording that the person agreed to, and how the person confirmed. */
export function proofFacts({ proof, wording, state }: ShownSignup, texts: ConsoleTexts): Html {
  const { person: labels, words: { fields, langs, sources } } = texts;
  const noSourceAddress = markup`<p>${labels.noSourceAddress}</p>`;
  if (!proof) {
    return markup`<p>${state === "unconfirmed" ? labels.noProofYet : labels.noProof}</p>
${noSourceAddress}`;
  }
  const words = wording
    ? markup`<blockquote lang="${wording.lang}">${wording.text}</blockquote>`
    : markup`<p>${labels.noWording}</p>`;
  const known = facts([
    [labels.requestedAt, showTime(proof.requestedAt, texts)],
    [fields.source, proof.source && sources[proof.source]],
    [fields.lang, proof.lang && langs[proof.lang]],
    [labels.takenAt, proof.takenAt && showTime(proof.takenAt, texts)],
    [labels.answer, proof.answer],
    [labels.messageId, proof.messageId],
    [labels.confirmedAt, showTime(proof.confirmedAt, texts)],
    [labels.wordingId, markup`<code>${proof.consentText}</code>`],
  ]);
  return markup`${words}
${known}
${noSourceAddress}`;
}
