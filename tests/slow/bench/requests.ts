/** The requests that are measured, and bare servers that answer them. @module */
import { startProgram, startService } from "./server_process.ts";
import { type LoadRequest, measure } from "./wrk.ts";

/** A KV file and the credentials of its client. */
export interface Seed {
  path: string;
  clientId: string;
  clientSecret: string;
}

/** The status probe. */
export const STATUS: LoadRequest = { method: "GET", path: "/api/v1/status", varyAddress: true };

/** A sign-up of a new address. */
export const JOIN: LoadRequest = {
  method: "POST",
  path: "/api/v1/waitlist",
  headers: { "Content-Type": "application/json" },
  body: '{"email":"visitor{n}.{run}@example.com","consent":true,"source":"hero","lang":"de"}',
  varyAddress: true,
};

/** The n-th referral code of a filled KV file; the first people there have one each. */
export const referralCode = (n: number): string => `Referrer${String(n).padStart(2, "0")}`;

/** The people who have a referral code. */
export const REFERRERS = 50;

/** A sign-up of a new address by the links of these people in turn. */
export const JOIN_BY_LINK: LoadRequest = { ...JOIN, path: `${JOIN.path}?r=Referrer{nn}` };

/** A token call by HTTP Basic. */
export function tokenRequest(clientId: string, clientSecret: string): LoadRequest {
  return {
    method: "POST",
    path: "/api/v1/oauth/token",
    headers: {
      "Authorization": `Basic ${btoa(`${clientId}:${clientSecret}`)}`,
      "Content-Type": "application/x-www-form-urlencoded",
    },
    body: "grant_type=client_credentials",
    varyAddress: true,
  };
}

/** A statistics call, with a token of the file's client. */
export async function statsRequest(seed: Seed): Promise<LoadRequest> {
  await using server = await startService(seed.path);
  const response = await send(server.port, tokenRequest(seed.clientId, seed.clientSecret));
  const { access_token } = await response.json();
  return {
    method: "GET",
    path: "/api/v1/waitlist/stats",
    headers: { Authorization: `Bearer ${access_token}` },
    varyAddress: true,
  };
}

function send(port: number, { path, method, headers = {}, body }: LoadRequest): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body: body ?? null });
}

/** A bare server that answers what the service answers, byte for byte, after some seconds of it. */
export async function bare(
  seed: Seed,
  request: LoadRequest,
  program = "peers/bare.ts",
  floodSeconds = 0,
) {
  await using server = await startService(seed.path);
  if (floodSeconds > 0) await measure(server.port, request, floodSeconds);
  const response = await send(server.port, request);
  // Deno.serve adds these two to either answer.
  const headers = Object.fromEntries(response.headers);
  delete headers.date;
  delete headers["content-length"];
  delete headers.vary;
  const answer = JSON.stringify({ status: response.status, headers, body: await response.text() });
  return () => startProgram(program, [answer]);
}
