/**
 * Makes items due earlier: items that an operator retries, and items whose due time is too late, because the clock that
 * set it was ahead. @module
 */
import {
  CLOCK_TOLERANCE_MS,
  isPlacedByWrongClock,
  mustStillBeSent,
  noteDeliverable,
  type OutboxItem,
  type Queue,
  QUEUES,
  reasonNotToSend,
  type SignUpRecord,
} from "../../waitlist/mod.ts";
import { type Kv, PAGE_SIZE, readMany, signUpKey } from "../kv/mod.ts";
import { type OutboxEntry, queueOf } from "./changes.ts";
import { changeItems, type ChangeItemsWithRecords, type ItemAudits } from "./item_commits.ts";
import { unpackOldest } from "./new_letters.ts";
import { LETTER_QUEUES } from "./work.ts";
import { findItems, readFirstItems, readQueuePages } from "./reads.ts";

/** Which items an operator makes due by a retry. */
export type ItemsToRetry =
  /** The items with these ids. */
  | { ids: string[] }
  /** The items whose last attempt failed, except letters that wait because of a letter limit. */
  | "waiting"
  /** All refused items, and all items whose due time is too late because the clock that set it was ahead. */
  | "refused"
  /** The same items as with `refused`, except letters to people who are marked as undeliverable. */
  | "unmarked"
  /** The letter that is due first, unless one is due now. It keeps its tries, because it only tests a pause. */
  | "test";

/** The options of {@linkcode makeDue}. */
export interface RetryOptions {
  which: ItemsToRetry;
  /** The clock, in milliseconds since 1970. It goes on while the items are read. */
  now: () => number;
  /** How long a claim of an item lasts, in milliseconds. Meanwhile, a process may be sending the item. */
  leaseMs: number;
  /** The audit entry of the operator's call; absent if no operator has called. */
  audits?: Omit<ItemAudits, "auditPerPerson"> | undefined;
}

/** What became of a page of items. */
export interface RetriedPage {
  /** The number of items that are due now. */
  retried: number;
  /**
   * The number of items that are not due now, although the operator has chosen them. Letters that are removed count only
   * if they were chosen by their ids, and letters that are left out because of a mark do not count.
   */
  unchanged: number;
  /** The number of letters that are removed from the outbox, because they would not be sent. */
  removed: number;
  /** The number of people whose mark as undeliverable is lifted, and who had none lifted on an earlier page. */
  liftedMarks: number;
}

/** What became of an item. */
type RetryOutcome = "retried" | "unchanged" | "removed" | "left out";

/**
 * Makes items due at once. An item that will be due within a lease stays unchanged, because a process may be sending the
 * item. A refused letter that would not be sent is removed, such as an invitation to a person who has accepted
 * meanwhile. If the audit entry is about no person in particular, each person gets a copy of the entry, so that the
 * history of the person names the operator. Yields after each page of items.
 */
