/**
 * The outbox: letters and events from the commit that puts them in until they are sent, and what all processes share
 * about sending them. An item is in one state at a time:
 *
 *     put in ─▶ due ──claim──▶ claimed ──taken──▶ gone; an event stays among the last 100 delivered ones
 *                ▲                │ ├─ dropped ─▶ gone, because it fits the person no more
 *                │                │ ├─ put off ─▶ due, at a later moment
 *                │                │ └─ refused ─▶ refused ──retry──▶ due
 *                └── lease ends ──┘
 *
 * `changes.ts` puts items into commits of people, `work.ts` has the steps from `due` on, `make_due.ts` the retries, and
 * `reads.ts` all reads. `new_letters.ts` is how new letters are stored until the first look. A letter that waits for
 * the next hour of its network is due in a queue of its own (`held`). The room of letters decides which step an item
 * takes; it writes nothing itself. @module
 */
export type { OutboxChanges, OutboxEntry, OutboxOptions } from "./changes.ts";
export { createOutboxChanges, letterDelayOf, NO_OUTBOX } from "./changes.ts";
export { createMailState, type MailStateStore, REFUSED_IN_A_ROW } from "./mail_state.ts";
export { makeDue, rescheduleSkewed, type RetryOptions } from "./make_due.ts";
export {
  findItems,
  findItemsOf,
  listDeliveries,
  listOutbox,
  type OutboxSelection,
} from "./reads.ts";
export { readFirstDue, readOutboxCounts, readOutcomes, viewOutbox } from "./reads.ts";
export { findStopped } from "./stopped.ts";
export type { Changed, CommitWithRecords, OutboxStore, OutboxWorkOptions } from "./work.ts";
export { changedBy, createOutboxWork } from "./work.ts";
