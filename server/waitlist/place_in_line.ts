/**
 * The place in line (decisions, "Place in line"): the number of waiting people with an earlier `createdAt`, plus one.
 *
 * The time to find a place does not depend on the length of the waitlist, because the store has counters of waiting
 * people in a tree over time. Each level of the tree divides time into periods of the same length, and a period
 * consists of 32 periods of the level below. Each period has a counter.
 *
 * To count the people before a moment, the service adds up counters of each level. At the highest level, it adds all
 * periods that end before the moment. At each lower level, it adds only those periods before the moment that lie inside
 * the moment's own period of the level above: 31 periods at most. @module
 */
import { stateOf } from "../../shared/counters.ts";
import type { SignUpRecord } from "./record.ts";

/**
 * How many periods of a level make up one period of the level above. With a larger number, the service would have to
 * add more counters for a place. With a smaller number, there would be more levels, and each commit changes a counter
 * of every level.
 */
const LINE_FAN_OUT = 32;

/**
 * The length of the periods of each level, in milliseconds. The shortest period is one millisecond, because `createdAt`
 * is exact to the millisecond. The longest period is 1.1 years, so that the highest level has few periods.
 */
export const LINE_LEVELS: readonly number[] = Array.from(
  { length: 8 },
  (_, level) => LINE_FAN_OUT ** level,
);

/** The key of a counter. The counter has the number of waiting people whose `createdAt` lies in a period. */
export interface LineCounter {
  /** The index of the level in {@linkcode LINE_LEVELS}. */
  level: number;
  /** The index of the period in its level. Period 0 begins with the year 1970. */
  period: number;
}

/** The members of a record that decide in which counters the person is counted. */
type RecordInLine = Pick<SignUpRecord, "createdAt" | "state">;

/**
 * Lists the counters in which a person is counted: one of each level for a waiting person, none for any other person
 * and for a record whose `createdAt` is no date-time.
 */
export function lineCountersOf(record: RecordInLine): LineCounter[] {
  const moment = Date.parse(record.createdAt);
  if (stateOf(record) !== "waiting" || Number.isNaN(moment)) return [];
  return LINE_LEVELS.map((length, level) => ({ level, period: Math.floor(moment / length) }));
}

/** A range of consecutive periods of one level. */
export interface PeriodRange {
  level: number;
  /** The first period of the range. Without it, the range begins with the earliest period that has a counter. */
  first?: number;
  /** The first period after the range. */
  end: number;
}

/**
 * Lists the periods that together cover the time before a sign-up.
 * @param createdAt the moment of the sign-up, a valid date-time
 */
export function periodsBefore(createdAt: string): PeriodRange[] {
  const moment = Date.parse(createdAt);
  return LINE_LEVELS.map((length, level) => {
    const end = Math.floor(moment / length);
    if (level === LINE_LEVELS.length - 1) return { level, end };
    return { level, first: parentPeriodOf(end) * LINE_FAN_OUT, end };
  });
}

/** Gives the index of the period of the level above in which a period lies. @param period the index of the period */
export const parentPeriodOf = (period: number): number => Math.floor(period / LINE_FAN_OUT);

/** Gives the periods of the level below that make up a period. The period must not be of the lowest level. */
export function childPeriodsOf({ level, period }: LineCounter): PeriodRange {
  const first = period * LINE_FAN_OUT;
  return { level: level - 1, first, end: first + LINE_FAN_OUT };
}

interface LineChange {
  counter: LineCounter;
  /** The number that is added to the counter. */
  delta: number;
}

/** Adds up, for each counter of the line, the changes that one commit makes. */
export class LineChanges {
  /** The changes, by the level and the period of the counter. */
  readonly #changes = new Map<string, LineChange>();

  /**
   * Adds the change of one record in the commit. Without `before`, the record is new; without `after`, it is removed.
   */
  replace(before: RecordInLine | undefined, after: RecordInLine | undefined): void {
    if (before) this.#add(before, -1);
    if (after) this.#add(after, 1);
  }

  /**
   * Gives the changes of all counters. A change can be zero, for example if another member of a waiting person's record
   * changes.
   */
  [Symbol.iterator](): IterableIterator<LineChange> {
    return this.#changes.values();
  }

  #add(record: RecordInLine, delta: number): void {
    for (const counter of lineCountersOf(record)) {
      const name = `${counter.level} ${counter.period}`;
      const change = this.#changes.get(name);
      if (change) change.delta += delta;
      else this.#changes.set(name, { counter, delta });
    }
  }
}
