/**
 * Keeps the list of known values (slugs) of the answers to role and use case (`building`). If there is no room for new
 * slugs, slugs that no record uses are removed from the list. `waitlist/answers.ts` has the limit. @module
 */
import { MAP_OF } from "../../../shared/counters.ts";
import { MAX_SLUGS, SLUG_ANSWERS } from "../../../shared/person_schema.ts";
import type { BulkSignUp, KnownSlugs } from "../../waitlist/mod.ts";
import {
  Commit,
  counterKey,
  counterOf,
  KNOWN_SLUGS,
  type Kv,
  mapSelector,
  type MaybeEntry,
  readOne,
  readPage,
} from "../kv/mod.ts";

/** The known slugs of a store in which nobody has given an answer. */
export const NO_SLUGS: KnownSlugs = { role: [], building: [] };

/**
 * How many slugs one commit removes at most. Each slug takes a check, and some engines allow ten checks in a commit.
 */
const REMOVED_AT_ONCE = 8;

type WithAnswers = Pick<BulkSignUp, "answers">;

/**
 * Reads the known slugs. If sign-ups bring more new slugs than there is room for, it first removes those
 * slugs from the list that no record uses.
 */
export async function makeRoomForSlugs(
  kv: Kv,
  signUps: WithAnswers[],
): Promise<MaybeEntry<KnownSlugs>> {
  for (;;) {
    const entry = await readOne<KnownSlugs>(kv, KNOWN_SLUGS);
    if (!await removeUnused(kv, entry, signUps)) return entry;
  }
}

/** Reads the known slugs that a record uses. */
export async function readUsedSlugs(kv: Kv): Promise<KnownSlugs> {
  const { value } = await readOne<KnownSlugs>(kv, KNOWN_SLUGS);
  const used = { ...NO_SLUGS, ...value };
  for (const name of SLUG_ANSWERS) {
    const unused = slugsOf(await unusedAmong(kv, name, used[name]));
    used[name] = used[name].filter((slug) => !unused.includes(slug));
  }
  return used;
}

/**
 * Removes slugs that no record uses.
 * @returns whether there was a slug to remove, so that the slugs must be read again
 */
async function removeUnused(
  kv: Kv,
  entry: MaybeEntry<KnownSlugs>,
  signUps: WithAnswers[],
): Promise<boolean> {
  for (const name of SLUG_ANSWERS) {
    const known = entry.value?.[name] ?? [];
    const given = new Set(signUps.map(({ answers }) => answers[name]));
    const newSlugs = [...given].filter((slug) => slug !== undefined && !known.includes(slug));
    if (newSlugs.length === 0 || known.length + newSlugs.length <= MAX_SLUGS) continue;
    const unused = (await unusedAmong(kv, name, known)).slice(0, REMOVED_AT_ONCE);
    if (unused.length === 0) continue;

    // This commit fails if a record takes one of these slugs meanwhile, because the slug's counter changes then.
    const commit = new Commit().check(entry);
    for (const counter of unused) commit.check(counter).delete(counter.key);
    const removed = slugsOf(unused);
    const left = known.filter((slug) => !removed.includes(slug));
    await kv.commit(commit.set(KNOWN_SLUGS, { ...entry.value, [name]: left }));
    return true;
  }
  return false;
}

/** Gives the known slugs that no record uses, by their counters. The counter of such a slug is 0 or absent. */
async function unusedAmong(
  kv: Kv,
  name: keyof KnownSlugs,
  known: string[],
): Promise<MaybeEntry<number>[]> {
  const counters = await readPage<number>(kv, mapSelector(MAP_OF[name]));
  const bySlug = new Map(counters.map((counter) => [counterOf(counter.key)[1], counter]));
  const unused: MaybeEntry<number>[] = [];
  for (const slug of known) {
    const key = counterKey([MAP_OF[name], slug]);
    const counter = bySlug.get(slug) ?? { key, value: null, version: null };
    // A slug with an unreadable counter stays, because the counter does not tell whether a record uses the slug.
    if (!("fault" in counter) && !counter.value) unused.push(counter);
  }
  return unused;
}

/** Gives the slugs that counters are about. */
const slugsOf = (counters: MaybeEntry<number>[]) => counters.map(({ key }) => counterOf(key)[1]);
