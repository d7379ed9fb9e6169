/**
 * Stores sign-ups that arrive in bulk, in batches: each is one atomic with its counters.
 *
 * @module
 */
import {
  type BulkPlan,
  type BulkSignUp,
  type ImportOutcome,
  type KnownSlugs,
  planBulkSignUps,
  type SignUpRecord,
  type StoredState,
} from "../../waitlist/mod.ts";
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import { setAuditEntry } from "../audit/mod.ts";
import {
  addToCounter,
  commitChange,
  KNOWN_SLUGS,
  type OpenKv,
  readMany,
  readSchema,
  signUpKey,
  SLOT_CHECKS,
  type StoreSchema,
  withKvDeadline,
} from "../kv/mod.ts";
import { clearMarks, findMarks } from "./erasure_marks.ts";
import { writeRecord } from "./lists.ts";
import { NO_SLUGS, readSlugs, readUsedSlugs } from "./slugs.ts";

/** A run that tells the outcomes of bulk sign-ups and writes nothing; it may take many calls. */
export interface DryRun {
  /** The slugs that would be known so far. */
  slugs?: KnownSlugs;
}

/** How bulk sign-ups are stored. */
export interface BulkOptions {
  /** If given, nothing is written; a later call knows the slugs of this one, but not its addresses. */
  dryRun?: DryRun | undefined;
  /** The entry of the audit log, which every commit writes as it is then. */
  audit?: AuditEntry | undefined;
}

/** Checks of an atomic besides those of the records: the known slugs and the schema. */
const FURTHER_CHECKS = 2 + SLOT_CHECKS;

/**
 * Stores bulk sign-ups, which are all held in memory; those of one address are merged in order.
 *
 * @returns the outcomes, in their order, once all are durable; rejects once no commit is under way any more
 */
export async function storeBulkSignUps(
  { kv, engine }: OpenKv,
  bulkSignUps: BulkSignUp[],
  options: BulkOptions = {},
): Promise<ImportOutcome[]> {
  const { dryRun } = options;
  if (dryRun) dryRun.slugs ??= await withKvDeadline(kv, () => readUsedSlugs(kv));
  const outcomes: ImportOutcome[] = [];
  const batches = splitByAddress(bulkSignUps, engine.checksPerCommit - FURTHER_CHECKS);
  const runNext = async () => {
    for (let batch = batches.pop(); batch; batch = batches.pop()) {
      const stored = await storeBatch(kv, batch.map(({ bulkSignUp }) => bulkSignUp), options);
      for (const [at, { index }] of batch.entries()) outcomes[index] = stored[at] as ImportOutcome;
    }
  };
  const runs = Array.from({ length: engine.commitsInFlight }, async () => {
    try {
      await runNext();
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

/** A bulk sign-up and its index among all. */
interface IndexedBulkSignUp {
  bulkSignUp: BulkSignUp;
  index: number;
}

/** The most bytes that the keys of a commit's people may have, of the 81,920 that KV takes with all others. */
const PEOPLE_KEY_BYTES = 80_000;

/**
 * The most keys with the address that a commit writes or deletes for a person, and the bytes of their other parts.
 */
const PERSON_KEYS = 5, OTHER_KEY_BYTES = 400;

/**
 * Splits bulk sign-ups into batches of `size` addresses, or of fewer where they are long. An address is in one
 * batch only, as batches run at the same time. They are in the order of the addresses: a file engine writes
 * fewer pages for neighbours.
 */
function splitByAddress(bulkSignUps: BulkSignUp[], size: number): IndexedBulkSignUp[][] {
  const indexed = bulkSignUps.map((bulkSignUp, index) => ({ bulkSignUp, index }));
  const byAddress = Map.groupBy(indexed, ({ bulkSignUp }) => bulkSignUp.email);
  const batches: IndexedBulkSignUp[][] = [];
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

async function storeBatch(
  kv: Deno.Kv,
  bulkSignUps: BulkSignUp[],
  { dryRun, audit }: BulkOptions,
): Promise<ImportOutcome[]> {
  // Most addresses are new. The first commit takes all of them for new, and fails where one is known: this
  // saves the reading, which is half of the work. A sign-up's time must not tell who is known; this one may.
  let guess = !dryRun;
  return await commitChange(kv, async () => {
    const state = await readState(kv, bulkSignUps, { guess, writes: !dryRun });
    guess = false;
    if (dryRun) return { result: () => planDryRun(bulkSignUps, state.stored, dryRun) };
    const plan = planBulkSignUps(bulkSignUps, state.stored);
    if (plan.records.size === 0) return { result: () => plan.outcomes };
    return { commit: commitOf(kv, state, plan, audit), result: () => plan.outcomes };
  });
}

function planDryRun(
  bulkSignUps: BulkSignUp[],
  stored: StoredState,
  dryRun: DryRun,
): ImportOutcome[] {
  const plan = planBulkSignUps(bulkSignUps, { ...stored, slugs: dryRun.slugs ?? stored.slugs });
  dryRun.slugs = plan.slugs;
  return plan.outcomes;
}

/** What the store holds, and the entries that tell so. */
interface State {
  stored: StoredState;
  entries: Map<string, Deno.KvEntryMaybe<SignUpRecord>>;
  slugs: Deno.KvEntryMaybe<KnownSlugs>;
  schema: StoreSchema;
}

/**
 * @param options.guess takes all addresses for new, unless one of them was erased
 * @param options.writes whether it may write, to make room for slugs
 */
async function readState(
  kv: Deno.Kv,
  bulkSignUps: BulkSignUp[],
  { guess, writes }: { guess: boolean; writes: boolean },
): Promise<State> {
  const emails = [...new Set(bulkSignUps.map(({ email }) => email))];
  const keys = emails.map(signUpKey);
  const [schema, slugs] = await Promise.all([
    readSchema(kv),
    writes ? readSlugs(kv, bulkSignUps) : kv.get<KnownSlugs>(KNOWN_SLUGS),
  ]);
  const marks = await findMarks(kv, schema, emails);
  const erased = new Map(Array.from(marks, ([email, { erasedAt }]) => [email, erasedAt]));
  const read = guess && erased.size === 0
    ? keys.map((key) => ({ key, value: null, versionstamp: null }))
    : await readMany<SignUpRecord>(kv, keys);
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
  const stored = { records, unreadable, erased, slugs: slugs.value ?? NO_SLUGS };
  return { stored, entries, slugs, schema };
}

/** Makes the commit of a plan. */
function commitOf(
  kv: Deno.Kv,
  state: State,
  plan: BulkPlan,
  audit: AuditEntry | undefined,
): Deno.AtomicOperation {
  const commit = setAuditEntry(kv.atomic().check(state.slugs, state.schema.entry), audit);
  if (plan.slugs !== state.stored.slugs) commit.set(KNOWN_SLUGS, plan.slugs);
  for (const [email, record] of plan.records) {
    const entry = state.entries.get(email) as Deno.KvEntryMaybe<SignUpRecord>;
    commit.check(entry);
    writeRecord(commit, email, { before: entry.value ?? undefined, after: record });
    if (state.stored.erased.has(email)) clearMarks(commit, state.schema.erasureKeys!, email);
  }
  for (const { counter, by } of plan.counters) addToCounter(commit, counter, by);
  return commit;
}
