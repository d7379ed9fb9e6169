/**
 * Requests to the console, most of them by an operator who is signed in: their forms hold what no page sends. @module
 */
import fc from "fast-check";
import { PATHS, SIGN_IN_PATH, SIGN_OUT_PATH } from "../../../server/console/page_context.ts";
import { createUrlTokens } from "../../../server/console/url_tokens.ts";
import { createSessions } from "../../../server/console/sessions.ts";
import { OPERATOR_KEY } from "../../support/operator.ts";
import { BASE_URL, START } from "../../support/service.ts";
import { type Body, formValue } from "./bodies.ts";
import type { FuzzRequest } from "./requests.ts";

const TARGETS = [
  ...Object.values(PATHS),
  ...Object.values(PATHS),
  `${PATHS.people}chosen/`,
  ...["codes/", "wave/"].map((page) => `${PATHS.invite}${page}`),
  `${PATHS.clients}client/`,
  SIGN_IN_PATH,
  SIGN_OUT_PATH,
  "/operator",
  "/operator/people",
];

/** The names and values that the forms of the pages have. */
const FIELDS: Record<string, string[]> = {
  act: [
    "erase",
    "export",
    "invite",
    "remind",
    "undeliverable",
    "answers",
    "note",
    "renew",
    "resend",
    "x",
  ],
  action: ["create", "rotate", "disable", "enable", "retry", "verify", "repair", "backup", "x"],
  after: ["2026-11-21T12:00:00.000Z"],
  after_at: ["2026-11-21T12:00:00.000Z", "0"],
  after_email: ["ada@example.com"],
  client_id: ["nobody", "..", "a/b", ""],
  confirmed: ["yes", "yes", "no"],
  chosen_0: ["ada@example.com", "nobody@example.com"],
  new_email: ["ada@example.com", "x"],
  format: ["csv", "ndjson"],
  id: ["x", ".."],
  key: [OPERATOR_KEY, "wrong"],
  lang: ["de", "en", "fr"],
  letters: ["yes", "no"],
  link: ["https://app.example.com/?code={code}", "javascript:alert(1)", "x"],
  name: ["Partner"],
  next: ["1", "2", "-1", "1e9", "0x1"],
  operator: ["operator", "nobody"],
  order: ["oldest", "newest"],
  overlap: ["60", "-1"],
  scopes: ["waitlist:stats:read"],
  search: ["a", "ada@", ""],
  since: ["2026-11-01", "yesterday"],
  source: ["hero", "cta"],
  state: ["waiting", "unconfirmed", "invited", "x"],
  until: ["2026-11-21"],
  wave: ["first", "../x", ""],
};

const field = fc.constantFrom(...Object.entries(FIELDS)).chain(([name, values]) =>
  fc.tuple(
    fc.constant(name),
    fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...values) }, {
      weight: 1,
      arbitrary: formValue,
    }),
  )
);

const fields = fc.array(field, { maxLength: 7 }).map((fields) =>
  new URLSearchParams(fields.map(([name, value]) => [name, value.toWellFormed()])).toString()
);

const body: fc.Arbitrary<Body> = fields.map((text) => ({
  bytes: new TextEncoder().encode(text),
  type: "application/x-www-form-urlencoded",
}));

const operator = { name: "operator", role: "operator" as const, key: OPERATOR_KEY };
const options = {
  baseUrl: BASE_URL,
  now: () => START,
  random: (length: number) => crypto.getRandomValues(new Uint8Array(length)),
};
const [cookie = ""] = createSessions([operator], options).begin(operator.name).split(";");

/** Queries that hold the fields of forms, and pages of people, most of whom there are not. */
function encryptedUrls(key: Uint8Array) {
  const queries = createUrlTokens(key, "query");
  const people = createUrlTokens(key, "person");
  return {
    queries: fc.sample(fields, { numRuns: 100, seed: 1 })
      .map((text) => `?q=${queries.encrypt(JSON.stringify([...new URLSearchParams(text)]))}`),
    people: ["x", "..", "", "a".repeat(64)].map((id) => `${PATHS.people}${people.encrypt(id)}`)
      .flatMap((path) => [path, `${path}/correct`, `${path}/proof`]),
  };
}

/** Makes requests below `/operator/` that are not the API's. @param key the key of the console's URLs */
export function consoleRequests(key: Uint8Array): fc.Arbitrary<FuzzRequest> {
  const encrypted = encryptedUrls(key);
  return fc.record({
    method: fc.constantFrom("POST", "POST", "POST", "GET", "HEAD", "PUT"),
    target: fc.constantFrom(...TARGETS, ...encrypted.people),
    query: fc.oneof(
      { weight: 2, arbitrary: fc.constant("") },
      { weight: 1, arbitrary: fields.map((text) => `?${text}`) },
      { weight: 1, arbitrary: fc.constantFrom(...encrypted.queries) },
    ),
    body,
    cookie: fc.constantFrom(cookie, cookie, cookie, cookie, `${cookie}x`, ""),
    origin: fc.constantFrom(...Array(9).fill(BASE_URL), "null", "https://evil.example"),
    lang: fc.constantFrom("de", "en"),
    source: fc.ipV4(),
  }).map(({ method, target, query, body, cookie, origin, lang, source }) => ({
    method,
    target: target + query,
    body: method === "POST" ? body : undefined,
    framing: "length",
    headers: [
      ["Host", "localhost"],
      ["X-Forwarded-For", source],
      ["Cookie", cookie],
      ["Origin", origin],
      ["Accept-Language", lang],
      ...method === "POST" ? [["Content-Type", body.type] as [string, string]] : [],
    ],
  }));
}
