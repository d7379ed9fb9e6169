/**
 * Bodies for the operator surface: JSON objects of fields that go together, and NDJSON as imports and restores take it.
 * @module
 */
import fc from "fast-check";
import { anyBody, type Body, jsonText } from "./bodies.ts";

/** The checksum of the backup that is being restored. */
/** The code of a person whom an import brings. */
const CODE = "c".repeat(32);

export const CHECKSUM = "c".repeat(64);

/** A moment at which records, clients and erasures may have come about. */
const AT = "2026-01-01T00:00:00.000Z";

/** Values that a field of some operation takes, as JSON. */
const VALUES: Record<string, string[]> = {
  name: ['"Dashboard"', '""', '" "', `"${"n".repeat(10_000)}"`, '"\\u0000"', '"<x-fuzz>"'],
  scopes: ["[]", '["waitlist:stats:read"]', '["everything"]', '"waitlist:stats:read"'],
  overlapSeconds: ["0", "604800", "-1", "0.5", "1e400", "7776001"],
  email: ['"ada@example.com"', '"ADA@example.com"', '""', `"${"a".repeat(3_000)}@example.com"`],
  lang: ['"de"', '"en"', '""', "null", '"xx"'],
  source: ['"hero"', '"cta"', '""', "null", '"news"'],
  role: ['"engineer"', '"owner_2"', '""', "null", '"__proto__"', '"Engineer"'],
  building: ['"office"', '"0ffice"', '""', "null", `"${"b".repeat(41)}"`],
  since: ['"2026-01-01T00:00:00Z"', '"yesterday"', '"-271821-04-20T00:00:00Z"'],
  after: ['"ada@example.com"', `"${"z".repeat(3_000)}"`],
  consentedAt: [`"${AT}"`, '"2025-03-01T10:00:00+01:00"', '"2999-01-01T00:00:00Z"', '""', "1"],
  createdAt: [
    `"${AT}"`,
    '"0000-01-01T00:00:00+23:59"',
    '"0001-01-01T00:00:00Z"',
    '"2026-02-30T00:00:00Z"',
    "null",
  ],
  updatedAt: [`"${AT}"`, '"2026-01-01T24:00:00Z"', '""'],
  checksum: [`"${CHECKSUM}"`, `"${"d".repeat(64)}"`, `"${"C".repeat(64)}"`, '""'],
  counts: ['{"signUps":2,"clients":1,"erasures":0}', '{"signUps":-1,"clients":0,"erasures":0}'],
  resume: ["true", "false", '"true"'],
  state: ['"waiting"', '"unconfirmed"', '"invited"', '"accepted"', '"gone"', "null"],
  search: ['"a"', '"ADA@"', '""', `"${"a".repeat(300)}"`, '"\\ud800"'],
  limit: ["1", "50", "0", "501", "0.5"],
  wave: ['"first"', '"2026-06-01"', '""', '"a b"', `"${"w".repeat(65)}"`],
  next: ["1", "2", "0", "1e400", "0.5"],
  emails: ['["ada@example.com"]', '["ada@example.com","ADA@example.com"]', "[]", '["ada"]', "{}"],
  link: [
    '"https://app.example.com/?c={code}"',
    '"http://app.example.com/"',
    '""',
    '"javascript:1"',
  ],
  invitationCode: [`"${CODE}"`, '"short"'],
  code: [`"${CODE}"`, `"${CODE}"`, '""', `"${"c".repeat(101)}"`],
  reference: ['"user-1"', '"user-2"', '""', '"a\\u0000b"', `"${"r".repeat(201)}"`],
  expires: ['"2999-01-01T00:00:00Z"', `"${AT}"`, '"May"'],
  letters: ["false", "false", "true", "1"],
  dryRun: ["true", "false", "null"],
  before: ['"2026-05-01"', `"${AT}"`, '"May"', '"-271821-04-20T00:00:00Z"'],
  refused: ["true", "false", '"true"'],
  ids: ['["abc"]', "[]", '["a/b"]', '"abc"'],
  all: ["true", "false", "1"],
};

const FURTHER = ["createdAt", "updatedAt", "source", "lang", "role", "building"];

function memberNamed(name: string): fc.Arbitrary<string> {
  const good = fc.constantFrom(...VALUES[name] ?? []);
  return fc.oneof({ weight: 9, arbitrary: good }, jsonText).map((value) => `"${name}":${value}`);
}

function objectOf(names: string[]): fc.Arbitrary<string> {
  return fc.tuple(...names.map(memberNamed)).map((members) => `{${members.join(",")}}`);
}

/** A sign-up that is new at times, so that an import has something to store. */
const goodImportLine = fc.tuple(fc.emailAddress(), fc.subarray(FURTHER)).chain(([email, further]) =>
  fc.tuple(...further.map((name) => fc.constantFrom(...VALUES[name] ?? [])))
    .map((values) => {
      const members = values.map((value, index) => `,"${further[index]}":${value}`);
      return `{"email":${JSON.stringify(email)},"consentedAt":"${AT}"${members.join("")}}`;
    })
);

