import assert from "node:assert/strict";
import { limitFindings } from "../../shared/contract.ts";

/** A method, a prefix, a path and the limit that counts there (contract, "Limits"). */
const LIMITS: [method: string, prefix: string, path: string, limit: number][] = [
  ["GET", "", "/api/v1", 30],
  ["GET", "", "/api/v1/status", 120],
  ["HEAD", "", "/api/v1/status", 120],
  ["POST", "", "/api/v1/status", 30],
  ["GET", "", "/api/v1/status/", 30],
  ["GET", "/sandbox", "/api/v1/status", 120],
  ["POST", "/sandbox", "/api/v1/waitlist", 120],
];

for (const [method, prefix, path, limit] of LIMITS) {
  Deno.test(`limitFindings() expects ${limit} when asked by ${method} ${prefix}${path}`, () => {
    const other = 150 - limit;
    const response = { method, place: { prefix, path }, status: 200 };
    assert.deepEqual(limitFindings({ ...response, headers: limitHeaders(limit) }), []);
    assert.deepEqual(limitFindings({ ...response, headers: limitHeaders(other) }), [
      `header RateLimit-Limit must be ${limit} here, not ${other}`,
    ]);
  });
}

/** Headers of a 429 that break one rule, and the finding. */
const FAULTS: [fault: Record<string, string>, finding: string][] = [
  [
    { "RateLimit-Policy": "120;w=60" },
    "header RateLimit-Policy must be 30;w=60 as the limit is 30, not 120;w=60",
  ],
  [{ "RateLimit-Remaining": "1" }, "header RateLimit-Remaining must be 0 on a refusal, not 1"],
  [{ "Retry-After": "41" }, "header Retry-After must be 40 as RateLimit-Reset is, not 41"],
];

for (const [fault, finding] of FAULTS) {
  Deno.test(`limitFindings() says that ${finding}`, () => {
    const refusal = { method: "GET", place: { prefix: "", path: "/api/v1" }, status: 429 };
    const good = { ...Object.fromEntries(limitHeaders(30)), "Retry-After": "40" };
    assert.deepEqual(limitFindings({ ...refusal, headers: new Headers(good) }), []);
    const headers = new Headers(good);
    for (const [name, value] of Object.entries(fault)) headers.set(name, value);
    assert.deepEqual(limitFindings({ ...refusal, headers }), [finding]);
  });
}

Deno.test("limitFindings() expects no more left than the limit", () => {
  const response = { method: "GET", place: { prefix: "", path: "/api/v1" }, status: 200 };
  const headers = limitHeaders(30);
  headers.set("RateLimit-Remaining", "30");
  assert.deepEqual(limitFindings({ ...response, headers }), []);
  headers.set("RateLimit-Remaining", "31");
  assert.deepEqual(limitFindings({ ...response, headers }), [
    "header RateLimit-Remaining must be at most 30 as the limit is, not 31",
  ]);
});

function limitHeaders(limit: number): Headers {
  return new Headers({
    "RateLimit-Limit": String(limit),
    "RateLimit-Remaining": "0",
    "RateLimit-Reset": "40",
    "RateLimit-Policy": `${limit};w=60`,
  });
}
