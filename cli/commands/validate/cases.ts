/**
 * The calls of `validate`: good and bad requests to every operation, each with the answer that the
 * contract gives. In production a good sign-up fills in the honeypot and a bad one lacks its consent, so
 * that even a service that checks less than it should stores nothing.
 *
 * @module
 */
import type { EnvironmentName } from "../../../shared/environments.ts";
import { isObject } from "../../../shared/schemas.ts";
import { type Case, type CaseAccess, refusesMethod } from "./case.ts";
import { SIGN_UP_CASES } from "./sign_up_cases.ts";
import { TOKEN_CASES } from "./token_cases.ts";

const INDEX = { operation: "index", path: "/api/v1" };
const STATUS = { operation: "getStatus", path: "/api/v1/status" };
const STATS = { operation: "getWaitlistStats", path: "/api/v1/waitlist/stats" };

/** The index and the status probe. */
const SERVICE_CASES: Case[] = [
  { ...INDEX, method: "GET", does: "lists what the API offers", status: 200 },
  { ...INDEX, ...head("headIndex"), status: 200 },
  { ...INDEX, ...refusesMethod("POST") },

  { ...STATUS, method: "GET", does: "says that the service is up", status: 200 },
  { ...STATUS, ...head("headStatus"), status: 200 },
  { ...STATUS, ...refusesMethod("POST") },
];

/** The statistics. */
const STATS_CASES: Case[] = [
  { ...STATS, method: "GET", does: "counts sign-ups", send: bearer, status: 200, shows: "token" },
  { ...STATS, ...head("headWaitlistStats"), send: bearer, status: 200, shows: "token" },
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
    does: "challenges a token that is not valid",
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

function head(operation: string) {
  return { operation, method: "HEAD", does: "answers headers alone" };
}

function bearer({ accessToken }: CaseAccess) {
  return { headers: { Authorization: `Bearer ${accessToken}` } };
}

const CASES = [...SERVICE_CASES, ...TOKEN_CASES, ...STATS_CASES, ...SIGN_UP_CASES];

const METHODS = ["get", "head", "post", "put", "patch", "delete", "options", "trace"];

/** The cases of an environment for the paths that the document describes, in the order of calling. */
export function casesFor(document: unknown, environment: EnvironmentName): Case[] {
  const paths = pathsOf(document);
  return CASES.filter(({ path, sandboxOnly }) =>
    path in paths && (environment === "sandbox" || !sandboxOnly)
  );
}

/** The differences between the operations of a document and those that have cases. */
export function coverageFaults(document: unknown): string[] {
  const described = new Set(
    Object.entries(pathsOf(document)).flatMap(([path, item]) =>
      METHODS.filter((method) => isObject(item) && method in item)
        .map((method) => `${method.toUpperCase()} ${path}`)
    ),
  );
  const called = new Set(
    CASES.filter(({ status }) => status !== 405).map(({ method, path }) => `${method} ${path}`),
  );
  return [
    ...[...called.difference(described)].map((name) => `the document does not describe ${name}`),
    ...[...described.difference(called)].map((name) => `this program has no case for ${name}`),
  ];
}

function pathsOf(document: unknown): Record<string, unknown> {
  return isObject(document) && isObject(document.paths) ? document.paths : {};
}
