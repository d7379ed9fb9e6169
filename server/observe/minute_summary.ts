import type { LogFields } from "../runtime/mod.ts";

/** How many items shared runs, and how long the runs took. */
interface Batches {
  runs: number;
  items: number;
  /** The number of items of the largest run. */
  largest: number;
  /** Milliseconds of all runs together, and of the slowest run. */
  ms: number;
  slowest: number;
}

/** Counts requests and runs for the next summary. */
export class MinuteSummary {
  readonly #requests = new Map<string, Map<number, number>>();
  readonly #batches = new Map<string, Batches>();

  /** Counts an answer by its operation and status. */
  countRequest(operation: string, status: number): void {
    const statuses = this.#requests.get(operation) ?? new Map<number, number>();
    if (statuses.size === 0) this.#requests.set(operation, statuses);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }

  /** Counts a batch of work on KV. */
  countBatch(name: string, items: number, ms: number): void {
    const sum = this.#batches.get(name) ?? { runs: 0, items: 0, largest: 0, ms: 0, slowest: 0 };
    this.#batches.set(name, {
      runs: sum.runs + 1,
      items: sum.items + items,
      largest: Math.max(sum.largest, items),
      ms: sum.ms + ms,
      slowest: Math.max(sum.slowest, ms),
    });
  }

  /** The counts since the last call; `undefined` if there was no request. */
  take(): LogFields | undefined {
    if (this.#requests.size === 0) return undefined;
    const requests: Record<string, number> = {};
    for (const [operation, statuses] of this.#requests) {
      for (const [status, count] of statuses) requests[`${operation} ${status}`] = count;
    }
    const fields: LogFields = { requests };
    for (const [name, { runs, items, largest, ms, slowest }] of this.#batches) {
      const mean = (sum: number) => Math.round(10 * sum / runs) / 10;
      fields[name] = {
        runs,
        meanItems: mean(items),
        largest,
        meanMs: mean(ms),
        slowestMs: Math.round(10 * slowest) / 10,
      };
    }
    this.#requests.clear();
    this.#batches.clear();
    return fields;
  }
}
