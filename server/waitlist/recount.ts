/** Recounts the records, and compares the result with the stored counters. They differ only after a fault. @module */
import type { SignUpRecord } from "./record.ts";
import { type Counter, countersOf } from "./statistics.ts";

/** A counter with its value. A stored value can be below zero after a fault. */
export interface CounterValue {
  counter: Counter;
  count: number;
}

export interface CounterDifference {
  counter: Counter;
  /** The stored value. */
  kept: number;
  recounted: number;
}

/** What happened to a record since the beginning of the recount. The former values of a changed record are unknown. */
export type RecordChange = "unchanged" | "added" | "changed";

export interface RecountResult {
  /** The number of records that were read. */
  records: number;
  /** The number of records that were changed before the recount read them. */
  changed: number;
  /** Whether the differences are exact, because no record was changed meanwhile. */
  exact: boolean;
  /**
   * Whether records that changed meanwhile can explain every difference. In an exact recount, there must be no
   * difference.
   */
  agrees: boolean;
  differences: CounterDifference[];
}

/** A recount under way: it collects the counts of the records that are added. */
export class Recount {
  #records = 0;
  #added = 0;
  #changed = 0;
  readonly #tallies = new Map<string, CounterValue & { changed: number }>();

  /** Counts a record, unless it was added since the beginning of the recount. */
  add(record: SignUpRecord, change: RecordChange): void {
    if (change === "added") return void this.#added++;
    const changed = change === "changed" ? 1 : 0;
    this.#records++;
    this.#changed += changed;
    for (const counter of countersOf(record)) {
      const name = counter.join("/");
      const tally = this.#tallies.get(name);
      if (tally) {
        tally.count++;
        tally.changed += changed;
      } else this.#tallies.set(name, { counter, count: 1, changed });
    }
  }

  get records(): number {
    return this.#records;
  }

  counters(): CounterValue[] {
    return Array.from(this.#tallies.values(), ({ counter, count }) => ({ counter, count }));
  }

  /** Compares the stored counters with the records. @param erased the number of records that were erased meanwhile */
  compare(stored: Iterable<CounterValue>, erased: number): RecountResult {
    const differences: CounterDifference[] = [];
    let agrees = true;
    const compareOne = (counter: Counter, kept: number, { count = 0, changed = 0 } = {}) => {
      if (kept === count) return;
      differences.push({ counter, kept, recounted: count });
      // Since the beginning of the recount, this counter may have stopped or begun to count a changed record.
      const mayHaveLeft = this.#changed - changed + erased;
      if (kept - count > mayHaveLeft || count - kept > changed) agrees = false;
    };
    const rest = new Map(this.#tallies);
    for (const { counter, count } of stored) {
      const name = counter.join("/");
      compareOne(counter, count, rest.get(name));
      rest.delete(name);
    }
    for (const tally of rest.values()) compareOne(tally.counter, 0, tally);
    return {
      records: this.#records,
      changed: this.#changed + this.#added + erased,
      exact: this.#changed + erased === 0,
      agrees,
      differences,
    };
  }
}
