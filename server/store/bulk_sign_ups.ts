/**
 * Stores sign-ups that arrive in bulk, as sign-ups are stored: in batches, each with a check on every
 * record and its counters in the same atomic.
 *
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import {
  type BulkPlan,
  type BulkSignUp,
  type ImportOutcome,
  type KnownSlugs,
  planBulkSignUps,
  type StoredState,
} from "../waitlist/bulk_sign_ups.ts";
import { erasureMarks } from "../waitlist/erasure.ts";
import type { SignUpRecord } from "../waitlist/record.ts";
import { DEADLINE_MS, withDeadline } from "./deadline.ts";
import { findErased } from "./erasures.ts";
import { erasedKey, KNOWN_SLUGS, signUpKey } from "./keys.ts";
import type { OpenKv } from "./open.ts";
import { addToCounter, readRecords } from "./sign_ups.ts";
import { NO_SLUGS, readSlugs, readUsedSlugs } from "./slugs.ts";

/** A run that says what would become of bulk sign-ups and writes nothing; it lasts over many calls. */
export interface DryRun {
  /** The slugs that would be known by now. */
  slugs?: KnownSlugs;
}

/** Checks of an atomic besides those on records: the known slugs and the erasure key. */
const FURTHER_CHECKS = 2;

/**
 * Stores bulk sign-ups. Those of one address are merged in order; all of them are held in memory, so what
 * comes by the million is handed over in windows.
 *
 * @param dryRun given, nothing is written; an address that comes again then counts as it did before
 * @returns what became of each, in their order, once all are durable; rejects once none is on its way
 */
export async function storeBulkSignUps(
  { kv, engine }: OpenKv,
  bulkSignUps: BulkSignUp[],
  dryRun?: DryRun,
): Promise<ImportOutcome[]> {
  if (dryRun) dryRun.slugs ??= await withDeadline(DEADLINE_MS, () => readUsedSlugs(kv));
  const outcomes: ImportOutcome[] = [];
  const batches = splitByAddress(bulkSignUps, engine.checksPerCommit - FURTHER_CHECKS);
  const runNext = async () => {
    for (let batch = batches.pop(); batch; batch = batches.pop()) {
      const stored = await storeBatch(kv, batch.map(({ bulkSignUp }) => bulkSignUp), dryRun);
      for (const [at, { index }] of batch.entries()) outcomes[index] = stored[at] as ImportOutcome;
    }
  };
  const runs = Array.from({ length: engine.commitsInFlight }, async () => {
    try {
      await runNext();
    } catch (error) {
      // Whoever is told of a failure is to find that nothing is stored any more.
      batches.length = 0;
      throw error;
    }
  });
  await Promise.allSettled(runs);
  await Promise.all(runs);
  return outcomes;
}

/** A bulk sign-up and its place among all. */
interface Placed {
  bulkSignUp: BulkSignUp;
  index: number;
}

/**
 * Batches of so many addresses, each address in one of them only, as batches race each other. They are
 * in the order of the addresses: a file engine writes fewer pages for records that lie together.
 */
function splitByAddress(bulkSignUps: BulkSignUp[], size: number): Placed[][] {
  const placed = bulkSignUps.map((bulkSignUp, index) => ({ bulkSignUp, index }));
  const byAddress = Map.groupBy(placed, ({ bulkSignUp }) => bulkSignUp.email);
  const addresses = [...byAddress].sort(([a], [b]) => a < b ? -1 : 1).map(([, each]) => each);
  const batches = [];
  for (let from = 0; from < addresses.length; from += size) {
    batches.push(addresses.slice(from, from + size).flat());
  }
  return batches.reverse();
}

/** How many commits may fail, or give no answer, before the batch does. */
const MAX_FAILURES = 5;

/** Half of the pause after the first failure, in milliseconds; each further one is twice as long. */
const PAUSE_MS = 10;

