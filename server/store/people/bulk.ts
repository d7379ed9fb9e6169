/** Stores sign-ups that arrive in bulk, in batches: each is one atomic with its counters. @module */
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import type { BulkSignUp, ImportOutcome, KnownSlugs, SignUpRecord } from "../../waitlist/mod.ts";
import { planBulkSignUps } from "../../waitlist/mod.ts";
import { checksFor, KNOWN_SLUGS, type Kv, type MaybeEntry, readMany } from "../kv/mod.ts";
import { readOne, readSchema, signUpKey } from "../kv/mod.ts";
import { NO_OUTBOX } from "../outbox/mod.ts";
import { NO_SLUGS, readSlugs, readUsedSlugs } from "./answers.ts";
import { commitPeople, halve, type PeopleCommit, type PersonChange } from "./commit.ts";
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

/** Stores bulk sign-ups; those of one address are merged in order. Rejects once no commit is under way any more. */
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

/**
 * Splits bulk sign-ups into batches of `size` addresses. An address is in one batch only, as batches run at once. They
 * are in the order of the addresses: a file engine writes fewer pages for neighbours.
 */
function splitByAddress(bulkSignUps: BulkSignUp[], size: number) {
  const indexed = bulkSignUps.map((bulkSignUp, index) => ({ bulkSignUp, index }));
  const byAddress = Map.groupBy(indexed, ({ bulkSignUp }) => bulkSignUp.email);
  const ordered = [...byAddress].sort(([a], [b]) => a < b ? -1 : 1).map(([, own]) => own);
  const batches: (typeof indexed)[] = [];
  while (ordered.length > 0) batches.push(ordered.splice(0, size).flat());
  return batches.reverse();
}

/** Stores a batch in a commit, or in some where one has no room for it. */
async function storeBatch(
  kv: Kv,
  bulkSignUps: BulkSignUp[],
  options: BulkOptions,
): Promise<ImportOutcome[]> {
  const outcomes = await storeInCommit(kv, bulkSignUps, options);
  if (outcomes) return outcomes;
  const byAddress = [...Map.groupBy(bulkSignUps, ({ email }) => email).values()];
  const stored: ImportOutcome[] = [];
  for (const half of halve(byAddress)) stored.push(...await storeBatch(kv, half.flat(), options));
  return stored;
}

/** Gives `undefined` where there is no room in a commit. */
async function storeInCommit(
  kv: Kv,
  bulkSignUps: BulkSignUp[],
  { dryRun, audit }: BulkOptions,
): Promise<ImportOutcome[] | undefined> {
  const emails = [...new Set(bulkSignUps.map(({ email }) => email))];
  // Most addresses are new. The first commit takes all of them for new, and fails where one is known: this
  // saves the reading, which is half of the work. A sign-up's time must not tell who is known; this one may.
  let guess = !dryRun;
  return await commitPeople<ImportOutcome[] | undefined>(kv, async () => {
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
    return { change, result, ifTooLarge: emails.length > 1 ? () => undefined : undefined };
  });
}
