/**
 * Reads the list of known values (slugs) of the answers to role and use case (`building`), and makes room in it for new
 * slugs. `waitlist/answers.ts` has the limit. @module
 */
import { MAP_OF_ANSWER } from "../../../shared/counters.ts";
import { MAX_SLUGS, SLUG_ANSWERS } from "../../../shared/person_schema.ts";
import type { BulkSignUp, KnownSlugs } from "../../waitlist/mod.ts";
import { assertReadable, KNOWN_SLUGS, type Kv, type MaybeEntry, readOne } from "../kv/mod.ts";
import { countedValueOf, findZeroCounters, readWithRoom, type ValueList } from "./known_values.ts";

/** The known slugs of a store in which nobody has given an answer. */
export const NO_SLUGS: KnownSlugs = { role: [], building: [] };

/** Describes the list of the known slugs. */
const SLUG_LIST: ValueList<keyof KnownSlugs> = {
  key: KNOWN_SLUGS,
  kinds: MAP_OF_ANSWER,
  maxPerField: MAX_SLUGS,
};

/**
 * Reads the known slugs. If the list has no room for the new slugs of some sign-ups, first removes slugs that no record
 * has.
 */
export async function readSlugsWithRoom(
  kv: Kv,
  signUps: Pick<BulkSignUp, "answers">[],
): Promise<MaybeEntry<KnownSlugs>> {
  const slugsOf = (answer: keyof KnownSlugs) =>
    new Set(signUps.flatMap(({ answers }) => answers[answer] ?? []));
  const slugsOfSignUps = { role: slugsOf("role"), building: slugsOf("building") };
  return assertReadable(await readWithRoom(kv, SLUG_LIST, slugsOfSignUps));
}

/** Reads those known slugs that at least one record has. */
export async function readUsedSlugs(kv: Kv): Promise<KnownSlugs> {
  const { value } = await readOne<KnownSlugs>(kv, KNOWN_SLUGS);
  const slugs = { ...NO_SLUGS, ...value };
  for (const answer of SLUG_ANSWERS) {
    const zeroCounters = await findZeroCounters(kv, MAP_OF_ANSWER[answer], slugs[answer]);
    const unusedSlugs = zeroCounters.map(({ key }) => countedValueOf(key));
    slugs[answer] = slugs[answer].filter((slug) => !unusedSlugs.includes(slug));
  }
  return slugs;
}
