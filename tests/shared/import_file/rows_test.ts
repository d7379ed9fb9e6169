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

Deno.test("toRow() names the field of a refused time only when the time has no zone", () => {
  const refusedField = (time: string) => {
    const row = toRow(1, [["consentedAt", time]], RULES);
    assert.ok("reason" in row);
    return row.zonelessField;
  };
  assert.equal(refusedField("2026-05-03 10:00"), "consentedAt");
  assert.equal(refusedField("5/6/2026 10:00"), undefined);
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
