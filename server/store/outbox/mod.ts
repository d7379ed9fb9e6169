/** The outbox: letters and events that wait to be sent, and what all processes share about sending them. @module */
export type { OutboxChanges, OutboxEntry, OutboxOptions } from "./changes.ts";
export { createOutboxChanges, letterDelayOf, NO_OUTBOX } from "./changes.ts";
export { createMailState, type MailStateStore, REFUSED_IN_A_ROW } from "./mail_state.ts";
export { makeDue, rescheduleSkewed, type RetryOptions } from "./make_due.ts";
export { findItems, findItemsOf, listDeliveries, listOutbox, readFirstDue } from "./reads.ts";
export { findStopped } from "./stopped.ts";
export { readItemsOf, readOutboxCounts, readOutcomes, viewOutbox } from "./reads.ts";
export type { Changed, CommitWithRecords, OutboxWorkOptions } from "./work.ts";
export { changedBy, createOutboxWork } from "./work.ts";
