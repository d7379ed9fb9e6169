/**
 * Stores sign-ups that arrive in bulk, in batches: each is one atomic with its counters. Before, it forgets slugs that
 * nobody uses any more where there is no room for new ones. @module
 */
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import type { BulkSignUp, ImportOutcome, KnownSlugs, SignUpRecord } from "../../waitlist/mod.ts";
import { MAX_SLUGS, planBulkSignUps, SLUG_ANSWERS } from "../../waitlist/mod.ts";
import { checksFor, Commit, counterKey, counterOf, KNOWN_SLUGS, type Kv } from "../kv/mod.ts";
import { mapSelector, type MaybeEntry, readMany, readOne, readPage } from "../kv/mod.ts";
import { readSchema, signUpKey } from "../kv/mod.ts";
import { NO_OUTBOX } from "../outbox/mod.ts";
import { commitPeople, type PeopleCommit, type PersonChange } from "./commit.ts";
import { findMarks } from "./erasure_marks.ts";

/** Nothing is written; a run may take many calls. */
export interface DryRun {
  slugs?: KnownSlugs;
}

export interface BulkOptions {
  /** A later call knows the slugs of this one, but not its addresses. */
  dryRun?: DryRun | undefined;
  /** Every commit writes the entry as it is then. */
  audit?: AuditEntry | undefined;
}

/**
 * Stores bulk sign-ups; those of one address are merged in order. Resolves once all are durable, and rejects once no
 * commit is under way any more.
 */
export async function storeBulkSignUps(
  kv: Kv,
  bulkSignUps: BulkSignUp[],
  options: BulkOptions = {},
): Promise<ImportOutcome[]> {
  const { dryRun } = options;
  if (dryRun) dryRun.slugs ??= await readUsedSlugs(kv);
  const outcomes: ImportOutcome[] = [];
  // Each commit checks the known slugs, too.
  const batches = splitByAddress(bulkSignUps, checksFor(kv, 1));
  const runs = Array.from({ length: kv.traits.commitsInFlight }, async () => {
    try {
      for (let batch = batches.pop(); batch; batch = batches.pop()) {
        const stored = await storeBatch(kv, batch.map(({ bulkSignUp }) => bulkSignUp), options);
        for (const [at, { index }] of batch.entries()) outcomes[index] = stored[at]!;
      }
    } catch (error) {
      // Once the caller is told of a failure, nothing more is stored.
      batches.length = 0;
      throw error;
    }
  });
  await Promise.allSettled(runs);
  await Promise.all(runs);
  return outcomes;
}

/** The most bytes that the keys of a commit's people may have, of the 81,920 that KV takes with all others. */
const PEOPLE_KEY_BYTES = 80_000;

/** The most keys with the address that a commit has for a person, and the bytes of their other parts. */
const PERSON_KEYS = 6, OTHER_KEY_BYTES = 520;

/**
 * Splits bulk sign-ups into batches of `size` addresses, or of fewer where they are long. An address is in one batch
 * only, as batches run at the same time. They are in the order of the addresses: a file engine writes fewer pages for
 * neighbours.
 */
function splitByAddress(bulkSignUps: BulkSignUp[], size: number) {
  const indexed = bulkSignUps.map((bulkSignUp, index) => ({ bulkSignUp, index }));
  const byAddress = Map.groupBy(indexed, ({ bulkSignUp }) => bulkSignUp.email);
  const batches: (typeof indexed)[] = [];
  let room = { people: 0, keyBytes: 0 };
  for (const [email, own] of [...byAddress].sort(([a], [b]) => a < b ? -1 : 1)) {
    const keyBytes = PERSON_KEYS * email.length + OTHER_KEY_BYTES;
    if (room.people === 0 || room.keyBytes < keyBytes) {
      room = { people: size, keyBytes: PEOPLE_KEY_BYTES };
      batches.push([]);
    }
    room = { people: room.people - 1, keyBytes: room.keyBytes - keyBytes };
    batches.at(-1)!.push(...own);
  }
  return batches.reverse();
}

