/**
 * Counts the records anew, and compares the result with the stored counters. If no record changes meanwhile, the result
 * and the counters differ only after a fault. @module
 */
import { type Counter, countersOf } from "../../shared/counters.ts";
import type { CounterValue } from "./counters.ts";
import type { SignUpRecord } from "./record.ts";

/** A counter whose stored value differs from the number of its records. */
export interface CounterDifference {
  counter: Counter;
  /** The stored value. */
  storedCount: number;
  /** The number of records in the counter, by the recount. */
  recounted: number;
}

/** What has happened to a record since the recount began. The earlier content of a changed record is not known. */
export type RecordChange = "unchanged" | "added" | "changed";

/** What a recount has found. The members have the names of the report that operators get (`RecountReport`). */
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

/** The number of records in one counter, by the recount. */
interface Tally extends CounterValue {
  /** How many of the records in the counter have changed since the recount began. */
  changedCount: number;
}

/** A recount that is running: it counts the records that it is given. */
export class Recount {
  #recordCount = 0;
  #addedCount = 0;
  #changedCount = 0;
  /** The tallies by the names of their counters. */
  readonly #tallies = new Map<string, Tally>();

  /** Counts a record. A record that was added after the beginning of the recount is left out. */
  add(record: SignUpRecord, change: RecordChange): void {
    if (change === "added") {
      this.#addedCount++;
      return;
    }
    const changedCount = change === "changed" ? 1 : 0;
    this.#recordCount++;
    this.#changedCount += changedCount;
    for (const counter of countersOf(record)) {
      const name = counter.join("/");
      const tally = this.#tallies.get(name);
      if (tally) {
        tally.count++;
        tally.changedCount += changedCount;
      } else this.#tallies.set(name, { counter, count: 1, changedCount });
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
   * @param erasedCount the number of records that were erased while the recount was running
   */
  compare(stored: Iterable<CounterValue>, erasedCount: number): RecountResult {
    const differences: CounterDifference[] = [];
    let agrees = true;
    for (const { counter, storedCount, recounted, changedCount } of this.#pairCounts(stored)) {
      if (storedCount === recounted) continue;
      differences.push({ counter, storedCount, recounted });
      // Since the recount began, changed records may have left or joined this counter, and erased records may have left
      // it.
      const mayHaveLeft = this.#changedCount - changedCount + erasedCount;
      const mayHaveJoined = changedCount;
      if (storedCount - recounted > mayHaveLeft || recounted - storedCount > mayHaveJoined) {
        agrees = false;
      }
    }
    return {
      records: this.#recordCount,
      changed: this.#changedCount + this.#addedCount + erasedCount,
      exact: this.#changedCount + erasedCount === 0,
      agrees,
      differences,
    };
  }

  /** Gives each counter that is stored or has records, with both counts. A count that is missing is 0. */
  *#pairCounts(
    stored: Iterable<CounterValue>,
  ): Generator<CounterDifference & Pick<Tally, "changedCount">> {
    const notStored = new Map(this.#tallies);
    for (const { counter, count: storedCount } of stored) {
      const name = counter.join("/");
      const { count: recounted, changedCount } = notStored.get(name) ??
        { count: 0, changedCount: 0 };
      notStored.delete(name);
      yield { counter, storedCount, recounted, changedCount };
    }
    for (const { counter, count: recounted, changedCount } of notStored.values()) {
      yield { counter, storedCount: 0, recounted, changedCount };
    }
  }
}
