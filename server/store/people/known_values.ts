/**
 * Makes room in the lists of known values. A known value of a field, such as the role, has a counter. A list limits how
 * many values of a field are known. If a list has no room for new values, this file removes values that nobody has any
 * more. @module
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

/** The value of a list's entry: the known values of each field. */
type KnownValues<Field extends string> = Record<Field, string[]>;

/** Describes a list: one entry, with the known values of some fields. */
export interface ValueList<Field extends string> {
  /** The key of the entry. */
  key: Key;
  /** For each field, the kind of its counters, which is the first part of the counters' names. */
  kinds: Readonly<Record<Field, Counter[0]>>;
  /** How many values of one field are known at most. */
  maxPerField: number;
}

/** How many values one commit removes at most. Each value needs a check, and some engines allow only ten checks. */
const REMOVED_AT_ONCE = 8;

/**
 * Removes known values that nobody has, in a commit of its own, if the list has not enough room for new values.
 * @param entry the entry of the list, as it was read
 * @param wantedValues the values for which there should be room; known values need no further room
 * @returns whether the caller must read the entry again, because this function has tried to remove values
 */
export async function makeRoom<Field extends string>(
  kv: Kv,
  { key, kinds, maxPerField }: ValueList<Field>,
  entry: MaybeEntry<KnownValues<Field>>,
  wantedValues: Readonly<Record<Field, ReadonlySet<string>>>,
): Promise<boolean> {
  for (const field of Object.keys(kinds) as Field[]) {
    const known = entry.value?.[field] ?? [];
    const newValues = wantedValues[field].difference(new Set(known));
    if (newValues.size === 0 || known.length + newValues.size <= maxPerField) continue;
    const zeroCounters = await findZeroCounters(kv, kinds[field], known);
    const removedCounters = zeroCounters.slice(0, REMOVED_AT_ONCE);
    if (removedCounters.length === 0) continue;

    const commit = new Commit().check(entry);
    for (const counter of removedCounters) commit.check(counter).delete(counter.key);
    const removed = removedCounters.map(({ key }) => counterOf(key)[1]);
    const kept = known.filter((value) => !removed.includes(value));
    // The commit fails if a person gets one of the removed values meanwhile, because the counter of the value changes.
    // A failure needs no answer here, because the caller reads the list again and calls this function again.
    await kv.commit(commit.set(key, { ...entry.value, [field]: kept }));
    return true;
  }
  return false;
}

/** Finds the counters of the known values that nobody has. Such a counter is 0 or absent. */
export async function findZeroCounters(
  kv: Kv,
  kind: Counter[0],
  known: readonly string[],
): Promise<MaybeEntry<number>[]> {
  const counters = (await Array.fromAsync(pages<number>(kv, mapSelector(kind)))).flat();
  const byValue = new Map(counters.map((counter) => [counterOf(counter.key)[1], counter]));
  const zeroCounters: MaybeEntry<number>[] = [];
  for (const value of known) {
    // The cast holds, because a counter of these kinds is always a pair of kind and value.
    const key = counterKey([kind, value] as Counter);
    const counter = byValue.get(value) ?? { key, value: null, version: null };
    // A value whose counter cannot be read stays known, because somebody may have the value.
    if (!("fault" in counter) && !counter.value) zeroCounters.push(counter);
  }
  return zeroCounters;
}