export async function* makeDue(
  kv: Kv,
  options: RetryOptions,
  commitWithRecords: ChangeItemsWithRecords,
): AsyncGenerator<RetriedPage> {
  const { which, now, leaseMs, audits } = options;
  const audit = audits?.audit;
  // With `waiting`, the operator has not chosen the items of a person in particular.
  const isAboutMany = audit && audit.address === undefined && which !== "waiting" &&
    which !== "test";
  // The caller adds counts to the entry of the call meanwhile.
  const model = isAboutMany && { ...audit };
  // The addresses of the people whose marks this call lifts. All items of a person share one audit entry, so an item
  // that lifts no mark must not write the entry without the lifted mark.
  const unmarkedEmails = new Set<string>();

  /**
   * Makes an item due.
   * @param record the record of the person; absent if there is none, or if it cannot be read
   * @returns `unchanged` if a process may be sending the item, or if the item has changed or is gone; `removed` if the
   * item was a letter that would not be sent; `left out` if the item is a letter to a person who is marked
   */
  async function makeItemDue(
    entry: OutboxEntry | undefined,
    record: SignUpRecord | undefined,
  ): Promise<RetryOutcome> {
    if (!entry) return "unchanged";
    const { reason: _, ...item } = entry.item;
    const at = now();
    if (which === "test") {
      const changedItems = await changeItems(kv, [
        { entry, item: { ...entry.item, placedAt: at, dueAt: at } },
      ]);
      return changedItems.has(entry.id) ? "retried" : "unchanged";
    }
    if (mayBeSending(item, at, leaseMs)) return "unchanged";
    if (record && item.queue === "refused" && reasonNotToSend(item, record)) {
      const removedItems = await commitWithRecords(kv, [{ entry }], audits);
      return removedItems.has(entry.id) ? "removed" : "unchanged";
    }
    if (which === "unmarked" && isToMarked(entry, record)) return "left out";
    // A refused letter is put into the outbox again, so that the log of letters keeps the refusal.
    const isPutAgain = item.queue === "refused" && "letter" in item.message;
    const dueItem: OutboxItem = {
      ...item,
      ...isPutAgain && { putAgainAt: at },
      queue: queueOf(item.message),
      placedAt: at,
      dueAt: at,
      tries: 0,
    };
    // A letter that an operator retries makes its person deliverable. With `waiting`, the operator has not chosen this
    // letter in particular, so an undeliverable person stays undeliverable.
    const recordChange = "letter" in item.message && which !== "waiting" &&
      { changeRecord: noteDeliverable };
    const isUnmarked = unmarkedEmails.has(item.email);
    const auditPerPerson = model &&
      { ...model, ...isUnmarked && { details: { ...model.details, liftedMarks: 1 } } };
    const change = { entry, item: dueItem, ...recordChange };
    const changedItems = await commitWithRecords(
      kv,
      [change],
      audits && { ...audits, ...auditPerPerson && { auditPerPerson } },
    );
    return changedItems.has(entry.id) ? "retried" : "unchanged";
  }

  for await (const items of readItemsToRetry(kv, options)) {
    const records = which === "waiting" || which === "test"
      ? NO_RECORDS
      : await readRecords(kv, items);
    const unmarkedBefore = unmarkedEmails.size;
    for (const entry of items) {
      const record = entry && records.get(entry.item.email);
      if (which === "unmarked" || !record || !isToMarked(entry, record)) continue;
      const { item } = entry;
      if (mayBeSending(item, now(), leaseMs) || reasonNotToSend(item, record)) continue;
      unmarkedEmails.add(item.email);
    }
    const outcomes = await Promise.all(
      items.map((entry) => makeItemDue(entry, entry && records.get(entry.item.email))),
    );
    const count = (counted: RetryOutcome) => outcomes.filter((each) => each === counted).length;
    const removed = count("removed");
    yield {
      retried: count("retried"),
      unchanged: count("unchanged") + (typeof which === "object" ? removed : 0),
      removed,
      liftedMarks: unmarkedEmails.size - unmarkedBefore,
    };
  }
}

/** Whether a process may be sending an item. */
const mayBeSending = (item: OutboxItem, at: number, leaseMs: number): boolean =>
  !isAtRest(item) && item.dueAt <= latestClaimEnd(at, leaseMs) && !isPlacedByWrongClock(item, at);

/** Whether an item is a letter to a person who is marked as undeliverable. */
const isToMarked = ({ item }: OutboxEntry, record: SignUpRecord | undefined): boolean =>
  "letter" in item.message && record?.undeliverableAt !== undefined;

/** The records of people for a decision about items that needs no record. */
const NO_RECORDS: ReadonlyMap<string, SignUpRecord> = new Map();

/** Reads the records of the people to whom some items belong, by their addresses. */
async function readRecords(
  kv: Kv,
  items: (OutboxEntry | undefined)[],
): Promise<Map<string, SignUpRecord>> {
  const emails = [...new Set(items.flatMap((entry) => entry?.item.email || []))];
  const entries = await readMany<SignUpRecord>(kv, emails.map(signUpKey));
  return new Map(entries.flatMap((entry, index) => {
    const record = entry?.value;
    return record ? [[emails[index]!, record] as const] : [];
  }));
}

/**
 * Whether no process sends an item until an operator makes the item due. This is true of a refused item and of a
 * delivered event. A delivered event without an address does not count, because its person has left, so the event
 * cannot be sent again (`toDeliveredEvent()`).
 */
const isAtRest = ({ queue, email }: OutboxItem): boolean =>
  queue === "refused" || (queue === "delivered" && email !== "");

/**
 * Gives the latest possible end of a claim that a process has now. The clock of the process may be ahead by the
 * tolerance. All moments are in milliseconds since 1970.
 */
const latestClaimEnd = (now: number, leaseMs: number): number => now + leaseMs + CLOCK_TOLERANCE_MS;

