/**
 * The place in line (decisions, "Place in line"): the number of waiting people with an earlier `createdAt`, plus one.
 *
 * The time to find a place does not depend on the length of the waitlist, because the store has counters of waiting
 * people at four levels. A level divides time into periods of one length, each with a counter; a period has 1,000
 * periods of the level below. To count the people before a moment, the service adds the earlier periods of the longest
 * level, and at each lower level the earlier periods within the longer period of the moment. @module
 */
import { stateOf } from "../../shared/counters.ts";
import type { SignUpRecord } from "./record.ts";

/** The lengths of the periods of each level, in milliseconds: a millisecond, a second, about 17 minutes and 12 days. */
export const LINE_LEVELS = [1, 1_000, 1_000_000, 1_000_000_000] as const;

/** Names a counter of the waiting people whose first sign-up was in a period. */
export interface LineCounter {
  /** The index of the level in {@linkcode LINE_LEVELS}. */
  level: number;
  /** The index of the period among the periods of the level since 1970. */
  period: number;
}

/** Lists the counters that count a person: one counter of each level for a waiting person, none for anybody else. */
export function lineCountersOf(record: Pick<SignUpRecord, "createdAt" | "state">): LineCounter[] {
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
    const longer = LINE_LEVELS[level + 1];
    if (longer === undefined) return { level, end };
    return { level, first: Math.floor(moment / longer) * (longer / length), end };
  });
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
  replace(before: SignUpRecord | undefined, after: SignUpRecord | undefined): void {
    if (before) this.#add(before, -1);
    if (after) this.#add(after, 1);
  }

  /** Gives counters that change by zero as well, because a known address must take as long as a new address. */
  [Symbol.iterator](): IterableIterator<LineChange> {
    return this.#changes.values();
  }

  #add(record: SignUpRecord, by: number): void {
    for (const counter of lineCountersOf(record)) {
      const name = `${counter.level} ${counter.period}`;
      const change = this.#changes.get(name);
      if (change) change.by += by;
      else this.#changes.set(name, { counter, by });
    }
  }
}
