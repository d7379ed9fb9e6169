/**
 * The outbox: letters and events until they are sent, and the state of mail that all processes share. Commits of
 * `store/people/` put items in by `createOutboxChanges()`. The worker in `letters/` sends items by the functions of
 * `createOutboxWork()`. Operators list items, and make items due. The section `store/outbox/` of `server/README.md`
 * describes the states of an item. @module
 */
export type { BatchOptions, RecordsByEmail } from "./batching.ts";
export {
  createLetterDelay,
  createOutboxChanges,
  NO_OUTBOX,
  type OutboxChanges,
  type OutboxEntry,
  type OutboxOptions,
} from "./changes.ts";
export {
  countReport,
  readOutboxCounts,
  readOutcomes,
  readReportCounts,
  viewOutbox,
} from "./counts.ts";
export {
  type ChangedItems,
  type ChangeItemsWithRecords,
  type ItemAndRecordChange,
  itemsAfterCommit,
} from "./item_commits.ts";
export {
  createMailState,
  type MailPause,
  type MailStateStore,
  type NewPause,
  REFUSED_IN_A_ROW,
} from "./mail_state.ts";
export {
  type ItemsToRetry,
  makeDue,
  rescheduleSkewed,
  type RetriedPage,
  type RetryOptions,
} from "./make_due.ts";
export {
  findItems,
  findItemsByEmail,
  listDeliveries,
  listOutbox,
  type OutboxSelection,
  peekItems,
  readFirstDue,
  readFirstItems,
} from "./reads.ts";
export { findStoppedInvitations } from "./stopped_invitations.ts";
export { type ClaimedLetter, createOutboxWork, LETTER_QUEUES, type OutboxStore } from "./work.ts";
