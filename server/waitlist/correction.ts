/** What the correction of an address does to the record that moves to the new one. @module */
import type { SignUpRecord } from "./record.ts";
import { askToConfirm, type JoinOptions, type Step } from "./transitions.ts";

interface CorrectionOptions extends Pick<JoinOptions, "at" | "asksToConfirm" | "letterLimit"> {
  /** The keyed hash of the old address, by which its erasure mark is known again. */
  address: string;
  /** Takes the place of the code that the old address got. */
  invitationCode: string;
}

/**
 * Gives the record for the new address. What was the old address's own stays behind: its letters, its marks by
 * bounces and complaints, and its proof of consent, which is kept as history. This is the one step back to `unconfirmed`.
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

/** Whether a correction of this very person left a mark, and can be undone. @param marks one with each key */
export function isOwnMark(
  { corrections = [] }: SignUpRecord,
  { erasedAt, marks }: { erasedAt: string; marks: string[] },
): boolean {
  return corrections.some(({ at, address }) => at === erasedAt && marks.includes(address));
}
