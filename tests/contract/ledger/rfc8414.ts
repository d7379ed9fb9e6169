import type { Clause } from "./clause.ts";

/** Authorization Server Metadata. */
export const rfc8414: Clause[] = [
  {
    source: "RFC 8414 §2 REQUIRED",
    requirement: "issuer, token_endpoint and response_types_supported are present.",
    tests: ["authorizationServerMetadata() describes each environment's issuer when it is served"],
  },
  {
    source: "RFC 8414 §2",
    requirement: "issuer is an https URL.",
    deviates: "because BASE_URL may be a plain HTTP address for local use; an operator's is https",
  },
  {
    source: "RFC 8414 §2 REQUIRED",
    requirement: "authorization_endpoint, unless no grant type uses it.",
    tests: ["authorizationServerMetadata() describes each environment's issuer when it is served"],
  },
  {
    source: "RFC 8414 §2 OPTIONAL",
    requirement:
      "grant_types_supported and token_endpoint_auth_methods_supported replace defaults " +
      "that would be wrong here.",
    tests: [
      "authorizationServerMetadata() describes each environment's issuer when it is served",
      "oauth4webapi reads the ${environment.name} statistics by ${method} when it knows the issuer alone",
    ],
  },
  {
    source: "RFC 8414 §2 RECOMMENDED",
    requirement: "scopes_supported lists the scopes.",
    tests: ["authorizationServerMetadata() describes each environment's issuer when it is served"],
  },
  {
    source: "RFC 8414 §2 OPTIONAL",
    requirement: "jwks_uri names the keys that verify signatures.",
    neverArises: "because the tokens are signed with HS256, whose key is a secret",
  },
  {
    source: "RFC 8414 §3 MUST",
    requirement: "The metadata stands at /.well-known/oauth-authorization-server.",
    tests: [
      "authorizationServerMetadata() describes each environment's issuer when it is served",
      "oauth4webapi reads the ${environment.name} statistics by ${method} when it knows the issuer alone",
    ],
  },
  {
    source: "RFC 8414 §3.1 MUST",
    requirement: "An issuer's path is inserted behind the well-known path.",
    tests: [
      "oauth4webapi reads the ${environment.name} statistics by ${method} when it knows the issuer alone",
      "discoveryDocuments() are the same under every path when a document has several",
    ],
  },
  {
    source: "RFC 8414 §3.1 MUST",
    requirement: "The document is asked for by GET, over TLS.",
    tests: ["discoveryDocuments() are answered with their media types when asked by GET"],
  },
  {
    source: "RFC 8414 §3.2 MUST",
    requirement: "The answer is 200 with application/json.",
    tests: ["discoveryDocuments() are answered with their media types when asked by GET"],
  },
  {
    source: "RFC 8414 §3.2 MUST",
    requirement: "Members with zero elements are left out.",
    deviates: "because response_types_supported is required and there is none to name; " +
      'decisions, "Index, discovery, documents", gives it as an empty list',
  },
  {
    source: "RFC 8414 §3.3 MUST",
    requirement: "issuer is identical to the one that the URL was made from.",
    tests: [
      "oauth4webapi reads the ${environment.name} statistics by ${method} when it knows the issuer alone",
      "oauth4webapi refuses the metadata of an issuer when it asked for another",
    ],
  },
];
