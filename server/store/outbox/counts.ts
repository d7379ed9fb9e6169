/**
 * The counters of the outbox: their names, and the reads of them for operators and for the metrics. `changes.ts` changes
 * the counters in the commits that change items, and `people/mail_reports.ts` counts the reports of mail providers.
 * @module
 */
import type { Overview } from "../../../shared/operator_schemas.ts";
import type { OutboxView } from "../../observe/mod.ts";
import { refreshEachMinute, type RefreshedValue, type Repeat } from "../../runtime/mod.ts";
import type { OutboxItem } from "../../waitlist/mod.ts";
import { type Commit, dueSelector, type Kv, outboxCountKey, pages, readAll } from "../kv/mod.ts";
import { createMailState } from "./mail_state.ts";

/**
 * The outcome of an attempt to send an item, as stored counters and metrics name it. `sent`: the mail server has taken
 * the letter, or the receiver has accepted the event. `refused`: the item counts as refused (`countsAsRefused()`).
 */
export type CountedOutcome = "sent" | "refused";

/** Counters of outcomes are separate for letters and for events. */
type MessageType = "letters" | "events";

/** Gives the name of the counter that counts an outcome on a UTC day. */
export function outcomeCounterName(
  type: MessageType,
  outcome: CountedOutcome,
  day: string,
): string {
  // Stored counters have these names, so the names never change, although only those of events have a prefix.
  return type === "letters" ? `${outcome} ${day}` : `${type} ${outcome} ${day}`;
}

/** What a mail provider can report about a letter that was sent: it came back, or was reported as spam. */
type ReportKind = NonNullable<Overview["reports"]>[number]["kind"];

/** Gives the name of the counter that counts the reports of mail providers on a UTC day. */
const reportCounterName = (kind: ReportKind, day: string): string => `${kind} ${day}`;

/** Counts a report of a mail provider, in the commit of its effect. @param day the UTC day on which the report came */
export function countReport(commit: Commit, kind: ReportKind, day: string): void {
  commit.add(outboxCountKey(reportCounterName(kind, day)), 1);
}

/** Reads how many reports of each kind came on some UTC days, which begin with the newest. Leaves out a kind without. */
export async function readReportCounts(
  kv: Kv,
  days: string[],
): Promise<NonNullable<Overview["reports"]>> {
  const kinds: ReportKind[] = ["bounced", "complained"];
  const namesOf = (kind: ReportKind) => days.map((day) => reportCounterName(kind, day));
  const counters = await readCounters(kv, kinds.flatMap(namesOf));
  const since = days.at(-1)!;
  return kinds
    .map((kind) => {
      const counts = namesOf(kind).map((name) => counters.get(name)!);
      return { kind, since, count: counts.reduce((sum, count) => sum + count, 0) };
    })
    .filter(({ count }) => count > 0);
}

/** Gives the name of the counter that counts an item while the item is in its queue. */
export const queueCounterName = ({ queue }: OutboxItem): string =>
  queue === "refused" || queue === "held" || queue === "delivered" ? queue : "due";

/**
 * Reads counters, and gives the value of each counter by its name. A counter that a fault has moved below zero is read
 * as 0.
 */
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

/** How many letters or events were sent on a UTC day, and how many were refused for good (`CountedOutcome`). */
interface DayOutcomes {
  about: MessageType;
  day: string;
  sent: number;
  refused: number;
}

/** Reads the outcomes of each UTC day, for letters and for events. */
export async function readOutcomes(kv: Kv, days: string[]): Promise<DayOutcomes[]> {
  const types: MessageType[] = ["letters", "events"];
  const daysAndTypes = days.flatMap((day) => types.map((type) => ({ day, type })));
  const names = daysAndTypes.flatMap(({ day, type }) => [
    outcomeCounterName(type, "sent", day),
    outcomeCounterName(type, "refused", day),
  ]);
  const counters = await readCounters(kv, names);
  return daysAndTypes.map(({ day, type }) => ({
    about: type,
    day,
    sent: counters.get(outcomeCounterName(type, "sent", day))!,
    refused: counters.get(outcomeCounterName(type, "refused", day))!,
  }));
}

/** Reads each minute what the metrics show of the outbox, so that the metrics need not wait for KV. */
export function viewOutbox(kv: Kv, repeat: Repeat): Promise<RefreshedValue<OutboxView>> {
  async function read(): Promise<OutboxView> {
    const due = (await readCounters(kv, ["due"])).get("due")!;
    const pause = (await createMailState(kv).read())?.pause;
    // Letters and events share the counter of due items, so the events are counted by a read of their queue. The queue
    // is short unless the receiver does not answer.
    let eventCount = 0;
    for await (const positions of pages(kv, dueSelector("events"))) eventCount += positions.length;
    const letterCount = Math.max(0, due - eventCount);
    return { letters: letterCount, events: eventCount, isPaused: pause !== undefined };
  }
  return refreshEachMinute(read, {
    initial: { letters: 0, events: 0, isPaused: false },
    repeat,
  });
}
