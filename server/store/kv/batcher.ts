/**
 * Batching: items that arrive while a batch runs wait, and then share the next run. This pays where a run for many
 * items costs about as much as a run for one item. Commits and reads are such runs.
 *
 * A run is one call of the option `run`, and a batch is the items that share a run. A full batch runs as soon as there
 * is room for a run. A smaller batch is gathered first: it runs at the end of the gathering if there is room, and if it
 * is large enough. Otherwise, the gathering begins again with the next item, or at the end of a run. @module
 */
import { clearImmediate, setImmediate } from "node:timers";
import { type Runtime, withDeadline } from "../../runtime/mod.ts";
import { KV_IS_LATE } from "./calls.ts";

export interface BatcherOptions<Item, Result> extends Pick<Runtime, "monotonic"> {
  /**
   * Does the work of a batch. The result of the batch is the result of each of its items. The signal aborts once no
   * caller waits for the result any more.
   */
  run: (items: Item[], signal: AbortSignal) => Promise<Result>;
  /** How many items a batch has at most; by default, any number. */
  maxBatch?: number;
  /** How many items wait at most; by default, any number. Further items are refused. */
  maxWaiting?: number;
  /** How many runs are under way at the same time at most; by default, 1. */
  maxRunning?: number;
  /** After how many milliseconds a batch is given up, counted from the arrival of its first item. */
  deadlineMs: number;
  /**
   * How long items are gathered before a batch runs, in milliseconds. If the option is absent, they are gathered until
   * the end of the event loop's turn, in which all requests that have arrived are read. A full batch does not wait.
   */
  gatherMs?: number;
  /** How long items are gathered while a run is under way, in milliseconds; by default, `gatherMs`. */
  busyGatherMs?: number;
  /** Whether a batch waits, while a run is under way, until it has as many items as the batch whose run began last. */
  waitsForEqualBatch?: boolean;
  /** Is called after each run that succeeded. */
  onRun?: OnRun;
}

/** A function that gets the number of items in a run, and the duration of the run in milliseconds. */
export type OnRun = (itemCount: number, ms: number) => void;

interface WaitingItem<Item, Result>
  extends Pick<PromiseWithResolvers<Result>, "resolve" | "reject"> {
  item: Item;
  /** When the item arrived, on the monotonic clock, in milliseconds. */
  arrivedAt: number;
}

/** The values of options that are absent. */
const DEFAULTS = { maxBatch: Infinity, maxWaiting: Infinity, maxRunning: 1 };

/** Collects items into batches, and runs them. The run of an item begins after the item has arrived. */
export class Batcher<Item, Result> {
  readonly #options: BatcherOptions<Item, Result> & typeof DEFAULTS;
  /** The items that wait for a run, in the order of their arrival. */
  readonly #waitingItems: WaitingItem<Item, Result>[] = [];
  /** The runs that are under way. */
  readonly #runs = new Set<Promise<void>>();
  /** Ends the wait for further items; absent while no such wait is under way. */
  #endGathering: (() => void) | undefined;
  /** The number of items in the batch whose run began last. */
  #latestBatchSize = 0;

  constructor(options: BatcherOptions<Item, Result>) {
    this.#options = { ...DEFAULTS, ...options };
  }

  /** Resolves with the result of the item's batch once the batch has run. Gives `undefined` if too many items wait. */
  add(item: Item): Promise<Result> | undefined {
    if (this.#waitingItems.length >= this.#options.maxWaiting) return undefined;
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.#waitingItems.push({ item, arrivedAt: this.#options.monotonic(), resolve, reject });
    this.#startFullRuns();
    this.#gather();
    return promise;
  }

  /** Runs all waiting items without gathering any longer; resolves when no item waits and no batch runs. */
  async flush(): Promise<void> {
    this.#startRuns();
    while (this.#runs.size > 0) {
      await Promise.all(this.#runs);
      this.#startRuns();
    }
  }

  /** Gathers items for the time that the options set, and then starts runs if enough items wait. */
  #gather(): void {
    if (this.#endGathering || this.#waitingItems.length === 0) return;
    const { gatherMs: idleMs, busyGatherMs: busyMs = idleMs, waitsForEqualBatch } = this.#options;
    const gatherMs = this.#runs.size > 0 ? busyMs : idleMs;
    const startAfterGathering = () => {
      this.#endGathering = undefined;
      this.#startRuns(waitsForEqualBatch && this.#runs.size > 0 ? this.#latestBatchSize : 1);
    };
    if (gatherMs === undefined) {
      const immediate = setImmediate(startAfterGathering);
      this.#endGathering = () => clearImmediate(immediate);
    } else {
      const timer = setTimeout(startAfterGathering, gatherMs);
      this.#endGathering = () => clearTimeout(timer);
    }
  }

  /** Starts runs of full batches, which need no gathering. */
  #startFullRuns(): void {
    this.#startRuns(this.#options.maxBatch);
  }

  /** Starts runs while there is room for a run, and at least `minWaiting` items wait. */
  #startRuns(minWaiting = 1): void {
    const { maxBatch, maxRunning } = this.#options;
    while (this.#runs.size < maxRunning && this.#waitingItems.length >= minWaiting) {
      const batch = this.#takeBatch(maxBatch);
      if (batch.length === 0) continue;
      this.#latestBatchSize = batch.length;
      const run = this.#runBatch(batch);
      this.#runs.add(run);
      run.then(() => {
        this.#runs.delete(run);
        this.#startFullRuns();
        this.#gather();
      });
    }
    if (this.#waitingItems.length > 0) return;
    // No item waits, so there is nothing to gather for.
    this.#endGathering?.();
    this.#endGathering = undefined;
  }

  /**
   * Removes the next items, at most `size`, from the items that wait. Items whose deadline has passed are rejected
   * without a run.
   */
  #takeBatch(size: number): WaitingItem<Item, Result>[] {
    return this.#waitingItems.splice(0, size).filter((waiting) => {
      const isInTime = this.#timeLeft(waiting) > 0;
      if (!isInTime) waiting.reject(new Error("KV had no time for this call"));
      return isInTime;
    });
  }

  /** Runs a batch until the deadline of its first item, and gives each item the result or the error. */
  async #runBatch(batch: WaitingItem<Item, Result>[]): Promise<void> {
    const { run, monotonic, onRun } = this.#options;
    const startedAt = monotonic();
    const items = batch.map(({ item }) => item);
    const timeLeft = batch[0] ? this.#timeLeft(batch[0]) : 0;
    try {
      const result = await withDeadline(timeLeft, (signal) => run(items, signal), KV_IS_LATE);
      onRun?.(items.length, monotonic() - startedAt);
      for (const { resolve } of batch) resolve(result);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  /** Gives the time until the deadline of an item, in milliseconds; negative after the deadline. */
  #timeLeft({ arrivedAt }: WaitingItem<Item, Result>): number {
    const { deadlineMs, monotonic } = this.#options;
    return deadlineMs - (monotonic() - arrivedAt);
  }
}
