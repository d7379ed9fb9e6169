/** Work that one process of all does at a time. @module */
import { createRandomIds, type Runtime } from "../../runtime/mod.ts";
import { changeEntry } from "./calls.ts";
import type { Key, Kv } from "./engine.ts";

/** What the work has come to, and the process that does it now. */
export interface Leased {
  /** The random id of the process, and until when the work is its own, in milliseconds since 1970. */
  lease?: { by: string; until: number };
}

/** How long a process that was killed keeps others from its work, in milliseconds. */
const LEASE_MS = 60_000;

/** Makes the function that does due work in one process at a time; a lost lease aborts the signal of the work. */
export function createLeasedWork<State extends Leased>(
  key: Key,
  { kv, random, now, repeat }: Pick<Runtime, "random" | "now" | "repeat"> & { kv: Kv },
) {
  const by = createRandomIds({ length: 16, random })();
  const lease = () => ({ by, until: now() + LEASE_MS });
  const changeOwn = (change: (state: State) => State) =>
    changeEntry<State, boolean>(kv, key, (state) => {
      if (state?.lease?.by !== by) return { result: false };
      return { to: change(state), result: true };
    });

  return async (
    isDue: (state: State | undefined) => boolean,
    work: (state: State | undefined, signal: AbortSignal) => Promise<State>,
  ): Promise<void> => {
    const taken = await changeEntry<State, { state: State | undefined } | undefined>(
      kv,
      key,
      (state) => {
        const left = (state?.lease?.until ?? 0) - now();
        // A lease that is longer than any can be is one of a clock that was ahead.
        if (left > 0 && left <= LEASE_MS || !isDue(state)) return { result: undefined };
        return { to: { ...state, lease: lease() } as State, result: { state } };
      },
    );
    if (!taken) return;

    const lost = new AbortController();
    const renewal = repeat(LEASE_MS / 3, async () => {
      // Where KV does not answer, the next renewal may.
      const isOwn = await changeOwn((state) => ({ ...state, lease: lease() })).catch(() => true);
      if (!isOwn) lost.abort(new Error("Another process has taken the work over"));
    });
    let done = taken.state;
    try {
      done = await work(taken.state, lost.signal);
    } finally {
      await renewal.close();
      const { lease: _, ...result } = { ...done };
      await changeOwn(() => result as State);
    }
  };
}
