/**
 * Requests to the operator surface, most of them with the key: whoever has it may mistype, and the surface must stand
 * that too. @module
 */
import fc from "fast-check";
import { OPERATOR_KEY } from "../../support/operator.ts";
import { CASES, type Fields } from "../../support/body_cases.ts";
import { anyBody, type Body } from "./bodies.ts";
import { CHECKSUM, importBody, objectBody, restoreBody } from "./operator_bodies.ts";
import type { FuzzRequest } from "./requests.ts";

const CLIENTS = ["nobody", "restored", "%2e%2e", "", "a".repeat(3_000)];
const CHECKSUMS = [CHECKSUM, CHECKSUM, "d".repeat(64), "x"];

type Aim = [path: string, body: fc.Arbitrary<Body>];

const emails = fc.constantFrom(["ada@example.com"], ["ada@example.com", "ADA@example.com"], [], [
  "a",
]);
const flag = fc.constantFrom<unknown>(true, false, "true", null);

/** Paths, and what they may be sent. */
const AIMS: Aim[] = [
  ...CASES.filter(({ schema }) => schema !== "ImportLine")
    .map(({ path, fields }): Aim => [path.slice(1), objectBody(fields)]),
  ...CLIENTS.flatMap((id): Aim[] => [
    [`clients/${id}/rotate`, objectBody(fieldsOf("rotateClient"))],
    [`clients/${id}/disable`, anyBody],
    [`clients/${id}/enable`, anyBody],
  ]),
  ["keys/rotate", anyBody],
  ...["", "", "", "?dryRun=true", "?dryRun=false", "?dryRun=", "?x=1&dryRun=%ff"]
    .map((query): Aim => [`signups/import${query}`, importBody]),
  ["waves", objectBody({ ...fieldsOf("startWave"), emails, dryRun: flag })],
  ...["pause", "resume", "cancel"].map((change): Aim => [`waves/a/${change}`, anyBody]),
  ["schedules", objectBody({ ...fieldsOf("createSchedule"), dryRun: flag })],
  ...["pause", "resume", "cancel"].map((change): Aim => [`schedules/a/${change}`, anyBody]),
  ["signups/remind", objectBody({ emails, all: flag })],
  ["signups/undeliverable", objectBody({ emails })],
  ["outbox/list", objectBody({ refused: flag, limit: fieldsOf("listSignups").limit! })],
  ["outbox/retry", objectBody({ all: flag })],
  ["webhooks/test", anyBody],
  ["overview", anyBody],
  ["counters/repair", objectBody({})],
  ["backup", objectBody({})],
  ...CHECKSUMS.flatMap((checksum): Aim[] => [
    [`restores/${checksum}/lines`, restoreBody],
    [`restores/${checksum}/lines`, restoreBody],
    [`restores/${checksum}/finish`, objectBody({})],
  ]),
  ...[
    ...["", "?since=2026-01-01", "?since=", "?operator=operator", "?operator=%ff&x=1"],
    ...["?newest=5", "?newest=2&before=2026-01-01T00:00:00.000Z%20x", "?newest=0&before=%ff"],
  ].map((query): Aim => [`audit${query}`, anyBody]),
  ["openapi.json", anyBody],
  ["", anyBody],
];

/** What the fields of an operation's body may hold. */
function fieldsOf(operation: string): Fields {
  return CASES.find((each) => each.operation === operation)!.fields;
}

const HOSTS = [
  ...["localhost", "x:8000", "[::1]:8000", "user@x", "x/operator", "x?", "[::1", "x:y", ""],
  ...["x:99999", "1.2.3.999"],
];

const aimed = fc.constantFrom(...AIMS).chain(([path, body]) =>
  fc.record({ path: fc.constant(path), body: fc.option(body, { nil: undefined, freq: 9 }) })
);

/** Requests below `/operator/v1`. */
export const operatorRequest: fc.Arbitrary<FuzzRequest> = fc.record({
  method: fc.oneof(
    { weight: 9, arbitrary: fc.constant("POST") },
    { weight: 2, arbitrary: fc.constantFrom("GET", "HEAD") },
    fc.constantFrom("PUT", "OPTIONS", "DELETE"),
  ),
  aimed,
  framing: fc.constantFrom("length" as const, "length" as const, "chunked" as const),
  host: fc.oneof({ weight: 15, arbitrary: fc.constant("localhost") }, fc.constantFrom(...HOSTS)),
  key: fc.constantFrom(...Array(20).fill(OPERATOR_KEY), "wrong", "", "ä".repeat(40)),
  source: fc.ipV4(),
}).map(({ method, aimed: { path, body }, framing, host, key, source }) => ({
  method,
  target: `/operator/v1/${path}`,
  body,
  framing: body ? framing : "length",
  headers: [
    ["Host", host],
    ["X-Forwarded-For", source],
    ["Authorization", `Bearer ${key}`],
    ...body ? [["Content-Type", body.type] as [string, string]] : [],
  ],
}));
