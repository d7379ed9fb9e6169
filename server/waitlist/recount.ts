/**
 * Counts the records anew, and compares the result with the stored counters. If no record changes meanwhile, the result
 * and the counters differ only after a fault. @module
 */
import { type Counter, countersOf } from "../../shared/counters.ts";
import type { CounterValue } from "./counters.ts";
import type { SignUpRecord } from "./record.ts";

/** A counter whose stored value differs from the number of records in it. */
export interface CounterDifference {
  counter: Counter;
  /** The stored value. */
  storedCount: number;
  /** The number of records that the counter should count. */
  recounted: number;
}

/** What has happened to a record since the recount began. The earlier content of a changed record is not known. */
export type RecordChange = "unchanged" | "added" | "changed";

/** What a recount has found. */
export interface RecountResult {
  /** The number of records that the recount read and counted. */
  records: number;
  /** How many records were added or erased since the recount began, or were changed before the recount read them. */
  changed: number;
  /**
   * Whether the differences are exact. They are exact if, since the recount began, no record was erased, and no record
   * was changed before it was read.
   */
  exact: boolean;
  /**
   * Whether every difference can be explained by records that were changed or erased since the recount began. For an
   * exact recount, this means that there is no difference.
   */
  agrees: boolean;
  differences: CounterDifference[];
}

/** A recount that is running: it counts the records that it is given. */
export class Recount {
  #recordCount = 0;
  #addedCount = 0;
  #changedCount = 0;
  /** For each counter, the number of records in it, and how many of these records have changed. */
  readonly #tallies = new Map<string, CounterValue & { changed: number }>();

  /** Counts a record. A record that was added after the beginning of the recount is left out. */
  add(record: SignUpRecord, change: RecordChange): void {
    if (change === "added") {
      this.#addedCount++;
      return;
    }
    const changed = change === "changed" ? 1 : 0;
    this.#recordCount++;
    this.#changedCount += changed;
    for (const counter of countersOf(record)) {
      const name = counter.join("/");
      const tally = this.#tallies.get(name);
      if (tally) {
        tally.count++;
        tally.changed += changed;
      } else this.#tallies.set(name, { counter, count: 1, changed });
    }
  }

  /** The number of records that were counted so far. */
  get records(): number {
    return this.#recordCount;
  }

  /** Gives the counters with the counts so far. */
  counters(): CounterValue[] {
    return Array.from(this.#tallies.values(), ({ counter, count }) => ({ counter, count }));
  }

  /**
   * Compares the stored counters with the counts of the records.
   * @param erased the number of records that were erased while the recount was running
   */
  compare(stored: Iterable<CounterValue>, erased: number): RecountResult {
    const differences: CounterDifference[] = [];
    let agrees = true;
    /** Compares one counter. `tally` has the counts of the records. Without `tally`, no record is in the counter. */
    const compareOne = (
      counter: Counter,
      storedCount: number,
      tally = { count: 0, changed: 0 },
    ) => {
      const { count, changed } = tally;
      if (storedCount === count) return;
      differences.push({ counter, storedCount, recounted: count });
      // Since the recount began, changed records may have left or joined this counter, and erased records may have left
      // it.
      const mayHaveLeft = this.#changedCount - changed + erased;
      if (storedCount - count > mayHaveLeft || count - storedCount > changed) agrees = false;
    };
    const notStored = new Map(this.#tallies);
    for (const { counter, count } of stored) {
      const name = counter.join("/");
      compareOne(counter, count, notStored.get(name));
      notStored.delete(name);
    }
    for (const tally of notStored.values()) compareOne(tally.counter, 0, tally);
    return {
      records: this.#recordCount,
      changed: this.#changedCount + this.#addedCount + erased,
      exact: this.#changedCount + erased === 0,
      agrees,
      differences,
    };
  }
}