async function storeBatch(kv: Kv, bulkSignUps: BulkSignUp[], { dryRun, audit }: BulkOptions) {
  const emails = [...new Set(bulkSignUps.map(({ email }) => email))];
  // Most addresses are new. The first commit takes all of them for new, and fails where one is known: this
  // saves the reading, which is half of the work. A sign-up's time must not tell who is known; this one may.
  let guess = !dryRun;
  return await commitPeople(kv, async () => {
    const [schema, known] = await Promise.all([
      readSchema(kv),
      dryRun ? readOne<KnownSlugs>(kv, KNOWN_SLUGS) : readSlugs(kv, bulkSignUps),
    ]);
    const erased = await findMarks(kv, schema, emails);
    const keys = emails.map(signUpKey);
    const entries: (MaybeEntry<SignUpRecord> | undefined)[] = guess && erased.size === 0
      ? keys.map((key) => ({ key, value: null, version: null }))
      : await readMany<SignUpRecord>(kv, keys);
    guess = false;
    const slugs = dryRun?.slugs ?? known.value ?? NO_SLUGS;
    const plan = planBulkSignUps(bulkSignUps, {
      records: new Map(emails.map((email, index) => [email, entries[index]?.value ?? undefined])),
      unreadable: new Set(emails.filter((_, index) => !entries[index])),
      erased,
      slugs,
    });
    const people = emails.flatMap((email, index): PersonChange | [] => {
      const record = plan.records.get(email);
      const isUnmarked = !erased.has(email);
      return record ? { email, entry: entries[index], change: { record }, isUnmarked } : [];
    });
    const change: PeopleCommit | undefined = dryRun || people.length === 0 ? undefined : {
      people,
      schema,
      outbox: NO_OUTBOX,
      audit,
      also(commit) {
        commit.check(known);
        if (plan.slugs !== slugs) commit.set(KNOWN_SLUGS, plan.slugs);
      },
    };
    const result = () => {
      if (dryRun) dryRun.slugs = plan.slugs;
      return plan.outcomes;
    };
    return { change, result };
  });
}

const NO_SLUGS: KnownSlugs = { role: [], building: [] };

const MAP_OF = { role: "byRole", building: "byBuilding" } as const;

/** Each takes a check, and some engines take ten. */
const FREE_AT_ONCE = 8;

/** Forgets slugs that no record uses any more where bulk sign-ups have more new ones than there is room for. */
async function readSlugs(kv: Kv, bulkSignUps: BulkSignUp[]) {
  for (;;) {
    const entry = await readOne<KnownSlugs>(kv, KNOWN_SLUGS);
    if (!await forgetUnused(kv, entry, bulkSignUps)) return entry;
  }
}

/** Reads the known slugs that a record uses, which would not be forgotten. */
async function readUsedSlugs(kv: Kv): Promise<KnownSlugs> {
  const { value } = await readOne<KnownSlugs>(kv, KNOWN_SLUGS);
  const used = { ...NO_SLUGS, ...value };
  for (const name of SLUG_ANSWERS) {
    const unused = slugsOf(await unusedAmong(kv, name, used[name]));
    used[name] = used[name].filter((slug) => !unused.includes(slug));
  }
  return used;
}

/** Whether there was something to forget, so that the slugs must be read again. */
async function forgetUnused(kv: Kv, entry: MaybeEntry<KnownSlugs>, bulkSignUps: BulkSignUp[]) {
  for (const name of SLUG_ANSWERS) {
    const known = entry.value?.[name] ?? [];
    const given = new Set(bulkSignUps.map(({ answers }) => answers[name]));
    const further = [...given].filter((slug) => slug !== undefined && !known.includes(slug));
    if (further.length === 0 || known.length + further.length <= MAX_SLUGS) continue;
    const unused = (await unusedAmong(kv, name, known)).slice(0, FREE_AT_ONCE);
    if (unused.length === 0) continue;

    // Where a record takes one of these slugs meanwhile, its counter moves, and this commit fails.
    const commit = new Commit().check(entry);
    for (const counter of unused) commit.check(counter).delete(counter.key);
    const forgotten = slugsOf(unused);
    const left = known.filter((slug) => !forgotten.includes(slug));
    await kv.commit(commit.set(KNOWN_SLUGS, { ...entry.value, [name]: left }));
    return true;
  }
  return false;
}

/** They are at zero, or missing. */
async function unusedAmong(kv: Kv, name: keyof KnownSlugs, known: string[]) {
  const counters = await readPage<number>(kv, mapSelector(MAP_OF[name]));
  const bySlug = new Map(counters.map((counter) => [counterOf(counter.key)[1], counter]));
  const unused: MaybeEntry<number>[] = [];
  for (const slug of known) {
    const key = counterKey([MAP_OF[name], slug]);
    const counter = bySlug.get(slug) ?? { key, value: null, version: null };
    if (!counter.value) unused.push(counter);
  }
  return unused;
}

const slugsOf = (counters: MaybeEntry<number>[]) => counters.map(({ key }) => counterOf(key)[1]);
