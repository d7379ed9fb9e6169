/**
 * Requests to the operator surface, most of them with the key: whoever has it may mistype, and the
 * surface must stand that too.
 *
 * @module
 */
import fc from "fast-check";
import { OPERATOR_KEY } from "../support/operator.ts";
import { anyBody, type Body, jsonText } from "./bodies.ts";
import type { FuzzRequest } from "./requests.ts";

const PATHS = [
  ...["clients", "clients", "keys/rotate", "signups/show", "signups/erase", "signups/export"],
  ...["clients/nobody/rotate", "clients/%2e%2e/disable", "clients//enable", "openapi.json", ""],
  `clients/${"a".repeat(3_000)}/rotate`,
];

/** Values that a field of some operation takes. */
const VALUES: Record<string, string[]> = {
  name: ['"Dashboard"', '""', '" "', `"${"n".repeat(10_000)}"`, '"\\u0000"', '"<x-fuzz>"'],
  scopes: ["[]", '["waitlist:stats:read"]', '["everything"]', '"waitlist:stats:read"'],
  overlapSeconds: ["0", "604800", "-1", "0.5", "1e400", "7776001"],
  email: ['"ada@example.com"', '"ADA@example.com"', '""', `"${"a".repeat(3_000)}@example.com"`],
  lang: ['"de"', '"xx"'],
  since: ['"2026-01-01T00:00:00Z"', '"yesterday"', '"-271821-04-20T00:00:00Z"'],
  after: ['"ada@example.com"', `"${"z".repeat(3_000)}"`],
};

/** Fields that go together. */
const SHAPES = [
  ...[["name", "scopes"], ["name", "scopes"], ["email"], ["overlapSeconds"], ["since", "lang"]],
  ...[["lang", "since", "after"], ["name"], ["email", "lang"], []],
];

const fields: fc.Arbitrary<Body> = fc.constantFrom(...SHAPES).chain((names) =>
  fc.tuple(...names.map(memberNamed))
).map((members) => ({
  type: "application/json",
  bytes: new TextEncoder().encode(`{${members.join(",")}}`),
}));

function memberNamed(name: string): fc.Arbitrary<string> {
  const good = fc.constantFrom(...VALUES[name] ?? []);
  return fc.oneof({ weight: 9, arbitrary: good }, jsonText).map((value) => `"${name}":${value}`);
}

/** Requests below `/operator/v1`. */
export const operatorRequest: fc.Arbitrary<FuzzRequest> = fc.record({
  method: fc.constantFrom("POST", "POST", "POST", "POST", "GET", "HEAD", "PUT", "OPTIONS"),
  target: fc.constantFrom(...PATHS).map((path) => `/operator/v1/${path}`),
  body: fc.option(fc.oneof({ weight: 6, arbitrary: fields }, anyBody), { nil: undefined }),
  key: fc.constantFrom(...Array(8).fill(OPERATOR_KEY), "wrong", "", "ä".repeat(40)),
  source: fc.ipV4(),
}).map(({ key, source, ...request }) => ({
  ...request,
  framing: "length",
  headers: [
    ["Host", "localhost"],
    ["X-Forwarded-For", source],
    ["Authorization", `Bearer ${key}`],
    ...request.body ? [["Content-Type", request.body.type] as [string, string]] : [],
  ],
}));
