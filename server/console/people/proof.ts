/** Shows the proof of consent of a person. @module */
import { whyNoProof } from "../../../shared/missing_proof.ts";
import type { ShownSignup } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { type Fact, facts, showExactTime } from "../components.ts";

/**
 * The time of the latest consent, as a fact. A person who is asked to confirm agrees to the wording of the proof when
 * confirming, so the time is only that of a sign-up, unless an imported file gave the time.
 */
export function consentFact(
  person: ShownSignup,
  texts: ConsoleTexts,
  showMoment: (moment: string, texts: ConsoleTexts) => Html,
): Fact {
  const { person: labels } = texts;
  const { consentedAt, imported, proof } = person;
  const isFromFile = imported?.consentedAt === consentedAt;
  const isAskedToConfirm = proof !== undefined || whyNoProof(person) !== "notAsked";
  const name = isAskedToConfirm && !isFromFile ? labels.lastSignUp : labels.consentedAt;
  return [name, showMoment(consentedAt, texts)];
}

/**
 * The proof of consent: the wording that the person agreed to, and how the person confirmed. If there is no proof, the
 * reason, the moment of consent that an imported file gave, and where better evidence of this consent is.
 */
export function proofFacts(person: ShownSignup, texts: ConsoleTexts): Html {
  const { proof, wording, imported } = person;
  const { person: labels, words: { fields, langs, sources } } = texts;
  if (!proof) {
    const consentInFile = imported?.consentedAt &&
      markup` ${labels.consentInFile} ${showExactTime(imported.consentedAt, texts)}.`;
    return markup`<p>${labels.noProof[whyNoProof(person)]}${consentInFile}</p>
${imported && markup`<p>${labels.evidenceElsewhere}</p>`}
<p>${labels.noSourceAddress}</p>`;
  }
  const consentWording = wording
    ? markup`<blockquote lang="${wording.lang}">${wording.text}</blockquote>`
    : markup`<p>${labels.noWording}</p>`;
  const confirmationFacts = facts([
    [labels.requestedAt, showExactTime(proof.requestedAt, texts)],
    [fields.source, proof.source && sources[proof.source]],
    [fields.lang, proof.lang && langs[proof.lang]],
    [labels.takenAt, proof.takenAt && showExactTime(proof.takenAt, texts)],
    [labels.answer, proof.answer],
    [labels.messageId, proof.messageId],
    [labels.confirmedAt, showExactTime(proof.confirmedAt, texts)],
    [
      labels.wordingId,
      markup`<code>${proof.consentText}</code> <small>${labels.wordingIdHint}</small>`,
    ],
  ]);
  return markup`${consentWording}
${confirmationFacts}
<p>${labels.noSourceAddress} ${proof.takenAt && labels.proofIsEnough}</p>`;
}
