import assert from "node:assert/strict";
import { toRow } from "../../../shared/import_file/rows.ts";

const RULES = {
  map: new Map(),
  ignoreUnknown: false,
  zone: undefined,
  advice: { zone: "give a zone", nameless: "leave the value out" },
};

const CONSENTED: [string, string] = ["consentedAt", "2026-05-03T10:00:00Z"];
const CREATED: [string, string] = ["createdAt", "2026-05-01T10:00:00Z"];

Deno.test("toRow() gives the address in lower case, and an empty text when there is none", () => {
  const row = toRow(1, [["email", "Anna@X.io"], CONSENTED], RULES);
  assert.ok("address" in row);
  assert.equal(row.address, "anna@x.io");
  assert.match(row.json, /"Anna@X\.io"/);
  const rowWithoutEmail = toRow(1, [CONSENTED], RULES);
  assert.ok("address" in rowWithoutEmail);
  assert.equal(rowWithoutEmail.address, "");
});

Deno.test("toRow() names the field of a refused time only when the row only lacks a zone", () => {
  const refusedField = (time: string, email = "ada@example.com") => {
    const row = toRow(1, [["email", email], ["consentedAt", time]], RULES);
    assert.ok("reasons" in row);
    return row.zonelessField;
  };
  assert.equal(refusedField("2026-05-03 10:00"), "consentedAt");
  assert.equal(refusedField("2026-05-03"), "consentedAt");
  assert.equal(refusedField("5/6/2026 10:00"), undefined);
  assert.equal(refusedField("2026-05-03 10:00", "nobody"), undefined);
});

Deno.test("toRow() gives the reasons for all values that cannot be read, and for a wrong address", () => {
  const fields: [string, string][] = [
    ["email", "nobody@"],
    ["consentedAt", "5/6/2026"],
    ["createdAt", "2026-02-30"],
  ];
  const row = toRow(1, fields, RULES);
  const reasons = "reasons" in row ? row.reasons : [];
  assert.equal(reasons.length, 3);
  assert.equal(reasons[0], "The e-mail address is missing or not valid.");
  assert.match(reasons[1]!, /^The field consentedAt is '5\/6\/2026', a date whose day and month/);
  assert.match(
    reasons[2]!,
    /^The field createdAt is '2026-02-30', a day or a time that does not exist/,
  );
});

Deno.test("toRow() says whether a time of the row is a day without a time", () => {
  const rules = { ...RULES, zone: "Europe/Berlin" };
  const row = toRow(1, [["email", "ada@example.com"], ["consentedAt", "01.09.2026"]], rules);
  assert.ok("json" in row && row.hasDay);
  assert.equal(row.signedUpAt, "2026-08-31T22:00:00.000Z");
  assert.ok(!("hasDay" in toRow(1, [["email", "ada@example.com"], CONSENTED], rules)));
});

Deno.test("toRow() gives createdAt as the moment of the sign-up, or else consentedAt", async (t) => {
  const cases: { fields: [string, string][]; signedUpAt: string }[] = [
    { fields: [CONSENTED, CREATED], signedUpAt: "2026-05-01T10:00:00Z" },
    { fields: [CONSENTED], signedUpAt: "2026-05-03T10:00:00Z" },
    { fields: [], signedUpAt: "" },
  ];
  for (const { fields, signedUpAt } of cases) {
    await t.step(fields.map(([name]) => name).join(" and ") || "no field", () => {
      const row = toRow(1, fields, RULES);
      assert.equal("signedUpAt" in row && row.signedUpAt, signedUpAt);
    });
  }
});