async function storeBatch(
  kv: Deno.Kv,
  bulkSignUps: BulkSignUp[],
  dryRun: DryRun | undefined,
): Promise<ImportOutcome[]> {
  let uncertain: ImportOutcome[] | undefined;
  // Most are new: a commit that takes all for that, and fails where one is known, is spared the reading,
  // which is half of the work. A sign-up is not: how long it takes must not tell who is known.
  let guess = !dryRun;
  for (let failures = 0;;) {
    const how = { guess, writes: !dryRun };
    const state = await withDeadline(DEADLINE_MS, () => readState(kv, bulkSignUps, how));
    guess = false;
    if (dryRun) return planDryRun(bulkSignUps, state.kept, dryRun);
    const plan = planBulkSignUps(bulkSignUps, state.kept);
    // Where a commit without an answer went through, all that it wrote is found unchanged afterwards.
    if (plan.records.size === 0) return uncertain ?? plan.outcomes;
    try {
      const committed = await withDeadline(DEADLINE_MS, () => commitPlan(kv, state, plan));
      // A race is lost only to a commit that went through, so the tries come to an end.
      if (committed) return plan.outcomes;
    } catch (error) {
      if (++failures === MAX_FAILURES) throw error;
      uncertain = plan.outcomes;
      await delay(PAUSE_MS * 2 ** failures);
    }
  }
}

function planDryRun(bulkSignUps: BulkSignUp[], kept: StoredState, dryRun: DryRun): ImportOutcome[] {
  const plan = planBulkSignUps(bulkSignUps, { ...kept, slugs: dryRun.slugs ?? kept.slugs });
  dryRun.slugs = plan.slugs;
  return plan.outcomes;
}

/** What is kept, as it was read. */
interface State {
  kept: StoredState;
  entries: Map<string, Deno.KvEntryMaybe<SignUpRecord>>;
  slugs: Deno.KvEntryMaybe<KnownSlugs>;
  erasureKey: Deno.KvEntryMaybe<Uint8Array>;
}

/**
 * @param options.guess takes addresses for new, unless one of them has been erased
 * @param options.writes makes room for slugs, which writes
 */
async function readState(
  kv: Deno.Kv,
  bulkSignUps: BulkSignUp[],
  { guess, writes }: { guess: boolean; writes: boolean },
): Promise<State> {
  const emails = [...new Set(bulkSignUps.map(({ email }) => email))];
  const keys = emails.map(signUpKey);
  const [{ erased, erasureKey }, slugs] = await Promise.all([
    findErased(kv, emails),
    writes ? readSlugs(kv, bulkSignUps) : kv.get<KnownSlugs>(KNOWN_SLUGS),
  ]);
  const read = guess && erased.size === 0
    ? keys.map((key) => ({ key, value: null, versionstamp: null }))
    : await readRecords(kv, keys);
  const entries = new Map<string, Deno.KvEntryMaybe<SignUpRecord>>();
  const records = new Map<string, SignUpRecord>();
  const unreadable = new Set<string>();
  for (const [at, email] of emails.entries()) {
    const entry = read[at];
    if (!entry) {
      unreadable.add(email);
      continue;
    }
    entries.set(email, entry);
    if (entry.value) records.set(email, entry.value);
  }
  const kept = { records, unreadable, erased, slugs: slugs.value ?? NO_SLUGS };
  return { kept, entries, slugs, erasureKey };
}

/** One atomic for a plan; false where something is no longer what was read. */
async function commitPlan(kv: Deno.Kv, state: State, plan: BulkPlan): Promise<boolean> {
  const commit = kv.atomic().check(state.slugs, state.erasureKey);
  if (plan.slugs !== state.kept.slugs) commit.set(KNOWN_SLUGS, plan.slugs);
  for (const [email, record] of plan.records) {
    const entry = state.entries.get(email) as Deno.KvEntryMaybe<SignUpRecord>;
    commit.check(entry).set(entry.key, record);
    // Whoever has a record is no longer erased.
    if (!state.kept.erased.has(email)) continue;
    for (const mark of erasureMarks(state.erasureKey.value!, email)) commit.delete(erasedKey(mark));
  }
  for (const { counter, by } of plan.counters) addToCounter(commit, counter, by);
  return (await commit.commit()).ok;
}
