import type { Clause } from "./clause.ts";

/** Protected Resource Metadata. */
export const rfc9728: Clause[] = [
  {
    source: "RFC 9728 §2 REQUIRED",
    requirement: "resource is the resource's identifier, a URL without fragment.",
    tests: ["protectedResourceMetadata() describes each environment's API when it is served"],
  },
  {
    source: "RFC 9728 §2 OPTIONAL",
    requirement: "authorization_servers lists the issuers whose tokens are good here.",
    tests: [
      "protectedResourceMetadata() describes each environment's API when it is served",
      "protectedResourceMetadata() names the audience of the tokens when it names the resource",
    ],
  },
  {
    source: "RFC 9728 §2 RECOMMENDED",
    requirement: "scopes_supported and resource_name are given.",
    tests: ["protectedResourceMetadata() describes each environment's API when it is served"],
  },
  {
    source: "RFC 9728 §2 OPTIONAL",
    requirement: "bearer_methods_supported is header alone.",
    tests: [
      "protectedResourceMetadata() describes each environment's API when it is served",
      "getWaitlistStats() takes a token nowhere but in the Authorization header",
    ],
  },
  {
    source: "RFC 9728 §3 MUST",
    requirement: "The metadata stands at the well-known path, put between host and path.",
    tests: [
      "protectedResourceMetadata() describes each environment's API when it is served",
      "oauth4webapi reads the ${environment.name} statistics by ${method} when it knows the issuer alone",
    ],
  },
  {
    source: "RFC 9728 §3.2 MUST",
    requirement: "The answer is 200 with application/json, and no member has zero values.",
    tests: [
      "discoveryDocuments() are answered with their media types when asked by GET",
      "protectedResourceMetadata() describes each environment's API when it is served",
    ],
  },
  {
    source: "RFC 9728 §3.3 MUST",
    requirement: "resource is identical to the identifier that the document's URL was made from.",
    tests: [
      "oauth4webapi follows the ${environment.name} challenge to the token endpoint when the call had no valid token",
    ],
  },
  {
    source: "RFC 9728 §3.3 MUST",
    requirement:
      "Where a challenge led to the metadata, resource is the URL of the refused request.",
    deviates:
      "because the contract points /api/v1/waitlist/stats to the metadata of /api/v1, the " +
      "resource that holds it; a client compares with that, which the index names",
  },
  {
    source: "RFC 9728 §4",
    requirement:
      "protected_resources of the authorization server lists the resource, and the other way round.",
    tests: [
      "oauth4webapi reads the ${environment.name} statistics by ${method} when it knows the issuer alone",
    ],
  },
  {
    source: "RFC 9728 §5.1",
    requirement: "resource_metadata of the challenge is the URL of the metadata, on 401 and 403.",
    tests: [
      "protectedResourceMetadata() is where the challenge points when a stats call is refused",
      "getWaitlistStats() answers insufficient_scope when a token lacks the scope",
    ],
  },
  {
    source: "RFC 9728 §7.1 MUST",
    requirement: "The metadata is served over TLS.",
    deviates: "because the service speaks plain HTTP behind the proxy that ends TLS",
  },
];
