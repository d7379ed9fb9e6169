/**
 * The operator's operations on the audit log, and the entries that the others write.
 *
 * @module
 */
export { auditEntry, auditEntryOf } from "./audit_entry.ts";
export { countFailedSignIns } from "./failed_sign_ins.ts";
export { readAuditLogOperation } from "./read_audit_log.ts";
