/**
 * Keeps the access token of an OAuth client until shortly before it expires. The caller sends the token request.
 *
 * @module
 */
import type { Result } from "./api_failure.ts";
import type { TokenResponse } from "./schemas.ts";

/**
 * How long before its expiry a token is replaced, in milliseconds. A token that lives for less than twice this time is
 * replaced after half of its lifetime.
 */
const MARGIN_MS = 60_000;

/** Holds the access token of an OAuth client. */
export interface AccessTokenKeeper {
  /** Returns the stored token or requests a new one. Calls during a running request share its result. */
  get: () => Promise<Result<TokenResponse>>;
  /** Forgets the token `accessToken`, because the service has refused it. A newer stored token is kept. */
  drop: (accessToken: string) => void;
}

/**
 * Makes a keeper that has no token yet. After a failed token request, the next call of `get` sends a new request.
 *
 * @param request sends a token request
 * @param now the clock, in milliseconds since 1970
 */
export function keepAccessToken(
  request: () => Promise<Result<TokenResponse>>,
  now: () => number,
): AccessTokenKeeper {
  let stored:
    | { result: Result<TokenResponse> & { data: TokenResponse }; usableUntil: number }
    | undefined;
  let runningRequest: Promise<Result<TokenResponse>> | undefined;

  async function renew(): Promise<Result<TokenResponse>> {
    const requestedAt = now();
    const result = await request();
    if (result.data) {
      const lifetime = result.data.expires_in * 1000;
      const margin = Math.min(MARGIN_MS, lifetime / 2);
      stored = { result, usableUntil: requestedAt + lifetime - margin };
    }
    return result;
  }

  return {
    get() {
      if (stored && now() < stored.usableUntil) return Promise.resolve(stored.result);
      return runningRequest ??= renew().finally(() => runningRequest = undefined);
    },
    drop(accessToken) {
      if (stored?.result.data.access_token === accessToken) stored = undefined;
    },
  };
}
