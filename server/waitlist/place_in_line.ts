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
 * How many periods of a level make up a period of the level above. With more, a place would add more counters; with
 * fewer, there would be more levels, and a commit would move a counter of each.
 */
const LINE_FAN_OUT = 32;

/**
 * The lengths of the periods of each level, in milliseconds. The shortest period is a millisecond, because `createdAt`
 * has milliseconds. The longest is 1.1 years, so that a waitlist has few of them.
 */
export const LINE_LEVELS: readonly number[] = Array.from(
  { length: 8 },
  (_, level) => LINE_FAN_OUT ** level,
);

/** Names a counter of the waiting people whose first sign-up was in a period. */
export interface LineCounter {
  /** The index of the level in {@linkcode LINE_LEVELS}. */
  level: number;
  /** The index of the period among the periods of the level since 1970. */
  period: number;
}

/** The members of a record that decide which counters count the person. */
type InLine = Pick<SignUpRecord, "createdAt" | "state">;

/** Lists the counters that count a person: one counter of each level for a waiting person, none for anybody else. */
export function lineCountersOf(record: InLine): LineCounter[] {
  const moment = Date.parse(record.createdAt);
  if (stateOf(record) !== "waiting" || Number.isNaN(moment)) return [];
  return LINE_LEVELS.map((length, level) => ({ level, period: Math.floor(moment / length) }));
}

/** Consecutive periods of a level. */
export interface PeriodRange {
  level: number;
  /** The first period of the range. Absent if the range begins with the earliest period that has a counter. */
  first?: number;
  /** The period after the last period of the range. */
  end: number;
}

/** Lists the periods that make up the time before a sign-up. @param createdAt the moment of the sign-up, a date-time */
export function periodsBefore(createdAt: string): PeriodRange[] {
  const moment = Date.parse(createdAt);
  return LINE_LEVELS.map((length, level) => {
    const end = Math.floor(moment / length);
    if (level === LINE_LEVELS.length - 1) return { level, end };
    return { level, first: longerPeriodOf(end) * LINE_FAN_OUT, end };
  });
}

/** Gives the period of the level above that a period is a part of. */
export const longerPeriodOf = (period: number): number => Math.floor(period / LINE_FAN_OUT);

/** Gives the periods of the level below that make up a period. The level must not be the lowest. */
export function periodsOf({ level, period }: LineCounter): PeriodRange {
  const first = period * LINE_FAN_OUT;
  return { level: level - 1, first, end: first + LINE_FAN_OUT };
}

/** The highest number of people that is shown exactly. Higher numbers are rounded. */
const EXACT_TO = 99;

/**
 * Rounds a number of people down to two digits, so that `3,456` becomes 3,400. A number below 100 stays exact.
 * @returns the number, and whether it is to be shown as "about" that number
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

/** Collects by how much one commit changes each counter. */
export class LineChanges {
  readonly #changes = new Map<string, LineChange>();

  /** Notes that the commit replaces a record, adds it (without `before`) or removes it (without `after`). */
  replace(before: InLine | undefined, after: InLine | undefined): void {
    if (before) this.#add(before, -1);
    if (after) this.#add(after, 1);
  }

  /** Gives all changes, including changes by zero, such as those of a waiting person who stays in line. */
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
