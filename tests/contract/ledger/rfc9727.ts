import type { Clause } from "./clause.ts";

/** api-catalog: a well-known URI and link relation. */
export const rfc9727: Clause[] = [
  {
    source: "RFC 9727 §2 SHALL",
    requirement: "GET on /.well-known/api-catalog returns an API catalog.",
    tests: [
      "discoveryDocuments() are answered with their media types when asked by GET",
      "apiCatalog() lists both APIs as its items when it is served",
    ],
  },
  {
    source: "RFC 9727 §2 SHOULD",
    requirement: "HEAD on it answers with a Link header of the relation api-catalog.",
    tests: ["apiCatalog() carries a Link to itself when it is asked by HEAD"],
  },
  {
    source: "RFC 9727 §3",
    requirement: "The relation api-catalog leads there from other resources of the publisher.",
    tests: [
      "discoveryLinks() stand on the index of each environment when it is asked by GET or HEAD",
    ],
  },
  {
    source: "RFC 9727 §3.1",
    requirement: "item relates the catalog to the APIs that are its members.",
    tests: ["apiCatalog() lists both APIs as its items when it is served"],
  },
  {
    source: "RFC 9727 §4 MUST",
    requirement: "The catalog is application/linkset+json.",
    tests: ["discoveryDocuments() are answered with their media types when asked by GET"],
  },
  {
    source: "RFC 9727 §4 SHOULD",
    requirement: "Its media type has the profile https://www.rfc-editor.org/info/rfc9727.",
    tests: ["discoveryDocuments() are answered with their media types when asked by GET"],
  },
  {
    source: "RFC 9727 §4 MUST",
    requirement: "It has hyperlinks to the APIs' endpoints.",
    tests: ["apiCatalog() lists both APIs as its items when it is served"],
  },
  {
    source: "RFC 9727 §4 RECOMMENDED",
    requirement: "It has metadata, such as links to OpenAPI documents.",
    tests: ["apiCatalog() links each API to its descriptions and status when it is served"],
  },
  {
    source: "RFC 9727 §5.4 SHOULD",
    requirement: "Entries are current and correctly described.",
    tests: ["apiCatalog() names the media types that its targets answer with when it gives one"],
  },
  {
    source: "RFC 9727 §8 SHOULD",
    requirement: "The catalog is available over TLS alone.",
    deviates: "because the service speaks plain HTTP behind the proxy that ends TLS",
  },
  {
    source: "RFC 9727 §8 SHOULD",
    requirement: "Requests from outside can read it and nothing else.",
    tests: ["discoveryDocuments() refuse other methods when they are called with one"],
  },
];
