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

/** A status, headers that may go with it, others that break one rule, and the finding. */
const FAULTS: [status: number, good: HeadersInit, fault: HeadersInit, finding: string][] = [
  [
    429,
    {},
    { "RateLimit-Policy": "120;w=60" },
    "header RateLimit-Policy must be 30;w=60 as the limit is 30, not 120;w=60",
  ],
  [
    429,
    {},
    { "RateLimit-Remaining": "1" },
    "header RateLimit-Remaining must be 0 on a refusal, not 1",
  ],
  [
    200,
    { "RateLimit-Remaining": "30" },
    { "RateLimit-Remaining": "31" },
    "header RateLimit-Remaining must be at most 30 as the limit is, not 31",
  ],
];

for (const [status, good, fault, finding] of FAULTS) {
  Deno.test(`limitFindings() says that ${finding}`, () => {
    const response = { method: "GET", place: { prefix: "", path: "/api/v1" }, status };
    const findingsOf = (given: HeadersInit) => {
      const headers = limitHeaders(30);
      headers.set("Retry-After", "40");
      for (const [name, value] of new Headers(given)) headers.set(name, value);
      return limitFindings({ ...response, headers });
    };
    assert.deepEqual(findingsOf(good), []);
    assert.deepEqual(findingsOf(fault), [finding]);
  });
}

function limitHeaders(limit: number): Headers {
  return new Headers({
    "RateLimit-Limit": String(limit),
    "RateLimit-Remaining": "0",
    "RateLimit-Reset": "40",
    "RateLimit-Policy": `${limit};w=60`,
  });
}
