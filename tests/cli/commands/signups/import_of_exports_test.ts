/** What an export writes, an import reads. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { reasonWithoutRecipient } from "../../../../server/letters/reason.ts";
import { printed } from "../../support/cli.ts";
import { useImportService } from "../../support/import_service.ts";
import { OPERATOR_KEY, runOperator, startCliService } from "../../support/service.ts";
import { unicodeText } from "../../../support/unicode_text.ts";

const time = fc.date({
  min: new Date("2020-01-01T00:00:00Z"),
  max: new Date("2026-01-01T00:00:00Z"),
  noInvalidDate: true,
}).map((date) => date.toISOString());

/** Begins in ways that spreadsheets and CSV take for more than text. */
const edge = fc.constantFrom("", "'", "''", "=", "+", "-", "'=", "''=", "'+", "'-", "{", "#");

const atom = fc.string({
  unit: fc.constantFrom(..."abz019!#$%&'*+/=?^_`{|}~-"),
  minLength: 1,
  // An address has 254 characters at the most, and those of new sign-ups have 64 before the @.
  maxLength: 230,
  size: "max",
});

const text = fc.tuple(
  fc.constantFrom("", " ", "'", "=", "@", "'@", "\uff1d", "'\uff1d", "\u00a0", '"', ",", ";"),
  fc.string({
    unit: fc.constantFrom(..."ab 1=+-@'\",;\t|äß😀\u00a0".replace("\t", "")),
    minLength: 1,
  }),
).map(([start, rest]) => `${start}${rest}`.slice(0, 60).toWellFormed());

/** What mail servers answer: characters of private use, unassigned ones, and parts of emoji. */
const answer = fc.oneof(
  text,
  unicodeText({ minLength: 1, maxLength: 300 })
    .map((said) => reasonWithoutRecipient("ada@example.com", said)).filter((said) => said !== ""),
);

const slug = fc.constantFrom("-", "_", "-a", "engineer", "0");
const lang = fc.constantFrom("en", "de");
const source = fc.constantFrom("hero", "cta");
const id = (minLength: number) =>
  fc.string({ unit: fc.constantFrom(..."aZ0_-"), minLength, maxLength: 40 });

/** A person as the service may have it; states and times need not fit each other. */
const person = fc.record({
  createdAt: time,
  consentedAt: time,
  updatedAt: time,
  lang,
  source,
  role: slug,
  building: slug,
  state: fc.constantFrom("unconfirmed", "waiting", "invited", "accepted"),
  invitedAt: time,
  invitationCode: id(20),
  wave: id(1),
  expiresAt: time,
  acceptedAt: time,
  reference: text,
  undeliverableAt: time,
  complainedAt: time,
  proof: fc.record({
    requestedAt: time,
    source,
    lang,
    consentText: id(1),
    putAt: time,
    takenAt: time,
    answer,
    messageId: text,
    confirmedAt: time,
  }, { requiredKeys: ["requestedAt", "consentText", "confirmedAt"] }),
}, { requiredKeys: ["createdAt", "consentedAt", "updatedAt", "lang"] });

Deno.test("'signups import' restores every record from an export of another service, in CSV and in NDJSON", async (t) => {
  const people = fc.sample(fc.tuple(edge, atom, person), { numRuns: 400, seed: 48 })
    .map(([start, rest, fields], n) => ({ email: `${start}${rest}${n}@example.com`, ...fields }));
  await using old = await useImportService();
  const lines = people.map((each) => `${JSON.stringify(each)}\n`).join("");
  await printed(old.import([await old.file("given.ndjson", lines)]));
  const exportOf = async (url: string, format: string) => {
    const { stdout } = await runOperator(url, ["signups", "export", "--format", format]);
    return stdout;
  };
  const expected = await exportOf(old.url, "ndjson");
  assert.equal(expected.split("\n").length, people.length + 1);
  for (const format of ["csv", "ndjson"]) {
    await t.step(format, async () => {
      const file = await old.file(`export.${format}`, await exportOf(old.url, format));
      await using copy = await startCliService(undefined, { OPERATOR_KEY });
      await printed(runOperator(copy.url, ["signups", "import", file]));
      assert.deepEqual(
        (await exportOf(copy.url, "ndjson")).split("\n").map(sorted),
        expected.split("\n").map(sorted),
      );
    });
  }
});

/** A line with its members in one order. */
function sorted(line: string): unknown {
  return line === "" ? "" : JSON.parse(line);
}

Deno.test("'signups import' restores addresses that begin with an apostrophe or with '=' from a CSV export", async () => {
  await using test = await useImportService();
  const emails = ["'=q@example.com", "''=q@example.com", "=q@example.com", "'q@example.com"];
  const lines = emails.map((email) =>
    JSON.stringify({ email, consentedAt: "2024-05-01T09:30:00Z" })
  );
  await test.import([await test.file("list.ndjson", lines.join("\n"))]);
  const { stdout } = await runOperator(test.url, ["signups", "export", "--format", "csv"]);
  assert.deepEqual(stdout.split("\r\n").slice(1, -1).map((row) => row.split(",")[0]), [
    ...["'''=q@example.com", "''=q@example.com", "'q@example.com", "'=q@example.com"],
  ]);
  const again = await test.import([await test.file("list.csv", stdout)]);
  assert.match(again.stdout, /: 0 new, 0 merged, 4 unchanged, 0 refused\.\n$/);
  assert.deepEqual(Object.keys(await test.records()).sort(), emails.sort());
});

Deno.test("'signups import' restores the referrals of people from a CSV export", async () => {
  const [bo, ada] = [{ referralCode: "Bob1234567" }, { referralCode: "Ada1234567" }];
  const people = [
    { email: "ada@example.com", ...ada },
    { email: "bo@example.com", ...bo, referredBy: ada.referralCode, referralCounts: true },
    { email: "cy@example.com", referredBy: bo.referralCode, referralCounts: false },
  ];
  await using old = await useImportService();
  const lines = people.map((each) =>
    `${JSON.stringify({ ...each, state: "waiting", consentedAt: "2024-05-01T09:30:00Z" })}\n`
  );
  await printed(old.import([await old.file("given.ndjson", lines.join(""))]));
  const exported = async (url: string) =>
    (await runOperator(url, ["signups", "export", "--format", "csv"])).stdout;
  const csv = await exported(old.url);
  assert.match(csv, /Ada1234567/);
  await using copy = await startCliService(undefined, { OPERATOR_KEY });
  const file = await old.file("export.csv", csv);
  await printed(runOperator(copy.url, ["signups", "import", file]));
  assert.equal(await exported(copy.url), csv);
});
