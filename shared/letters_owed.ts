/** Which letters are owed, by what is kept of a person: the service sends them again, and the CLI counts them. @module */

interface Person {
  state?: string;
  invitedAt?: string;
  corrections?: { at: string }[];
  invitationTakenAt?: string;
  undeliverableAt?: string;
  complainedAt?: string;
}

/** When the last letter that invites a person was put into the outbox, a date-time; empty where there was none. */
export function invitationPutAt({ invitedAt = "", corrections = [] }: Person): string {
  const correctedAt = corrections.at(-1)?.at ?? "";
  return correctedAt > invitedAt ? correctedAt : invitedAt;
}

/** Whether a person is invited by a letter that no mail server has taken, and can get one. */
export function isInvitationOwed(person: Person): boolean {
  const { state, invitationTakenAt = "", undeliverableAt, complainedAt } = person;
  return state === "invited" && invitationTakenAt < invitationPutAt(person) &&
    !undeliverableAt && !complainedAt;
}
