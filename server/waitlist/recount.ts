/**
 * Compares the stored counters with a recount of the records. Every commit moves the counters together with
 * the records, so the difference between the two changes only by a fault or a repair.
 *
 * @module
 */
import type { SignUpRecord } from "./record.ts";
import { type Counter, countersOf } from "./statistics.ts";

/** A counter and its count, which may be below zero in the store after a fault. */
export interface CounterValue {
  counter: Counter;
  count: number;
}

/** A counter that differs from what the records add up to. */
export interface CounterDifference {
  counter: Counter;
  kept: number;
  recounted: number;
}

/** What has happened to a record since the moment that the recount is of. */
export type RecordChange =
  /** Nothing. */
  | "unchanged"
  /** It was added. */
  | "added"
  /** It was changed, and what it was before is not known. */
  | "changed";

/** What a recount found. */
export interface RecountResult {
  /** The records at the moment of the recount. */
  records: number;
  /** Records that were changed before the recount read them. */
  changed: number;
  /** Whether the differences are exact, to the last record. */
  exact: boolean;
  /** Whether changed records can explain every difference; in an exact recount, whether there is none. */
  agrees: boolean;
  differences: CounterDifference[];
}

interface Tally {
  counter: Counter;
  /** Records in the counter. */
  count: number;
  /** The changed ones among them. */
  changed: number;
}

/** Counts records, and compares the result with the stored counters. */
export class Recount {
  #records = 0;
  #added = 0;
  #changed = 0;
  readonly #tallies = new Map<string, Tally>();

  /** Counts a record, unless it was added later than the moment that the recount is of. */
  add(record: SignUpRecord, change: RecordChange): void {
    if (change === "added") {
      this.#added++;
      return;
    }
    this.#records++;
    if (change === "changed") this.#changed++;
    for (const counter of countersOf(record)) {
      const tally = this.#tallyOf(counter);
      tally.count++;
      if (change === "changed") tally.changed++;
    }
  }

  /** How many records are counted so far. */
  get records(): number {
    return this.#records;
  }

  /** Gives what the records add up to. */
  counters(): CounterValue[] {
    return [...this.#tallies.values()].map(({ counter, count }) => ({ counter, count }));
  }

  /**
   * Compares the stored counters with the records.
   *
   * @param erased records that may have been removed before they were counted
   */
  compare(stored: Iterable<CounterValue>, erased: number): RecountResult {
    const differences: CounterDifference[] = [];
    let agrees = true;
    const rest = new Map(this.#tallies);
    const compareOne = (
      { counter, count }: CounterValue,
      tally: Pick<Tally, "count" | "changed">,
    ) => {
      if (count === tally.count) return;
      differences.push({ counter, kept: count, recounted: tally.count });
      // A changed record may have been in a counter that it is not in now, or the other way round.
      const mayHaveLeft = this.#changed - tally.changed + erased;
      if (count - tally.count > mayHaveLeft || tally.count - count > tally.changed) {
        agrees = false;
      }
    };
    for (const each of stored) {
      const name = each.counter.join("/");
      compareOne(each, rest.get(name) ?? { count: 0, changed: 0 });
      rest.delete(name);
    }
    for (const tally of rest.values()) compareOne({ counter: tally.counter, count: 0 }, tally);
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
