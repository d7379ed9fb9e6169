import { type Case, type CaseAccess, refusesMethod } from "./case.ts";

const INDEX = { operation: "index", path: "/api/v1" };
const STATUS = { operation: "getStatus", path: "/api/v1/status" };
const STATS = { operation: "getWaitlistStats", path: "/api/v1/waitlist/stats" };

/** The index and the status probe. */
export const SERVICE_CASES: Case[] = [
  { ...INDEX, method: "GET", does: "lists what the API offers", status: 200 },
  { ...INDEX, operation: "headIndex", method: "HEAD", does: "answers headers alone", status: 200 },
  { ...INDEX, ...refusesMethod("POST") },

  { ...STATUS, method: "GET", does: "says that the service is up", status: 200 },
  {
    ...STATUS,
    operation: "headStatus",
    method: "HEAD",
    does: "answers headers alone",
    status: 200,
  },
  { ...STATUS, ...refusesMethod("POST") },
];

/** The statistics. */
export const STATS_CASES: Case[] = [
  { ...STATS, method: "GET", does: "counts sign-ups", send: bearer, status: 200, shows: "token" },
  {
    ...STATS,
    operation: "headWaitlistStats",
    method: "HEAD",
    does: "answers headers alone",
    send: bearer,
    status: 200,
    shows: "token",
  },
  {
    ...STATS,
    method: "GET",
    does: "challenges a request without a token",
    status: 401,
    error: "unauthorized",
    header: ["www-authenticate", /error="unauthorized"/],
  },
  {
    ...STATS,
    method: "GET",
    does: "challenges a token that is none",
    send: () => ({ headers: { Authorization: "Bearer no.access.token" } }),
    status: 401,
    error: "invalid_token",
    header: ["www-authenticate", /error="invalid_token"/],
  },
  {
    ...STATS,
    operation: "headWaitlistStats",
    method: "HEAD",
    does: "challenges a request without a token",
    status: 401,
    sandboxOnly: true,
  },
  { ...STATS, ...refusesMethod("POST") },
];

function bearer({ accessToken }: CaseAccess) {
  return { headers: { Authorization: `Bearer ${accessToken}` } };
}
