import type { Limit } from "./fixed_window.ts";
import type { SourceHash } from "./packed_counts.ts";

/** Sources that are counted at the most; past it, those with the fewest requests are forgotten. */
const MAX_SOURCES = 500_000;

/** What counts are kept with. */
export interface WindowCountsOptions {
  /** A keyed hash of a source's name. */
  hash: (source: string) => SourceHash;
  maxSources?: number;
}

/**
 * One limit's counts of one window.
 *
 * A flood of addresses must cost little memory and no time that grows with their number, so two things
 * are kept up to date with every count: how many sources have each count, and which sources have
 * passed the floor. Only the latter are shared with other processes.
 */
export class WindowCounts {
  readonly #hash: (source: string) => SourceHash;
  readonly #limit: number;
  readonly #maxSources: number;
  /** What other processes have counted. */
  others: ReadonlyMap<SourceHash, number> = new Map();
  readonly #counts = new Map<string, number>();
  /** How many sources have a count of n, by n. */
  readonly #sourcesByCount: number[];
  /** The sources past the floor; their hashes as soon as they are needed. */
  readonly #passed = new Map<string, SourceHash | undefined>();
  /** Sources past this count are shared. */
  #floor = 0;

  constructor(limit: Limit, options: WindowCountsOptions) {
    this.#limit = limit.requests;
    this.#hash = options.hash;
    this.#maxSources = options.maxSources ?? MAX_SOURCES;
    this.#sourcesByCount = new Array(limit.requests + 1).fill(0);
  }

  /** How many sources are counted. */
  get size(): number {
    return this.#counts.size;
  }

  /** The count that a source must pass to be shared. */
  get floor(): number {
    return this.#floor;
  }

  /** What this and the other processes have counted of a source. */
  count(source: string): number {
    return (this.#counts.get(source) ?? 0) + this.#countOfOthers(source);
  }

  /**
   * Adds one to a source's count, unless that is at the limit.
   *
   * @returns how much was left before
   */
  take(source: string): number {
    const count = this.#counts.get(source) ?? 0;
    // A flood past the limit costs no more than this.
    if (count >= this.#limit) return 0;
    const left = this.#limit - count - this.#countOfOthers(source);
    if (left <= 0) return 0;
    if (count === 0 && this.#counts.size >= this.#maxSources) this.#forgetSmallest();
    this.#counts.set(source, count + 1);
    if (count > 0) this.#move(count, -1);
    this.#move(count + 1, 1);
    if (count === this.#floor) this.#passed.set(source, undefined);
    return left;
  }

  #countOfOthers(source: string): number {
    if (this.others.size === 0) return 0;
    return this.others.get(this.#passed.get(source) ?? this.#hash(source)) ?? 0;
  }

  /**
   * The hashes and own counts of the sources past the floor, at most `max` of them: the floor rises, and
   * stays up for the rest of the window, until they fit.
   */
  shared(max: number): [SourceHash, number][] {
    while (this.#sourcesPast(this.#floor) > max) this.#floor++;
    const entries: [SourceHash, number][] = [];
    for (const [source, known] of this.#passed) {
      const count = this.#counts.get(source) ?? 0;
      if (count <= this.#floor) {
        this.#passed.delete(source);
      } else {
        const hash = known ?? this.#hash(source);
        if (known === undefined) this.#passed.set(source, hash);
        entries.push([hash, count]);
      }
    }
    return entries;
  }

  /** Forgets at least half of the sources, those with the smallest counts. */
  #forgetSmallest(): void {
    let largest = 0;
    while (this.#sourcesPast(largest) > this.#maxSources / 2) largest++;
    for (const [source, count] of this.#counts) {
      if (count > largest) continue;
      this.#counts.delete(source);
      this.#passed.delete(source);
    }
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
