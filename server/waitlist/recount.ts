/**
 * Holds the kept counters against a recount of the records. Every commit moves the counters by what it
 * does to the records, so the difference of the two never changes but by a fault or a repair.
 *
 * @module
 */
import type { SignUpRecord } from "./record.ts";
import { type Counter, countersOf } from "./statistics.ts";

/** A counter and its count, which may be below zero where it is kept and there was a fault. */
export interface CounterValue {
  counter: Counter;
  count: number;
}

/** A counter that is not what the records add up to. */
export interface Difference {
  counter: Counter;
  kept: number;
  recounted: number;
}

/** How a record is known at the moment that the recount is of. */
export type SinceMark =
  /** It is as it was. */
  | "unchanged"
  /** It has been made since. */
  | "added"
  /** It has changed since, and what it was is not known. */
  | "changed";

/** What a recount found. */
export interface RecountReport {
  /** The records at the moment of the recount. */
  records: number;
  /** Records that changed before the recount came to them. */
  changed: number;
  /** Whether the differences are exact, to the last record. */
  exact: boolean;
  /** Whether every difference can come from records that changed; if exact, whether there is none. */
  agrees: boolean;
  differences: Difference[];
}

interface Tally {
  counter: Counter;
  /** Records that are in the counter. */
  count: number;
  /** Those of them that are changed. */
  changed: number;
}

/** Adds records up. */
export class Recount {
  #records = 0;
  #added = 0;
  #changed = 0;
  readonly #tallies = new Map<string, Tally>();

  /** Counts a record, unless it was not there yet. */
  add(record: SignUpRecord, sinceMark: SinceMark): void {
    if (sinceMark === "added") {
      this.#added++;
      return;
    }
    this.#records++;
    if (sinceMark === "changed") this.#changed++;
    for (const counter of countersOf(record)) {
      const tally = this.#tallyOf(counter);
      tally.count++;
      if (sinceMark === "changed") tally.changed++;
    }
  }

  /** The records counted so far. */
  get records(): number {
    return this.#records;
  }

  /** What the records add up to. */
  counters(): CounterValue[] {
    return [...this.#tallies.values()].map(({ counter, count }) => ({ counter, count }));
  }

  /**
   * Holds the kept counters against the records.
   *
   * @param erased records that may have gone before they were counted
   */
  compare(kept: Iterable<CounterValue>, erased: number): RecountReport {
    const differences: Difference[] = [];
    let agrees = true;
    const rest = new Map(this.#tallies);
    const hold = ({ counter, count }: CounterValue, tally: Pick<Tally, "count" | "changed">) => {
      if (count === tally.count) return;
      differences.push({ counter, kept: count, recounted: tally.count });
      // An changed record may have left a counter that it is not in, or come to one that it is in.
      const mayHaveLeft = this.#changed - tally.changed + erased;
      if (count - tally.count > mayHaveLeft || tally.count - count > tally.changed) {
        agrees = false;
      }
    };
    for (const each of kept) {
      const name = each.counter.join("/");
      hold(each, rest.get(name) ?? { count: 0, changed: 0 });
      rest.delete(name);
    }
    for (const tally of rest.values()) hold({ counter: tally.counter, count: 0 }, tally);
    return {
      records: this.#records,
      changed: this.#changed + this.#added + erased,
      exact: this.#changed + erased === 0,
      agrees,
      differences,
    };
  }

  #tallyOf(counter: Counter): Tally {
    const name = counter.join("/");
    const known = this.#tallies.get(name);
    if (known) return known;
    const tally = { counter, count: 0, changed: 0 };
    this.#tallies.set(name, tally);
    return tally;
  }
}
