/** Whole requests: methods, headers, framing. @module */
import fc from "fast-check";
import { anyBody, type Body, signUpBody, tokenBody } from "./bodies.ts";
import { target } from "./paths.ts";

/** A request, as it goes over the wire. */
export interface FuzzRequest {
  method: string;
  target: string;
  headers: [name: string, value: string][];
  body: Body | undefined;
  /** How the body's end is told; `short` and `both` break HTTP. */
  framing: "length" | "chunked" | "short" | "both";
}

/** Access tokens and credentials that are good, for requests that get further than most. */
export interface Known {
  tokens: string[];
  /** Values of `Authorization` for the token endpoint. */
  basic: string[];
}

const method = fc.oneof(
  { weight: 8, arbitrary: fc.constant("POST") },
  { weight: 6, arbitrary: fc.constant("GET") },
  { weight: 2, arbitrary: fc.constant("HEAD") },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...["PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "QUERY", "post", "Get", "X"],
    ),
  },
);

/** Text that may stand in a header, also beyond ASCII. */
const headerText = fc.string({ unit: "grapheme", maxLength: 60 })
  .map((text) => text.replace(/\p{Cc}/gu, "").trim());

function authorization({ tokens, basic }: Known): fc.Arbitrary<string> {
  const token = fc.constantFrom(...tokens);
  return fc.oneof(
    { weight: 3, arbitrary: token.map((token) => `Bearer ${token}`) },
    { weight: 3, arbitrary: fc.constantFrom(...basic) },
    {
      weight: 2,
      arbitrary: fc.tuple(token, fc.nat()).map(([token, at]) => {
        const index = at % token.length;
        return `Bearer ${token.slice(0, index)}A${token.slice(index + 1)}`;
      }),
    },
    // {"alg":"none"} and no signature.
    { weight: 1, arbitrary: token.map((t) => `Bearer eyJhbGciOiJub25lIn0.${t.split(".")[1]}.`) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        ...["Bearer", "Basic", "Basic ====", "Basic /w==", "Basic Og==", "bEaReR x", "Digest a=b"],
      ),
    },
    { weight: 1, arbitrary: headerText.map((text) => `Bearer ${text}`) },
    { weight: 1, arbitrary: fc.constant(`Bearer ${"a.".repeat(20_000)}`) },
  );
}

function header(known: Known): fc.Arbitrary<[string, string]> {
  return fc.oneof(
    fc.tuple(fc.constant("Authorization"), authorization(known)),
    fc.tuple(
      fc.constant("Content-Type"),
      fc.oneof(
        fc.constantFrom(
          ...["application/json; charset=utf-16", "APPLICATION/JSON", "application/json;", "a/b"],
          ...["multipart/form-data; boundary=x", "application/x-www-form-urlencoded;;;", "json"],
        ),
        headerText,
      ),
    ),
    fc.tuple(
      fc.constantFrom("Accept", "Accept-Encoding", "Accept-Language"),
      fc.oneof(
        fc.constantFrom("text/markdown", "*/*;q=0", "gzip;q=0, br", "text/*;q=9", ",,;", "q=q=q"),
        headerText,
      ),
    ),
    fc.tuple(fc.constantFrom("If-None-Match", "Range", "Cookie", "Referer", "Origin"), headerText),
    fc.tuple(
      fc.constant("X-Forwarded-For"),
      fc.oneof(
        fc.constantFrom("::ffff:1.2.3.4", "[::1]:80", "1.2.3.4, ", ",", "999.1.1.1"),
        headerText,
      ),
    ),
    fc.tuple(
      fc.constantFrom("X-HTTP-Method-Override", "X-Original-URL", "X-Forwarded-Host", "Forwarded"),
      fc.constantFrom("DELETE", "/operator/v1/clients", "evil.example", "for=_x"),
    ),
    fc.tuple(fc.constant("X-Request-Id"), headerText),
    fc.tuple(fc.constant("Expect"), fc.constantFrom("100-continue", "200-ok")),
  );
}

const host = fc.oneof(
  { weight: 8, arbitrary: fc.constant<[string, string][]>([["Host", "localhost"]]) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<[string, string][]>(
      [["Host", "evil.example/operator"]],
      [["Host", "[::1"]],
      [["Host", ""]],
      [["Host", '"><x-fuzz>']],
      [["Host", "a"], ["Host", "b"]],
      [],
    ),
  },
);

/** Now and then more headers, or longer ones, than anybody has a use for. */
const flood = fc.constantFrom<[string, string][]>(
  ...Array.from({ length: 60 }, () => []),
  Array.from({ length: 90 }, (_, n) => [`X-Flood-${n}`, "x".repeat(100)]),
  Array.from({ length: 2_000 }, (_, n) => [`X-Flood-${n}`, "x"]),
  [["X-Flood", "x".repeat(30_000)]],
  [["X-Flood", "x".repeat(600_000)]],
);

type Aim = Pick<FuzzRequest, "method" | "target" | "body">;

function aim(method: string, targets: string[], body: fc.Arbitrary<Body | undefined>) {
  return fc.record<Aim>({
    method: fc.constant(method),
    target: fc.constantFrom(...targets, ...targets.map((path) => `/sandbox${path}`)),
    body,
  });
}

/** Half of them aim at an operation, so that they get past routes and methods. */
const aimed: fc.Arbitrary<Aim> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record<Aim>({ method, target, body: fc.option(anyBody, { nil: undefined }) }),
  },
  { weight: 2, arbitrary: aim("POST", ["/api/v1/waitlist", "/api/waitlist"], signUpBody) },
  { weight: 1, arbitrary: aim("POST", ["/api/v1/oauth/token"], tokenBody) },
  { weight: 1, arbitrary: aim("GET", ["/api/v1/waitlist/stats"], fc.constant(undefined)) },
);

/** Requests, each from a source address of its own unless it says otherwise. */
export function anyRequest(known: Known): fc.Arbitrary<FuzzRequest> {
  return fc.record({
    aimed,
    framing: fc.oneof(
      { weight: 12, arbitrary: fc.constant("length" as const) },
      { weight: 3, arbitrary: fc.constant("chunked" as const) },
      { weight: 1, arbitrary: fc.constantFrom("short" as const, "both" as const) },
    ),
    host,
    source: fc.ipV4(),
    further: fc.oneof(
      fc.array(header(known), { maxLength: 3 }),
      authorization(known).map((value): [string, string][] => [["Authorization", value]]),
      fc.constant([]),
    ),
    flood,
  }).map(({ aimed, framing, host, source, further, flood }) => ({
    ...aimed,
    framing,
    headers: [
      ...host,
      ["X-Forwarded-For", source] as [string, string],
      ...aimed.body ? [["Content-Type", aimed.body.type] as [string, string]] : [],
      // A later one takes the place of an earlier one, but for what floods.
      ...flood,
      ...further,
    ].filter(([name], index, all) => all.findLastIndex(([each]) => each === name) === index),
  }));
}
