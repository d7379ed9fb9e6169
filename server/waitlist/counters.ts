/**
 * The counters of people: which counters a commit changes, and by how much. `statistics.ts` and `overview.ts` add up
 * counters. @module
 */
import { areCountedAlike, type Counter, countersOf } from "../../shared/counters.ts";
import type { SignUpRecord } from "./record.ts";

/** A counter with its value. After a fault, a stored value can be below zero. */
export interface CounterValue {
  counter: Counter;
  count: number;
}

/** The change of one counter. */
interface CounterChange {
  counter: Counter;
  /** The number that is added to the counter. */
  delta: number;
}

/** Adds up, for each counter, the changes that one commit makes. */
export class CounterChanges {
  /**
   * The changes, by the kind and then by the name of the counter. Two levels of maps are faster than one map whose keys
   * join kind and name.
   */
  readonly #changes = new Map<Counter[0], Map<string, CounterChange>>();
  /**
   * A cache of the last search for the changes of a new or changed record: the record, and the changes that were found.
   * Most often, the next record is counted in the same counters, so the same changes are used without another search.
   */
  #lastSearch: { record: SignUpRecord; changes: CounterChange[] } | undefined;

  /**
   * Adds the change of one record in the commit. Without `before`, the record is new; without `after`, it is removed.
   */
  replace(before: SignUpRecord | undefined, after: SignUpRecord | undefined): void {
    for (const counter of before ? countersOf(before) : []) this.#findChange(counter).delta--;
    for (const change of after ? this.#findChanges(after) : []) change.delta++;
  }

  /**
   * Gives all changes, including changes of zero. Changes of zero are written too, for two reasons: the time of an
   * answer must not tell whether an address is known, and readers of the statistics see by the version of the total
   * counter whether any counter may have changed.
   */
  *[Symbol.iterator](): Generator<CounterChange> {
    for (const changesOfKind of this.#changes.values()) yield* changesOfKind.values();
  }

  /** Finds the changes of the counters in which a record is counted. */
  #findChanges(record: SignUpRecord): CounterChange[] {
    if (!this.#lastSearch || !areCountedAlike(this.#lastSearch.record, record)) {
      const changes = countersOf(record).map((counter) => this.#findChange(counter));
      this.#lastSearch = { record, changes };
    }
    return this.#lastSearch.changes;
  }

  /** Finds the change of one counter. If the commit has not changed the counter yet, adds a change of zero. */
  #findChange(counter: Counter): CounterChange {
    const [kind, name = ""] = counter;
    let changesOfKind = this.#changes.get(kind);
    if (!changesOfKind) this.#changes.set(kind, changesOfKind = new Map());
    let change = changesOfKind.get(name);
    if (!change) changesOfKind.set(name, change = { counter, delta: 0 });
    return change;
  }
}
