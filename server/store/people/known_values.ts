/**
 * Limits how many different values of a field, such as the role, have counters. One entry lists the values with a
 * counter. If the list has no room for new values, this file removes values that nobody has any more. @module
 */
import type { Counter } from "../../waitlist/mod.ts";
import {
  Commit,
  counterKey,
  counterOf,
  type Key,
  type Kv,
  mapSelector,
  type MaybeEntry,
  pages,
} from "../kv/mod.ts";

/** The counted values of each field. */
type KnownValues<Field extends string> = Record<Field, string[]>;

/** Some fields whose counted values are listed in one entry. */
export interface ValueTable<Field extends string> {
  /** The key of the entry. */
  key: Key;
  /** The kind of the counters of each field. */
  kinds: Readonly<Record<Field, Counter[0]>>;
  /** The greatest number of values of a field. */
  most: number;
}

/** The most values that one commit removes. Each value needs a check, and some engines allow ten checks in a commit. */
const REMOVED_AT_ONCE = 8;

/**
 * Removes from the list values that nobody has, if there is not enough room for new values. The removal is a commit of
 * its own, which fails if a person gets one of the removed values meanwhile.
 * @param entry the entry of the list, as it was read
 * @param given the values for which there should be room; values that are already in the list need no room
 * @returns whether the entry must be read again, because there were values to remove
 */
export async function makeRoom<Field extends string>(
  kv: Kv,
  { key, kinds, most }: ValueTable<Field>,
  entry: MaybeEntry<KnownValues<Field>>,
  given: Readonly<Record<Field, ReadonlySet<string>>>,
): Promise<boolean> {
  for (const field of Object.keys(kinds) as Field[]) {
    const listed = entry.value?.[field] ?? [];
    const newValues = given[field].difference(new Set(listed));
    if (newValues.size === 0 || listed.length + newValues.size <= most) continue;
    const unused = (await findUnused(kv, kinds[field], listed)).slice(0, REMOVED_AT_ONCE);
    if (unused.length === 0) continue;

    // If a person gets one of these values meanwhile, the counter of the value changes, and the check of the counter
    // fails.
    const commit = new Commit().check(entry);
    for (const counter of unused) commit.check(counter).delete(counter.key);
    const removed = unused.map(({ key }) => counterOf(key)[1]);
    const kept = listed.filter((value) => !removed.includes(value));
    await kv.commit(commit.set(key, { ...entry.value, [field]: kept }));
    return true;
  }
  return false;
}

/** Finds the counters of the listed values that nobody has. Such a counter is 0 or absent. */
export async function findUnused(
  kv: Kv,
  kind: Counter[0],
  listed: readonly string[],
): Promise<MaybeEntry<number>[]> {
  const counters = (await Array.fromAsync(pages<number>(kv, mapSelector(kind)))).flat();
  const byValue = new Map(counters.map((counter) => [counterOf(counter.key)[1], counter]));
  const unused: MaybeEntry<number>[] = [];
  for (const value of listed) {
    // The cast holds, because the counters of this kind have a name.
    const key = counterKey([kind, value] as Counter);
    const counter = byValue.get(value) ?? { key, value: null, version: null };
    // A value with an unreadable counter stays, because the counter does not tell whether anybody has the value.
    if (!("fault" in counter) && !counter.value) unused.push(counter);
  }
  return unused;
}
