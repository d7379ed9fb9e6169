/**
 * The outbox: letters and events from the commit that puts them in until they are sent, and the state of mail that all
 * processes share. An item is a letter or an event. It is in one state at a time:
 *
 *     put in ─▶ due ──claim──▶ claimed ──taken──▶ removed; the last 100 events that were taken are kept as delivered
 *                ▲                │ ├─ dropped ──▶ removed, because the letter does not fit the person any more
 *                │                │ ├─ postponed ▶ due at a later moment
 *                │                │ └─ refused ──▶ refused ──retry──▶ due
 *                └── lease ends ──┘
 *
 * A letter over the limit of its client network waits in the queue `held` until it is due. `changes.ts` puts items into
 * the commits of people. `new_letters.ts` has the compact form of letters that nobody has read yet. `work.ts` has the
 * steps from `due` on, `make_due.ts` the retries, `reads.ts` the reads. `letters/` decides which step an item takes. On
 * its way, a letter passes between `letters/` and the store three times: `permitLetters()`, `claimLetter()`, and the
 * function that stores its outcome, such as `sent()`. @module
 */
export {
  createOutboxChanges,
  letterDelayOf,
  NO_OUTBOX,
  type OutboxChanges,
  type OutboxEntry,
  type OutboxOptions,
} from "./changes.ts";
export { createMailState, type MailStateStore, REFUSED_IN_A_ROW } from "./mail_state.ts";
export { makeDue, rescheduleSkewed, type RetryOptions } from "./make_due.ts";
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
export {
  type ChangedItems,
  changedItems,
  type ClaimedLetter,
  type CommitWithRecords,
  createOutboxWork,
  findStoppedInvitations,
  LETTER_QUEUES,
  type OutboxStore,
  type OutboxWorkOptions,
} from "./work.ts";
