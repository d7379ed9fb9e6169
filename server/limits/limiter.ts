/**
 * Limits on requests per client address: fixed windows of a minute, counted in memory and exchanged with other
 * processes at intervals. `tests/README.md`, "Limits with many processes", has the bound on the requests that pass
 * beyond a limit. @module
 */
import type { Runtime } from "../runtime/mod.ts";
import { type AddressHash, type ClientAddress, WindowCounts } from "./window_counts.ts";
import { type WindowCountsOptions } from "./window_counts.ts";

/** The length of a window, in seconds. */
export const WINDOW_SECONDS = 60;

/** How often counts are exchanged while they change, in milliseconds. */
export const BEAT_MS = 250;

/** A limit, with a window of its own for each client address. */
export type Limit = typeof LIMITS[keyof typeof LIMITS];

const limit = <Name extends string>(name: Name, requests: number) => ({
  name,
  requests,
  policy: `${requests};w=${WINDOW_SECONDS}`,
});

/** The limits of the contract ("Limits"), and those of what is no API. */
export const LIMITS = {
  /** GET and HEAD on production's status. */
  status: limit("status", 120),
  /** Every sandbox call. */
  sandbox: limit("sandbox", 120),
  /** Every other call. */
  default: limit("default", 30),
  /** Calls of the operator surface with a right key. */
  operator: limit("operator", 600),
  /** Pages, discovery documents and the OpenAPI document. */
  pages: limit("pages", 1_200),
};

/** The verdict on one request. */
export interface Allowance {
  allowed: boolean;
  limit: Limit;
  /** Requests left in the window, after this one. */
  remaining: number;
  /** Whole seconds until the window ends, 1 to 60. */
  reset: number;
}

/** Counts a request of a client address, or only looks, and says whether it is allowed. */
export type CountRequest = (limit: Limit, address: ClientAddress, counts?: boolean) => Allowance;

interface LimiterOptions extends Pick<Runtime, "now">, WindowCountsOptions {
  /** Called when counts begin to differ from those that were shared last. */
  onChange: () => void;
}

/** Packed counts of a window, each with the name of its limit. */
export interface SharedCounts {
  /** The window's number: minutes since 1970. */
  window: number;
  packed: [limit: string, counts: Uint8Array][];
}

export class Limiter {
  readonly #options: LimiterOptions;
  #window = -1;
  #counts: ReadonlyMap<string, WindowCounts> = new Map();
  #changed = false;

  constructor(options: LimiterOptions) {
    this.#options = options;
    this.#enterWindow(options.now());
  }

  /** Counts a request. One that is refused is not counted, so a flood beyond the limit changes nothing. */
  count(limit: Limit, address: ClientAddress, counts = true): Allowance {
    const moment = this.#options.now();
    this.#enterWindow(moment);
    const left = this.#counts.get(limit.name)!.take(address, counts);
    const allowed = left > 0;
    if (allowed && counts && !this.#changed) {
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

  /** Gives this process's counts to share; later changes call `onChange` again. */
  share(): SharedCounts {
    this.#enterWindow(this.#options.now());
    this.#changed = false;
    const packed: SharedCounts["packed"] = [];
    for (const [limit, counts] of this.#counts) {
      packed.push([limit, packCounts(counts.shared(MAX_PACKED))]);
    }
    return { window: this.#window, packed };
  }

  /** Replaces what is known of the counts of all other processes. */
  learn(others: SharedCounts): void {
    if (others.window !== this.#window) return;
    for (const [limit, counts] of this.#counts) {
      const sums = new Map<AddressHash, number>();
      for (const [name, packed] of others.packed) if (name === limit) addPackedCounts(packed, sums);
      counts.others = sums;
    }
  }

  /**
   * Begins a new window's counts. A clock that steps back by less than a window was corrected, and the
   * window goes on. A clock that steps back further had jumped ahead before, and a new window begins.
   */
  #enterWindow(moment: number): void {
    const window = Math.floor(moment / (WINDOW_SECONDS * 1000));
    if (window === this.#window || window === this.#window - 1) return;
    this.#window = window;
    const counts = (limit: Limit) => [limit.name, new WindowCounts(limit, this.#options)] as const;
    this.#counts = new Map(Object.values(LIMITS).map(counts));
  }
}

const HASH_BYTES = 6;
const ENTRY_BYTES = HASH_BYTES + 2;

/** Entries that fit into one KV value of 65,536 bytes, with room for KV's own encoding. */
export const MAX_PACKED = 8_000;

/** Packs at most {@linkcode MAX_PACKED} counts: 6 bytes of each address's hash and 2 bytes of its count. */
export function packCounts(counts: [AddressHash, number][]): Uint8Array {
  const bytes = new Uint8Array(counts.length * ENTRY_BYTES);
  const view = new DataView(bytes.buffer);
  for (const [index, [hash, count]] of counts.entries()) {
    const offset = index * ENTRY_BYTES;
    view.setUint16(offset, Math.floor(hash / 2 ** 32));
    view.setUint32(offset + 2, hash % 2 ** 32);
    view.setUint16(offset + HASH_BYTES, count);
  }
  return bytes;
}

/** Adds packed counts to sums. */
export function addPackedCounts(packed: Uint8Array, sums: Map<AddressHash, number>): void {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  for (let offset = 0; offset + ENTRY_BYTES <= packed.byteLength; offset += ENTRY_BYTES) {
    const hash = view.getUint16(offset) * 2 ** 32 + view.getUint32(offset + 2);
    sums.set(hash, (sums.get(hash) ?? 0) + view.getUint16(offset + HASH_BYTES));
  }
}
