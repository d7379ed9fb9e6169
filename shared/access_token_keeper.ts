import type { Result } from "./api_failure.ts";
import type { TokenResponse } from "./schemas.ts";

/**
 * How long before its expiry a token is no longer used, in milliseconds. A token with a short lifetime is
 * used for half of it.
 */
const MARGIN_MS = 60_000;

/** Holds the access token of an OAuth client. */
export interface AccessTokenKeeper {
  /** Returns the held token or a new one. Callers that come while a request is running share its result. */
  get: () => Promise<Result<TokenResponse>>;
  /** Forgets a token that the service no longer accepts. */
  drop: (accessToken: string) => void;
}

/**
 * Makes a keeper. It does not remember a failed request: the next call sends a new one.
 *
 * @param request sends a token request
 * @param now the clock, in milliseconds since 1970
 */
export function keepAccessToken(
  request: () => Promise<Result<TokenResponse>>,
  now: () => number,
): AccessTokenKeeper {
  let held: { result: Result<TokenResponse> & { data: TokenResponse }; until: number } | undefined;
  let running: Promise<Result<TokenResponse>> | undefined;

  async function renew(): Promise<Result<TokenResponse>> {
    const asked = now();
    const result = await request();
    if (result.data) {
      const lifetime = result.data.expires_in * 1000;
      held = { result, until: asked + lifetime - Math.min(MARGIN_MS, lifetime / 2) };
    }
    return result;
  }

  return {
    get() {
      if (held && now() < held.until) return Promise.resolve(held.result);
      running ??= renew().finally(() => running = undefined);
      return running;
    },
    drop(accessToken) {
      if (held?.result.data.access_token === accessToken) held = undefined;
    },
  };
}
