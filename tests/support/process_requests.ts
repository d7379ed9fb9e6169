/** What a client does with a running service, over real HTTP. @module */
import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { STATS_SCOPE } from "../../server/oauth/clients.ts";
import type { RequestedClient } from "../../shared/operator_schemas.ts";
import { OPERATOR_KEY } from "./operator.ts";
import type { ServiceProcess } from "./process.ts";
import type { Credentials } from "./tokens.ts";

/** A running service, as far as it takes requests. */
export type Serving = Pick<ServiceProcess, "request">;

let sources = 0;

/**
 * The header by which the proxy in front names the caller, each time another one. Neighbours are of different networks,
 * each of which causes 60 letters an hour.
 */
export function fromNewSource(): { "X-Forwarded-For": string } {
  const n = sources++;
  return { "X-Forwarded-For": `10.${n & 255}.${n >> 8 & 255}.${n >> 16 & 255}` };
}

/** Signs an address up with some answers, from a network of its own. */
export const sendSignUp = (
  { request }: Serving,
  signUp: { email: string; lang?: string; source?: string },
  init?: RequestInit & { client?: Deno.HttpClient },
): Promise<Response> =>
  request("/api/v1/waitlist", {
    method: "POST",
    headers: { "Content-Type": "application/json", ...fromNewSource() },
    body: JSON.stringify({ consent: true, ...signUp }),
    ...init,
  });

/** Gives the status of an answer, whose body nobody reads. */
export async function statusOf(answer: Response | Promise<Response>): Promise<number> {
  const { status, body } = await answer;
  await body?.cancel();
  return status;
}

/** Waits until `/ready` names exactly these missing parts, or says that the service is ready. */
export async function untilReadyIs({ request }: Serving, missing: string[] = []): Promise<void> {
  const expected = missing.length > 0 ? { ready: false, missing } : { ready: true };
  for (;;) {
    const response = await request("/ready");
    if (isDeepStrictEqual(await response.json(), expected)) return;
    await delay(100);
  }
}

/** Calls an operation below `/operator/v1` by POST, of a service that runs with {@linkcode OPERATOR_KEY}. */
export const operate = (
  { request }: Serving,
  path: string,
  body: unknown = {},
  headers: Record<string, string> = {},
): Promise<Response> =>
  request(`/operator/v1${path}`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${OPERATOR_KEY}`,
      "Content-Type": "application/json",
      ...headers,
    },
    body: JSON.stringify(body),
  });

/** Makes a production client, of a service that runs with {@linkcode OPERATOR_KEY}. */
export async function issueClient(
  service: Serving,
  scopes: RequestedClient["scopes"] = [STATS_SCOPE],
): Promise<Credentials> {
  const response = await operate(service, "/clients", { name: "Test", scopes });
  const { client_id: clientId, client_secret: clientSecret, ...rest } = await response.json();
  assert.equal(response.status, 201, JSON.stringify(rest));
  return { clientId, clientSecret };
}

/** Reads the statistics, all but the moment they were made. */
export async function readStats({ request }: Serving, token: string, pathPrefix = "") {
  const response = await request(`${pathPrefix}/api/v1/waitlist/stats`, {
    headers: { ...fromNewSource(), Authorization: `Bearer ${token}` },
  });
  const { generatedAt: _, ...stats } = await response.json();
  assert.equal(response.status, 200, JSON.stringify(stats));
  return stats;
}
