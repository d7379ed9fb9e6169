import type { Clause } from "./clause.ts";

const LIMIT = "createApi() allows ${limit} requests a minute and refuses the next at ${path}";

/**
 * RateLimit header fields, draft-ietf-httpapi-ratelimit-headers-06: the last with the field names of
 * the contract; later drafts join them into `RateLimit`.
 */
export const rateLimitDraft: Clause[] = [
  {
    source: "RateLimit draft, RateLimit-Limit",
    requirement: "A whole number: the requests allowed in the window.",
    tests: [LIMIT, "LIMITS are the contract's requests per minute"],
  },
  {
    source: "RateLimit draft, RateLimit-Policy",
    requirement: "The quota with its window in seconds as the parameter w.",
    tests: [LIMIT],
  },
  {
    source: "RateLimit draft, RateLimit-Remaining",
    requirement: "A whole number, not negative: the requests left.",
    tests: [LIMIT, "Limiter.count() allows as many requests as the limit and refuses the next"],
  },
  {
    source: "RateLimit draft, RateLimit-Reset",
    requirement: "Delay in seconds, not a moment.",
    tests: [LIMIT, "Limiter.count() names the whole seconds until the window ends"],
  },
  {
    source: "RateLimit draft, Retry-After SHOULD",
    requirement: "Retry-After and RateLimit-Reset name the same moment.",
    tests: [LIMIT],
  },
  {
    source: "RateLimit draft, server behaviour",
    requirement: "The fields may stand on any answer, errors included.",
    tests: [
      "createApi() answers 404 with the API's headers when the path is unknown",
      "createApi() answers 500 without detail and logs the cause when KV fails",
    ],
  },
];
