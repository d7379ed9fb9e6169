import type { Clause } from "./clause.ts";

const LIMIT = "createApi() allows ${limit} requests a minute and refuses the next at ${path}";

/** 429 Too Many Requests. */
export const rfc6585: Clause[] = [
  {
    source: "RFC 6585 §4 SHOULD",
    requirement: "429 explains the condition.",
    tests: [
      LIMIT,
      "openapi.json has only examples that the service answers with when it is asked so",
    ],
  },
  {
    source: "RFC 6585 §4 MAY",
    requirement: "429 says when to come again by Retry-After.",
    tests: [LIMIT],
  },
  {
    source: "RFC 6585 §4 MUST NOT",
    requirement: "429 is not stored by a cache.",
    tests: ["createApi() refuses every operation when its limit is used up"],
  },
];
