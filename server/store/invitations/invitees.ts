/**
 * Invitees: the people whom waves invite by name. The entry of an invitee has the ids of the waves that are to invite
 * this person. The entry is removed together with the person's record, so that no erased address stays. @module
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
 * Returns the ids of the waves in the value of an invitee's entry. The value is a text with spaces between the ids. A
 * damaged value, which is no text, gives no ids.
 */
export const waveIdsOf = (value: unknown): string[] =>
  typeof value === "string" ? value.split(" ") : [];

/** The people whom a wave is to invite by name. */
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
    const record = entry?.value;
    if (record) people.push({ email, record });
    const reason = record ? reasonNotToInvite(record) : entry ? "unknown" : "unreadable";
    const isInvitedByWave = reason === "invited" && record?.wave === wave;
    if (reason && !isInvitedByWave) notInvited.push({ email, reason });
  }
  return { people, notInvited };
}

/**
 * Stores invitees, except people who are not on the list or are already invited. Each commit checks the records, so
 * that no entry keeps the address of a person who is erased meanwhile.
 * @param extend adds further writes to each commit. It returns `false` to stop before the remaining invitees.
 */
export async function addInvitees(
  kv: Kv,
  people: { email: string; wave: string }[],
  extend: (commit: Commit) => Promise<boolean>,
): Promise<void> {
  const rest = [...Map.groupBy(people, ({ email }) => email)];
  const size = checksFor(kv) >> 1;
  const addSome = (part: typeof rest) =>
    commitChange(kv, async () => {
      const commit = new Commit();
      if (!await extend(commit)) return { result: () => {} };
      const records = await readMany<SignUpRecord>(kv, part.map(([email]) => signUpKey(email)));
      const entries = await readMany<string>(kv, part.map(([email]) => inviteeKey(email)));
      for (const [index, [, waves]] of part.entries()) {
        const record = records[index];
        const entry = entries[index];
        // Stores no entry for a person whose record cannot be read, because a wave passes over this person.
        if (!record?.value || !entry || record.value.invitedAt) continue;
        const ids = new Set([...waveIdsOf(entry.value), ...waves.map(({ wave }) => wave)]);
        commit.check(record, entry).set(entry.key, [...ids].join(" "));
      }
      return { commit, result: () => {} };
    });
  while (rest.length > 0) {
    // Several commits are under way at a time, because a thousand people can need many small commits over a network,
    // which would take many seconds one after the other.
    const parts = Array.from({ length: kv.traits.commitsInFlight }, () => rest.splice(0, size));
    await Promise.all(parts.filter(({ length }) => length > 0).map(addSome));
  }
}

/**
 * Lets a commit remove waves from the entry of an invitee, because these waves do not invite the person any more. The
 * commit checks the entry.
 */
export function removeWaveIds(commit: Commit, entry: MaybeEntry<string>, removed: string[]): void {
  const ids = waveIdsOf(entry.value).filter((id) => !removed.includes(id));
  commit.check(entry);
  if (ids.length > 0) commit.set(entry.key, ids.join(" "));
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
 * stored. If another commit changes an entry meanwhile, this entry and the others in its commit stay until the next
 * call.
 * @param at the present moment, a date-time
 */
export async function removeInvitees(kv: Kv, at: string): Promise<void> {
  for await (const { entries } of readEntries<string>(kv, INVITEES)) {
    const ids = [...new Set(entries.flatMap(({ value }) => waveIdsOf(value)))];
    const waves = await readMany<Wave>(kv, ids.map(waveKey));
    const over = ids.filter((_, index) => isWaveOver(waves[index]?.value, at));
    const changed = entries.filter(({ value }) => waveIdsOf(value).some((id) => over.includes(id)));
    while (changed.length > 0) {
      const commit = new Commit();
      const part = changed.splice(0, kv.traits.checksPerCommit);
      for (const entry of part) removeWaveIds(commit, entry, over);
      await retry(() => kv.commit(commit));
    }
  }
}
