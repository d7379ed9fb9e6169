/** Work that only one of several processes does at a time, because the work needs a lease in the store. @module */
import { createRandomIds, type Runtime } from "../../runtime/mod.ts";
import { changeEntry } from "./calls.ts";
import type { Key, Kv } from "./engine.ts";

/** The stored state of work with a lease. */
export interface LeaseState {
  /** The random id of the process that works, and the end of its lease in milliseconds since 1970. */
  lease?: { by: string; until: number };
}

/** The length of a lease, in milliseconds. After a process was killed, other processes wait for this time at most. */
const LEASE_MS = 60_000;

/**
 * Does some work if the work is due and no other process is doing it.
 * @param isDue gets the stored state, which is empty before the first work
 * @param work gets the stored state, and a signal that aborts when another process takes the work over. The function
 * resolves with the new state, which is stored unless the lease was lost. If the function fails, the state stays as it
 * was
 */
export type DoLeasedWork<State extends LeaseState> = (
  isDue: (state: Partial<State>) => boolean,
  work: (state: Partial<State>, leaseLost: AbortSignal) => Promise<State>,
) => Promise<void>;

/** Makes the function that does some work with a lease. @param key the key of the entry with the state */
export function createLeasedWork<State extends LeaseState>(
  key: Key,
  { kv, random, now, repeat }: Pick<Runtime, "random" | "now" | "repeat"> & { kv: Kv },
): DoLeasedWork<State> {
  const processId = createRandomIds({ length: 16, random })();
  const newLease = () => ({ by: processId, until: now() + LEASE_MS });

  /** Takes the lease. @returns the stored state; `undefined` if the work is not due, or another process does it */
  function takeLease(
    isDue: (state: Partial<State>) => boolean,
  ): Promise<Partial<State> | undefined> {
    return changeEntry<Partial<State>, Partial<State> | undefined>(kv, key, (state = {}) => {
      const remainingMs = (state.lease?.until ?? 0) - now();
      // A lease with more than its whole length left does not count, because it is from a process whose clock was
      // ahead.
      const isTaken = remainingMs > 0 && remainingMs <= LEASE_MS;
      if (isTaken || !isDue(state)) return { result: undefined };
      return { newValue: { ...state, lease: newLease() }, result: state };
    });
  }

  /**
   * Changes the state while this process has the lease.
   * @returns `false` if this process does not have the lease any more
   */
  function changeState(change: (state: Partial<State>) => Partial<State>): Promise<boolean> {
    return changeEntry<Partial<State>, boolean>(kv, key, (state) => {
      if (state?.lease?.by !== processId) return { result: false };
      return { newValue: change(state), result: true };
    });
  }

  return async (isDue, work) => {
    const stateBefore = await takeLease(isDue);
    if (!stateBefore) return;
    const leaseLost = new AbortController();
    const renewal = repeat(LEASE_MS / 3, async () => {
      // Counts the lease as kept if KV does not answer, because KV may answer the next renewal in time.
      const hasLease = await changeState((state) => ({ ...state, lease: newLease() }))
        .catch(() => true);
      if (!hasLease) leaseLost.abort(new Error("Another process has taken the work over"));
    });
    let stateAfter: Partial<State> = stateBefore;
    try {
      stateAfter = await work(stateBefore, leaseLost.signal);
    } finally {
      await renewal.close();
      const { lease: _, ...withoutLease } = stateAfter;
      // The cast holds, because a state without a lease is a state as well: `lease` is optional.
      await changeState(() => withoutLease as Partial<State>);
    }
  };
}
