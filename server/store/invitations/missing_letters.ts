/**
 * Puts an invitation letter into the outbox again if no mail server has taken it and an operator has resumed its wave.
 * `wave_commits.ts` makes the commits. @module
 */
import { isInvitationLetterMissing } from "../../../shared/missing_invitation_letter.ts";
import { hasExpired, invitationUrlOf, type SignUpRecord } from "../../waitlist/mod.ts";
import {
  addressesOf,
  type Kv,
  PAGE_SIZE,
  pages,
  waveCountKey,
  waveMembersSelector,
} from "../kv/mod.ts";
import { findItems, type OutboxEntry } from "../outbox/mod.ts";
import { findRecords, type PersonChange } from "../people/mod.ts";
import type { BatchChange, ReadBatch } from "./wave_commits.ts";

/** Finds the invitation letters to a person that are in the outbox. */
async function findInvitationLetters(kv: Kv, record: SignUpRecord): Promise<OutboxEntry[]> {
  const items = await findItems(kv, record.outbox);
  return items.filter(({ item: { message } }) =>
    "letter" in message && message.letter === "invitation"
  );
}

/** Whether a letter in the outbox waits until an operator makes it due again. */
const isRefused = ({ item }: OutboxEntry): boolean => item.queue === "refused";

/**
 * Reads the people of a wave whose invitation letter no mail server has taken and who have no letter waiting in the
 * outbox. Yields at most `size` addresses at once, and an empty list after a whole page without such a person.
 */
export async function* readPeopleWithoutLetter(
  kv: Kv,
  wave: string,
  size: number,
): AsyncGenerator<string[]> {
  for await (const members of pages(kv, waveMembersSelector(wave))) {
    const people = await findRecords(kv, addressesOf(members));
    const withoutLetter = people.filter(({ record }) =>
      record.wave === wave && isInvitationLetterMissing(record)
    );
    const letters = await Promise.all(
      withoutLetter.map(({ record }) => findInvitationLetters(kv, record)),
    );
    const emails = withoutLetter
      .filter((_, index) => letters[index]!.every(isRefused))
      .map(({ email }) => email);
    if (emails.length === 0 && members.length === PAGE_SIZE) yield [];
    while (emails.length > 0) yield emails.splice(0, size);
  }
}

/** A person whose invitation letter is put into the outbox again. */
interface PersonWithoutLetter extends Pick<PersonChange, "email" | "entry"> {
  record: SignUpRecord;
  invitationCode: string;
  /** The refused letters to the person that are in the outbox. */
  refusedLetters: OutboxEntry[];
}

/** Puts invitation letters to the people of a batch into the outbox again, in place of refused letters. */
export async function putLettersAgain(
  kv: Kv,
  batch: ReadBatch,
): Promise<BatchChange | undefined> {
  const { id, wave, now } = batch;
  const peopleWithoutLetter = await findPeopleWithoutLetter(kv, batch);
  if (peopleWithoutLetter.length === 0) return undefined;
  const people = peopleWithoutLetter.map(
    ({ email, entry, record, invitationCode, refusedLetters }): PersonChange => ({
      email,
      entry,
      change: { record: withoutRefusedInvitation(record, refusedLetters), letter: "invitation" },
      invitationUrl: invitationUrlOf(wave.parameters.link, invitationCode),
      now,
    }),
  );
  // A refused letter that is in the outbox again does not count as refused any more.
  const countedAsRefused = peopleWithoutLetter.filter(({ record }) =>
    record.lastLetters?.invitation?.refusedAt
  );
  return {
    people,
    wave: { ...wave, owes: true, lettersAgain: (wave.lettersAgain ?? 0) + people.length },
    goesOn: true,
    addWrites(commit, outboxChanges) {
      for (const { refusedLetters } of peopleWithoutLetter) {
        for (const entry of refusedLetters) outboxChanges.changeItem({ entry });
      }
      if (countedAsRefused.length > 0) {
        commit.add(waveCountKey(id, "refused"), -countedAsRefused.length);
      }
    },
  };
}

/**
 * Finds those people of a batch who still need their invitation letter, and who have no invitation letter in the outbox
 * except refused letters.
 */
async function findPeopleWithoutLetter(
  kv: Kv,
  { id, emails, records, now }: ReadBatch,
): Promise<PersonWithoutLetter[]> {
  const at = new Date(now).toISOString();
  const people = await Promise.all(
    emails.map(async (email, index): Promise<PersonWithoutLetter | undefined> => {
      const entry = records[index];
      const record = entry?.value;
      if (!record?.invitationCode || record.wave !== id) return undefined;
      if (!isInvitationLetterMissing(record) || hasExpired(record.expiresAt, at)) return undefined;
      const letters = await findInvitationLetters(kv, record);
      if (!letters.every(isRefused)) return undefined;
      const { invitationCode } = record;
      return { email, entry, record, invitationCode, refusedLetters: letters };
    }),
  );
  return people.filter((person) => person !== undefined);
}

/** Gives the record of a person without its references to refused invitation letters, and without their outcome. */
function withoutRefusedInvitation(
  record: SignUpRecord,
  refusedLetters: OutboxEntry[],
): SignUpRecord {
  const { outbox = [], lastLetters: { invitation: _, ...lastLetters } = {}, ...others } = record;
  const refusedIds = refusedLetters.map(({ id }) => id);
  return { ...others, lastLetters, outbox: outbox.filter((id) => !refusedIds.includes(id)) };
}
