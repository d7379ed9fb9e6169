/** The people whom waves are to invite by name: each entry has the ids of the waves that name the person. @module */
import { z } from "zod";
import { keptNamedSchema } from "../../../shared/backup_lines.ts";
import { isWaveOver, type SignUpRecord, type Wave } from "../../waitlist/mod.ts";
import { addressOf, checksFor, Commit, commitChange, type Kv } from "../kv/mod.ts";
import { type EntryBatch, type MaybeEntry, readEntries } from "../kv/mod.ts";
import { readMany, retry, signUpKey, WAVE_NAMED, waveKey, waveNamedKey } from "../kv/mod.ts";

/** The ids of the waves in an entry's value, which have no spaces; none where a fault has damaged the value. */
export const idsOf = (value: unknown): string[] =>
  typeof value === "string" ? value.split(" ") : [];

/**
 * Names people for waves, but for those who are not on the list or are invited. Each commit checks the records, so that
 * no entry keeps the address of a person who is erased meanwhile.
 * @param also adds what else belongs to each commit; gives false where nobody is to be named any more
 */
export async function namePeople(
  kv: Kv,
  people: { email: string; wave: string }[],
  also: (commit: Commit) => Promise<boolean>,
): Promise<void> {
  const rest = [...Map.groupBy(people, ({ email }) => email)];
  const size = checksFor(kv) >> 1;
  const nameSome = (part: typeof rest) =>
    commitChange(kv, async () => {
      const commit = new Commit();
      if (!await also(commit)) return { result: () => {} };
      const records = await readMany<SignUpRecord>(kv, part.map(([email]) => signUpKey(email)));
      const entries = await readMany<string>(kv, part.map(([email]) => waveNamedKey(email)));
      for (const [index, [, named]] of part.entries()) {
        const record = records[index], entry = entries[index];
        // Who cannot be read is passed over, as a wave does.
        if (!record?.value || !entry || record.value.invitedAt) continue;
        const ids = new Set([...idsOf(entry.value), ...named.map(({ wave }) => wave)]);
        commit.check(record, entry).set(entry.key, [...ids].join(" "));
      }
      return { commit, result: () => {} };
    });
  while (rest.length > 0) {
    // One after the other, a thousand names would take many seconds where commits are small and cross a network.
    const parts = Array.from({ length: kv.traits.commitsInFlight }, () => rest.splice(0, size));
    await Promise.all(parts.filter(({ length }) => length > 0).map(nameSome));
  }
}

/** Adds to a commit, which checks the entry, that some waves name the person no more. */
export function removeWaves(commit: Commit, entry: MaybeEntry<string>, removed: string[]): void {
  const ids = idsOf(entry.value).filter((id) => !removed.includes(id));
  commit.check(entry);
  if (ids.length > 0) commit.set(entry.key, ids.join(" "));
  else commit.delete(entry.key);
}

/** Gives the addresses of the people whom a wave is to invite, some at a time. */
export async function* readNamedBy(kv: Kv, id: string) {
  for await (const { entries } of readEntries<string>(kv, WAVE_NAMED)) {
    yield entries.flatMap(({ key, value }) => idsOf(value).includes(id) ? addressOf(key) : []);
  }
}

/** Reads the ids of the waves that are to invite each person. */
export async function* readNamedPeople(kv: Kv): AsyncGenerator<EntryBatch<string[]>> {
  const of = (email: string, ids: unknown) => idsOf(ids).map((wave) => ({ email, wave }));
  const form = { schema: z.array(keptNamedSchema).min(1), of };
  for await (const { entries, unreadable } of readEntries<string>(kv, { ...WAVE_NAMED, form })) {
    const named = entries.map((entry) => ({ ...entry, value: idsOf(entry.value) }));
    yield { entries: named, unreadable };
  }
}

/**
 * Removes the names that waves will not invite: they are cancelled, over, or were never written. An entry that
 * another commit changes meanwhile is left, with those of its commit, to the next call. @param at a date-time
 */
export async function forgetNamed(kv: Kv, at: string): Promise<void> {
  for await (const { entries } of readEntries<string>(kv, WAVE_NAMED)) {
    const ids = [...new Set(entries.flatMap(({ value }) => idsOf(value)))];
    const waves = await readMany<Wave>(kv, ids.map(waveKey));
    const over = ids.filter((_, index) => isWaveOver(waves[index]?.value, at));
    const changed = entries.filter(({ value }) => idsOf(value).some((id) => over.includes(id)));
    while (changed.length > 0) {
      const commit = new Commit();
      const some = changed.splice(0, kv.traits.checksPerCommit);
      for (const entry of some) removeWaves(commit, entry, over);
      await retry(() => kv.commit(commit));
    }
  }
}
