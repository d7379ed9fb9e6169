/**
 * Checks and counts one call of the provider under the limit `default` of the client address from which the call comes.
 * @module
 */
import { type Allowance, type ClientAddress, type CountRequest, LIMITS } from "../../limits/mod.ts";

/** The functions that check and count one call. */
export interface CallCount {
  /** Gives whether the caller may make one more call. Counts nothing. */
  peek: () => Allowance;
  /**
   * Counts the provider's call if this function has not counted it before. Gives whether the caller is within the limit
   * of calls.
   */
  countOnce: () => Allowance;
}

/** Makes the functions for one call from a client address. */
export function createCallCount(countRequest: CountRequest, address: ClientAddress): CallCount {
  let allowance: Allowance | undefined;
  return {
    peek() {
      const isCounted = false;
      return countRequest(LIMITS.default, address, isCounted);
    },
    countOnce: () => allowance ??= countRequest(LIMITS.default, address),
  };
}
