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

/** Puts invitation letters to the people of a batch into the outbox again, in place of refused letters. */
export async function putLettersAgain(
  kv: Kv,
  { id, wave, emails, records, now }: ReadBatch,
): Promise<BatchChange | undefined> {
  const at = new Date(now).toISOString();
  const lettersOfPeople = await Promise.all(
    records.map((entry) => entry?.value ? findInvitationLetters(kv, entry.value) : []),
  );
  const withoutLetter = emails.flatMap((email, index) => {
    const entry = records[index];
    const record = entry?.value;
    if (!record?.invitationCode || record.wave !== id || !isInvitationLetterMissing(record)) {
      return [];
    }
    const letters = lettersOfPeople[index]!;
    if (hasExpired(record.expiresAt, at) || !letters.every(isRefused)) return [];
    return [{ email, entry, record, code: record.invitationCode, refused: letters }];
  });
  if (withoutLetter.length === 0) return undefined;
  const people = withoutLetter.map(({ email, entry, record, code, refused }): PersonChange => ({
    email,
    entry,
    change: { record: withoutRefusedInvitation(record, refused), letter: "invitation" },
    invitationUrl: invitationUrlOf(wave.parameters.link, code),
    now,
  }));
  /** The people whose refused letter the wave's counter has counted. */
  const countedAsRefused = withoutLetter.filter(({ record }) =>
    record.lastLetters?.invitation?.refusedAt
  );
  return {
    people,
    wave: { ...wave, owes: true, lettersAgain: (wave.lettersAgain ?? 0) + people.length },
    goesOn: true,
    addWrites(commit, outboxChanges) {
      for (const entry of withoutLetter.flatMap(({ refused }) => refused)) {
        outboxChanges.changeItem({ entry });
      }
      if (countedAsRefused.length > 0) {
        commit.add(waveCountKey(id, "refused"), -countedAsRefused.length);
      }
    },
  };
}

/** Gives the record of a person without its references to refused invitation letters, and without their outcome. */
function withoutRefusedInvitation(record: SignUpRecord, refused: OutboxEntry[]): SignUpRecord {
  const { outbox = [], lastLetters: { invitation: _, ...lastLetters } = {}, ...others } = record;
  const refusedIds = refused.map(({ id }) => id);
  return { ...others, lastLetters, outbox: outbox.filter((id) => !refusedIds.includes(id)) };
}
