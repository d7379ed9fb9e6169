import assert from "node:assert/strict";
import { emailSchema, keptEmailSchema } from "../../shared/email_schema.ts";

Deno.test("emailSchema takes 64 characters before the @, keptEmailSchema any number up to 254 in all", () => {
  const table: [email: string, taken: boolean, kept: boolean][] = [
    ["ada@example.com", true, true],
    ["a.b@example.com", true, true],
    [`${"a".repeat(64)}@example.com`, true, true],
    [`${"a.".repeat(31)}aa@example.com`, true, true],
    [`${"a".repeat(65)}@example.com`, false, true],
    [`${"a.".repeat(32)}a@example.com`, false, true],
    [`${"a".repeat(242)}@example.com`, false, true],
    [`${"a".repeat(243)}@example.com`, false, false],
    ["a..b@example.com", false, false],
    [".a@example.com", false, false],
    ["a.@example.com", false, false],
    ["ada@localhost", false, false],
    ["ada", false, false],
  ];
  for (const [email, taken, kept] of table) {
    assert.equal(emailSchema.safeParse(email).success, taken, email);
    assert.equal(keptEmailSchema.safeParse(email).success, kept, email);
  }
});
