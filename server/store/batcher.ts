/**
 * Batching: calls that arrive while others are being worked on wait, and then share one run. It pays
 * wherever one run for many costs about as much as one run for one: a commit, a read, an exchange.
 *
 * @module
 */

/** How a batcher works. */
export interface BatcherOptions<Item, Result> {
  /**
   * Does the work of a batch. What it resolves or rejects with, every item of the batch does. The signal
   * aborts once nobody waits for it any more.
   */
  run: (items: Item[], signal: AbortSignal) => Promise<Result>;
  /** Items in a batch at the most. */
  maxBatch: number;
  /** Items that may wait; one more is turned away. */
  maxWaiting: number;
  /** Batches that may run at the same time. */
  maxRunning: number;
  /** How long an item may take from its arrival, in milliseconds, before it is given up. */
  deadlineMs: number;
  /** How long a batch gathers before it runs, in milliseconds; not at all if absent. */
  gatherMs?: number;
  /** The clock, in milliseconds. */
  now: () => number;
}

interface Waiting<Item, Result> {
  item: Item;
  arrived: number;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/** Collects items into batches. A run takes only items that arrived before it began. */
export class Batcher<Item, Result> {
  readonly #options: BatcherOptions<Item, Result>;
  readonly #waiting: Waiting<Item, Result>[] = [];
  readonly #running = new Set<Promise<void>>();
  #gathering: ReturnType<typeof setTimeout> | undefined;

  constructor(options: BatcherOptions<Item, Result>) {
    this.#options = options;
  }

  /**
   * Adds an item.
   *
   * @returns its batch's result, once it has run; `undefined` where too many items wait already
   */
  add(item: Item): Promise<Result> | undefined {
    if (this.#waiting.length >= this.#options.maxWaiting) return undefined;
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.#waiting.push({ item, arrived: this.#options.now(), resolve, reject });
    this.#gather();
    return promise;
  }

  /** Runs what waits, without gathering any longer; resolves when nothing waits or runs. */
  async flush(): Promise<void> {
    this.#startRuns();
    while (this.#running.size > 0) {
      await Promise.all(this.#running);
      this.#startRuns();
    }
  }

  #gather(): void {
    const { gatherMs } = this.#options;
    if (gatherMs === undefined) this.#startRuns();
    else this.#gathering ??= setTimeout(() => this.#startRuns(), gatherMs);
  }

  #startRuns(): void {
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    const { maxBatch, maxRunning } = this.#options;
    while (this.#running.size < maxRunning && this.#waiting.length > 0) {
      const run = this.#run(this.#waiting.splice(0, maxBatch));
      this.#running.add(run);
      run.then(() => {
        this.#running.delete(run);
        if (this.#waiting.length > 0) this.#gather();
      });
    }
  }

  async #run(batch: Waiting<Item, Result>[]): Promise<void> {
    try {
      const result = await this.#runInTime(batch);
      for (const { resolve } of batch) resolve(result);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  /** A run that hangs is left alone at its deadline, so that it cannot hold up the ones after it. */
  async #runInTime(batch: Waiting<Item, Result>[]): Promise<Result> {
    const { run, deadlineMs, now } = this.#options;
    const oldest = batch[0]?.arrived ?? now();
    const abort = new AbortController();
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      const error = new Error(`A batch of ${batch.length} took longer than ${deadlineMs} ms`);
      abort.abort(error);
      late.reject(error);
    }, deadlineMs - (now() - oldest));
    try {
      const items = batch.map(({ item }) => item);
      return await Promise.race([run(items, abort.signal), late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }
}
