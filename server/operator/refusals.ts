/** Counts the calls that are refused, and writes the counts to the audit log. @module */
import type { AuditEntry } from "../../shared/operator_schemas.ts";
import type { Runtime } from "../runtime/mod.ts";
import { newAuditEntry } from "../store/audit/mod.ts";

/** The time between two writes of the counts, in milliseconds. */
const WRITE_MS = 60_000;

export interface RefusalOptions extends Pick<Runtime, "log" | "now" | "random" | "repeat"> {
  writeAuditEntry: (entry: AuditEntry) => Promise<void>;
}

/**
 * Counts calls without a right key, and calls that the role of an operator does not allow. Each minute, it writes one
 * audit entry for each of these operators, and one for the calls without a right key. If a write fails, the same entry
 * is written again later and no counts are added to it, because the failed write may have been stored all the same.
 */
export function countRefusals({ writeAuditEntry, log, now, random, repeat }: RefusalOptions) {
  /** The counts by the name of the operator. The key `undefined` has the count of calls with a missing or wrong key. */
  const counts = new Map<string | undefined, number>();
  let unwritten: AuditEntry[] = [];

  async function write(): Promise<void> {
    if (unwritten.length === 0) {
      unwritten = Array.from(counts, ([operator, count]) => ({
        ...newAuditEntry(operator === undefined ? "failedSignIn" : "forbidden", { now, random }),
        ...operator !== undefined && { operator },
        details: { count },
      }));
      counts.clear();
    }
    try {
      for (; unwritten[0]; unwritten.shift()) await writeAuditEntry(unwritten[0]);
    } catch (error) {
      const { message } = error as Error;
      log.warn("refused calls are not in the audit log yet, as KV did not answer", {
        error: message,
      });
    }
  }

  const writing = repeat(WRITE_MS, write);
  return {
    /** Counts a refused call. @param operator the name of the operator; absent for a missing or wrong key */
    count: (operator?: string) => void counts.set(operator, (counts.get(operator) ?? 0) + 1),
    async close() {
      await writing.close();
      await write();
      // The write above may only have repeated entries of a failed write. The counts since then need another write.
      if (unwritten.length === 0) await write();
    },
  };
}
