/** Work that only one of several processes does at a time, because it needs a lease in the store. @module */
import { createRandomIds, type Runtime } from "../../runtime/mod.ts";
import { changeEntry } from "./calls.ts";
import type { Key, Kv } from "./engine.ts";

/** The stored state of work with a lease. */
export interface Leased {
  /** The random id of the process that works, and the end of its lease in milliseconds since 1970. */
  lease?: { by: string; until: number };
}

/** The length of a lease, in milliseconds. After a process was killed, other processes wait for this time. */
const LEASE_MS = 60_000;

/**
 * Makes a function that does some work if the work is due and no other process is doing it. The work gets the stored
 * state, and a signal that aborts when the lease is lost. It resolves with the new state.
 */
export function createLeasedWork<State extends Leased>(
  key: Key,
  { kv, random, now, repeat }: Pick<Runtime, "random" | "now" | "repeat"> & { kv: Kv },
) {
  const by = createRandomIds({ length: 16, random })();
  const lease = () => ({ by, until: now() + LEASE_MS });
  const changeOwn = (change: (state: State) => State) =>
    changeEntry<State, boolean>(kv, key, (state) => {
      if (state?.lease?.by !== by) return { result: false };
      return { newValue: change(state), result: true };
    });

  return async (
    isDue: (state: State | undefined) => boolean,
    work: (state: State | undefined, signal: AbortSignal) => Promise<State>,
  ): Promise<void> => {
    const begun = await changeEntry<State, { state: State | undefined } | undefined>(
      kv,
      key,
      (state) => {
        const left = (state?.lease?.until ?? 0) - now();
        // A lease with more than its whole length left does not count, because it is from a process whose clock was
        // ahead.
        if ((left > 0 && left <= LEASE_MS) || !isDue(state)) return { result: undefined };
        return { newValue: { ...state, lease: lease() } as State, result: { state } };
      },
    );
    if (!begun) return;

    const lost = new AbortController();
    const renewal = repeat(LEASE_MS / 3, async () => {
      // Counts the lease as kept if KV does not answer, because KV may answer the next renewal in time.
      const isOwn = await changeOwn((state) => ({ ...state, lease: lease() })).catch(() => true);
      if (!isOwn) lost.abort(new Error("Another process has taken the work over"));
    });
    let done = begun.state;
    try {
      done = await work(begun.state, lost.signal);
    } finally {
      await renewal.close();
      const { lease: _, ...result } = { ...done };
      await changeOwn(() => result as State);
    }
  };
}
