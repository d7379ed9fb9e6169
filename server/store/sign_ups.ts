/**
 * Sign-ups, stored by group commit: one atomic carries many, each guarded by a check on its record, and
 * moves every counter once.
 *
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import { erasureMarks } from "../waitlist/erasure.ts";
import { mergeSignUp, type SignUp, type SignUpRecord } from "../waitlist/record.ts";
import { type Counter, CounterChanges } from "../waitlist/statistics.ts";
import { Batcher, type OnRun } from "./batcher.ts";
import { addressOf, counterKey, erasedKey, ERASURE_KEY, signUpKey } from "./keys.ts";
import { DEADLINE_MS } from "./deadline.ts";
import type { Engine } from "./open.ts";
import { isUnreadable, VALUE_FAULT } from "./entries.ts";

/** A sign-up and the moment of its consent, a date-time. */
export interface TimedSignUp {
  signUp: SignUp;
  at: string;
}

/** What one address is about to become. */
interface Change {
  key: Deno.KvKey;
  /** The sign-ups of the address, in the order of their arrival. */
  signUps: TimedSignUp[];
  /** Its record when it was last read. */
  entry: Deno.KvEntryMaybe<SignUpRecord>;
}

/** Checks of a commit besides those on the records: the erasure key's. */
const FURTHER_CHECKS = 1;

/** Sign-ups that may wait for a commit; about half a second's worth. */
const MAX_WAITING = 10_000;

/** What a queue of sign-ups is made with. */
export interface SignUpQueueOptions {
  engine: Engine;
  /** The clock, in milliseconds since 1970. */
  now: () => number;
  /** A clock that never steps, in milliseconds. */
  monotonic: () => number;
  onRun?: OnRun;
}

/**
 * Makes the function that takes a sign-up, whose promise resolves once it is durable. Sign-ups that
 * arrive together share a commit. It returns `undefined` where too many are waiting already.
 */
export function createSignUpQueue(
  kv: Deno.Kv,
  { engine, now, monotonic, onRun }: SignUpQueueOptions,
): (signUp: SignUp) => Promise<void> | undefined {
  const batcher = new Batcher<TimedSignUp, ReadonlySet<string>>({
    run: (signUps, signal) => storeSignUps(kv, signUps, signal),
    maxBatch: engine.checksPerCommit - FURTHER_CHECKS,
    maxRunning: engine.commitsInFlight,
    maxWaiting: MAX_WAITING,
    deadlineMs: DEADLINE_MS,
    monotonic,
    ...(onRun && { onRun }),
  });
  return (signUp) =>
    batcher.add({ signUp, at: new Date(now()).toISOString() })?.then((unreadable) => {
      if (unreadable.size === 0 || !unreadable.has(signUp.email)) return;
      throw new Error("The address has a record that cannot be read; 'counters verify' names it");
    });
}

/** Keys that one `getMany` takes. */
const READ_AT_ONCE = 10;

/** How many commits may fail, or give no answer, before their sign-ups do. */
const MAX_FAILURES = 5;

/** Half of the pause after the first failure, in milliseconds; each further one is twice as long. */
const PAUSE_MS = 10;

/**
 * Stores sign-ups, at least one fewer than the engine takes checks in an atomic; resolves once all are
 * durable. Repeats of an address are merged in order. New and known addresses take the same path.
 *
 * @param signal gives up between two attempts
 * @returns the addresses whose sign-ups were not stored, as they have a record that cannot be read
 */
export async function storeSignUps(
  kv: Deno.Kv,
  signUps: TimedSignUp[],
  signal?: AbortSignal,
): Promise<ReadonlySet<string>> {
  const byAddress = Map.groupBy(signUps, ({ signUp }) => signUp.email);
  const { entries, erasureKey } = await readState(kv, [...byAddress.keys()].map(signUpKey));
  const changes: Change[] = [];
  const unreadable = new Set<string>();
  for (const [index, [email, signUps]] of [...byAddress].entries()) {
    const entry = entries[index];
    if (entry) changes.push({ key: entry.key, signUps, entry });
    else unreadable.add(email);
  }
  await commitChanges(kv, { changes, erasureKey }, { failures: 0, signal });
  return unreadable;
}

