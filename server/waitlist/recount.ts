/**
 * Compares the stored counters with a recount. Every commit moves counters and records together, so the difference
 * between the two changes only by a fault or a repair.
 *
 * @module
 */
import type { SignUpRecord } from "./record.ts";
import { type Counter, countersOf } from "./statistics.ts";

/** In the store, a count may be below zero after a fault. */
export interface CounterValue {
  counter: Counter;
  count: number;
}

export interface CounterDifference {
  counter: Counter;
  kept: number;
  recounted: number;
}

/** What has happened to a record since the moment of the recount; what a changed one was before is not known. */
export type RecordChange =
  | "unchanged"
  | "added"
  | "changed";

export interface RecountResult {
  /** At the moment of the recount. */
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
  count: number;
  changed: number;
}

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

  get records(): number {
    return this.#records;
  }

  counters(): CounterValue[] {
    return [...this.#tallies.values()].map(({ counter, count }) => ({ counter, count }));
  }

  /** Compares the stored counters with the records; `erased` ones may have been removed before they were counted. */
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
