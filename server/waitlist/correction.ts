/** Corrects an address: makes the record of the new address from the record of the old address. @module */
import type { SignUpRecord } from "./record.ts";
import { askToConfirm, type JoinOptions, type Step } from "./transitions.ts";

/** What a correction needs besides the record. */
interface CorrectionOptions extends Pick<JoinOptions, "at" | "asksToConfirm" | "letterLimit"> {
  /**
   * The erasure mark of the old address. It is stored, so that a later correction back to the old address is recognized
   * and allowed.
   */
  oldAddressMark: string;
  /** The new invitation code, which replaces the code that was sent to the old address. */
  invitationCode: string;
}

/** The members of a record that are about the old address, such as its letters, bounces and complaints. */
const MEMBERS_OF_ADDRESS = [
  "undeliverableAt",
  "complainedAt",
  "confirmations",
  "letters",
  "lastLetters",
  "linkAt",
  "outbox",
] as const satisfies (keyof SignUpRecord)[];

/**
 * Makes the record of the new address:
 * - {@linkcode MEMBERS_OF_ADDRESS} are removed, and a complaint about the new mailbox is added.
 * - The proof of consent moves into the history of corrections.
 * - With `asksToConfirm`, an unconfirmed or waiting person becomes `unconfirmed`, and is asked to confirm the new
 *   address if the letter limit allows the letter. Only a correction leads from `waiting` to `unconfirmed`.
 * - An invited person gets a new invitation code, and a letter with this code unless there is a complaint.
 */
export function correctRecord(
  record: SignUpRecord,
  { at, oldAddressMark, asksToConfirm, letterLimit, invitationCode }: CorrectionOptions,
): Step {
  const { proof, corrections = [], ...otherMembers } = record;
  // The member `address` has the erasure mark, not the address. It has this name because the operator surface shows the
  // mark by this name.
  const correction = { at, address: oldAddressMark, ...proof && { proof } };
  const corrected: SignUpRecord = {
    ...otherMembers,
    corrections: [...corrections, correction],
    updatedAt: at,
  };
  for (const name of MEMBERS_OF_ADDRESS) delete corrected[name];
  if (letterLimit.complainedAt) corrected.complainedAt = letterLimit.complainedAt;
  const event = "signup.corrected";
  const { state } = record;
  if (asksToConfirm && (state === "unconfirmed" || state === "waiting")) {
    return { ...askToConfirm({ ...corrected, state: "unconfirmed" }, at, letterLimit), event };
  }
  if (state !== "invited") return { record: corrected, event };
  const invited = { ...corrected, invitationCode };
  if (invited.complainedAt) return { record: invited, event };
  return { record: invited, letter: "invitation", event };
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
