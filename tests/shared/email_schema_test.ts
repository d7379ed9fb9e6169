import assert from "node:assert/strict";
import { emailSchema, storedEmailSchema } from "../../shared/email_schema.ts";

const isTaken = (email: string) => emailSchema.safeParse(email).success;

/** The longest address that is taken: 64 characters, the `@` and 189 more. */
const LONGEST = `${"a".repeat(64)}@${["d", "d", "e"].map((d) => d.repeat(61)).join(".")}.exa`;

// An ASCII address with a dotted domain, not trimmed, at most 254 characters, 64 of them before the `@`.
Deno.test("emailSchema accepts ASCII addresses with a dotted domain", () => {
  const plain =
    `ada@example.com a.b@example.com a@b.co first.last+tag@sub.domain.example 1@1.example
    !#$%&'*+/=?^_\`{|}~-@example.com ada@xn--mnchen-3ya.example ada@example.xn--p1ai`;
  const long = [
    `ada@${"d".repeat(63)}.example`,
    `${"a".repeat(64)}@example.com`,
    `${"a.".repeat(31)}aa@example.com`,
    LONGEST,
  ];
  assert.deepEqual([...plain.split(/\s+/), ...long].filter((email) => !isTaken(email)), []);
});

Deno.test("emailSchema refuses malformed addresses, and addresses that are not ASCII or have no dotted domain", () => {
  const plain = `ada @example.com ada@ ada@localhost ada@example.c ada@example. ada@.example
    ada@example..com ada@-example.com ada@example-.com ada@ex_ample.com ada@192.0.2.1 ada@[192.0.2.1]
    .ada@example.com ada.@example.com a..da@example.com "ada"@example.com ada@lovelace@example.com
    adä@example.com ada@exämple.com <ada@example.com> mailto:ada@example.com`;
  const others = [
    ...["", "ada lovelace@example.com", " ada@example.com", "ada@example.com "],
    ...["ada@example.com\n", "ada@example.com\0", "a\0da@example.com", "ada@exam\0ple.com"],
    // The Kelvin sign lower-cases to an ASCII letter.
    ...["\uff41da@example.com", "\u212aelvin@example.com"],
    ...["ada\u200b@example.com", "ada@\ud800.example"],
    `ada@${"d".repeat(64)}.example`,
    `${"a".repeat(65)}@example.com`,
    `${"a.".repeat(32)}a@example.com`,
    `${LONGEST}a`,
    `${"a".repeat(60_000)}@example.com`,
    "a.".repeat(30_000),
  ];
  const taken = [...plain.split(/\s+/), ...others].filter(isTaken);
  assert.deepEqual(taken.map((email) => email.slice(0, 80)), []);
});

Deno.test("storedEmailSchema accepts more than 64 characters before the @, up to 254 characters in total", async (t) => {
  const table: [email: string, kept: boolean][] = [
    [LONGEST, true],
    [`${"a".repeat(65)}@example.com`, true],
    [`${"a.".repeat(32)}a@example.com`, true],
    [`${"a".repeat(242)}@example.com`, true],
    [`${"a".repeat(243)}@example.com`, false],
    ["a..b@example.com", false],
    [".a@example.com", false],
    ["a.@example.com", false],
    ["ada@localhost", false],
    ["ada", false],
  ];
  for (const [email, kept] of table) {
    await t.step(email, () => {
      assert.equal(storedEmailSchema.safeParse(email).success, kept);
    });
  }
});
