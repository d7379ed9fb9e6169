/**
 * The keys of the outbox; `keys.ts` has the table of all keys.
 *
 * @module
 */

/** A letter or an event that waits to be sent. */
export function outboxKey(id: string): Deno.KvKey {
  return ["outbox", id];
}

/** Selects everything that waits. */
export const OUTBOX: Deno.KvListSelector = { prefix: ["outbox"] };

/** The position of an item in its queue; `dueAt` is in milliseconds since 1970. */
export function dueKey(queue: string, dueAt: number, id: string): Deno.KvKey {
  return ["due", queue, dueAt, id];
}

/** The position of an item among others: when it is due, in milliseconds since 1970, and its id. */
export interface DuePosition {
  at: number;
  id: string;
}

/** Selects the items of a queue that are due before a moment, in milliseconds since 1970, and behind a position. */
export function dueSelector(
  queue: string,
  until = Infinity,
  after?: DuePosition,
): { start: Deno.KvKey; end: Deno.KvKey } {
  // An empty part makes the first key behind that of the item.
  const start = after ? [...dueKey(queue, after.at, after.id), new Uint8Array()] : ["due", queue];
  return { start, end: ["due", queue, until] };
}

/** How many items are due or refused, or were sent or refused on a UTC day. */
export function outboxCountKey(name: string): Deno.KvKey {
  return ["outbox_count", name];
}

/** What became of an attempt. */
export type TryOutcome = "sent" | "refused";

/** Names the count of what became of attempts on a UTC day. */
export function outcomeName(about: "letters" | "events", outcome: TryOutcome, day: string): string {
  return about === "letters" ? `${outcome} ${day}` : `${about} ${outcome} ${day}`;
}

/** Whether letters are paused, and the permits of the current second. */
export const MAIL_STATE: Deno.KvKey = ["mail"];
