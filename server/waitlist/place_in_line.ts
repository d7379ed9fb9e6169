/**
 * The place in line (decisions, "Place in line"): the number of waiting people with an earlier `createdAt`, plus one.
 *
 * Counters in a tree over time make its cost independent of the length of the list. Each level has a counter of the
 * waiting people for every period of its length, and each period has 1,000 periods of the level below. The people before
 * a moment are those in the earlier periods of the longest level, and on each further level those in the earlier periods
 * of the period that the moment is in: four lists of 1,000 counters at most. @module
 */
import { stateOf } from "../../shared/counters.ts";
import type { SignUpRecord } from "./record.ts";

/** The lengths of the periods of each level, in milliseconds: a millisecond, a second, about 17 minutes and 12 days. */
export const LINE_LEVELS = [1, 1_000, 1_000_000, 1_000_000_000] as const;

/** A counter of the waiting people who signed up first in a period. */
export interface LineCounter {
  /** The index of the level in {@linkcode LINE_LEVELS}. */
  level: number;
  /** The number of the period since 1970. */
  period: number;
}

/** Lists the counters that count a person: one of each level for a waiting person, and none for anybody else. */
export function lineCountersOf(record: Pick<SignUpRecord, "createdAt" | "state">): LineCounter[] {
  const moment = Date.parse(record.createdAt);
  if (stateOf(record) !== "waiting" || Number.isNaN(moment)) return [];
  return LINE_LEVELS.map((length, level) => ({ level, period: Math.floor(moment / length) }));
}

/** Some neighbouring periods of a level. */
export interface PeriodRange {
  level: number;
  /** The first period; `undefined` for the earliest that there is. */
  first?: number;
  /** The period behind the last one. */
  end: number;
}

/** Lists the periods that make up the time before a moment. @param createdAt a date-time */
export function periodsBefore(createdAt: string): PeriodRange[] {
  const moment = Date.parse(createdAt);
  return LINE_LEVELS.map((length, level) => {
    const end = Math.floor(moment / length);
    const longer = LINE_LEVELS[level + 1];
    if (longer === undefined) return { level, end };
    return { level, first: Math.floor(moment / longer) * (longer / length), end };
  });
}

/** The last number that is told exactly; a higher one is rounded. */
const EXACT_TO = 99;

/**
 * Rounds a number of people down to two digits, so that `3,456` becomes 3,400. A number below 100 stays exact.
 * @returns the number, and whether it was of the kind that is told as "about"
 */
export function roundPeople(count: number): { count: number; isAbout: boolean } {
  if (count <= EXACT_TO) return { count, isAbout: false };
  const unit = 10 ** (String(count).length - 2);
  return { count: Math.floor(count / unit) * unit, isAbout: true };
}

/** The moves of the counters in a commit. */
export class LineChanges {
  readonly #changes = new Map<string, LineChange>();

  /** A record is replaced, added or removed. */
  replace(before: SignUpRecord | undefined, after: SignUpRecord | undefined): void {
    if (before) this.#add(before, -1);
    if (after) this.#add(after, 1);
  }

  /** Gives also counters that move by zero, because a known address must take as long as a new one. */
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

interface LineChange {
  counter: LineCounter;
  by: number;
}
