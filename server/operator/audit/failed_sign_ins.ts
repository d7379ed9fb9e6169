import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import type { Log, Repeat } from "../../runtime/mod.ts";
import { newEntry } from "./audit_entry.ts";
import type { OperatorDependencies } from "../operation.ts";

/** How often the count is written while there are failed sign-ins, in milliseconds. */
const WRITE_MS = 60_000;

/** Counts the calls without a right key for the audit log. */
export interface FailedSignIns {
  /** Counts a call; costs no KV operation. */
  count: () => void;
  /** Ends the writing at intervals, and writes what is counted. */
  close: () => Promise<void>;
}

/**
 * Makes the counter, which writes one entry a minute, however many calls there are. An entry that KV did not
 * take is written a minute later as it is: its commit may have gone through without an answer, and a
 * repetition must not count twice.
 */
export function countFailedSignIns(
  { store, repeat, log, ...dependencies }: OperatorDependencies & { repeat: Repeat; log: Log },
): FailedSignIns {
  let count = 0;
  let unwritten: AuditEntry | undefined;

  async function write(): Promise<void> {
    if (!unwritten && count > 0) {
      unwritten = { ...newEntry("failedSignIn", dependencies), details: { count } };
      count = 0;
    }
    if (!unwritten) return;
    try {
      await store.writeAuditEntry(unwritten);
      unwritten = undefined;
    } catch (error) {
      const { message } = error as Error;
      log.warn("failed sign-ins are not in the audit log yet, as KV did not answer", {
        error: message,
      });
    }
  }

  const beat = repeat(WRITE_MS, write);
  return {
    count: () => void count++,
    async close() {
      await beat.close();
      await write();
      // The entry may have been one that waited, with the calls of an earlier minute.
      if (!unwritten) await write();
    },
  };
}
