/**
 * The optional answers to role and use case (`building`): changes the answers of a person, and keeps the list of
 * known values (slugs). If there is no room for new slugs, slugs that no record uses are removed from the list.
 * @module
 */
import { MAP_OF } from "../../../shared/counters.ts";
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import { MAX_SLUGS, SLUG_ANSWERS } from "../../../shared/person_schema.ts";
import type { RandomBytes } from "../../runtime/mod.ts";
import {
  type BulkSignUp,
  changeAnswers,
  type KnownSlugs,
  learnSlugs,
  type NewAnswers,
  type SignUpRecord,
} from "../../waitlist/mod.ts";
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
  readWithSchema,
  signUpKey,
} from "../kv/mod.ts";
import { NO_OUTBOX } from "../outbox/mod.ts";
import { commitPeople, type PeopleCommit } from "./commit.ts";

/**
 * The record after the change, or the reason why it stays as it is. `full` means that there is no room for a new
 * slug.
 */
export type AnswersOutcome =
  | { record: SignUpRecord }
  | { refused: "unknown" | "unreadable" }
  | { refused: "full"; message: string };

/** Changes the answers of a person. @param person.id the id that the record must have, if it is given */
export function setAnswers(
  { email, id }: { email: string; id?: string },
  answers: NewAnswers,
  { kv, random, at, audit }: {
    kv: Kv;
    random: RandomBytes;
    /** The present moment, in milliseconds since 1970. */
    at: number;
    audit?: AuditEntry;
  },
): Promise<AnswersOutcome> {
  const given = { role: answers.role ?? undefined, building: answers.building ?? undefined };
  return commitPeople<AnswersOutcome>(kv, async () => {
    const known = await readSlugs(kv, [{ answers: given }]);
    const { schema, entries: [entry] } = await readWithSchema<SignUpRecord>(kv, [signUpKey(email)]);
    const before = entry?.value;
    if (!entry || !before || id !== undefined && before.id !== id) {
      return { result: () => ({ refused: entry ? "unknown" : "unreadable" }) };
    }
    const learned = learnSlugs(known.value ?? NO_SLUGS, given);
    if ("refused" in learned) {
      return { result: () => ({ refused: "full", message: learned.refused }) };
    }
    const record = changeAnswers(before, answers, new Date(at).toISOString());
    const change: PeopleCommit | undefined = record === before ? undefined : {
      people: [{ email, entry, change: { record } }],
      schema,
      outbox: { ...NO_OUTBOX, random },
      audit,
      extend(commit) {
        commit.check(known);
        if (learned.slugs !== known.value) commit.set(KNOWN_SLUGS, learned.slugs);
      },
    };
    return { change, result: () => ({ record }) };
  });
}

/** The known slugs of a store in which nobody has given an answer. */
export const NO_SLUGS: KnownSlugs = { role: [], building: [] };

/**
 * How many slugs one commit removes at most. Each slug takes a check, and some engines allow ten checks in a commit.
 */
const REMOVED_AT_ONCE = 8;

type WithAnswers = Pick<BulkSignUp, "answers">;

/**
 * Reads the known slugs. If sign-ups bring more new slugs than there is room for, it first removes slugs that no
 * record uses.
 */
export async function readSlugs(kv: Kv, signUps: WithAnswers[]): Promise<MaybeEntry<KnownSlugs>> {
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
    const further = [...given].filter((slug) => slug !== undefined && !known.includes(slug));
    if (further.length === 0 || known.length + further.length <= MAX_SLUGS) continue;
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

const slugsOf = (counters: MaybeEntry<number>[]) => counters.map(({ key }) => counterOf(key)[1]);
