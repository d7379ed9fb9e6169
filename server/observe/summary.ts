/**
 * Adds up the answers and the batches for the summary in the log. `mod.ts` decides when the summary is logged. @module
 */
import type { LogFields } from "../runtime/mod.ts";

/** The sums of the batches of one kind of work on KV. The log has `runs`, `largest` and `slowestMs` by these names. */
interface BatchSums {
  /** The number of batches. */
  runs: number;
  /** The number of items in all batches. */
  items: number;
  /** The number of items in the largest batch. */
  largest: number;
  /** The time of all batches together, in milliseconds. */
  totalMs: number;
  /** The time of the slowest batch, in milliseconds. */
  slowestMs: number;
}

/** The counts of answers and the sums of batches since the last summary. */
export class Summary {
  /** For each operation, the number of answers by status. */
  readonly #answers = new Map<string, Map<number, number>>();
  /** The sums of batches by the kind of work. */
  readonly #batches = new Map<string, BatchSums>();

  /** Counts an answer. */
  countAnswer(operation: string, status: number): void {
    const counts = this.#answers.get(operation) ?? new Map<number, number>();
    if (counts.size === 0) this.#answers.set(operation, counts);
    counts.set(status, (counts.get(status) ?? 0) + 1);
  }

  /** Adds a batch to the sums. @param name the kind of work @param ms the time of the batch, in milliseconds */
  countBatch(name: string, items: number, ms: number): void {
    const sums = this.#batches.get(name) ??
      { runs: 0, items: 0, largest: 0, totalMs: 0, slowestMs: 0 };
    if (sums.runs === 0) this.#batches.set(name, sums);
    sums.runs++;
    sums.items += items;
    sums.totalMs += ms;
    sums.largest = Math.max(sums.largest, items);
    sums.slowestMs = Math.max(sums.slowestMs, ms);
  }

  /**
   * Gives the fields of the summary, and sets all counts and sums to zero. Gives `undefined`, and keeps the sums of
   * batches, if there was no answer since the last summary.
   */
  takeFields(): LogFields | undefined {
    if (this.#answers.size === 0) return undefined;
    const requests: Record<string, number> = {};
    for (const [operation, counts] of this.#answers) {
      for (const [status, count] of counts) requests[`${operation} ${status}`] = count;
    }
    const fields: LogFields = { requests };
    for (const [name, { runs, items, largest, totalMs, slowestMs }] of this.#batches) {
      fields[name] = {
        runs,
        meanItems: toTenths(items / runs),
        largest,
        meanMs: toTenths(totalMs / runs),
        slowestMs: toTenths(slowestMs),
      };
    }
    this.#answers.clear();
    this.#batches.clear();
    return fields;
  }
}

/** Rounds a number to one decimal. */
const toTenths = (value: number): number => Math.round(10 * value) / 10;