const importLine = fc.oneof(
  { weight: 3, arbitrary: goodImportLine },
  {
    weight: 2,
    arbitrary: fc.subarray([...FURTHER, "state", "invitationCode", "reference"])
      .chain((names) => objectOf(["email", "consentedAt", ...names])),
  },
);

const TIMES = { createdAt: AT, consentedAt: AT, updatedAt: AT };

/** A line of each kind that a backup has. */
const goodBackupLine = fc.constantFrom(
  { kind: "header", format: "waitlist-backup", version: 2, createdAt: AT },
  { kind: "header", format: "waitlist-backup", version: 2, createdAt: AT },
  { kind: "audit", entry: { at: AT, id: "restored", action: "rotateKeys", operator: "ada" } },
  { kind: "audit", entry: { at: "2999-01-01T00:00:00.000Z", id: "late", action: "none", x: [1] } },
  { kind: "sign_up", signUp: { email: "restored@example.com", ...TIMES, lang: "de" } },
  { kind: "sign_up", signUp: { email: "ada@example.com", ...TIMES, lang: "en", role: "owner_2" } },
  {
    kind: "client",
    client: { clientId: "restored", name: "CI", scopes: [], secrets: [], createdAt: AT },
  },
  { kind: "erasure_key", key: "k".repeat(43) },
  { kind: "erased", mark: "m".repeat(43), erasedAt: AT },
  { kind: "consent_text", id: "c".repeat(43), text: "I agree.", lang: "en" },
  { kind: "place_key", key: "p".repeat(43) },
  { kind: "named", email: "restored@example.com", wave: "restored" },
  { kind: "brake", mailbox: "b".repeat(43), letters: [AT], complainedAt: AT },
  {
    kind: "wave",
    id: "restored",
    wave: { parameters: { link: "https://e.example" }, salt: "s", invited: 1, startedAt: AT },
    counts: { taken: 1, refused: 0, accepted: 0 },
  },
  { kind: "counter", counter: "total", count: 1 },
  {
    kind: "end",
    counts: { signUps: 2, clients: 1, erasures: 0, auditEntries: 0 },
    sha256: CHECKSUM,
  },
).map((line) => JSON.stringify(line));

/** Lines that no backup has. */
const badBackupLine = fc.constantFrom(
  { kind: "header", format: "waitlist-backup", version: 4, createdAt: AT },
  { kind: "audit", entry: { at: AT, id: "a/b", action: "rotateKeys" } },
  { kind: "audit", entry: { at: AT, id: "restored", action: "rotateKeys", details: { x: {} } } },
  { kind: "sign_up", signUp: { email: "restored", ...TIMES, lang: "de" } },
  { kind: "sign_up", signUp: { email: "restored@example.com", lang: "de" } },
  {
    kind: "client",
    client: { clientId: "a/b", name: "CI", scopes: [], secrets: [], createdAt: AT },
  },
  { kind: "erasure_key", key: "=" },
  { kind: "erased", mark: 7, erasedAt: AT },
  { kind: "consent_text", id: "c".repeat(43), text: "", lang: "en" },
  { kind: "place_key", key: "short" },
  { kind: "named", email: "restored@example.com", wave: "a b" },
  { kind: "brake", mailbox: "b".repeat(43), letters: ["today"] },
  { kind: "wave", id: "restored", wave: {}, counts: {} },
  { kind: "root_key", keyId: "1" },
  { kind: "sign_up", signUp: null },
).map((line) => JSON.stringify(line));

const backupLine = fc.oneof({ weight: 12, arbitrary: goodBackupLine }, badBackupLine);

/** Lines that no stream should have, whatever it is for. */
const strangeLine = fc.oneof(
  jsonText,
  fc.constantFrom("", " ", "\ufeff{}", "{", "null", "[]", `"${"x".repeat(70_000)}"`),
);

function linesOf(line: fc.Arbitrary<string>): fc.Arbitrary<Body> {
  return fc.tuple(
    fc.array(fc.oneof({ weight: 20, arbitrary: line }, strangeLine), { maxLength: 6 }),
    fc.constantFrom("\n", "\n", "\n", "\n", "\r\n", "\n\n", "\r"),
    // 0xff is no UTF-8.
    fc.constantFrom([LF], [LF], [], [0xff]),
  ).map(([lines, separator, end]) => ({
    type: "application/x-ndjson",
    bytes: Uint8Array.from([...new TextEncoder().encode(lines.join(separator)), ...end]),
  }));
}

const LF = 0x0a;

function orAny(body: fc.Arbitrary<Body>): fc.Arbitrary<Body> {
  return fc.oneof({ weight: 10, arbitrary: body }, anyBody, linesOf(importLine));
}

/** What an import may be sent. */
export const importBody: fc.Arbitrary<Body> = orAny(linesOf(importLine));

/** What a restore may be sent. */
export const restoreBody: fc.Arbitrary<Body> = orAny(linesOf(backupLine));

/** What an operation may be sent that takes an object with such fields. */
export function objectBody(names: string[]): fc.Arbitrary<Body> {
  return orAny(
    objectOf(names).map((text) => ({
      type: "application/json",
      bytes: new TextEncoder().encode(text),
    })),
  );
}
