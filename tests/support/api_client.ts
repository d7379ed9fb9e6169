/** The client against the real service, without a network; the clock is the test's. @module */
import assert from "node:assert/strict";
import { type ApiClientOptions, createApiClient } from "../../shared/api_client.ts";
import type { ApiFailure, Result } from "../../shared/api_failure.ts";
import { BASE_URL, createTestClient, type TestService } from "./service.ts";

/** A `fetch` into the service that keeps the calls, and may answer one itself. */
export function fetchInto(
  service: TestService,
  intervene: (call: string, request: Request) => Response | Promise<Response> | undefined = () =>
    undefined,
) {
  const calls: string[] = [];
  const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const { pathname } = new URL(request.url);
    const call = `${request.method} ${pathname}`;
    calls.push(call);
    const own = intervene(call, request);
    if (own) return await own;
    const body = request.body && await request.text();
    const { method, headers } = request;
    return await service.request(pathname, { method, headers, body });
  };
  return { fetch, calls };
}

/** A clock that stands still but for the waits, which it keeps. */
function testClock(service: TestService) {
  const waits: number[] = [];
  return {
    waits,
    now: () => service.clock.now,
    wait(milliseconds: number) {
      waits.push(milliseconds);
      service.clock.now += milliseconds;
      return Promise.resolve();
    },
  };
}

/** The data of a call that went well. */
export function dataOf<T>(result: Result<T>): T {
  assert(result.data !== undefined, result.error?.message);
  return result.data;
}

/** The failure of a call that went wrong. */
export function errorOf(result: Result<unknown>): ApiFailure {
  assert(result.error);
  return result.error;
}

/** How {@linkcode fetchInto} notes a request for a token. */
export const TOKEN_CALL = "POST /api/v1/oauth/token";
/** How {@linkcode fetchInto} notes a reading of the statistics. */
export const STATS_CALL = "GET /api/v1/waitlist/stats";

/** A production client of the service, with its calls and waits. */
export async function productionClient(
  service: TestService,
  { intervene, ...options }: Partial<ApiClientOptions> & {
    intervene?: Parameters<typeof fetchInto>[1];
  } = {},
) {
  const { fetch, calls } = fetchInto(service, intervene);
  const clock = testClock(service);
  const credentials = await createTestClient(service);
  const client = createApiClient({ baseUrl: BASE_URL, credentials, fetch, ...options }, clock);
  return { client, calls, waits: clock.waits };
}
