import type { Clause } from "./clause.ts";

/** The OAuth 2.0 Authorization Framework: client authentication, token endpoint, errors. */
export const rfc6749: Clause[] = [
  {
    source: "RFC 6749 §2.3.1 MUST",
    requirement: "HTTP Basic is supported for clients that hold a password.",
    tests: [
      "createAccessToken() issues a token when the client authenticates in either way",
      "oauth4webapi reads the ${environment.name} statistics by ${method} when it knows the issuer alone",
    ],
  },
  {
    source: "RFC 6749 §2.3.1 (appendix B)",
    requirement: "Id and secret are form-encoded before they become Basic's user and password.",
    tests: [
      "createAccessToken() form-decodes id and secret when they hold reserved characters",
      "readClientAuthentication() reads HTTP Basic when the credentials are well-formed",
    ],
  },
  {
    source: "RFC 6749 §2.3.1 MAY",
    requirement: "client_id and client_secret may come in the request body.",
    tests: [
      "createAccessToken() issues a token when the client authenticates in either way",
      "readClientAuthentication() reads the body when there is no Authorization",
    ],
  },
  {
    source: "RFC 6749 §2.3.1 MUST NOT",
    requirement: "The parameters are not taken from the request URI.",
    tests: ["createAccessToken() takes no parameter when it stands in the request's query"],
  },
  {
    source: "RFC 6749 §2.3 MUST NOT",
    requirement: "A client uses no more than one authentication method in a request.",
    tests: [
      "readClientAuthentication() finds a double authentication when Basic and body both have one",
      "createAccessToken() names the first fault, in the order of decisions, when faults meet",
    ],
  },
  {
    source: "RFC 6749 §2.3.1 MUST",
    requirement: "The token endpoint is protected against brute force.",
    tests: [
      "createApi() refuses every operation when its limit is used up",
      "newClient() makes a secret of 256 bits and keeps its digest alone",
    ],
  },
  {
    source: "RFC 6749 §2.3.1, §3.2 MUST",
    requirement: "The token endpoint is used over TLS.",
    deviates:
      "because the service speaks plain HTTP behind the proxy that ends TLS; an operator's " +
      "BASE_URL is an https address, and plain HTTP is for local use",
  },
  {
    source: "RFC 6749 §3.2 MUST",
    requirement: "Token requests use POST.",
    tests: ["createAccessToken() refuses every method but POST when it is called"],
  },
  {
    source: "RFC 6749 §3.2 MUST",
    requirement: "A parameter without a value is treated as if it were left out.",
    tests: ["decideGrant() takes a parameter for absent when its value is empty"],
  },
  {
    source: "RFC 6749 §3.2 MUST",
    requirement: "Unrecognized parameters are ignored.",
    tests: ["decideGrant() ignores a parameter when it does not know it"],
  },
  {
    source: "RFC 6749 §3.2 MUST NOT",
    requirement: "No parameter is included more than once.",
    tests: [
      "decideGrant() refuses a parameter when it is given twice",
      "parseForm() names the first repeated name and keeps its first value",
    ],
  },
  {
    source: "RFC 6749 §3.2.1 MUST",
    requirement: "Confidential clients authenticate at the token endpoint.",
    tests: ["decideGrant() refuses a client when it is unknown, disabled or has another secret"],
  },
  {
    source: "RFC 6749 §3.3 MUST",
    requirement: "The answer names the scope when it differs from the one asked for.",
    tests: [
      "createAccessToken() issues a token when the client authenticates in either way",
      "createAccessToken() leaves the scope out of answer and token when the client has none",
    ],
  },
  {
    source: "RFC 6749 §3.3 MUST",
    requirement: "Without a scope asked for, a default is used, or the request fails.",
    tests: ["decideGrant() grants all of the client's scopes when the request names none"],
  },
  {
    source: "RFC 6749 §4.4 MUST",
    requirement: "The client credentials grant is used by confidential clients only.",
    deviates: "because the contract publishes the sandbox client's secret; its tokens read fixed " +
      "example statistics and are worthless in production",
  },
  {
    source: "RFC 6749 §4.4.2 REQUIRED",
    requirement: "grant_type is client_credentials.",
    tests: ["decideGrant() supports no grant type but client_credentials when one is named"],
  },
  {
    source: "RFC 6749 §4.4.2 MUST",
    requirement: "The server authenticates the client before it issues a token.",
    tests: [
      "decideGrant() refuses a client when it is unknown, disabled or has another secret",
      "createAccessToken() knows no client of the other environment when it is asked",
    ],
  },
  {
    source: "RFC 6749 §4.4.3 SHOULD NOT",
    requirement: "The answer has no refresh token.",
    tests: ["createAccessToken() issues a token when the client authenticates in either way"],
  },
  {
    source: "RFC 6749 §5.1 REQUIRED",
    requirement: "The answer is JSON with access_token, token_type and expires_in in seconds.",
    tests: [
      "createAccessToken() issues a token when the client authenticates in either way",
      "oauth4webapi reads the ${environment.name} statistics by ${method} when it knows the issuer alone",
    ],
  },
  {
    source: "RFC 6749 §5.1 MUST",
    requirement: "Cache-Control: no-store and Pragma: no-cache keep tokens out of caches.",
    tests: ["createAccessToken() issues a token when the client authenticates in either way"],
  },
  {
    source: "RFC 6749 §5.2",
    requirement:
      "Errors are 400 with error: invalid_request, unsupported_grant_type, invalid_scope.",
    tests: [
      "createAccessToken() names the first fault, in the order of decisions, when faults meet",
      "createAccessToken() asks for a form when Content-Type is another",
      "decideGrant() refuses a scope when it is unknown or not the client's",
    ],
  },
  {
    source: "RFC 6749 §5.2 MUST",
    requirement:
      "invalid_client is 401 with WWW-Authenticate if the Authorization header was used.",
    tests: [
      "createAccessToken() challenges a refused client when an Authorization header was sent",
      "oauth4webapi reads the ${environment.name} refusal when the client's secret is wrong",
    ],
  },
  {
    source: "RFC 6749 §5.2 MUST NOT",
    requirement: "error_description keeps to %x20-21, %x23-5B and %x5D-7E.",
    tests: [
      "createAccessToken() describes a fault in the RFC's characters when it quotes others",
      "toQuotable() changes exactly the characters that RFC 6749 §5.2 rules out",
    ],
  },
  {
    source: "RFC 6749 §5.2",
    requirement: "unauthorized_client: an authenticated client may not use the grant.",
    neverArises: "because every client is made for the one grant that there is",
  },
];
