import type { Clause } from "./clause.ts";

/** Bearer Token Usage. */
export const rfc6750: Clause[] = [
  {
    source: "RFC 6750 §2.1 MUST",
    requirement: "The resource server takes tokens from the Authorization header.",
    tests: [
      "getWaitlistStats() answers the counts of this moment in production",
      "oauth4webapi reads the ${environment.name} statistics by ${method} when it knows the issuer alone",
    ],
  },
  {
    source: "RFC 6750 §2.2, §2.3 SHOULD NOT",
    requirement: "Tokens in the body or the query are not advertised, and not taken.",
    tests: ["getWaitlistStats() takes a token nowhere but in the Authorization header"],
  },
  {
    source: "RFC 6750 §3 MUST",
    requirement: "A call without credentials, or with a token that is not enough, is challenged.",
    tests: [
      "getWaitlistStats() answers unauthorized when no Bearer token is sent",
      "getWaitlistStats() answers insufficient_scope when a token lacks the scope",
    ],
  },
  {
    source: "RFC 6750 §3 MUST",
    requirement: "The challenge has the scheme Bearer and one or more auth-params.",
    tests: [
      "challenge() quotes every parameter in the order given",
      "oauth4webapi follows the ${environment.name} challenge to the token endpoint when the call had no valid token",
    ],
  },
  {
    source: "RFC 6750 §3 MUST NOT",
    requirement:
      "realm, scope, error and error_description each appear once, in the characters allowed.",
    tests: [
      "challenge() lets no value end its quotes or its header when it holds such characters",
      "toQuotable() changes exactly the characters that RFC 6749 §5.2 rules out",
      "openapi.json has only examples that the service answers with when it is asked so",
    ],
  },
  {
    source: "RFC 6750 §3 SHOULD",
    requirement: "A call whose token failed is told why by error.",
    tests: [
      "getWaitlistStats() answers invalid_token when the token is none that the service issues",
      "getWaitlistStats() answers insufficient_scope when a token lacks the scope",
    ],
  },
  {
    source: "RFC 6750 §3 SHOULD NOT",
    requirement: "A call without credentials is told no error code.",
    deviates: "because the contract's challenge carries the error of the body in every rejection",
  },
  {
    source: "RFC 6750 §3.1",
    requirement: "invalid_token is 401, insufficient_scope is 403.",
    tests: [
      "getWaitlistStats() takes a token to its last second, and no longer, when 900 s have passed",
      "getWaitlistStats() answers insufficient_scope when a token lacks the scope",
    ],
  },
  {
    source: "RFC 6750 §3.1",
    requirement: "The error codes of the challenge are registered ones.",
    deviates:
      "because the contract's code for a call without a Bearer token, unauthorized, is not; " +
      "clients act on the status and on resource_metadata",
  },
  {
    source: "RFC 6750 §3.1 SHOULD",
    requirement: "A malformed request, such as one with two tokens, is invalid_request with 400.",
    deviates: "because the contract knows no 400 of this operation: what follows the scheme and " +
      "does not verify is invalid_token",
  },
  {
    source: "RFC 6750 §5.3 SHOULD",
    requirement: "Tokens live an hour or less.",
    tests: [
      "getWaitlistStats() takes a token to its last second, and no longer, when 900 s have passed",
    ],
  },
  {
    source: "RFC 6750 §5.2",
    requirement: "The audience is checked, so that a token of elsewhere is not taken.",
    tests: [
      "getWaitlistStats() answers invalid_token when the other environment issued the token",
      "getWaitlistStats() answers invalid_token when the token is none that the service issues",
    ],
  },
];
