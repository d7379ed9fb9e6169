/**
 * How the store calls KV: reads of single entries, the one rule for trying again, changes (read, decide, commit), and
 * the errors of calls that come too late. @module
 */
import { setTimeout as delay } from "node:timers/promises";
import { DeadlineError, type MaybePromise } from "../../runtime/mod.ts";
import {
  Commit,
  type Key,
  type Kv,
  type MaybeEntry,
  NoAnswer,
  UnknownOutcome,
  type UnreadableEntry,
  type Version,
} from "./engine.ts";

/** The part of a KV that a read needs. */
type Reader = Pick<Kv, "get">;

/** The message of the error of a call that KV has not answered before its deadline. */
export const KV_IS_LATE = "KV did not answer in time";

/** The reason that is given for an entry whose value an engine cannot read or decode. */
export const VALUE_FAULT = "KV cannot read its value.";

/** Is thrown by every call of a closed store, and by the calls that were under way when the store was closed. */
export class StoreClosed extends DeadlineError {
  constructor() {
    super("The store is closed");
  }
}

/**
 * Is thrown by a call of KV if the work to which the call belongs has missed its deadline, or was given up. It is a
 * `DeadlineError` in both cases, so that callers treat both alike. Only a commit that was under way throws
 * `UnknownOutcome` instead.
 */
export class WorkOver extends DeadlineError {
  /** @param reason why the work ends */
  constructor(reason: Error) {
    super(reason.message, { cause: reason });
  }
}

/** How many times the same work is tried at most. */
const MAX_TRIES = 5;

/** The pause after the first failed try, in milliseconds. Each further pause is twice as long as the pause before. */
const FIRST_PAUSE_MS = 20;

/**
 * After this many missed deadlines, the same work is given up. The number is small, because a try that misses its
 * deadline takes seconds.
 */
const MAX_MISSED_DEADLINES = 2;

/**
 * Does work, and does it again when it fails, {@linkcode MAX_TRIES} times in all at most. No other code of the store
 * repeats a failed call of KV at once. The work is a read, a whole change (read, decide, commit), or a commit that may
 * be made twice.
 *
 * Four errors end the tries at once: the second missed deadline, because the caller has waited long enough; a closed
 * store; work that is over; and an unknown outcome, because `outcomes.ts` has already tried to find out the outcome by
 * this same rule. A {@linkcode NoAnswer} is treated as the error that caused it.
 */
export async function retry<T>(work: () => Promise<T>): Promise<T> {
  let missedDeadlines = 0;
  for (let tries = 1;; tries++) {
    try {
      return await work();
    } catch (error) {
      const reason = error instanceof NoAnswer ? error.cause : error;
      if (reason instanceof DeadlineError) missedDeadlines++;
      const isFinalError = reason instanceof StoreClosed || reason instanceof WorkOver ||
        reason instanceof UnknownOutcome;
      const isLastTry = tries === MAX_TRIES || missedDeadlines === MAX_MISSED_DEADLINES;
      if (isFinalError || isLastTry) throw error;
      await delay(FIRST_PAUSE_MS * 2 ** (tries - 1));
    }
  }
}

/** Reads an entry. @throws {Error} if its value cannot be read */
export async function readOne<T>(kv: Reader, key: Key): Promise<MaybeEntry<T>> {
  const [entry] = await kv.get<T>([key]);
  return assertReadable(entry!);
}

/** Reads a value; `undefined` if the key has no value. @throws {Error} if the value cannot be read */
export async function findValue<T>(kv: Reader, key: Key): Promise<T | undefined> {
  return (await readOne<T>(kv, key)).value ?? undefined;
}

/** Reads entries. @throws {Error} if the value of one of them cannot be read */
export async function readAll<T>(kv: Reader, keys: readonly Key[]): Promise<MaybeEntry<T>[]> {
  return keys.length === 0 ? [] : (await kv.get<T>(keys)).map(assertReadable);
}

/**
 * Reads entries. Gives `undefined` for an entry that cannot be read, so that the read of the other entries does not
 * fail.
 */