/** What a commit is to do, and what it relies on. */
interface Batch {
  changes: Change[];
  /** The key of the marks on erased addresses; without it there is no mark to clear. */
  erasureKey: Deno.KvEntryMaybe<Uint8Array>;
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
    // A race is lost only to a commit that went through, so the tries come to an end.
  } catch (error) {
    // The commit may have gone through all the same. Reading again tells: a record that it wrote
    // merges with its own sign-up without a difference, so that no counter moves twice.
    if (++failures === MAX_FAILURES) throw error;
    await delay(PAUSE_MS * 2 ** failures);
  }
  const { entries, erasureKey } = await readState(kv, changes.map(({ key }) => key));
  const lost: Change[] = [];
  const kept: Change[] = [];
  for (const [index, change] of changes.entries()) {
    const entry = entries[index];
    if (!entry) throw new Error(VALUE_FAULT);
    const same = entry.versionstamp === change.entry.versionstamp;
    (same ? kept : lost).push({ ...change, entry });
  }
  // Apart, so that a contested address holds up no other.
  await Promise.all(
    [kept, lost].map((changes) => commitChanges(kv, { changes, erasureKey }, { failures, signal })),
  );
}

/** One atomic for all changes; false where something is no longer what was read. */
async function commitOnce(kv: Deno.Kv, { changes, erasureKey }: Batch): Promise<boolean> {
  const commit = kv.atomic().check(erasureKey);
  const counters = new CounterChanges();
  for (const { key, signUps, entry } of changes) {
    const before = entry.value ?? undefined;
    let after = before;
    for (const { signUp, at } of signUps) after = mergeSignUp(after, signUp, at);
    counters.replace(before, after);
    commit.check(entry).set(key, after);
    // Only an address without a record can have a mark; whoever signs up again is no longer erased.
    if (erasureKey.value && !before) {
      const marks = erasureMarks(erasureKey.value, addressOf(key));
      for (const mark of marks) commit.delete(erasedKey(mark));
    }
  }
  for (const { counter, by } of counters) addToCounter(commit, counter, by);
  return (await commit.commit()).ok;
}

/** Reads records, and the erasure key along with them. */
async function readState(kv: Deno.Kv, keys: Deno.KvKey[]) {
  const [erasureKey, ...entries] = await readRecords(kv, [ERASURE_KEY, ...keys]);
  if (!erasureKey) throw new Error(`The key of the erasures: ${VALUE_FAULT}`);
  return { entries, erasureKey: erasureKey as Deno.KvEntryMaybe<unknown> as Batch["erasureKey"] };
}

/**
 * Reads records, in as few calls as KV takes; each call is one snapshot.
 *
 * @returns `undefined` for a record that cannot be read, which must not fail the others
 */
export async function readRecords(
  kv: Deno.Kv,
  keys: Deno.KvKey[],
): Promise<(Deno.KvEntryMaybe<SignUpRecord> | undefined)[]> {
  const reads = [];
  for (let from = 0; from < keys.length; from += READ_AT_ONCE) {
    const some = keys.slice(from, from + READ_AT_ONCE);
    reads.push(kv.getMany<SignUpRecord[]>(some).catch(() => readOneByOne(kv, some)));
  }
  return (await Promise.all(reads)).flat();
}

function readOneByOne(kv: Deno.Kv, keys: Deno.KvKey[]) {
  return Promise.all(keys.map(async (key) => {
    try {
      return await kv.get<SignUpRecord>(key);
    } catch (error) {
      if (await isUnreadable(kv, key)) return undefined;
      throw error;
    }
  }));
}

/** Moves a counter by a positive or negative number; KV adds modulo 2^64 and takes no sign. */
export function addToCounter(commit: Deno.AtomicOperation, counter: Counter, by: number): void {
  commit.sum(counterKey(counter), BigInt.asUintN(64, BigInt(by)));
}

/** A counter's number, which is below zero after a fault that took more from it than it had. */
export function numberOf(value: Deno.KvU64): number {
  return Number(BigInt.asIntN(64, value.value));
}
