/**
 * Counts requests in memory and shares the counts with other processes on a beat. Within one process
 * the limits are exact; what several can let slip through is bounded:
 *
 * > Let P processes each admit at most r requests a second of one address, exchange counts every b
 * > seconds (0.25) and need k seconds for an exchange. A request waits for the exchange under way, the
 * > beat and its own exchange; another process, for its own beat and exchange. It learns of the request
 * > within 2·b + 3·k, so at most P·⌈r·(2·b + 3·k)⌉ requests pass beyond the limit, and never more than P
 * > times the limit in all. In a flood of addresses a process shares only counts past its floor f,
 * > which adds at most (P − 1)·f.
 *
 * @module
 */
import { type Allowance, type Limit, WINDOW_SECONDS } from "./fixed_window.ts";
import { addPackedCounts, type AddressHash, MAX_PACKED, packCounts } from "./packed_counts.ts";
import type { ClientAddress } from "../client_address.ts";
import { WindowCounts } from "./window_counts.ts";

/** How often counts are exchanged while they change, in milliseconds. */
export const BEAT_MS = 250;

/** What a limiter is made with. */
export interface LimiterOptions {
  limits: readonly Limit[];
  /** The clock, in milliseconds since 1970. */
  now: () => number;
  /** A keyed hash, so that what is shared names no address. */
  hash: (address: ClientAddress) => AddressHash;
  /** 32 random bits. */
  seed: number;
  /** Called as counts begin to differ from what was shared last. */
  onChange: () => void;
}

/** Packed counts of a window by the names of their limits. */
export interface SharedCounts {
  /** The window's number: minutes since 1970. */
  window: number;
  packed: [limit: string, counts: Uint8Array][];
}

/** Counts requests of address addresses against limits. */
export class Limiter {
  readonly #options: LimiterOptions;
  #window = -1;
  #counts: ReadonlyMap<string, WindowCounts> = new Map();
  #changed = false;

  constructor(options: LimiterOptions) {
    this.#options = options;
    this.#enterWindow(options.now());
  }

  /**
   * Counts a request and says whether it is allowed. A refused one is not counted, so a flood past the
   * limit changes nothing.
   */
  count(limit: Limit, address: ClientAddress): Allowance {
    const moment = this.#options.now();
    this.#enterWindow(moment);
    const counts = this.#counts.get(limit.name);
    if (!counts) throw new Error(`There is no limit '${limit.name}'`);
    const left = counts.take(address);
    const allowed = left > 0;
    if (allowed && !this.#changed) {
      this.#changed = true;
      this.#options.onChange();
    }
    return {
      allowed,
      limit,
      remaining: allowed ? left - 1 : 0,
      reset: WINDOW_SECONDS - Math.floor(moment / 1000) % WINDOW_SECONDS,
    };
  }

  /** This process's counts as they are now; from here on they count as shared. */
  share(): SharedCounts {
    this.#enterWindow(this.#options.now());
    this.#changed = false;
    const packed = Array.from(
      this.#counts,
      ([limit, counts]) => [limit, packCounts(counts.shared(MAX_PACKED))] as [string, Uint8Array],
    );
    return { window: this.#window, packed };
  }

  /** Takes what all other processes have counted, in the place of what was known of them. */
  learn(others: SharedCounts): void {
    if (others.window !== this.#window) return;
    const sums = new Map<string, Map<AddressHash, number>>();
    for (const [limit, packed] of others.packed) {
      const sum = sums.get(limit) ?? new Map();
      addPackedCounts(packed, sum);
      sums.set(limit, sum);
    }
    for (const [limit, counts] of this.#counts) counts.others = sums.get(limit) ?? new Map();
  }

  /**
   * Begins a new window's counts. Under a clock that steps back by less than a window, as clocks do that are
   * set right, the window goes on; one that steps back further had jumped ahead, and its window ends.
   */
  #enterWindow(moment: number): void {
    const window = Math.floor(moment / (WINDOW_SECONDS * 1000));
    if (window === this.#window || window === this.#window - 1) return;
    this.#window = window;
    this.#counts = new Map(
      this.#options.limits.map((limit) => [limit.name, new WindowCounts(limit, this.#options)]),
    );
  }
}
