/**
 * Invitees: the people whom waves invite by name. The entry of a person has the ids of the waves that are to invite the
 * person. The entry is removed with the record, so that no erased address stays. @module
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

/** Gives the ids of the waves in the value of an entry. A damaged value has none. Ids have no spaces. */
export const waveIdsOf = (value: unknown): string[] =>
  typeof value === "string" ? value.split(" ") : [];

/**
 * Finds the records of people whom a wave is to invite by name, and says whom it cannot invite. A person whom the wave has
 * already invited is not among those.
 */
export async function findInvitees(
  kv: Kv,
  given: string[],
  wave: string,
): Promise<{ people: AddressedRecord[]; notInvited: NotInvited[] }> {
  const emails = [...new Set(given)];
  const entries = await readMany<SignUpRecord>(kv, emails.map(signUpKey));
  const people: AddressedRecord[] = [];
  const notInvited: NotInvited[] = [];
  for (const [index, email] of emails.entries()) {
    const entry = entries[index];
    const record = entry?.value;
    if (record) people.push({ email, record });
    const reason = record ? reasonNotToInvite(record) : entry ? "unknown" : "unreadable";
    const isOwn = reason === "invited" && record?.wave === wave;
    if (reason && !isOwn) notInvited.push({ email, reason });
  }
  return { people, notInvited };
}

/**
 * Stores invitees, but for people who are not on the list or are invited already. Each commit checks the records, so that
 * no entry keeps the address of a person who is erased meanwhile.
 * @param extend adds what else belongs to each commit; gives `false` if nobody is to be stored any more
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
        // A wave passes over a person whose record cannot be read, so no entry is stored.
        if (!record?.value || !entry || record.value.invitedAt) continue;
        const ids = new Set([...waveIdsOf(entry.value), ...waves.map(({ wave }) => wave)]);
        commit.check(record, entry).set(entry.key, [...ids].join(" "));
      }
      return { commit, result: () => {} };
    });
  while (rest.length > 0) {
    // One commit after the other would take many seconds for a thousand people, if commits are small and cross a network.
    const parts = Array.from({ length: kv.traits.commitsInFlight }, () => rest.splice(0, size));
    await Promise.all(parts.filter(({ length }) => length > 0).map(addSome));
  }
}

/** Adds to a commit, which checks the entry, that some waves do not invite the person any more. */
export function removeWaveIds(commit: Commit, entry: MaybeEntry<string>, removed: string[]): void {
  const ids = waveIdsOf(entry.value).filter((id) => !removed.includes(id));
  commit.check(entry);
  if (ids.length > 0) commit.set(entry.key, ids.join(" "));
  else commit.delete(entry.key);
}

/** Reads the addresses of the people whom a wave is to invite, some at a time. */
export async function* readInviteesOf(kv: Kv, wave: string): AsyncGenerator<string[]> {
  for await (const { entries } of readEntries<string>(kv, INVITEES)) {
    yield entries.flatMap(({ key, value }) =>
      waveIdsOf(value).includes(wave) ? addressOf(key) : []
    );
  }
}

/** Reads all invitees and the ids of their waves, some at a time. */
export async function* readInvitees(kv: Kv): AsyncGenerator<EntryBatch<string[]>> {
  const of = (email: string, ids: unknown) => waveIdsOf(ids).map((wave) => ({ email, wave }));
  const form = { schema: z.array(storedInviteeSchema).min(1), of };
  for await (const { entries, unreadable } of readEntries<string>(kv, { ...INVITEES, form })) {
    yield {
      entries: entries.map((entry) => ({ ...entry, value: waveIdsOf(entry.value) })),
      unreadable,
    };
  }
}

/**
 * Removes the waves that invite nobody any more from all entries: waves that are cancelled or over, or were never stored.
 * If another commit changes an entry meanwhile, the entry stays until the next call, with the others of its commit.
 * @param at a date-time
 */
export async function removeInvitees(kv: Kv, at: string): Promise<void> {
  for await (const { entries } of readEntries<string>(kv, INVITEES)) {
    const ids = [...new Set(entries.flatMap(({ value }) => waveIdsOf(value)))];
    const waves = await readMany<Wave>(kv, ids.map(waveKey));
    const over = ids.filter((_, index) => isWaveOver(waves[index]?.value, at));
    const changed = entries.filter(({ value }) => waveIdsOf(value).some((id) => over.includes(id)));
    while (changed.length > 0) {
      const commit = new Commit();
      const some = changed.splice(0, kv.traits.checksPerCommit);
      for (const entry of some) removeWaveIds(commit, entry, over);
      await retry(() => kv.commit(commit));
    }
  }
}
