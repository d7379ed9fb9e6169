/**
 * Lists of known values. A known value of a field, such as the role, has a counter, and a list limits how many values
 * of a field are known. If a list has no room for new values, this file removes values that nobody has any more.
 * `known_slugs.ts` has the list of the answers, and `campaigns.ts` has the list of the campaigns. @module
 */
import type { Counter } from "../../waitlist/mod.ts";
import {
  Commit,
  counterKey,
  counterKindSelector,
  counterOf,
  type Key,
  type Kv,
  type MaybeEntry,
  pages,
  type UnreadableEntry,
} from "../kv/mod.ts";

/** The value of a list's entry: the known values of each field. */
type KnownValues<Field extends string> = Record<Field, string[]>;

/** Some values of each field. */
type ValuesOfFields<Field extends string> = Readonly<Record<Field, ReadonlySet<string>>>;

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
 * Reads the entry of a list. If the list lacks room for new values, first removes known values that nobody has.
 * @param wantedValues the values for which there should be room; values that are already known need no further room
 */
export async function readWithRoom<Field extends string>(
  kv: Kv,
  list: ValueList<Field>,
  wantedValues: ValuesOfFields<Field>,
): Promise<MaybeEntry<KnownValues<Field>> | UnreadableEntry> {
  for (;;) {
    const entry = (await kv.get<KnownValues<Field>>([list.key]))[0]!;
    if ("fault" in entry) return entry;
    const unusedValues = await findUnusedValues(kv, list, entry, wantedValues);
    if (!unusedValues) return entry;
    // The commit fails if a person gets one of the removed values meanwhile, because the counter of the value changes.
    // A failure needs no answer here, because the list is read again in any case.
    await removeValues(kv, entry, unusedValues);
  }
}

/** Some known values of one field that nobody has. */
interface UnusedValues<Field extends string> {
  field: Field;
  /** The counters of the values, which are 0 or absent. */
  zeroCounters: MaybeEntry<number>[];
}

/**
 * Finds known values that nobody has, in a field that lacks room for new values; `undefined` if there are no such
 * values.
 */
async function findUnusedValues<Field extends string>(
  kv: Kv,
  { kinds, maxPerField }: ValueList<Field>,
  { value: knownValues }: MaybeEntry<KnownValues<Field>>,
  wantedValues: ValuesOfFields<Field>,
): Promise<UnusedValues<Field> | undefined> {
  for (const field of Object.keys(kinds) as Field[]) {
    const knownOfField = knownValues?.[field] ?? [];
    const newValues = wantedValues[field].difference(new Set(knownOfField));
    const hasRoom = knownOfField.length + newValues.size <= maxPerField;
    if (newValues.size === 0 || hasRoom) continue;
    const zeroCounters = await findZeroCounters(kv, kinds[field], knownOfField);
    if (zeroCounters.length > 0) {
      return { field, zeroCounters: zeroCounters.slice(0, REMOVED_AT_ONCE) };
    }
  }
  return undefined;
}

/** Tries to remove values from a list, together with the counters of these values. */
async function removeValues<Field extends string>(
  kv: Kv,
  entry: MaybeEntry<KnownValues<Field>>,
  { field, zeroCounters }: UnusedValues<Field>,
): Promise<void> {
  const commit = new Commit().check(entry);
  for (const counter of zeroCounters) commit.check(counter).delete(counter.key);
  const removedValues = zeroCounters.map(({ key }) => countedValueOf(key));
  const remainingValues = entry.value?.[field].filter((value) => !removedValues.includes(value));
  await kv.commit(commit.set(entry.key, { ...entry.value, [field]: remainingValues }));
}

/** Gives the value that a counter counts: the second part of the counter's name. */
export const countedValueOf = (key: Key) => counterOf(key)[1];

/** Finds the counters of the known values that nobody has. Such a counter is 0 or absent. */
export async function findZeroCounters(
  kv: Kv,
  kind: Counter[0],
  knownValues: readonly string[],
): Promise<MaybeEntry<number>[]> {
  const counters = (await Array.fromAsync(pages<number>(kv, counterKindSelector(kind)))).flat();
  const counterByValue = new Map(counters.map((counter) => [countedValueOf(counter.key), counter]));
  const zeroCounters: MaybeEntry<number>[] = [];
  for (const value of knownValues) {
    // The cast holds, because a counter of these kinds is always a pair of kind and value.
    const key = counterKey([kind, value] as Counter);
    const counter = counterByValue.get(value) ?? { key, value: null, version: null };
    // A value whose counter cannot be read stays known, because somebody may have the value.
    if (!("fault" in counter) && !counter.value) zeroCounters.push(counter);
  }
  return zeroCounters;
}
