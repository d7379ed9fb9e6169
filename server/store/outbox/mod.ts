/**
 * The outbox: letters and events until they are sent, and the state of mail that all processes share. The section
 * `store/outbox/` of `server/README.md` describes the states of an item, and the files. @module
 */
export {
  createOutboxChanges,
  letterDelayOf,
  NO_OUTBOX,
  type OutboxChanges,
  type OutboxEntry,
  type OutboxOptions,
} from "./changes.ts";
export { type ChangedItems, changedItems, type ChangeItemsWithRecords } from "./item_commits.ts";
export { createMailState, type MailStateStore, REFUSED_IN_A_ROW } from "./mail_state.ts";
export { type ItemsToRetry, makeDue, rescheduleSkewed, type RetryOptions } from "./make_due.ts";
export {
  findItems,
  findItemsOf,
  listDeliveries,
  listOutbox,
  type OutboxSelection,
  readFirstDue,
  readOutboxCounts,
  readOutcomes,
  viewOutbox,
} from "./reads.ts";
export { findStoppedInvitations } from "./stopped_invitations.ts";
export {
  type ClaimedLetter,
  createOutboxWork,
  type FoundRecords,
  LETTER_QUEUES,
  type OutboxStore,
  type OutboxWorkOptions,
} from "./work.ts";
