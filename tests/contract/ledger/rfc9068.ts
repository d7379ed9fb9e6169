import type { Clause } from "./clause.ts";

const CLAIMS =
  "createAccessToken() signs exactly the header and claims of decisions, Tokens, when it issues";

/**
 * JWT Profile for OAuth 2.0 Access Tokens. The tokens have its header and claims, but the contract's
 * algorithm keeps the service from claiming the profile; nothing it publishes says so.
 */
export const rfc9068: Clause[] = [
  {
    source: "RFC 9068 §2.1 MUST",
    requirement: "Tokens are signed, and not with none.",
    tests: [
      CLAIMS,
      "getWaitlistStats() answers invalid_token when the token's signature needs another key",
    ],
  },
  {
    source: "RFC 9068 §2.1 MUST",
    requirement: "Servers support RS256.",
    deviates: "because the contract signs with HS256, whose key only this service holds",
  },
  {
    source: "RFC 9068 §2.1 MUST",
    requirement: "typ is at+jwt or application/at+jwt.",
    tests: [
      CLAIMS,
      "getWaitlistStats() answers invalid_token when the token is none that the service issues",
    ],
  },
  {
    source: "RFC 9068 §2.2 REQUIRED",
    requirement: "iss, exp, aud, sub, client_id, iat and jti are present.",
    tests: [CLAIMS],
  },
  {
    source: "RFC 9068 §2.2",
    requirement: "sub is the client where no resource owner takes part.",
    tests: [CLAIMS],
  },
  {
    source: "RFC 9068 §2.2.1",
    requirement: "auth_time, acr and amr tell of the resource owner's authentication.",
    neverArises: "because the client credentials grant has no resource owner",
  },
  {
    source: "RFC 9068 §2.2.3 SHOULD",
    requirement: "scope holds the scopes granted.",
    tests: [
      CLAIMS,
      "createAccessToken() leaves the scope out of answer and token when the client has none",
    ],
  },
];
