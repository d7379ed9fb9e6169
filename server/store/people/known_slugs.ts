/**
 * Reads the list of known values (slugs) of the answers to role and use case (`building`), and makes room in it for new
 * slugs. `waitlist/answers.ts` has the limit. @module
 */
import { MAP_OF_ANSWER } from "../../../shared/counters.ts";
import { MAX_SLUGS, SLUG_ANSWERS } from "../../../shared/person_schema.ts";
import type { BulkSignUp, KnownSlugs } from "../../waitlist/mod.ts";
import { counterOf, KNOWN_SLUGS, type Kv, type MaybeEntry, readOne } from "../kv/mod.ts";
import { findUnused, makeRoom, type ValueTable } from "./known_values.ts";

/** The known slugs of a store in which nobody has given an answer. */
export const NO_SLUGS: KnownSlugs = { role: [], building: [] };

/** The entry of the known slugs, and their counters. */
const SLUG_TABLE: ValueTable<keyof KnownSlugs> = {
  key: KNOWN_SLUGS,
  kinds: MAP_OF_ANSWER,
  most: MAX_SLUGS,
};

/**
 * Reads the known slugs. If there is no room in the list for the new slugs of some sign-ups, first removes from the
 * list slugs that no record uses.
 */
export async function makeRoomForSlugs(
  kv: Kv,
  signUps: Pick<BulkSignUp, "answers">[],
): Promise<MaybeEntry<KnownSlugs>> {
  const slugsOf = (name: keyof KnownSlugs) =>
    new Set(signUps.flatMap(({ answers }) => answers[name] ?? []));
  const givenSlugs = { role: slugsOf("role"), building: slugsOf("building") };
  for (;;) {
    const entry = await readOne<KnownSlugs>(kv, KNOWN_SLUGS);
    if (!await makeRoom(kv, SLUG_TABLE, entry, givenSlugs)) return entry;
  }
}

/** Reads the known slugs that a record uses. */
export async function readUsedSlugs(kv: Kv): Promise<KnownSlugs> {
  const { value } = await readOne<KnownSlugs>(kv, KNOWN_SLUGS);
  const used = { ...NO_SLUGS, ...value };
  for (const name of SLUG_ANSWERS) {
    const unused = await findUnused(kv, MAP_OF_ANSWER[name], used[name]);
    const names = unused.map(({ key }) => counterOf(key)[1]);
    used[name] = used[name].filter((slug) => !names.includes(slug));
  }
  return used;
}