export async function readMany<T>(
  kv: Reader,
  keys: readonly Key[],
): Promise<(MaybeEntry<T> | undefined)[]> {
  if (keys.length === 0) return [];
  return (await kv.get<T>(keys)).map((entry) => "fault" in entry ? undefined : entry);
}

/** Gives back an entry if its value can be read. @throws {Error} if the value cannot be read */
export function assertReadable<E extends MaybeEntry>(entry: E | UnreadableEntry): E {
  if (!("fault" in entry)) return entry;
  throw new Error(`KV cannot read the value of the entry '${entry.key[0]}'.`);
}

/** A change that was decided from the entries that were read. */
export interface PreparedChange<Result> {
  /** The commit of the change; absent if there is nothing to write. */
  commit?: Commit;
  /**
   * Makes the result. The function gets the version of the entries that the commit wrote, or an empty text if there was
   * no commit.
   */
  result: (version: Version) => Result;
}

/**
 * Makes a change: reads, decides and commits, and does so again if another commit came first.
 * @param prepare reads, and gives a commit that checks what was read; gives `undefined` if what it has read does not
 * fit together. The function is called again after `undefined`, after a conflict, and after a failure
 * @throws {UnknownOutcome} if nothing tells whether the change was made; after any other error, the change was not made
 */
export function commitChange<Result>(
  kv: Kv,
  prepare: () => Promise<PreparedChange<Result> | undefined>,
): Promise<Result> {
  return retry(async () => {
    for (;;) {
      const preparedChange = await prepare();
      if (!preparedChange) continue;
      const { commit, result } = preparedChange;
      const version = commit ? await kv.commit(commit) : "";
      // A conflict means that another commit has changed an entry since `prepare()` read it, so `prepare()` reads
      // again.
      if (version !== "conflict") return result(version);
    }
  });
}

/**
 * Makes several reads at the same time. If reads block the event loop, makes them one after the other, so that requests
 * are handled between two reads.
 * @returns the results in the order of the reads
 */
export async function runReads<Results extends unknown[]>(
  { traits }: Pick<Kv, "traits">,
  reads: { [Index in keyof Results]: () => Promise<Results[Index]> },
): Promise<Results> {
  if (!traits.readsBlock) return await Promise.all(reads.map((read) => read())) as Results;
  const results: unknown[] = [];
  for (const read of reads) results.push(await read());
  return results as Results;
}

/** The decision on a change of an entry. */
export interface EntryChange<Value, Result> {
  /** The new value, or `null` to remove the entry; absent if the entry stays as it is. */
  newValue?: Value | null | undefined;
  result: Result;
}

/**
 * Changes an entry, even while other commits change it; see {@linkcode commitChange}.
 * @param decide is called again if another commit came first, or if KV has failed
 * @param extend adds the other writes of the change to the commit
 */
export function changeEntry<Value, Result>(
  kv: Kv,
  key: Key,
  decide: (stored: Value | undefined) => MaybePromise<EntryChange<Value, Result>>,
  extend?: (commit: Commit) => unknown,
): Promise<Result> {
  return commitChange(kv, async () => {
    const entry = await readOne<Value>(kv, key);
    const { newValue, result } = await decide(entry.value ?? undefined);
    if (newValue === undefined) return { result: () => result };
    const commit = new Commit().check(entry);
    if (newValue === null) commit.delete(key);
    else commit.set(key, newValue);
    extend?.(commit);
    return { commit, result: () => result };
  });
}

/**
 * Adds an entry.
 * @param extend adds the other writes of the change to the commit
 * @returns false if the key already has an entry; that entry stays as it is
 */
export function addEntry<Value>(
  kv: Kv,
  key: Key,
  newValue: Value,
  extend: (commit: Commit) => unknown,
): Promise<boolean> {
  const decide = (stored?: Value) => stored ? { result: false } : { newValue, result: true };
  return changeEntry<Value, boolean>(kv, key, decide, extend);
}
