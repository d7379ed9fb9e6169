/**
 * Bodies for the operator surface: JSON objects of fields that go together, and NDJSON as imports and restores take it.
 * @module
 */
import fc from "fast-check";
import { CASES, type Fields } from "../../support/body_cases.ts";
import { anyBody, type Body, jsonText } from "./bodies.ts";

/** The checksum of the backup that is being restored. */
export const CHECKSUM = "c".repeat(64);

/** A moment at which records, clients and erasures may have come about. */
const AT = "2026-01-01T00:00:00.000Z";

/** Values that are far off, as JSON. */
const EXTREMES = [
  ...["-271821-04-20T00:00:00Z", "0000-01-01T00:00:00+23:59", "0001-01-01T00:00:00Z"],
  ...["n".repeat(10_000), `${"a".repeat(3_000)}@example.com`, "\0", "<x-fuzz>"],
].map((text) => JSON.stringify(text)).concat("1e400", "-1", "0.5");

/** The texts of objects with some of these fields; those that must be there always are. */
function objectOf(fields: Fields, required: string[] = []): fc.Arbitrary<string> {
  const members = Object.entries(fields).map(([name, values]) => {
    const good = values.map((value) => JSON.stringify(value));
    const member = fc.oneof({ weight: 18, arbitrary: good }, jsonText, fc.constantFrom(...EXTREMES))
      .map((value) => `${JSON.stringify(name)}:${value}`);
    return required.includes(name) ? member : fc.option(member, { nil: "" });
  });
  return fc.tuple(...members).map((members) => `{${members.filter(Boolean).join(",")}}`);
}

const { fields } = CASES.find(({ operation }) => operation === "importSignups")!;
const good = { consentedAt: fc.constant(AT), email: fc.emailAddress() };
const required = ["consentedAt", "email"];

/** The first kind is new and good at times, so that an import has something to store. */
const importLine = fc.oneof(
  objectOf({ ...fields, ...good }, required),
  objectOf(fields, required),
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
export function objectBody(fields: Fields): fc.Arbitrary<Body> {
  return orAny(
    objectOf(fields).map((text) => ({
      type: "application/json",
      bytes: new TextEncoder().encode(text),
    })),
  );
}
