/** Corrects an address: makes the record of the new address from the record of the old one. @module */
import type { SignUpRecord } from "./record.ts";
import { askToConfirm, type JoinOptions, type Step } from "./transitions.ts";

interface CorrectionOptions extends Pick<JoinOptions, "at" | "asksToConfirm" | "letterLimit"> {
  /**
   * The erasure mark of the old address. It is stored, so that a later correction back to the old address is recognized
   * and allowed.
   */
  address: string;
  /** The new invitation code, which replaces the code that was sent to the old address. */
  invitationCode: string;
}

/**
 * Makes the record of the new address. The result lacks what belongs to the old address: letters, bounces and
 * complaints. The proof of consent moves into the history of corrections. With mail on, a waiting person becomes
 * `unconfirmed`, and has to confirm the new address; no other step leads back to this state.
 */
export function correctRecord(
  record: SignUpRecord,
  { at, address, asksToConfirm, letterLimit, invitationCode }: CorrectionOptions,
): Step {
  const { proof, undeliverableAt: _, confirmations: _asked, letters: _sent, ...rest } = record;
  const { linkAt: _link, lastLetters: _ended, outbox: _items, complainedAt: _own, ...own } = rest;
  const { corrections = [], ...kept } = own;
  const correction = { at, address, ...proof && { proof } };
  const moved: SignUpRecord = {
    ...kept,
    corrections: [...corrections, correction],
    updatedAt: at,
    ...letterLimit.complainedAt && { complainedAt: letterLimit.complainedAt },
  };
  const event = "signup.corrected";
  const { state } = record;
  if (asksToConfirm && (state === "unconfirmed" || state === "waiting")) {
    return { ...askToConfirm({ ...moved, state: "unconfirmed" }, at, letterLimit), event };
  }
  if (state !== "invited") return { record: moved, event };
  const letter = !moved.complainedAt && { letter: "invitation" as const };
  return { record: { ...moved, invitationCode }, ...letter, event };
}

/**
 * Whether an erasure mark was made by a correction of this person's address. If so, the person can get the old address
 * back.
 *
 * @param options.erasedAt the moment of the erasure mark, a date-time
 * @param options.marks the erasure marks that the address can have, one for each erasure key
 */
export function isOwnErasureMark(
  { corrections = [] }: SignUpRecord,
  { erasedAt, marks }: { erasedAt: string; marks: string[] },
): boolean {
  return corrections.some(({ at, address }) => at === erasedAt && marks.includes(address));
}
