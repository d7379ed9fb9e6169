import type { Clause } from "./clause.ts";

const LEGACY = "joinWaitlistLegacy() works as joinWaitlist and says that it is deprecated";

/** The Deprecation HTTP response header field. */
export const rfc9745: Clause[] = [
  {
    source: "RFC 9745 §2.1",
    requirement: "Deprecation is a Date of RFC 9651: @ and Unix seconds.",
    tests: [LEGACY],
  },
  {
    source: "RFC 9745 §2.2",
    requirement: "It is about the resource that answers, whatever the status.",
    tests: [LEGACY],
  },
  {
    source: "RFC 9745 §3 MAY",
    requirement: "A Link leads to what to use in its place.",
    tests: [LEGACY],
  },
  {
    source: "RFC 9745 §4 MUST NOT",
    requirement: "Sunset is not earlier than Deprecation.",
    neverArises: "because the contract keeps deprecated operations working: there is no Sunset",
  },
  {
    source: "RFC 9745 §5",
    requirement: "A deprecated resource behaves as before.",
    tests: [LEGACY],
  },
];
