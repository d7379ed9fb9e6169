/** Counts the calls that are refused, and writes the counts to the audit log. @module */
import type { AuditEntry } from "../../shared/operator_schemas.ts";
import type { Runtime } from "../runtime/mod.ts";
import { newAuditEntry } from "../store/audit/mod.ts";

/** The time between two writes of the counts, in milliseconds. */
const WRITE_MS = 60_000;

/** What {@linkcode startRefusalCounter} needs. */
export interface RefusalOptions extends Pick<Runtime, "log" | "now" | "random" | "repeat"> {
  writeAuditEntry: (entry: AuditEntry) => Promise<void>;
}

/**
 * Starts a counter of calls with a missing or wrong key, and of calls that the role of an operator does not allow. Each
 * minute, the counter writes the counts to the audit log: one entry for each operator with refused calls, and one entry
 * for all calls without a right key. After a failed write, the same entry is written again unchanged, because the failed
 * write may have been stored nevertheless.
 */
export function startRefusalCounter({ writeAuditEntry, log, now, random, repeat }: RefusalOptions) {
  /** The counts by the name of the operator. The count for `undefined` is that of calls with a missing or wrong key. */
  const counts = new Map<string | undefined, number>();
  /** The entries that are not written yet, the oldest first. */
  let unwrittenEntries: AuditEntry[] = [];

  async function writeCounts(): Promise<void> {
    if (unwrittenEntries.length === 0) {
      unwrittenEntries = Array.from(counts, ([operator, count]) => ({
        ...newAuditEntry(operator === undefined ? "failedSignIn" : "forbidden", { now, random }),
        ...operator !== undefined && { operator },
        details: { count },
      }));
      counts.clear();
    }
    try {
      for (const entry of [...unwrittenEntries]) {
        await writeAuditEntry(entry);
        unwrittenEntries.shift();
      }
    } catch (error) {
      const { message } = error as Error;
      log.warn(
        "could not write to the audit log how many operator calls were refused; will write this number later",
        { error: message },
      );
    }
  }

  const writeTimer = repeat(WRITE_MS, writeCounts);
  return {
    /** Counts a refused call. @param operator the name of the operator; absent for a missing or wrong key */
    count: (operator?: string) => void counts.set(operator, (counts.get(operator) ?? 0) + 1),
    /** Writes the last counts. To be called after the last call of an operator. */
    async close() {
      await writeTimer.close();
      await writeCounts();
      // The write above may only have written old entries whose first write failed. Then the counts since that time
      // need a second write.
      if (unwrittenEntries.length === 0) await writeCounts();
    },
  };
}
