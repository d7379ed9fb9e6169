/** The audit log: who changed, exported or backed up what, and when regular work was last done. @module */
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import type { Runtime } from "../../runtime/mod.ts";
import type { OpenKv } from "../kv/mod.ts";
import {
  type AuditSelection,
  readAuditLog,
  readAuditLogOf,
  readNewestAuditEntries,
  writeAuditEntry,
} from "./entries.ts";
import { readLastDone } from "./last_done.ts";
export { AUDIT_MS, readAuditLog, restoreAuditLog, setAuditEntry } from "./entries.ts";
export { noteWhenDone, readLastDone, reportAges } from "./last_done.ts";

/** Gives what the operator's operations do with the audit log. */
export function createAuditStore({ kv, now }: Pick<OpenKv, "kv"> & Pick<Runtime, "now">) {
  return {
    writeAuditEntry: (entry: AuditEntry) => writeAuditEntry(kv, entry),
    readAuditLogOf: (email: string, since: string) => readAuditLogOf(kv, email, since),
    readAuditLog: (selection: AuditSelection) => readAuditLog(kv, { ...selection, now: now() }),
    readNewestAuditEntries: (selection: AuditSelection & { most: number }) =>
      readNewestAuditEntries(kv, { ...selection, now: now() }),
    readLastDone: () => readLastDone(kv),
  };
}
