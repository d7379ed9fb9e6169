import assert from "node:assert/strict";
import { FORMAT } from "../../../../cli/commands/signups/export_format.ts";

const AT = "2026-11-20T09:00:00.000Z";

Deno.test("FORMAT.csv writes RFC 4180 with an empty cell for what is absent", () => {
  const { head, rows } = FORMAT.csv;
  assert.equal(head, "email,createdAt,consentedAt,updatedAt,lang,source,role,building\r\n");
  const record = { email: "ada@example.com", createdAt: AT, consentedAt: AT, updatedAt: AT };
  assert.equal(
    rows([JSON.stringify({ ...record, lang: "de", role: "engineer" })]),
    `ada@example.com,${AT},${AT},${AT},de,,engineer,\r\n`,
  );
  assert.equal(rows([]), "");
});

Deno.test("FORMAT.csv makes harmless what a spreadsheet would run", () => {
  for (const first of ["=", "+", "-", "@", "\t", "\r"]) {
    const [cell] = FORMAT.csv.rows([JSON.stringify({ email: `${first}cmd@example.com` })]).split(
      ",",
    );
    assert.match(cell!, /^"?'/, JSON.stringify(first));
  }
  const harmless = FORMAT.csv.rows([JSON.stringify({ email: "a=b+c-d@example.com" })]);
  assert.match(harmless, /^a=b\+c-d@example\.com,/);
  const quoted = FORMAT.csv.rows([JSON.stringify({ email: 'a,"b"@example.com' })]);
  assert.match(quoted, /^"a,""b""@example\.com",/);
});

Deno.test("FORMAT.ndjson writes each record as it came", () => {
  const records = [
    '{"email":"a@example.com","lang":"de"}',
    '{"lang":"en","email":"b@example.com"}',
  ];
  assert.equal(FORMAT.ndjson.head + FORMAT.ndjson.rows(records), `${records.join("\n")}\n`);
});