/** Yields, in pages, the items to make due; `undefined` stands for an id whose item is gone. */
async function* readItemsToRetry(
  kv: Kv,
  { which, now, leaseMs }: RetryOptions,
): AsyncGenerator<(OutboxEntry | undefined)[]> {
  const at = now();
  switch (which) {
    case "waiting":
      for (const queue of QUEUES) {
        if (queue === "held" || queue === "refused") continue;
        yield* readFailed(kv, queue, latestClaimEnd(at, leaseMs));
      }
      return;
    case "refused":
    case "unmarked":
      for await (const { items } of readQueuePages(kv, "refused", { dueBy: at })) yield items;
      for (const queue of QUEUES) yield* readPlacedByWrongClock(kv, queue, at);
      return;
    case "test":
      yield await readTestLetter(kv, at, leaseMs);
      return;
    default:
      yield* readByIds(kv, which.ids);
  }
}

/** How many letters of a queue are read to find the one that tests a pause. */
const READ_FOR_TEST = 20;

/** For how long after its claim a process may be sending a letter, in milliseconds: longer than any attempt. */
const LONGEST_ATTEMPT_MS = 65_000 + CLOCK_TOLERANCE_MS;

/**
 * Finds the letter that is due first, to test a pause. Gives none if a letter is due already. Leaves out letters that
 * are not sent any more, such as those to people who are marked as undeliverable, because they test nothing. Also leaves
 * out a letter that a limit holds back, and one that a process may be sending: the claim of a letter moves its due time
 * by a lease, but so can a failed attempt.
 */
async function readTestLetter(kv: Kv, at: number, leaseMs: number): Promise<OutboxEntry[]> {
  const limit = READ_FOR_TEST;
  const queues = await Promise.all(
    LETTER_QUEUES.map((queue) => readFirstItems(kv, queue, { limit })),
  );
  const records = await readRecords(kv, queues.flat());
  const letters = queues.flat()
    .filter(({ item }) => {
      const record = records.get(item.email);
      return record !== undefined && mustStillBeSent(item, record);
    })
    .sort((a, b) => a.item.dueAt - b.item.dueAt);
  if (letters.some(({ item }) => item.dueAt <= at)) return [];
  const free = letters.find(({ item: { queue, placedAt = 0, dueAt } }) =>
    queue !== "held" && (dueAt !== placedAt + leaseMs || placedAt + LONGEST_ATTEMPT_MS <= at)
  );
  return free ? [free] : [];
}

/** Yields, in pages, the items with these ids; `undefined` for an id whose item is gone. */
async function* readByIds(kv: Kv, ids: string[]): AsyncGenerator<(OutboxEntry | undefined)[]> {
  for (let from = 0; from < ids.length; from += PAGE_SIZE) {
    const page = ids.slice(from, from + PAGE_SIZE);
    const entries = await findItems(kv, page);
    yield page.map((id) => entries.find((entry) => entry.id === id));
  }
}

/**
 * Yields, in pages, the items of a queue whose last attempt failed and whose next attempt is later than a moment.
 * @param moment milliseconds since 1970
 */
async function* readFailed(kv: Kv, queue: Queue, moment: number): AsyncGenerator<OutboxEntry[]> {
  for await (const { items } of readQueuePages(kv, queue, { after: { at: moment + 1, id: "" } })) {
    yield items.filter(({ item }) => item.tries > 0);
  }
}

/** Yields, in pages, the items of a queue whose due times are too late, because the clock that set them was ahead. */
async function* readPlacedByWrongClock(
  kv: Kv,
  queue: Queue,
  now: number,
): AsyncGenerator<OutboxEntry[]> {
  if (queue === "letters") await unpackOldest(kv, { since: now });
  for await (const { items } of readQueuePages(kv, queue, { after: { at: now, id: "" } })) {
    yield items.filter(({ item }) => isPlacedByWrongClock(item, now));
  }
}

/**
 * Makes items due at once if their due times are too late, because the clock that set these times was ahead.
 * @param options.now the present moment, in milliseconds since 1970
 * @param options.includesClaimed whether to change items with an attempt (`tries` above 0) as well. Another process may
 * be sending such an item, or the attempt has failed
 * @returns the number of items that were made due
 */
export async function rescheduleSkewed(
  kv: Kv,
  { now, includesClaimed }: { now: number; includesClaimed: boolean },
): Promise<number> {
  let madeDueCount = 0;
  for (const queue of QUEUES.filter((name) => name !== "refused")) {
    for await (const entries of readPlacedByWrongClock(kv, queue, now)) {
      const changeableItems = entries.filter(({ item }) => includesClaimed || item.tries === 0);
      const commits = await Promise.all(changeableItems.map((entry) => {
        return changeItems(kv, [{ entry, item: { ...entry.item, placedAt: now, dueAt: now } }]);
      }));
      madeDueCount += commits.filter((changedItems) => changedItems.size > 0).length;
    }
  }
  return madeDueCount;
}
