/**
 * Invitees: the people whom waves are to invite by name, because an operator listed their addresses. The entry of an
 * invitee has the ids of these waves. The entry is removed together with the person's record, so that no erased address
 * stays. @module
 */
import { z } from "zod";
import { storedInviteeSchema } from "../../../shared/backup_lines.ts";
import type { NotInvited } from "../../../shared/operator_schemas.ts";
import { isWaveOver, reasonNotToInvite, type SignUpRecord, type Wave } from "../../waitlist/mod.ts";
import {
  addressOf,
  checksFor,
  Commit,
  commitChange,
  type EntryBatch,
  type EntrySelector,
  inviteeKey,
  INVITEES,
  type Kv,
  type MaybeEntry,
  readEntries,
  readMany,
  retry,
  signUpKey,
  waveKey,
} from "../kv/mod.ts";
import type { AddressedRecord } from "../people/mod.ts";

/**
 * Gives the ids of the waves in the value of an invitee's entry. The value is a text with spaces between the ids. A
 * damaged value, which is no text, gives no ids.
 */
export const waveIdsOf = (value: unknown): string[] =>
  typeof value === "string" ? value.split(" ") : [];

/** Gives the value of an invitee's entry, from which {@linkcode waveIdsOf} reads the ids. */
const toEntryValue = (waveIds: Iterable<string>): string => [...waveIds].join(" ");

/** A person, and the ids of the waves that are to invite this person. */
interface Invitee {
  email: string;
  waveIds: string[];
}

/** What was found out about the people whom a wave is to invite by name. */
export interface FoundInvitees {
  /** The people who have a record, whether they can be invited or not. */
  people: AddressedRecord[];
  /** The addresses that cannot be invited, each with the reason. */
  notInvited: NotInvited[];
}

/**
 * Finds the records of the people whom a wave is to invite by name, and gives the reasons why some of them cannot be
 * invited. An earlier invitation by the same wave is no such reason.
 */
export async function findInvitees(
  kv: Kv,
  addresses: string[],
  wave: string,
): Promise<FoundInvitees> {
  const emails = [...new Set(addresses)];
  const entries = await readMany<SignUpRecord>(kv, emails.map(signUpKey));
  const people: AddressedRecord[] = [];
  const notInvited: NotInvited[] = [];
  for (const [index, email] of emails.entries()) {
    const entry = entries[index];
    if (!entry) notInvited.push({ email, reason: "unreadable" });
    else if (!entry.value) notInvited.push({ email, reason: "unknown" });
    else {
      const record = entry.value;
      people.push({ email, record });
      const reason = reasonNotToInvite(record);
      const isInvitedByWave = reason === "invited" && record.wave === wave;
      if (reason && !isInvitedByWave) notInvited.push({ email, reason });
    }
  }
  return { people, notInvited };
}

/**
 * Stores invitees, except people who are not on the list or are already invited. Each commit checks the records, so
 * that no entry keeps the address of a person who is erased meanwhile.
 * @param pairs each has the address of a person, and the id of a wave that is to invite this person
 * @param extend adds further checks and writes to each commit. If it returns `false`, the invitees of this commit are
 * not stored
 */
export async function addInvitees(
  kv: Kv,
  pairs: { email: string; wave: string }[],
  extend: (commit: Commit) => Promise<boolean>,
): Promise<void> {
  const remainingInvitees: Invitee[] = Array.from(
    Map.groupBy(pairs, ({ email }) => email),
    ([email, pairsOfPerson]) => ({ email, waveIds: pairsOfPerson.map(({ wave }) => wave) }),
  );
  // Each invitee needs two checks in a commit: for the record, and for the entry of the invitee.
  const maxInCommit = Math.floor(checksFor(kv) / 2);
  while (remainingInvitees.length > 0) {
    // Several commits are under way at a time, because a thousand people can need many small commits over a network,
    // which would take many seconds one after the other.
    const batches: Invitee[][] = [];
    while (remainingInvitees.length > 0 && batches.length < kv.traits.commitsInFlight) {
      batches.push(remainingInvitees.splice(0, maxInCommit));
    }
    await Promise.all(batches.map((batch) => commitInvitees(kv, batch, extend)));
  }
}

