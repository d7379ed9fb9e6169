import assert from "node:assert/strict";
import { fromNewSource, sendSignUp, type Serving } from "../../support/process_requests.ts";
import { tokenRequest } from "../../support/service.ts";
import type { Credentials } from "../../support/tokens.ts";

/** How many addresses there are to one that signs up again. */
const REPEAT_EVERY = 5;

const FLOODER = { "X-Forwarded-For": "192.0.2.99" };

/**
 * The load of a busy day, all kinds of requests mixed.
 * @param people how many addresses there are at the most
 * @returns sends the next request, and reads its answer; throws where it is not what it should be
 */
export async function createMix(
  service: Serving,
  credentials: Credentials,
  people = Infinity,
) {
  let token = "";
  let requests = 0;
  let addresses = 0;

  function send(path: string, init: RequestInit = {}, source = fromNewSource()): Promise<Response> {
    const headers = { ...Object.fromEntries(new Headers(init.headers)), ...source };
    return service.request(path, { ...init, headers });
  }

  function join(): Promise<Response> {
    const known = addresses % REPEAT_EVERY === 0;
    const n = (known ? Math.floor(Math.random() * addresses++) : addresses++) % people;
    const lang = addresses % 2 === 0 ? "de" : "en";
    return sendSignUp(service, { email: `visitor${n}@example.com`, lang });
  }

  const readStats = () =>
    send("/api/v1/waitlist/stats", { headers: { Authorization: `Bearer ${token}` } });

  /** Gets a token, which is valid for 900 s. */
  async function getToken(): Promise<Response> {
    const response = await send("/api/v1/oauth/token", tokenRequest(credentials));
    if (response.ok) token = (await response.clone().json()).access_token;
    return response;
  }

  /** The kinds of requests, the share of each, and the statuses that it may be answered with. */
  const kinds: [name: string, share: number, send: () => Promise<Response>, expected: number[]][] =
    [
      ["status", 40, () => send("/api/v1/status"), [200]],
      ["sign-up", 25, join, [200]],
      ["stats", 15, readStats, [200]],
      ["token", 8, getToken, [200]],
      ["page", 5, () => send("/developers/"), [200]],
      ["unknown", 2, () => send("/api/v1/nothing"), [404]],
      // All from one address, most of them over its limit.
      ["flood", 5, () => send("/api/v1", {}, FLOODER), [200, 429]],
    ];
  assert.equal(kinds.reduce((sum, [, share]) => sum + share, 0), 100);
  await (await getToken()).body?.cancel();

  return async (): Promise<void> => {
    let rest = requests++ * 37 % 100;
    const [name, , sendNext, expected] = kinds.find(([, share]) => (rest -= share) < 0)!;
    const response = await sendNext();
    const text = await response.text();
    assert.ok(expected.includes(response.status), `${name}: ${response.status} ${text}`);
  };
}
