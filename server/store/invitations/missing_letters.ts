/**
 * Finds the people of a resumed wave whose invitation letter no mail server has taken, and puts their letters into the
 * outbox again. `wave_commits.ts` makes the commits. @module
 */
import { isInvitationLetterMissing } from "../../../shared/missing_invitation_letter.ts";
import { hasExpired } from "../../waitlist/mod.ts";
import { addressesOf, type Kv, PAGE_SIZE, pages, waveMembersSelector } from "../kv/mod.ts";
import { findRecords } from "../people/mod.ts";
import {
  findInvitationLetters,
  isRefused,
  type PersonToWriteAgain,
  removeRefusedLetters,
  writeAgain,
} from "./letter_again.ts";
import type { BatchChange, ReadBatch } from "./wave_commits.ts";

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

/** Puts invitation letters to the people of a batch into the outbox again, in place of refused letters. */
export async function putLettersAgain(
  kv: Kv,
  batch: ReadBatch,
): Promise<BatchChange | undefined> {
  const { id, wave, now } = batch;
  const { link } = wave.parameters;
  const people = await findPeopleWithoutLetter(kv, batch);
  if (people.length === 0) return undefined;
  const { auditOfAgain } = wave;
  const wasDone = auditOfAgain?.details?.again === true;
  return {
    people: people.map((person) => ({
      ...writeAgain(person, { link, now }),
      getsAuditEntry: wasDone || wasRefused(person),
    })),
    wave: { ...wave, owes: true, lettersAgain: (wave.lettersAgain ?? 0) + people.length },
    goesOn: true,
    auditPerPerson: auditOfAgain && {
      ...auditOfAgain,
      details: { ...auditOfAgain.details, again: true },
    },
    addWrites: (commit, outboxChanges) =>
      removeRefusedLetters(commit, outboxChanges, { wave: id, people }),
  };
}

/**
 * Whether the last invitation letter to a person was refused. After a restore, only the record says this, because a
 * backup holds no letters.
 */
const wasRefused = ({ record, refusedLetters }: PersonToWriteAgain): boolean =>
  refusedLetters.length > 0 || record.lastLetters?.invitation?.refusedAt !== undefined;

/**
 * Finds those people of a batch who still need their invitation letter, and who have no invitation letter in the outbox
 * except refused letters.
 */
async function findPeopleWithoutLetter(
  kv: Kv,
  { id, emails, records, now }: ReadBatch,
): Promise<PersonToWriteAgain[]> {
  const at = new Date(now).toISOString();
  const people = await Promise.all(
    emails.map(async (email, index): Promise<PersonToWriteAgain | undefined> => {
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
