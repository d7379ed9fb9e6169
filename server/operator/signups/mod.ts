/**
 * The operator's operations on sign-ups.
 *
 * @module
 */
export { BatchWriter, LINE_FAULT_MESSAGES } from "./batch_writer.ts";
export { eraseSignupsOperation } from "./erase_signups.ts";
export { exportSignupsOperation } from "./export_signups.ts";
export { importSignupsOperation } from "./import_signups.ts";
export { inviteSignupsOperation } from "./invite_signups.ts";
export { listSignupsOperation } from "./list_signups.ts";
export { markUndeliverableOperation } from "./mark_undeliverable.ts";
export { remindSignupsOperation } from "./remind_signups.ts";
export { eraseSignupOperation, showSignupOperation } from "./signup.ts";
