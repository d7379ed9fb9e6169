import type { Clause } from "./clause.ts";

/** The lines of the contract and of decisions, where no RFC stands behind them. */
export const contract: Clause[] = [
  {
    source: 'contract, "What the service does"',
    requirement: "A zero-auth index exists in both environments.",
    tests: ["index() names every address of its environment"],
  },
  {
    source: 'contract, "What the service does"',
    requirement: "The discovery documents stand at their paths.",
    tests: ["discoveryDocuments() are answered with their media types when asked by GET"],
  },
  {
    source: 'contract, "Environments"',
    requirement: "The sandbox stores nothing and returns fixed example statistics.",
    tests: [
      "joinWaitlist() answers the same and stores nothing when it is the sandbox's",
      "getWaitlistStats() answers one fixed example in the sandbox whenever it is asked",
    ],
  },
  {
    source: 'contract, "WaitlistSignup"',
    requirement: "Any other field is rejected with 400 invalid_request.",
    tests: ["joinWaitlist() refuses unknown fields and wrong values with 400 invalid_request"],
  },
  {
    source: 'contract, "WaitlistSignup"',
    requirement: "New and known addresses get the same answer.",
    tests: ["joinWaitlist() answers a known address exactly as a new one"],
  },
  {
    source: 'contract, "WaitlistSignup"',
    requirement: "A filled honeypot ends the request without an error.",
    tests: [
      "joinWaitlist() accepts and stores nothing when the honeypot is filled in",
      "joinWaitlist() answers a filled honeypot with a success's headers and body",
    ],
  },
  {
    source: 'contract, "Status"',
    requirement: "Status has its seven fields and no other.",
    tests: ["getStatus() answers the status of each environment when asked by GET"],
  },
  {
    source: 'contract, "WaitlistStats"',
    requirement: "Counts only; no e-mail address or other personal data appears.",
    tests: ["getWaitlistStats() holds nothing of an address"],
  },
  {
    source: 'contract, "Rules per operation" 3',
    requirement: "A form is answered with 303 to a thanks page.",
    tests: ["joinWaitlist() stores a sign-up and redirects to the thanks page when a form is sent"],
  },
  {
    source: 'contract, "Rules per operation" 5',
    requirement: "The unversioned alias behaves as joinWaitlist.",
    tests: ["joinWaitlistLegacy() works as joinWaitlist and says that it is deprecated"],
  },
  {
    source: 'contract, "Authentication"',
    requirement: "Access tokens are JWTs signed with HS256 and valid for 900 seconds.",
    tests: [
      "createAccessToken() signs exactly the header and claims of decisions, Tokens, when it issues",
      "getWaitlistStats() takes a token to its last second, and no longer, when 900 s have passed",
    ],
  },
  {
    source: 'contract, "Authentication"',
    requirement: "A rejected call carries the error and resource_metadata, on 401 and 403.",
    tests: [
      "getWaitlistStats() answers unauthorized when no Bearer token is sent",
      "getWaitlistStats() answers insufficient_scope when a token lacks the scope",
      "protectedResourceMetadata() is where the challenge points when a stats call is refused",
    ],
  },
  {
    source: 'contract, "Errors"',
    requirement:
      "Every error is an Error, except 400 and 401 of the token endpoint, and the page " +
      "that a browser gets for a form (decisions).",
    tests: [
      "createApi() answers the first step that fails in ${environment}",
      "joinWaitlist() answers JSON when no form is posted, or no page asked for",
      "joinWaitlist() answers ${name} with a page when a form of a page is posted (${lang})",
      "createAccessToken() answers 429 in the shape Error when the limit is used up",
    ],
  },
  {
    source: 'contract, "Errors"',
    requirement: "500 tells nothing of what went wrong inside.",
    tests: ["createApi() answers 500 without detail and logs the cause when KV fails"],
  },
  {
    source: 'contract, "Limits"',
    requirement: "120 requests a minute for status and the sandbox, 30 for the rest, by source.",
    tests: [
      "createApi() counts each call under its limit and no other",
      "createApi() counts each source address by itself",
    ],
  },
  {
    source: 'contract, "Versioning"',
    requirement: "Every API answer carries X-API-Version: 1.",
    tests: [
      "createApi() sets the API's headers when the method is HEAD, whatever the answer",
      "request() of a test service throws the findings when an answer breaks the contract",
    ],
  },
  {
    source: 'contract, "Versioning"',
    requirement: "The OpenAPI document is 1.1.0, in OpenAPI 3.1.0.",
    tests: [
      "openApiDocument() names the service's own addresses, name and client when it is served",
      "openapi.json has no finding when @redocly/cli lints it with the recommended rules",
    ],
  },
  {
    source: 'decisions, "Configuration", BASE_URL',
    requirement: "No address that the service writes comes from the request's Host.",
    tests: [
      "index() keeps to BASE_URL whatever Host the request names",
      "discoveryDocuments() never use a request's Host when they write an address",
    ],
  },
];
