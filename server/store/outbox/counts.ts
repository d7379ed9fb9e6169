/**
 * The counters of the outbox: their names, and the reads of them for operators and for the metrics. `changes.ts` changes
 * the counters in the commits that change items. @module
 */
import type { OutboxView } from "../../observe/mod.ts";
import { refreshEachMinute, type RefreshedValue, type Repeat } from "../../runtime/mod.ts";
import type { OutboxItem } from "../../waitlist/mod.ts";
import { dueSelector, type Kv, outboxCountKey, pages, readAll } from "../kv/mod.ts";
import { createMailState } from "./mail_state.ts";

/**
 * The outcome of an attempt to send an item, as stored counters and metrics name it. `sent`: the mail server has taken
 * the letter, or the receiver has accepted the event. `refused`: the item counts as refused (`countsAsRefused()`).
 */
export type CountedOutcome = "sent" | "refused";

/** Gives the name of the counter that counts an outcome on a UTC day. */
export function outcomeCounterName(
  messages: "letters" | "events",
  outcome: CountedOutcome,
  day: string,
): string {
  // Stored counters have these names, so the names never change, although only those of events have a prefix.
  return messages === "letters" ? `${outcome} ${day}` : `${messages} ${outcome} ${day}`;
}

/** Gives the name of the counter that counts an item while the item is in its queue. */
export const queueCounterName = ({ queue }: OutboxItem): string =>
  queue === "refused" || queue === "held" || queue === "delivered" ? queue : "due";

/** Reads counters, and gives their values by their names. A counter that a fault has moved below zero is read as 0. */
async function readCounters(kv: Kv, names: string[]): Promise<Map<string, number>> {
  const entries = await readAll<number>(kv, names.map(outboxCountKey));
  return new Map(names.map((name, index) => [name, Math.max(0, entries[index]!.value ?? 0)]));
}

/** The counts of the outbox. */
interface OutboxCounts {
  /** The number of items that are due. */
  due: number;
  /** The number of letters that wait because of the letter limit of a client network. */
  held: number;
  /** The number of refused items. */
  refused: number;
  /** The number of letters that were sent on one UTC day. */
  sent: number;
}

/** Reads the counts of the outbox from their counters. @param day the UTC day of the sent letters */
export async function readOutboxCounts(kv: Kv, day: string): Promise<OutboxCounts> {
  const sentName = outcomeCounterName("letters", "sent", day);
  const counters = await readCounters(kv, ["due", "held", "refused", sentName]);
  return {
    due: counters.get("due")!,
    held: counters.get("held")!,
    refused: counters.get("refused")!,
    sent: counters.get(sentName)!,
  };
}

/** How many letters or events were sent on a UTC day, and how many were refused for good. */
interface DayOutcomes {
  about: "letters" | "events";
  day: string;
  sent: number;
  refused: number;
}

/** Reads the outcomes of each UTC day, for letters and for events. */
export async function readOutcomes(kv: Kv, days: string[]): Promise<DayOutcomes[]> {
  const outcomes = days.flatMap((day) =>
    (["letters", "events"] as const).map((about) => ({
      about,
      day,
      sentName: outcomeCounterName(about, "sent", day),
      refusedName: outcomeCounterName(about, "refused", day),
    }))
  );
  const names = outcomes.flatMap(({ sentName, refusedName }) => [sentName, refusedName]);
  const counters = await readCounters(kv, names);
  return outcomes.map(({ about, day, sentName, refusedName }) => {
    return { about, day, sent: counters.get(sentName)!, refused: counters.get(refusedName)! };
  });
}

/** Reads the figures of the outbox each minute, so that the metrics have these figures without waiting. */
export function viewOutbox(kv: Kv, repeat: Repeat): Promise<RefreshedValue<OutboxView>> {
  async function read(): Promise<OutboxView> {
    const due = (await readCounters(kv, ["due"])).get("due")!;
    const pause = (await createMailState(kv).read())?.pause;
    // Letters and events share the counter of due items, so the events are counted by a read of their queue. The queue
    // is short unless the receiver does not answer.
    let events = 0;
    for await (const positions of pages(kv, dueSelector("events"))) events += positions.length;
    return { letters: Math.max(0, due - events), events, isPaused: pause !== undefined };
  }
  return refreshEachMinute(read, {
    initial: { letters: 0, events: 0, isPaused: false },
    repeat,
  });
}