/** Stores some invitees in one commit, as {@linkcode addInvitees} does. */
function commitInvitees(
  kv: Kv,
  invitees: Invitee[],
  extend: (commit: Commit) => Promise<boolean>,
): Promise<void> {
  return commitChange<void>(kv, async () => {
    const commit = new Commit();
    if (!await extend(commit)) return { result: () => {} };
    const records = await readMany<SignUpRecord>(kv, invitees.map(({ email }) => signUpKey(email)));
    const entries = await readMany<string>(kv, invitees.map(({ email }) => inviteeKey(email)));
    for (const [index, { waveIds }] of invitees.entries()) {
      const record = records[index];
      const entry = entries[index];
      // Stores no entry for a person whose record cannot be read, because a wave passes over this person.
      if (!record?.value || !entry || record.value.invitedAt) continue;
      const allWaveIds = new Set([...waveIdsOf(entry.value), ...waveIds]);
      commit.check(record, entry).set(entry.key, toEntryValue(allWaveIds));
    }
    return { commit, result: () => {} };
  });
}

/**
 * Lets a commit remove waves from the entry of an invitee, because these waves do not invite the person any more. The
 * commit checks the entry.
 */
export function removeWaveIds(
  commit: Commit,
  entry: MaybeEntry<string>,
  waveIds: string[],
): void {
  const remainingIds = waveIdsOf(entry.value).filter((id) => !waveIds.includes(id));
  commit.check(entry);
  if (remainingIds.length > 0) commit.set(entry.key, toEntryValue(remainingIds));
  else commit.delete(entry.key);
}

/** Reads the addresses of the people whom a wave is to invite, a batch at a time. */
export async function* readInviteesOf(kv: Kv, wave: string): AsyncGenerator<string[]> {
  for await (const { entries } of readEntries<string>(kv, INVITEES)) {
    yield entries.flatMap(({ key, value }) =>
      waveIdsOf(value).includes(wave) ? addressOf(key) : []
    );
  }
}

/** Reads all invitees, with the ids of their waves, a batch at a time. */
export async function* readInvitees(kv: Kv): AsyncGenerator<EntryBatch<string[]>> {
  const form: EntrySelector<string>["form"] = {
    schema: z.array(storedInviteeSchema).min(1),
    toForm: (email, ids) => waveIdsOf(ids).map((wave) => ({ email, wave })),
  };
  for await (const { entries, unreadable } of readEntries<string>(kv, { ...INVITEES, form })) {
    yield {
      entries: entries.map((entry) => ({ ...entry, value: waveIdsOf(entry.value) })),
      unreadable,
    };
  }
}

/**
 * Removes from all entries the waves that invite nobody any more, because they are cancelled or over, or were never
 * stored. If another commit changes an entry meanwhile, all entries that share a commit with this entry stay unchanged
 * until the next call.
 * @param at the present moment, a date-time
 */
export async function removeInvitees(kv: Kv, at: string): Promise<void> {
  for await (const { entries } of readEntries<string>(kv, INVITEES)) {
    const waveIds = [...new Set(entries.flatMap(({ value }) => waveIdsOf(value)))];
    const waves = await readMany<Wave>(kv, waveIds.map(waveKey));
    const endedIds = waveIds.filter((_, index) => isWaveOver(waves[index]?.value, at));
    const entriesToChange = entries.filter(({ value }) =>
      waveIdsOf(value).some((id) => endedIds.includes(id))
    );
    while (entriesToChange.length > 0) {
      const commit = new Commit();
      for (const entry of entriesToChange.splice(0, kv.traits.checksPerCommit)) {
        removeWaveIds(commit, entry, endedIds);
      }
      await retry(() => kv.commit(commit));
    }
  }
}
