import assert from "node:assert/strict";
import { createFormat } from "../../shared/signup_formats.ts";

const CSV = createFormat("csv");
const NDJSON = createFormat("ndjson");

const AT = "2026-11-20T09:00:00.000Z";

Deno.test("createFormat() writes CSV by RFC 4180, with an empty cell for an absent field", () => {
  const { head, rows } = CSV;
  assert.equal(
    head,
    "email,createdAt,consentedAt,updatedAt,lang,source,role,building,utmSource,utmMedium,utmCampaign," +
      "note,state,invitedAt," +
      "invitationCode,wave,expiresAt,acceptedAt,reference,undeliverableAt,complainedAt," +
      "referralCode,referrals,referredBy,referralCounts,proof.requestedAt,proof.source,proof.lang,proof.consentText,proof.putAt,proof.takenAt,proof.answer," +
      "proof.messageId,proof.confirmedAt\r\n",
  );
  const record = { email: "ada@example.com", createdAt: AT, consentedAt: AT, updatedAt: AT };
  assert.equal(
    rows([JSON.stringify({ ...record, lang: "de", role: "engineer", state: "waiting" })]),
    `ada@example.com,${AT},${AT},${AT},de,,engineer,,,,,,waiting,,,,,,,,,,,,,,,,,,,,,\r\n`,
  );
  const proof = { requestedAt: AT, consentText: "en-1", confirmedAt: AT };
  const few = createFormat("csv", ["email", "proof.consentText", "proof.confirmedAt"]);
  assert.equal(
    few.rows([JSON.stringify({ ...record, proof })]),
    `ada@example.com,en-1,${AT}\r\n`,
  );
  assert.equal(rows([]), "");
});

Deno.test("createFormat() writes an apostrophe before cells that a spreadsheet would run as formulas", async (t) => {
  for (const first of ["=", "+", "-", "@", "\t", "\r"]) {
    await t.step(JSON.stringify(first), () => {
      const [cell] = CSV.rows([JSON.stringify({ email: `${first}cmd@example.com` })]).split(
        ",",
      );
      assert.match(cell!, /^"?'/);
    });
  }
  const harmless = CSV.rows([JSON.stringify({ email: "a=b+c-d@example.com" })]);
  assert.match(harmless, /^a=b\+c-d@example\.com,/);
  const quoted = CSV.rows([JSON.stringify({ email: 'a,"b"@example.com' })]);
  assert.match(quoted, /^"a,""b""@example\.com",/);
});

Deno.test("createFormat() quotes a CSV cell that contains CR, LF or CRLF", async (t) => {
  const { rows } = createFormat("csv", ["email", "wave", "invitationCode"]);
  for (const lineEnd of ["\r", "\n", "\r\n"]) {
    await t.step(JSON.stringify(lineEnd), () => {
      const wave = `a${lineEnd}=1`;
      assert.equal(
        rows([JSON.stringify({ email: "ada@example.com", wave, invitationCode: "c" })]),
        `ada@example.com,"${wave}",c\r\n`,
      );
    });
  }
  const cut = rows([JSON.stringify({ email: "\r=1" })]);
  assert.match(cut, /^"'\r=1",/, "quoted where it is a formula, too");
});

Deno.test("createFormat() writes each record unchanged as one line of NDJSON", () => {
  const records = [
    '{"email":"a@example.com","lang":"de"}',
    '{"lang":"en","email":"b@example.com"}',
  ];
  assert.equal(NDJSON.head + NDJSON.rows(records), `${records.join("\n")}\n`);
});

Deno.test("createFormat() writes CSV with the separator that spreadsheets of the given language expect", () => {
  const columns = ["email", "role"];
  const row = JSON.stringify({ email: "ada@example.com", role: "a;b,c" });
  const german = createFormat("csv", columns, "de"), english = createFormat("csv", columns, "en");
  assert.deepEqual([german.head, english.head], ["\ufeffemail;role\r\n", "\ufeffemail,role\r\n"]);
  assert.equal(german.rows([row]), 'ada@example.com;"a;b,c"\r\n');
});
