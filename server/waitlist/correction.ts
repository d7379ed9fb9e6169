/** Corrects an address: makes the record of the new address from the record of the old one. @module */
import type { SignUpRecord } from "./record.ts";
import { askToConfirm, type JoinOptions, type Step } from "./transitions.ts";

interface CorrectionOptions extends Pick<JoinOptions, "at" | "asksToConfirm" | "letterLimit"> {
  /**
   * The erasure mark of the old address. It is stored, so that a later correction back to the old address is recognized
   * and allowed.
   */
  oldAddressMark: string;
  /** The new invitation code, which replaces the code that was sent to the old address. */
  invitationCode: string;
}

/**
 * Makes the record of the new address. The result lacks what belongs to the old address: letters, bounces and
 * complaints. A complaint about the new mailbox is kept. The proof of consent moves into the history of corrections.
 * With mail on, a waiting person becomes `unconfirmed` again, and has to confirm the new address. Only a correction
 * leads from `waiting` to `unconfirmed`.
 */
export function correctRecord(
  record: SignUpRecord,
  { at, oldAddressMark, asksToConfirm, letterLimit, invitationCode }: CorrectionOptions,
): Step {
  const {
    proof,
    corrections = [],
    undeliverableAt: _undeliverableAt,
    complainedAt: _complainedAt,
    confirmations: _confirmations,
    letters: _letters,
    lastLetters: _lastLetters,
    linkAt: _linkAt,
    outbox: _outbox,
    ...others
  } = record;
  const correction = { at, address: oldAddressMark, ...proof && { proof } };
  const corrected: SignUpRecord = {
    ...others,
    corrections: [...corrections, correction],
    updatedAt: at,
    ...letterLimit.complainedAt && { complainedAt: letterLimit.complainedAt },
  };
  const event = "signup.corrected";
  const { state } = record;
  if (asksToConfirm && (state === "unconfirmed" || state === "waiting")) {
    return { ...askToConfirm({ ...corrected, state: "unconfirmed" }, at, letterLimit), event };
  }
  if (state !== "invited") return { record: corrected, event };
  const letter = !corrected.complainedAt && { letter: "invitation" as const };
  return { record: { ...corrected, invitationCode }, ...letter, event };
}

/**
 * Whether a correction of this person's address made the erasure mark of an address. If so, the person can get this
 * address back.
 *
 * @param options.erasedAt the moment of the erasure mark, a date-time
 * @param options.marks the erasure marks that the address can have, one for each erasure key
 */
export function isMarkOfCorrection(
  { corrections = [] }: SignUpRecord,
  { erasedAt, marks }: { erasedAt: string; marks: string[] },
): boolean {
  return corrections.some(({ at, address }) => at === erasedAt && marks.includes(address));
}
