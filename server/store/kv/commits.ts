/**
 * Commits whose outcome is known. A commit that gives no answer may have gone through, or may go through later, as
 * the client of a KV server cannot be stopped. So each commit also checks and writes a slot, an entry of this
 * process that no other commit uses at the same time. To rewrite the slot tells the outcome: either the slot has
 * what the commit wrote, or the commit finds another slot than it checks, and can never go through.
 *
 * @module
 */
import type { MaybePromise } from "../../runtime/mod.ts";
import { type BoundedKv, tryAgain, withKvDeadline } from "./calls.ts";
import { COMMIT_SLOTS, slotKey } from "./keys.ts";

/** KV failed a commit, and does not say whether it has gone through; the message is what KV said of the commit. */
export class UnknownOutcome extends Error {
  constructor(cause: unknown) {
    super((cause as Error).message, { cause });
  }
}

/**
 * Makes a commit, and finds out what became of it where KV gives no answer.
 *
 * @returns the versionstamp of the commit; `undefined` where an entry was no longer what was read
 * @throws the error with which KV failed the commit, which then never goes through
 * @throws {UnknownOutcome} where KV does not tell; then it may have gone through, or may do so later
 */
export async function commitKnown(
  kv: BoundedKv,
  commit: Deno.AtomicOperation,
): Promise<string | undefined> {
  const slots = slotsOf(kv);
  const slot = await takeSlot(kv, slots);
  const id = ++slot.commits;
  commit.check(slot).set(slot.key, id);
  let isWritten: boolean;
  let failure: { error: unknown } | undefined;
  try {
    const result = await withKvDeadline(kv, () => commit.commit());
    if (result.ok) slot.versionstamp = result.versionstamp;
    // A client that got no answer may have sent the commit twice, and a sweep may have removed the slot, so that a
    // failed check does not tell yet that another commit came first.
    isWritten = result.ok || await hasWritten(kv, slot, id);
  } catch (error) {
    failure = { error };
    isWritten = await settle(kv, slot, id).catch(() => {
      throw new UnknownOutcome(error);
    });
  }
  slots.free.push(slot);
  if (isWritten) return slot.versionstamp!;
  if (failure) throw failure.error;
}

async function hasWritten(kv: BoundedKv, slot: Slot, id: number): Promise<boolean> {
  const entry = await withKvDeadline(kv, () => kv.get<number>(slot.key));
  slot.versionstamp = entry.versionstamp;
  return entry.value === id;
}

/** Finds out whether a commit without an answer has gone through, and keeps one that has not from doing so later. */
function settle(kv: BoundedKv, slot: Slot, id: number): Promise<boolean> {
  return tryAgain(async () => {
    for (;;) {
      if (await hasWritten(kv, slot, id)) return true;
      const rewrite = kv.atomic().check(slot).set(slot.key, -id);
      const result = await withKvDeadline(kv, () => rewrite.commit());
      if (!result.ok) continue;
      slot.versionstamp = result.versionstamp;
      return false;
    }
  });
}

/** An entry that one commit at a time checks and writes. */
interface Slot {
  key: Deno.KvKey;
  versionstamp: string | null;
  commits: number;
}

/** The slots of a process. One whose commit has no known outcome is not used again. */
interface Slots {
  free: Slot[];
  made: number;
  process?: Promise<string> | undefined;
}

const slotsByKv = new WeakMap<BoundedKv, Slots>();

function slotsOf(kv: BoundedKv): Slots {
  let slots = slotsByKv.get(kv);
  if (!slots) slotsByKv.set(kv, slots = { free: [], made: 0 });
  return slots;
}

async function takeSlot(kv: BoundedKv, slots: Slots): Promise<Slot> {
  const free = slots.free.pop();
  if (free) return free;
  // KV gives no versionstamp twice, so it names the process.
  slots.process ??= withKvDeadline(kv, () => kv.set(COMMIT_SLOTS.prefix, true))
    .then(({ versionstamp }) => versionstamp);
  try {
    return { key: slotKey(await slots.process, slots.made++), versionstamp: null, commits: 0 };
  } catch (error) {
    slots.process = undefined;
    throw error;
  }
}

export interface Prepared<Result> {
  commit?: Deno.AtomicOperation;
  /** Gets the versionstamp of the commit, which is empty where there is none. */
  result: (versionstamp: string) => Result;
}

/**
 * Makes a change: reads, decides and commits, and does so again where another commit came first.
 *
 * @param prepare checks what it has read in the commit that it gives; gives `undefined` where its reads do not fit
 * together, so that it is called again
 * @throws {UnknownOutcome} where KV does not tell whether the change was made; after any other error, it was not
 */
export function commitChange<Result>(
  kv: BoundedKv,
  prepare: () => Promise<Prepared<Result> | undefined>,
  signal?: AbortSignal,
): Promise<Result> {
  return tryAgain(async () => {
    for (;;) {
      signal?.throwIfAborted();
      const prepared = await withKvDeadline(kv, prepare);
      if (!prepared) continue;
      const { commit, result } = prepared;
      const versionstamp = commit ? await commitKnown(kv, commit) : "";
      // A check fails only where another commit went through, so the tries come to an end.
      if (versionstamp !== undefined) return result(versionstamp);
    }
  }, (error) => error instanceof UnknownOutcome || signal?.aborted === true);
}

export interface EntryChange<Value, Result> {
  /** The new value, or `null` to remove the entry; absent where the entry stays as it is. */
  to?: Value | null | undefined;
  result: Result;
}

/** Changes an entry, whatever else changes it at the same time; see {@linkcode commitChange}. */
export function changeEntry<Value, Result>(
  kv: BoundedKv,
  key: Deno.KvKey,
  decide: (value: Value | undefined) => MaybePromise<EntryChange<Value, Result>>,
  also?: (commit: Deno.AtomicOperation) => unknown,
): Promise<Result> {
  return commitChange(kv, async () => {
    const entry = await kv.get<Value>(key);
    const { to, result } = await decide(entry.value ?? undefined);
    if (to === undefined) return { result: () => result };
    const commit = kv.atomic().check(entry);
    if (to === null) commit.delete(key);
    else commit.set(key, to);
    also?.(commit);
    return { commit, result: () => result };
  });
}
