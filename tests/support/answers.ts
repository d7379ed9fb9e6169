/** Assertions on answers that many tests share: the headers of every API answer, and errors. @module */
import assert from "node:assert/strict";

/** Where the two APIs are: production's prefix and the sandbox's. */
export const PREFIXES = ["", "/sandbox"] as const;

/** The headers that the 303 alone leaves out (contract, "Endpoints"). */
const LIMIT_AND_VERSION_HEADERS = [
  "x-api-version",
  "ratelimit-limit",
  "ratelimit-remaining",
  "ratelimit-reset",
  "ratelimit-policy",
];

/** Asserts the headers of every answer under `/api` but the 303. */
export function assertApiHeaders(response: Response): void {
  const { headers } = response;
  assert.equal(headers.get("cache-control"), "no-store");
  assert.equal(headers.get("x-content-type-options"), "nosniff");
  assert.equal(headers.get("x-api-version"), "1");
  const limit = headers.get("ratelimit-limit") ?? "";
  assert.match(limit, /^(30|120)$/);
  assert.match(headers.get("ratelimit-remaining") ?? "", /^\d+$/);
  assert.match(headers.get("ratelimit-reset") ?? "", /^([1-9]|[1-5]\d|60)$/);
  assert.equal(headers.get("ratelimit-policy"), `${limit};w=60`);
  assertNoCors(response);
}

/** The API says nothing to other origins. */
function assertNoCors({ headers }: Response): void {
  const cors = [...headers.keys()].filter((name) => name.startsWith("access-control-"));
  assert.deepEqual(cors, []);
}

/**
 * Asserts an API error in the contract's shape: exactly `{error, message}`, the message a sentence of well-formed text.
 * @returns the message
 */
export async function assertError(
  response: Response,
  status: number,
  code: string,
): Promise<string> {
  const { error, message = "" } = await readError(response, status, ["error", "message"]);
  assert.equal(error, code, message);
  assert.match(message, /^[^]+\.$/);
  assert.ok(message.isWellFormed(), message);
  return message;
}

/** Reads the body of an answer of the API; asserts its status, its headers and its members. */
export async function readError(
  response: Response,
  status: number,
  members: string[],
): Promise<Record<string, string>> {
  const text = await response.text();
  assert.equal(response.status, status, text);
  assertApiHeaders(response);
  assert.equal(response.headers.get("content-type"), "application/json");
  const body = JSON.parse(text);
  assert.deepEqual(Object.keys(body), members);
  return body;
}

/** A 200 with `{accepted: true}` and no other field (contract, "Accepted"). */
export async function assertAccepted(response: Response): Promise<void> {
  const text = await response.text();
  assert.equal(response.status, 200, text);
  assertApiHeaders(response);
  assert.equal(response.headers.get("content-type"), "application/json");
  assert.equal(text, '{"accepted":true}');
}

/** A form's 303 to a thanks page, without `X-API-Version` and `RateLimit-*`. */
export async function assertThanks(response: Response, location: string): Promise<void> {
  const text = await response.text();
  assert.equal(response.status, 303, text);
  assert.equal(response.headers.get("location"), location);
  assert.equal(response.headers.get("cache-control"), "no-store");
  assert.equal(response.headers.get("x-content-type-options"), "nosniff");
  for (const name of LIMIT_AND_VERSION_HEADERS) assert.equal(response.headers.get(name), null);
  assertNoCors(response);
  assert.equal(text, "");
}

let sources = 0;

/** An address that no request came from, so that no limit stands in the way of a long table. */
export function newAddress(): string {
  sources++;
  return `10.1.${sources >> 8}.${sources & 255}`;
}

/** The headers of an answer but for `X-Request-Id`, which is another for each. */
export function headersOf(response: Response): Record<string, string> {
  const { "x-request-id": _, ...headers } = Object.fromEntries(response.headers);
  return headers;
}
