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

/** The entries with the counts of this process in one window, as they were last read. */
interface OwnEntries {
  window: number;
  /** The version of each entry, by the name of the limit; `"unreadable"` if KV cannot read the entry. */
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
  // No window is `NaN`, so the first exchange begins a window.
  let ownEntries: OwnEntries = { window: NaN, versions: new Map() };

  /** Writes the counts of this process. @returns `"conflict"` if an entry was not as it was last read */
  function writeCounts({ window, limitCounts }: SharedCounts): Promise<Version | "conflict"> {
    const commit = new Commit();
    for (const { limitName, packedCounts } of limitCounts) {
      if (packedCounts.byteLength === 0) continue;
      const key = limitCountsKey(window, processId, limitName);
      const version = ownEntries.versions.get(limitName) ?? null;
      // An entry that cannot be read is replaced without a check, because no commit can check it.
      if (version !== "unreadable") commit.check({ key, version });
      commit.set(key, packedCounts);
    }
    return kv.commit(commit);
  }

  /** Reads the counts of all other processes. Also notes the versions of the entries of this process. */
  async function readCounts(window: number): Promise<SharedCounts> {
    const versions: OwnEntries["versions"] = new Map();
    const countsOfOthers: SharedCounts = { window, limitCounts: [] };
    for await (const page of pages<Uint8Array>(kv, limitCountsSelector(window))) {
      for (const entry of page) {
        // The cast holds, because the selector gives only keys with these four parts.
        const [, , ownerId, limitName] = entry.key as [string, number, string, string];
        const isReadable = !("fault" in entry);
        if (ownerId === processId) {
          versions.set(limitName, isReadable ? entry.version : "unreadable");
        } else if (isReadable) {
          countsOfOthers.limitCounts.push({ limitName, packedCounts: entry.value });
        }
      }
    }
    ownEntries = { window, versions };
    return countsOfOthers;
  }

  return async function exchangeCounts(signal) {
    const ownCounts = limiter.share();
    const { window } = ownCounts;
    if (ownEntries.window !== window) ownEntries = { window, versions: new Map() };
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
      const outcome = await writeCounts(ownCounts);
      const countsOfOthers = await readCounts(window);
      // Drops the result of an exchange that took too long, because another exchange has begun since and reads newer
      // counts.
      if (signal?.aborted) return;
      limiter.learn(countsOfOthers);
      if (outcome !== "conflict") return;
    }
    throw new Error("The stored counts of this process have changed at each try");
  };
}
