/**
 * The place in line (decisions, "Place in line"): the number of waiting people with an earlier `createdAt`, plus one.
 *
 * The time to find a place depends on the number of people of the same second, but not on the length of the waitlist,
 * because the store has counters of waiting people in a tree over time. Each level of the tree divides time into
 * periods of one length: seconds, minutes, hours, days, and periods of 32 days. Each period has a counter.
 *
 * To count the people before a moment, the service adds up counters of each level. At the highest level, it adds all
 * periods that end before the moment. At each lower level, it adds only those periods before the moment that lie inside
 * the moment's own period of the level above: 59 periods at most. The people of the moment's own second are counted one
 * by one in the list of waiting people. @module
 */
import { DAY, HOUR, MINUTE } from "../../shared/durations.ts";
import { stateOf } from "../../shared/counters.ts";
import type { SignUpRecord } from "./record.ts";

/** A second, in milliseconds. */
const SECOND = 1_000;

/**
 * The length of the periods of each level, in milliseconds, from the lowest level to the highest. There are no shorter
 * periods than a second: in a list that has grown over months, a shorter period hardly ever has more than one person,
 * so each person would need a counter of their own at each further level.
 */
export const LINE_LEVELS: readonly number[] = [SECOND, MINUTE, HOUR, DAY, 32 * DAY];

const HIGHEST_LEVEL = LINE_LEVELS.length - 1;

/** Names a counter, which has the number of waiting people whose `createdAt` lies in a period. */
export interface LineCounter {
  /** The index of the level in {@linkcode LINE_LEVELS}. */
  level: number;
  /** The index of the period in its level. Period 0 begins with the year 1970. */
  period: number;
}

/** The members of a record that decide in which counters the person is counted. */
type RecordInLine = Pick<SignUpRecord, "createdAt" | "state">;

/**
 * Lists the counters in which a person is counted. For a waiting person, these are one counter of each level. The list
 * is empty for any other person, and for a record whose `createdAt` is no date-time.
 */
export function lineCountersOf(record: RecordInLine): LineCounter[] {
  const moment = Date.parse(record.createdAt);
  if (stateOf(record) !== "waiting" || Number.isNaN(moment)) return [];
  return LINE_LEVELS.map((length, level) => ({ level, period: Math.floor(moment / length) }));
}

/** A range of consecutive periods of the same length, which are on the same level of the tree. */
export interface PeriodRange {
  level: number;
  /** The first period of the range. Without it, the range begins with the earliest period that has a counter. */
  first?: number;
  /** The first period after the range. */
  end: number;
}

/**
 * Lists the periods that together cover the time before the second of a sign-up.
 * @param createdAt the moment of the sign-up, a valid date-time
 */
export function periodsBefore(createdAt: string): PeriodRange[] {
  const moment = Date.parse(createdAt);
  return LINE_LEVELS.map((length, level) => {
    const end = Math.floor(moment / length);
    if (level === HIGHEST_LEVEL) return { level, end };
    const parent = { level: level + 1, period: parentPeriodOf({ level, period: end }) };
    return { level, first: childPeriodsOf(parent).first, end };
  });
}

/** Gives the second of a sign-up, as the number of seconds since 1970. @param createdAt a valid date-time */
export const secondOf = (createdAt: string): number => Math.floor(Date.parse(createdAt) / SECOND);

/** Gives the index of the period of the level above that contains the given period. There must be a level above. */
export const parentPeriodOf = ({ level, period }: LineCounter): number =>
  Math.floor(period / periodsIn(level + 1));

/** Gives the periods of the level below that make up a period. The period must not be of the lowest level. */
export function childPeriodsOf({ level, period }: LineCounter): Required<PeriodRange> {
  const childCount = periodsIn(level);
  return { level: level - 1, first: period * childCount, end: (period + 1) * childCount };
}

/** Gives the number of periods of the level below that make up one period of a level. */
const periodsIn = (level: number): number => LINE_LEVELS[level]! / LINE_LEVELS[level - 1]!;

/** The change of one counter. */
interface LineChange {
  counter: LineCounter;
  /** The number that is added to the counter. */
  delta: number;
  /**
   * Whether a person of the period gets another `createdAt`. The counter is then written even if its number stays the
   * same, so that a recount notices the change by the version of the counter.
   */
  hasNewCreatedAt: boolean;
}

/** Adds up, for each counter of the line, the changes that one commit makes. */
export class LineChanges {
  /** The changes, by the level and the period of the counter. */
  readonly #changes = new Map<string, LineChange>();

  /**
   * Adds the change of one record in the commit. Without `before`, the record is new; without `after`, it is removed.
   */
  replace(before: RecordInLine | undefined, after: RecordInLine | undefined): void {
    const hasNewCreatedAt = before !== undefined && after !== undefined &&
      before.createdAt !== after.createdAt;
    if (before) this.#add(before, -1, hasNewCreatedAt);
    if (after) this.#add(after, 1, hasNewCreatedAt);
  }

  /**
   * Gives the changes of all counters. A change can be zero, for example if another member of a waiting person's record
   * changes.
   */
  [Symbol.iterator](): IterableIterator<LineChange> {
    return this.#changes.values();
  }

  #add(record: RecordInLine, delta: number, hasNewCreatedAt: boolean): void {
    for (const counter of lineCountersOf(record)) {
      const name = `${counter.level} ${counter.period}`;
      const change = this.#changes.get(name);
      if (change) {
        change.delta += delta;
        change.hasNewCreatedAt ||= hasNewCreatedAt;
      } else this.#changes.set(name, { counter, delta, hasNewCreatedAt });
    }
  }
}
