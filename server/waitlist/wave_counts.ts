/** The counts of a wave, and how a change of a person changes these counts. @module */
import { isInvitationLetterMissing } from "../../shared/missing_invitation_letter.ts";
import type { SignUpRecord } from "./record.ts";

/**
 * Gives the names of the wave's counts that a change of a person's record raises by one. The counts do not go down when
 * a person is erased.
 */
export function namesOfRaisedCounts(
  before: SignUpRecord,
  after: SignUpRecord,
): ("taken" | "accepted")[] {
  const names: ("taken" | "accepted")[] = [];
  if (!before.invitationTakenAt && after.invitationTakenAt) names.push("taken");
  if (before.state !== "accepted" && after.state === "accepted") names.push("accepted");
  return names;
}

/**
 * Whether the wave counts the person's letter as refused. A wave counts one outcome for each person: a letter that is
 * refused after a mail server has taken an earlier invitation to the person counts as taken only.
 */
export const isCountedAsRefused = ({ invitationTakenAt, lastLetters }: SignUpRecord): boolean =>
  !invitationTakenAt && lastLetters?.invitation?.refusedAt !== undefined;

/** A count of a wave that a change of a person can also lower. */
type ChangingCount = "dropped" | "notSendable";

/**
 * Gives the numbers that a change of a person adds to the wave's counts of dropped letters, and of refused letters that
 * a resumed wave does not send again.
 * @param after the record after the change; absent if the person leaves the list
 * @param options.isCorrected whether the record moves to another address, which gets a new letter
 */
export function changesOfCounts(
  before: SignUpRecord,
  after: SignUpRecord | undefined,
  options: { isCorrected: boolean },
): Record<ChangingCount, number> {
  return {
    dropped: changeOfDroppedLetters(before, after, options),
    notSendable: changeOfNotSendable(before, after, options),
  };
}

/** Gives the change of the count of refused letters that a resumed wave does not send again. */
function changeOfNotSendable(
  before: SignUpRecord,
  after: SignUpRecord | undefined,
  { isCorrected }: { isCorrected: boolean },
): number {
  // The count of refused letters keeps the letter of a person who is erased, so this letter counts here from then on.
  const isNotSendableNow = after
    ? isNotSendable(after)
    : !isCorrected && isCountedAsRefused(before);
  return Number(isNotSendableNow) - Number(isNotSendable(before));
}

/** Whether the letter to the person was refused, and a resumed wave does not send this letter again. */
const isNotSendable = (record: SignUpRecord): boolean =>
  record.wave !== undefined && isCountedAsRefused(record) && !isInvitationLetterMissing(record);

/**
 * Gives the number that a change of a person adds to the wave's count of dropped letters. A dropped letter is not sent
 * any more, although no mail server has taken or refused it.
 */
function changeOfDroppedLetters(
  before: SignUpRecord,
  after: SignUpRecord | undefined,
  { isCorrected }: { isCorrected: boolean },
): number {
  // If a person leaves the list, the letters to the person are removed from the outbox. So a letter without an outcome
  // is dropped then, even if it could still have been sent.
  const isDroppedNow = after ? isLetterDropped(after) : !isCorrected && lacksOutcome(before);
  return Number(isDroppedNow) - Number(isLetterDropped(before));
}

/** Whether a wave has invited the person, and no mail server has taken or refused the invitation letter. */
function lacksOutcome({ wave, state, invitationTakenAt, lastLetters }: SignUpRecord): boolean {
  const isInvited = state === "invited" || state === "accepted";
  return wave !== undefined && isInvited && !invitationTakenAt &&
    !lastLetters?.invitation?.refusedAt;
}

/** Whether the invitation letter to the person waits: it has no outcome yet, and is still to be sent. */
export const isInvitationLetterWaiting = (record: SignUpRecord): boolean =>
  lacksOutcome(record) && isInvitationLetterMissing(record);

/** Whether the invitation letter to the person is dropped: it has no outcome, and is not sent any more. */
const isLetterDropped = (record: SignUpRecord): boolean =>
  lacksOutcome(record) && !isInvitationLetterMissing(record);
