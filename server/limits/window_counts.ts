import type { Limit } from "./fixed_window.ts";
import type { SourceHash } from "./packed_counts.ts";
import type { Source } from "../source.ts";
import { SourceTable } from "./source_table.ts";

/** Sources that are counted at the most; past it, those with the fewest requests are forgotten. */
const MAX_SOURCES = 500_000;

/** What counts are kept with. */
export interface WindowCountsOptions {
  /** A keyed hash of a source. */
  hash: (source: Source) => SourceHash;
  /** See {@linkcode SourceTable}. */
  seed: number;
  maxSources?: number;
}

/**
 * One limit's counts of one window.
 *
 * A flood of addresses must cost little memory and no time that grows with their number, so how many
 * sources have each count is kept up to date. It tells the floor: only sources whose counts are past it
 * are shared with other processes.
 */
export class WindowCounts {
  readonly #hash: (source: Source) => SourceHash;
  readonly #limit: number;
  readonly #maxSources: number;
  /** What other processes have counted. */
  others: ReadonlyMap<SourceHash, number> = new Map();
  readonly #table: SourceTable;
  /** How many sources have a count of n, by n. */
  readonly #sourcesByCount: Uint32Array;
  #floor = 0;

  constructor(limit: Limit, { hash, seed, maxSources = MAX_SOURCES }: WindowCountsOptions) {
    this.#limit = limit.requests;
    this.#hash = hash;
    this.#maxSources = maxSources;
    this.#table = new SourceTable(seed);
    this.#sourcesByCount = new Uint32Array(limit.requests + 1);
  }

  /** How many sources are counted. */
  get size(): number {
    return this.#table.size;
  }

  /** The count that a source must pass to be shared. */
  get floor(): number {
    return this.#floor;
  }

  /** What this and the other processes have counted of a source. */
  count(source: Source): number {
    const slot = this.#table.find(source);
    return this.#table.count(slot) + this.#countOfOthers(slot, source);
  }

  /**
   * Adds one to a source's count, unless that is at the limit.
   *
   * @returns how much was left before
   */
  take(source: Source): number {
    let slot = this.#table.find(source);
    const count = this.#table.count(slot);
    // A flood past the limit costs no more than this.
    if (count >= this.#limit) return 0;
    const left = this.#limit - count - this.#countOfOthers(slot, source);
    if (left <= 0) return 0;
    if (count > 0) {
      this.#move(count, -1);
    } else if (this.#table.size >= this.#maxSources) {
      this.#forgetSmallest();
      slot = this.#table.find(source);
    }
    this.#table.set(slot, source, count + 1);
    this.#move(count + 1, 1);
    return left;
  }

  #countOfOthers(slot: number, source: Source): number {
    if (this.others.size === 0) return 0;
    const counted = this.#table.count(slot) > 0;
    const hash = counted ? this.#table.note(slot, this.#hash) : this.#hash(source);
    return this.others.get(hash) ?? 0;
  }

  /**
   * The hashes and own counts of the sources past the floor, at most `max` of them: the floor rises, and
   * stays up for the rest of the window, until they fit.
   */
  shared(max: number): [SourceHash, number][] {
    while (this.#sourcesPast(this.#floor) > max) this.#floor++;
    const slots = this.#table.past(this.#floor, this.#sourcesPast(this.#floor));
    return slots.map((slot) => [this.#table.note(slot, this.#hash), this.#table.count(slot)]);
  }

  /** Forgets at least half of the sources, those with the smallest counts. */
  #forgetSmallest(): void {
    let largest = 0;
    while (this.#sourcesPast(largest) > this.#maxSources / 2) largest++;
    this.#table.forget(largest);
    this.#sourcesByCount.fill(0, 0, largest + 1);
  }

  #sourcesPast(count: number): number {
    let sources = 0;
    for (let n = count + 1; n < this.#sourcesByCount.length; n++) {
      sources += this.#sourcesByCount[n] ?? 0;
    }
    return sources;
  }

  #move(count: number, by: number): void {
    this.#sourcesByCount[count] = (this.#sourcesByCount[count] ?? 0) + by;
  }
}
