import type { Clause } from "./clause.ts";

const NOT_MODIFIED = "serveDocument() answers 304 when If-None-Match names the tag";

/** HTTP Semantics: challenges, methods, validators. */
export const rfc9110: Clause[] = [
  {
    source: "RFC 9110 §8.3",
    requirement: "Media types are compared without case, their parameters apart.",
    tests: ["mediaType() drops parameters, spaces and case when it reads a Content-Type"],
  },
  {
    source: "RFC 9110 §8.6 MUST NOT",
    requirement: "Content-Length of a HEAD's answer is that of the GET's.",
    tests: [
      "getStatus() answers a GET's headers without a body when asked by HEAD",
      "discoveryDocuments() answer a GET's headers without a body when asked by HEAD",
    ],
  },
  {
    source: "RFC 9110 §8.8.3",
    requirement: "A strong ETag changes whenever the bytes do.",
    tests: ["serveDocument() gives each text a strong tag of its own"],
  },
  {
    source: "RFC 9110 §9.1 MUST",
    requirement: "GET and HEAD are supported by resources that can be read.",
    tests: [
      "createApi() names the accepted methods when it answers 405",
      "discoveryDocuments() answer a GET's headers without a body when asked by HEAD",
    ],
  },
  {
    source: "RFC 9110 §9.3.2 MUST NOT, SHOULD",
    requirement: "A HEAD's answer has the header fields of the GET's and no content.",
    tests: [
      "createApi() sets the API's headers when the method is HEAD, whatever the answer",
      "getWaitlistStats() answers a GET's headers without a body when asked by HEAD",
    ],
  },
  {
    source: "RFC 9110 §10.2.3",
    requirement: "Retry-After is a whole number of seconds.",
    tests: ["createApi() allows ${limit} requests a minute and refuses the next at ${path}"],
  },
  {
    source: "RFC 9110 §11.1",
    requirement: "An authentication scheme is recognized in any case.",
    tests: [
      "getWaitlistStats() reads the Bearer scheme in any case when a token is sent",
      "readClientAuthentication() reads HTTP Basic when the credentials are well-formed",
    ],
  },
  {
    source: "RFC 9110 §11.6.1",
    requirement: "A challenge's parameters are tokens or quoted strings.",
    tests: [
      "challenge() lets no value end its quotes or its header when it holds such characters",
      "oauth4webapi follows the ${environment.name} challenge to the token endpoint when the call had no valid token",
    ],
  },
  {
    source: "RFC 9110 §12.5.5 SHOULD",
    requirement: "Vary names the request headers that chose the representation.",
    neverArises: "because an API answer, or a discovery document, has one representation for all",
  },
  {
    source: "RFC 9110 §13.1.2 MUST",
    requirement: "If-None-Match compares weakly, takes lists and *, and makes a GET or HEAD 304.",
    tests: [
      NOT_MODIFIED,
      "serveDocument() answers the text when If-None-Match names other tags",
      "discoveryDocuments() answer 304 when If-None-Match names their tag",
    ],
  },
  {
    source: "RFC 9110 §13.1.2 MUST",
    requirement: "If-None-Match makes any other method 412.",
    neverArises:
      "because documents take GET and HEAD alone, and preconditions are looked at only " +
      "where the answer would else be a success (§13.2.1)",
  },
  {
    source: "RFC 9110 §15.4.4",
    requirement: "303 leads to another resource by Location.",
    tests: ["joinWaitlist() stores a sign-up and redirects to the thanks page when a form is sent"],
  },
  {
    source: "RFC 9110 §15.4.5 MUST",
    requirement: "304 carries the ETag, Cache-Control and Vary of the 200.",
    tests: [NOT_MODIFIED],
  },
  {
    source: "RFC 9110 §15.5.2 MUST",
    requirement: "401 carries a challenge.",
    tests: [
      "getWaitlistStats() answers unauthorized when no Bearer token is sent",
      "createAccessToken() challenges a refused client when an Authorization header was sent",
    ],
  },
  {
    source: "RFC 9110 §15.5.2 MUST (token endpoint, no Authorization sent)",
    requirement: "401 carries a challenge.",
    deviates:
      "because the contract, as RFC 6749 §5.2, challenges only a client that authenticated " +
      "by the Authorization header; the other way is no HTTP authentication",
  },
  {
    source: "RFC 9110 §15.5.6 MUST",
    requirement: "405 lists the methods that are accepted in Allow.",
    tests: [
      "createApi() names the accepted methods when it answers 405",
      "discoveryDocuments() refuse other methods when they are called with one",
    ],
  },
  {
    source: "RFC 9110 §15.5.14",
    requirement: "413 refuses content that is larger than the server takes.",
    tests: [
      "joinWaitlist() refuses a body of 65,537 bytes with 413 payload_too_large",
      "createAccessToken() refuses a body when it is over 65,536 bytes",
    ],
  },
  {
    source: "RFC 9110 §15.5.16",
    requirement: "415 refuses content of an unsupported format.",
    tests: ["joinWaitlist() refuses other media types with 415 unsupported_media_type"],
  },
];
