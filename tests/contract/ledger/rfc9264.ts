import type { Clause } from "./clause.ts";

/** Linkset. */
export const rfc9264: Clause[] = [
  {
    source: "RFC 9264 §4.2.1 MUST",
    requirement: "The document is an object whose one member, linkset, is an array.",
    tests: ["apiCatalog() is a linkset by every rule of RFC 9264 when it is served"],
  },
  {
    source: "RFC 9264 §4.2.2 MUST",
    requirement: "A link context has an anchor and, by relation type, arrays of targets.",
    tests: ["apiCatalog() is a linkset by every rule of RFC 9264 when it is served"],
  },
  {
    source: "RFC 9264 §4.2.3 MUST",
    requirement: "A link target is an object with href, a URI reference.",
    tests: ["apiCatalog() is a linkset by every rule of RFC 9264 when it is served"],
  },
  {
    source: "RFC 9264 §4.2.4.1",
    requirement: "type and title are strings.",
    tests: ["apiCatalog() is a linkset by every rule of RFC 9264 when it is served"],
  },
  {
    source: "RFC 9264 §4.2 MUST",
    requirement: "The document is UTF-8.",
    tests: ["apiCatalog() is a linkset by every rule of RFC 9264 when it is served"],
  },
  {
    source: "RFC 9264 §5",
    requirement: "The profile is a parameter of the media type.",
    tests: ["discoveryDocuments() are answered with their media types when asked by GET"],
  },
];
