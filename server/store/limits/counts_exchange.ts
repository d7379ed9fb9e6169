/** Exchanges the counts of a limiter with other processes through KV. @module */
import type { Limiter, SharedCounts } from "../../limits/mod.ts";
import {
  Commit,
  type Kv,
  limitCountsKey,
  limitCountsSelector,
  pages,
  type Version,
} from "../kv/mod.ts";

/**
 * How many times an exchange tries to store its counts. A check can fail once or twice, for example because an earlier
 * commit got no answer, or because an entry was removed.
 */
const MAX_TRIES = 3;

/** What this process knows about its own stored counts of one window. */
interface StoredCounts {
  window: number;
  /**
   * The version of each entry when it was last read, by the name of the limit; `"unreadable"` if KV cannot read the
   * entry.
   */
  versions: Map<string, Version | "unreadable">;
}

/**
 * Makes the function that writes the counts of this process in the current window, and reads the counts of all other
 * processes. Each write replaces the previous write, so that nothing counts twice if the answer to a commit was lost.
 * Each write checks the entry that it replaces, so that a late commit does not bring older counts back.
 */
export function createCountsExchange(
  kv: Kv,
  processId: string,
  limiter: Limiter,
): (signal?: AbortSignal) => Promise<void> {
  let stored: StoredCounts = { window: NaN, versions: new Map() };

  /** Writes the counts of this process. @returns `"conflict"` if an entry was not as it was last read */
  function writeCounts({ window, limitCounts }: SharedCounts): Promise<Version | "conflict"> {
    const commit = new Commit();
    for (const { limitName, packedCounts } of limitCounts) {
      if (packedCounts.byteLength === 0) continue;
      const key = limitCountsKey(window, processId, limitName);
      const version = stored.versions.get(limitName) ?? null;
      // An entry that cannot be read is replaced without a check, because no commit can check it.
      if (version !== "unreadable") commit.check({ key, version });
      commit.set(key, packedCounts);
    }
    return kv.commit(commit);
  }

  /** Reads the counts of all other processes, and the versions of the entries of this process. */
  async function readCounts(window: number): Promise<SharedCounts> {
    const versions: StoredCounts["versions"] = new Map();
    const countsOfOthers: SharedCounts = { window, limitCounts: [] };
    for await (const page of pages<Uint8Array>(kv, limitCountsSelector(window))) {
      for (const entry of page) {
        // The cast holds, because the selector gives only keys with these four parts.
        const [, , owner, limitName] = entry.key as [string, number, string, string];
        const isReadable = !("fault" in entry);
        if (owner === processId) {
          versions.set(limitName, isReadable ? entry.version : "unreadable");
        } else if (isReadable) {
          countsOfOthers.limitCounts.push({ limitName, packedCounts: entry.value });
        }
      }
    }
    stored = { window, versions };
    return countsOfOthers;
  }

  return async (signal) => {
    const counts = limiter.share();
    if (stored.window !== counts.window) stored = { window: counts.window, versions: new Map() };
    for (let tryCount = 0; tryCount < MAX_TRIES; tryCount++) {
      const outcome = await writeCounts(counts);
      const countsOfOthers = await readCounts(counts.window);
      // Drops the result of an exchange that took too long, because another exchange has begun since and reads newer
      // counts.
      if (signal?.aborted) return;
      limiter.learn(countsOfOthers);
      if (outcome !== "conflict") return;
    }
    throw new Error("The stored counts of this process have changed at each try");
  };
}
