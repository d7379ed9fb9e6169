/**
 * Limits the requests of each client address in fixed windows. A window is a minute of the clock, so that processes
 * agree on windows without messages. Requests are counted in memory, and processes exchange their counts through KV.
 * Within one process, the limits are exact, unless more addresses send requests than `window_counts.ts` can count.
 * `tests/README.md`, "Limits with many processes", has the bound for several processes. @module
 */
import type { Runtime } from "../runtime/mod.ts";
import type { ClientAddress } from "./client_address.ts";
import { addPackedCounts, MAX_PACKED, packCounts } from "./packed_counts.ts";
import { type AddressHash, WindowCounts, type WindowCountsOptions } from "./window_counts.ts";

/** The length of a window, in seconds. */
export const WINDOW_SECONDS = 60;

/** The time between two exchanges of counts with other processes while counts change, in milliseconds. */
export const EXCHANGE_MS = 250;

/** A limit. Each client address has a count of its own under each limit. */
export interface Limit {
  name: string;
  /** How many requests of one client address are allowed in one window. */
  maxRequests: number;
  /** The limit in the form of the response header `RateLimit-Policy`. */
  policy: string;
}

function defineLimit(name: string, maxRequests: number): Limit {
  return { name, maxRequests, policy: `${maxRequests};w=${WINDOW_SECONDS}` };
}

/** The limits by name. `status`, `sandbox` and `default` are the limits of the contract ("Limits"). */
export const LIMITS = {
  /** GET and HEAD on production's status. */
  status: defineLimit("status", 120),
  /** Every sandbox call. */
  sandbox: defineLimit("sandbox", 120),
  /**
   * Every other call of the public API, calls of the operator surface without a right key, and those calls of mail
   * providers that are counted (`letters/hooks/`).
   */
  default: defineLimit("default", 30),
  /** Calls of the operator surface with a right key, and the console's pages for a signed-in operator. */
  operator: defineLimit("operator", 600),
  /** All pages, including the console and the self-service page, and all documents, such as the OpenAPI document. */
  pages: defineLimit("pages", 1_200),
};

/** The verdict on one request. */
export interface Allowance {
  allowed: boolean;
  limit: Limit;
  /**
   * How many more requests the limit allows in the window after this request. An allowed request that is not counted is
   * subtracted as well.
   */
  remaining: number;
  /** The time until the end of the window in whole seconds, 1 to 60. */
  reset: number;
}

/** The function {@linkcode Limiter.countRequest}, for callers that need only this function of a limiter. */
export type CountRequest = (
  limit: Limit,
  address: ClientAddress,
  isCounted?: boolean,
) => Allowance;

/** What a limiter needs. */
interface LimiterOptions extends Pick<Runtime, "now">, WindowCountsOptions {
  /**
   * Is called at the first change of counts, and again at the first change after each call of {@linkcode
   * Limiter.share}.
   */
  onChange: () => void;
}

/** The counts of one process under one limit, in the form in which processes exchange them. */
interface LimitCounts {
  limitName: string;
  /** The counts, as {@linkcode packCounts} packs them. */
  packedCounts: Uint8Array;
}

/** The counts of one or more processes in one window. */
export interface SharedCounts {
  /** The number of the window: the whole minutes since 1970. */
  window: number;
  /** One element for each process and each limit. */
  limitCounts: LimitCounts[];
}

/** The counts of one process in the current window, and the counts that other processes have shared. */
export class Limiter {
  readonly #options: LimiterOptions;
  /** The number of the present window; see {@linkcode SharedCounts}. */
  #window = -1;
  /** The counts in the present window, by the name of the limit. */
  #windowCounts: ReadonlyMap<string, WindowCounts> = new Map();
  /** Whether counts have changed since the last call of `share`. */
  #hasChanged = false;

  constructor(options: LimiterOptions) {
    this.#options = options;
    this.#enterWindow(options.now());
  }

  /**
   * Decides whether a request of a client address is allowed. An allowed request is counted unless `isCounted` is
   * false; a refused request is never counted.
   */
  countRequest(limit: Limit, address: ClientAddress, isCounted = true): Allowance {
    const moment = this.#options.now();
    this.#enterWindow(moment);
    const windowCounts = this.#windowCounts.get(limit.name)!;
    const available = isCounted
      ? windowCounts.countRequest(address)
      : windowCounts.availableTo(address);
    const allowed = available > 0;
    if (allowed && isCounted && !this.#hasChanged) {
      this.#hasChanged = true;
      this.#options.onChange();
    }
    return {
      allowed,
      limit,
      remaining: allowed ? available - 1 : 0,
      reset: WINDOW_SECONDS - Math.floor(moment / 1000) % WINDOW_SECONDS,
    };
  }

  /**
   * Gives the counts of this process for the other processes. After this call, the next change calls `onChange` again.
   */
  share(): SharedCounts {
    this.#enterWindow(this.#options.now());
    this.#hasChanged = false;
    const limitCounts = Array.from(this.#windowCounts, ([limitName, windowCounts]) => {
      windowCounts.raiseFloor(MAX_PACKED);
      return { limitName, packedCounts: packCounts(windowCounts.countsAboveFloor()) };
    });
    return { window: this.#window, limitCounts };
  }

  /**
   * Replaces the known counts of the other processes. The parameter has the counts of all other processes. If they are
   * of another window, nothing changes.
   */
  learn({ window, limitCounts }: SharedCounts): void {
    if (window !== this.#window) return;
    const sumsByLimit = new Map<string, Map<AddressHash, number>>();
    for (const { limitName, packedCounts } of limitCounts) {
      let sums = sumsByLimit.get(limitName);
      if (!sums) sumsByLimit.set(limitName, sums = new Map());
      addPackedCounts(packedCounts, sums);
    }
    for (const [limitName, windowCounts] of this.#windowCounts) {
      windowCounts.sumsOfOthers = sumsByLimit.get(limitName) ?? new Map();
    }
  }

  /**
   * Begins new counts if `moment` is in a new window. If the clock was set back by a little, into the previous window,
   * the present counts go on. If the clock was set back further, new counts begin, because the clock was far ahead.
   */
  #enterWindow(moment: number): void {
    const window = Math.floor(moment / (WINDOW_SECONDS * 1000));
    if (window === this.#window || window === this.#window - 1) return;
    this.#window = window;
    this.#windowCounts = new Map(
      Object.values(LIMITS).map((limit) => [limit.name, new WindowCounts(limit, this.#options)]),
    );
  }
}
