/**
 * The place in line (decisions, "Place in line"): the number of waiting people with an earlier `createdAt`, plus one.
 *
 * The time to find a place does not depend on the length of the waitlist, because the store has counters of waiting
 * people in a tree over time. Each level of the tree divides time into periods of one length, each with a counter; a
 * period has 32 periods of the level below. To count the people before a moment, the service adds, at each level, the
 * earlier periods within the longer period of the moment, which are at most 31. At the longest level, it adds all
 * earlier periods. @module
 */
import { stateOf } from "../../shared/counters.ts";
import type { SignUpRecord } from "./record.ts";

/**
 * How many periods of a level make up one period of the level above. A larger number would make the service add more
 * counters for a place; a smaller number would need more levels, and each commit changes a counter of every level.
 */
const LINE_FAN_OUT = 32;

/**
 * The length of the periods of each level, in milliseconds. The shortest period is one millisecond, because `createdAt`
 * is exact to the millisecond. The longest period is 1.1 years, so that a
 * waitlist has few of the longest periods.
 */
export const LINE_LEVELS: readonly number[] = Array.from(
  { length: 8 },
  (_, level) => LINE_FAN_OUT ** level,
);

/** Names one counter: that of the waiting people whose first sign-up was in this period of this level. */
export interface LineCounter {
  /** The index of the level in {@linkcode LINE_LEVELS}. */
  level: number;
  /** The index of the period in its level. Period 0 begins with the year 1970. */
  period: number;
}

/** The members of a record that decide in which counters the person is counted. */
type InLine = Pick<SignUpRecord, "createdAt" | "state">;

/**
 * Lists the counters in which a person is counted: one of each level for a waiting person, none for any other person.
 */
export function lineCountersOf(record: InLine): LineCounter[] {
  const moment = Date.parse(record.createdAt);
  if (stateOf(record) !== "waiting" || Number.isNaN(moment)) return [];
  return LINE_LEVELS.map((length, level) => ({ level, period: Math.floor(moment / length) }));
}

/** A range of consecutive periods of one level. */
export interface PeriodRange {
  level: number;
  /** The first period of the range. If absent, the range begins with the earliest period that has a counter. */
  first?: number;
  /** The first period after the range. */
  end: number;
}

/**
 * Lists the periods that together cover the time before a sign-up. @param createdAt the moment of the sign-up, a
 * date-time
 */
export function periodsBefore(createdAt: string): PeriodRange[] {
  const moment = Date.parse(createdAt);
  return LINE_LEVELS.map((length, level) => {
    const end = Math.floor(moment / length);
    if (level === LINE_LEVELS.length - 1) return { level, end };
    return { level, first: longerPeriodOf(end) * LINE_FAN_OUT, end };
  });
}

/** Gives the period of the level above in which a period lies. Both are indexes, as in {@linkcode LineCounter}. */
export const longerPeriodOf = (period: number): number => Math.floor(period / LINE_FAN_OUT);

/** Gives the periods of the level below that make up a period. The period must not be of the lowest level. */
export function periodsOf({ level, period }: LineCounter): PeriodRange {
  const first = period * LINE_FAN_OUT;
  return { level: level - 1, first, end: first + LINE_FAN_OUT };
}

/** The largest number of people that is shown exactly. Larger numbers are rounded. */
const EXACT_TO = 99;

/**
 * Rounds a number of people down to two digits: 3,456 becomes 3,400. A number below 100 stays exact.
 * @returns the number, and whether it has to be shown with the word "about"
 */
export function roundPeople(count: number): { count: number; isAbout: boolean } {
  if (count <= EXACT_TO) return { count, isAbout: false };
  const unit = 10 ** (String(count).length - 2);
  return { count: Math.floor(count / unit) * unit, isAbout: true };
}

interface LineChange {
  counter: LineCounter;
  /** By how much the counter changes. */
  by: number;
}

/** Sums up by how much one commit changes each counter of the line. */
export class LineChanges {
  readonly #changes = new Map<string, LineChange>();

  /**
   * Adds the change of one record in the commit. Without `before`, the record is new; without `after`, it is removed.
   */
  replace(before: InLine | undefined, after: InLine | undefined): void {
    if (before) this.#add(before, -1);
    if (after) this.#add(after, 1);
  }

  /**
   * Gives the changes of all counters. A change can be zero, for example if a waiting person's record changes and the
   * person keeps the place in line.
   */
  [Symbol.iterator](): IterableIterator<LineChange> {
    return this.#changes.values();
  }

  #add(record: InLine, by: number): void {
    for (const counter of lineCountersOf(record)) {
      const name = `${counter.level} ${counter.period}`;
      const change = this.#changes.get(name);
      if (change) change.by += by;
      else this.#changes.set(name, { counter, by });
    }
  }
}
