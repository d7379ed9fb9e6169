/**
 * The outbox: letters and events that wait to be sent, and what all processes share about sending them.
 *
 * @module
 */
export { makeAheadDue } from "./ahead.ts";
export {
  letterDelayOf,
  NO_OUTBOX,
  OutboxChanges,
  type OutboxEntry,
  type OutboxOptions,
} from "./changes.ts";
export { listOutbox, makeDue, type RetryOptions } from "./list.ts";
export { createMailState, type MailStateStore } from "./mail_state.ts";
export { findItemsOf, readFirstDue, readItemsOf, readOutboxCounts, readOutcomes } from "./reads.ts";
export { viewOutbox } from "./view.ts";
export { createOutboxWork, type OutboxStore, type SharedCommits } from "./work.ts";
