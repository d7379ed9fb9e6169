/**
 * Finds the people whose records show that they have not got their invitation letter. The service sends these letters
 * again, and the CLI counts them in a backup.
 *
 * @module
 */

/** The members of a record that decide whether the invitation letter is missing. Times are date-times in UTC. */
interface Person {
  state?: string;
  invitedAt?: string;
  corrections?: { at: string }[];
  invitationTakenAt?: string;
  undeliverableAt?: string;
  complainedAt?: string;
}

/**
 * Returns the date-time when the last invitation letter of an invited person was put into the outbox: at the
 * invitation, or at a later correction of the address. A letter that is sent again changes nothing of the result. For a
 * person who was not invited, the result has no meaning.
 */
export function invitationPutAt({ invitedAt = "", corrections = [] }: Person): string {
  const correctedAt = corrections.at(-1)?.at ?? "";
  return correctedAt > invitedAt ? correctedAt : invitedAt;
}

/**
 * Whether a person still has to get the invitation letter: the person is invited, no mail server has taken the last
 * letter, and letters may go to the address.
 */
export function isInvitationLetterMissing(person: Person): boolean {
  const { state, invitationTakenAt = "", undeliverableAt, complainedAt } = person;
  return state === "invited" && invitationTakenAt < invitationPutAt(person) &&
    !undeliverableAt && !complainedAt;
}
