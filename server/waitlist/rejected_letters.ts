/** Which of the last letters to a person were rejected, and so did not do what they were sent for. @module */
import { LETTER_KINDS } from "../../shared/letter_kinds.ts";
import type { SignUpRecord } from "./record.ts";
import type { LetterKind } from "./transitions.ts";

/**
 * Gives the kinds of letters of which a mail server has rejected the last one, in the order of a person's life. Leaves
 * out a letter that the person does not need any more: a confirmation letter once the person has confirmed, and an
 * invitation letter once the person has accepted.
 */
export function rejectedLettersOf(
  { state, lastLetters = {} }: Partial<Pick<SignUpRecord, "state" | "lastLetters">>,
): LetterKind[] {
  const isNeeded = (kind: LetterKind) =>
    kind === "confirmation"
      ? state === "unconfirmed"
      : kind === "invitation"
      ? state === "invited"
      : true;
  return LETTER_KINDS.filter((kind) =>
    lastLetters[kind]?.refusedAt !== undefined && isNeeded(kind)
  );
}
