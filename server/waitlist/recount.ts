/** Compares the stored counters with a recount: each commit moves both, so only faults make them differ. @module */
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
export type RecordChange = "unchanged" | "added" | "changed";

export type RecountResult = ReturnType<Recount["compare"]>;

export class Recount {
  #records = 0;
  #added = 0;
  #changed = 0;
  readonly #tallies = new Map<string, CounterValue & { changed: number }>();

  /** Counts a record, unless it was added later than the moment that the recount is of. */
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

  /** Compares the stored counters with the records; `erased` ones may have been removed before they were counted. */
  compare(stored: Iterable<CounterValue>, erased: number) {
    const differences: CounterDifference[] = [];
    let agrees = true;
    const compareOne = (counter: Counter, kept: number, { count = 0, changed = 0 } = {}) => {
      if (kept === count) return;
      differences.push({ counter, kept, recounted: count });
      // A changed record may have been in a counter that it is not in now, or the other way round.
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
      /** Records that were changed before the recount read them. */
      changed: this.#changed + this.#added + erased,
      /** Whether the differences are exact, to the last record. */
      exact: this.#changed + erased === 0,
      /** Whether changed records can explain every difference; in an exact recount, whether there is none. */
      agrees,
      differences,
    };
  }
}
