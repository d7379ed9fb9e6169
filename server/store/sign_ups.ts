/**
 * Stores sign-ups by group commit: one atomic carries many of them, checks each record, and moves every
 * counter once.
 *
 * @module
 */
import {
  type MergeOptions,
  mergeSignUp,
  type SignUp,
  type SignUpRecord,
} from "../waitlist/record.ts";
import { CounterChanges } from "../waitlist/statistics.ts";
import { Batcher, type OnRun } from "./batcher.ts";
import { deadlineOf, MAX_FAILURES, pauseAfter } from "./deadline.ts";
import { VALUE_FAULT } from "./entries.ts";
import { clearMarks } from "./erasures.ts";
import { addressOf, SCHEMA, signUpKey } from "./keys.ts";
import type { Engine } from "./open.ts";
import { addToCounter, readRecords } from "./records.ts";
import { type StoreSchema, toSchema } from "./schema.ts";

/** A sign-up, the moment of its consent, and the id of the record that it makes where the address is new. */
export interface TimedSignUp extends MergeOptions {
  signUp: SignUp;
}

/** The sign-ups of one address, which a commit merges into its record. */
interface Change {
  key: Deno.KvKey;
  /** In the order of their arrival. */
  signUps: TimedSignUp[];
  /** The record when it was last read. */
  entry: Deno.KvEntryMaybe<SignUpRecord>;
}

/** Checks of a commit besides those of the records: the check of the schema. */
const FURTHER_CHECKS = 1;

/** Sign-ups that may wait for a commit: as many as are stored in about half a second. */
const MAX_WAITING = 10_000;

/**
 * How long sign-ups are gathered while a commit is under way, in milliseconds. A commit costs as much as many
 * sign-ups do: with 64 connections, this doubles the sign-ups in a commit. One that comes alone does not wait.
 */
const BUSY_GATHER_MS = 1;

/** What a queue of sign-ups is made with. */
export interface SignUpQueueOptions {
  engine: Engine;
  /** The clock, in milliseconds since 1970. */
  now: () => number;
  /** A clock that never steps, in milliseconds. */
  monotonic: () => number;
  /** Makes the id of a record. */
  nextId: () => string;
  onRun?: OnRun;
}

/**
 * Makes the function that takes a sign-up and gives a promise that resolves once the sign-up is durable.
 * Sign-ups that arrive together share a commit. It returns `undefined` where too many are waiting already.
 */
export function createSignUpQueue(
  kv: Deno.Kv,
  { engine, now, monotonic, nextId, onRun }: SignUpQueueOptions,
): (signUp: SignUp) => Promise<void> | undefined {
  const batcher = new Batcher<TimedSignUp, ReadonlySet<string>>({
    run: (signUps, signal) => storeSignUps(kv, signUps, signal),
    maxBatch: engine.checksPerCommit - FURTHER_CHECKS,
    maxRunning: engine.commitsInFlight,
    maxWaiting: MAX_WAITING,
    busyGatherMs: BUSY_GATHER_MS,
    deadlineMs: deadlineOf(kv),
    monotonic,
    ...(onRun && { onRun }),
  });
  return (signUp) =>
    batcher.add({ signUp, at: new Date(now()).toISOString(), id: nextId() })?.then((unreadable) => {
      if (unreadable.size === 0 || !unreadable.has(signUp.email)) return;
      throw new Error("The address has a record that cannot be read; 'counters verify' names it");
    });
}

/**
 * Stores sign-ups, at least one fewer than the engine takes checks in an atomic; resolves once all are
 * durable. Repeats of an address are merged in order. New and known addresses take the same path.
 *
 * @param signal ends the tries of a batch that nobody waits for any more
 * @returns the addresses whose sign-ups were not stored, as their records cannot be read
 */
export async function storeSignUps(
  kv: Deno.Kv,
  signUps: TimedSignUp[],
  signal?: AbortSignal,
): Promise<ReadonlySet<string>> {
  const byAddress = Map.groupBy(signUps, ({ signUp }) => signUp.email);
  const { entries, schema } = await readState(kv, [...byAddress.keys()].map(signUpKey));
  const changes: Change[] = [];
  const unreadable = new Set<string>();
  for (const [index, [email, signUps]] of [...byAddress].entries()) {
    const entry = entries[index];
    if (entry) changes.push({ key: entry.key, signUps, entry });
    else unreadable.add(email);
  }
  await commitChanges(kv, { changes, schema }, { failures: 0, signal });
  return unreadable;
}

/** What a commit changes, and what it relies on besides the records. */
interface Batch {
  changes: Change[];
  schema: StoreSchema;
}

async function commitChanges(
  kv: Deno.Kv,
  batch: Batch,
  { failures, signal }: { failures: number; signal: AbortSignal | undefined },
): Promise<void> {
  const { changes } = batch;
  if (changes.length === 0) return;
  signal?.throwIfAborted();
  try {
    if (await commitOnce(kv, batch)) return;
    // A check fails only where another commit went through, so the tries come to an end.
  } catch (error) {
    // The commit may have gone through all the same. Then the records are read as it wrote them, merge
    // with their sign-ups without a difference, and move no counter twice.
    if (++failures === MAX_FAILURES) throw error;
    await pauseAfter(failures);
  }
  const { entries, schema } = await readState(kv, changes.map(({ key }) => key));
  const changed: Change[] = [];
  const unchanged: Change[] = [];
  for (const [index, change] of changes.entries()) {
    const entry = entries[index];
    if (!entry) throw new Error(VALUE_FAULT);
    const isSame = entry.versionstamp === change.entry.versionstamp;
    (isSame ? unchanged : changed).push({ ...change, entry });
  }
  // In separate commits, so that an address that others write to delays no other address.
  await Promise.all(
    [unchanged, changed].map((changes) =>
      commitChanges(kv, { changes, schema }, { failures, signal })
    ),
  );
}

/** Commits all changes in one atomic; false where an entry is no longer what was read. */
async function commitOnce(kv: Deno.Kv, { changes, schema }: Batch): Promise<boolean> {
  const commit = kv.atomic().check(schema.entry);
  const counters = new CounterChanges();
  for (const { key, signUps, entry } of changes) {
    const before = entry.value ?? undefined;
    let after = before;
    for (const { signUp, ...options } of signUps) after = mergeSignUp(after, signUp, options);
    counters.replace(before, after);
    commit.check(entry).set(key, after);
    // Only an address without a record can have a mark.
    if (schema.erasureKeys && !before) clearMarks(commit, schema.erasureKeys, addressOf(key));
  }
  for (const { counter, by } of counters) addToCounter(commit, counter, by);
  return (await commit.commit()).ok;
}

/** Reads records, and the schema in the same calls. */
async function readState(kv: Deno.Kv, keys: Deno.KvKey[]) {
  const [schema, ...entries] = await readRecords(kv, [SCHEMA, ...keys]);
  if (!schema) throw new Error(`The entry of the schema: ${VALUE_FAULT}`);
  return {
    entries,
    schema: toSchema(schema as Deno.KvEntryMaybe<unknown> as StoreSchema["entry"]),
  };
}
