import assert from "node:assert/strict";
import fc from "fast-check";
import { reasonWithoutRecipient } from "../../../server/letters/reason.ts";
import { validateImportLine } from "../../../server/waitlist/import_line.ts";
import { importLineSchema } from "../../../server/waitlist/import_line_schema.ts";
import { createAnswerFinder } from "../../../server/waitlist/offered_answers.ts";
import { eachDay } from "../../support/days.ts";
import { unicodeText } from "../../support/unicode_text.ts";

const NOW = "2026-11-21T12:00:20.000Z";
const EMAIL = "ada@example.com";
const CONSENT = "2024-05-01T09:30:00.000Z";
const GOOD = { email: EMAIL, consentedAt: CONSENT };

const validate = (line: unknown) =>
  validateImportLine(typeof line === "string" ? line : JSON.stringify(line), Date.parse(NOW));

/** Parts of a text that could break a line, a terminal or an encoding. */
const UNPRINTABLE = ["\r", "\n", "\r\n", "\0", "\u001b", "\u2028", "\ud800"];

Deno.test("validateImportLine() lower-cases the address, converts times to UTC, and leaves out empty values", async (t) => {
  const optional = {
    createdAt: "2024-04-30T00:00:00.000Z",
    updatedAt: "2025-01-01T00:00:00.000Z",
    source: "cta",
    lang: "de",
    role: "site-engineer_2",
    building: "0ffice",
    wave: "2026-06_First",
    invitationCode: "-code_of-20_characte",
  };
  const full = { ...GOOD, ...optional };
  const without = (value: unknown) =>
    Object.fromEntries(Object.keys(optional).map((name) => [name, value]));
  const cases: [line: Record<string, unknown>, imported: object][] = [
    [full, full],
    [{ ...GOOD, email: "ADA@Example.COM" }, GOOD],
    [{ ...GOOD, consentedAt: "2024-05-01T11:30:00+02:00" }, GOOD],
    [{ ...GOOD, consentedAt: NOW }, { ...GOOD, consentedAt: NOW }],
    [{ ...GOOD, ...without("") }, GOOD],
    [{ ...GOOD, ...without(null) }, GOOD],
  ];
  for (const [line, imported] of cases) {
    await t.step(`the line is ${JSON.stringify(line)}`, () => {
      assert.deepEqual(validate(line), { imported });
    });
  }
});

Deno.test("validateImportLine() accepts a time on a day that exists in the calendar, and refuses a time on any other day", () => {
  for (const { text, exists } of eachDay()) {
    for (const [at, time] of [`${text}T09:30:00Z`, `${text}T00:30:00.123+02:00`].entries()) {
      for (const name of ["createdAt", "expiresAt"].slice(at)) {
        const verdict = validateImportLine(
          JSON.stringify({ ...GOOD, [name]: time }),
          Date.parse("2030-01-01"),
        );
        assert.equal("imported" in verdict, exists, `${name} ${time}`);
        if ("reasons" in verdict) {
          assert.ok(verdict.reasons.join().includes(`${name} is '${time}'`));
        }
      }
    }
  }
});

const PROOF = { requestedAt: CONSENT, confirmedAt: CONSENT, consentText: "c" };

Deno.test("validateImportLine() gives one reason for each fault, also for the times of the proof", () => {
  const late = "9999-12-31T23:30:00-01:00";
  const proof = { ...PROOF, confirmedAt: late };
  assert.deepEqual(validate({ ...GOOD, lang: "fr", proof }), {
    reasons: [
      "The field lang is 'fr'; it must be 'en' or 'de'.",
      `The field proof.confirmedAt is '${late}', which is outside of the years 0000 to 9999 in UTC.`,
    ],
  });
  const verdict = validate({ ...GOOD, proof: { ...PROOF, colour: "red" } });
  assert.ok("reasons" in verdict);
  assert.equal(verdict.reasons.length, 1);
  assert.match(verdict.reasons.join(), /^The field 'proof\.colour' is not known; /);
});

Deno.test("validateImportLine() accepts a proof that contains any mail server's answer in the form in which the service stores such answers", () => {
  const said = unicodeText({ maxLength: 1_500 });
  fc.assert(fc.property(said, (text) => {
    const answer = reasonWithoutRecipient(EMAIL, text);
    const proof = { ...PROOF, answer };
    assert.deepEqual(validate({ ...GOOD, proof }), { imported: { ...GOOD, proof } });
  }));
  // Earlier versions cut within a character.
  const proof = { ...PROOF, answer: "250 \ue000 \u0378 \ud83d" };
  assert.deepEqual(validate({ ...GOOD, proof }), {
    imported: { ...GOOD, proof: { ...PROOF, answer: "250 \ue000 \u0378 \ufffd" } },
  });
});

Deno.test("validateImportLine() accepts an address whose part before the @ is too long for a sign-up", () => {
  const email = `${"a".repeat(200)}@example.com`;
  assert.deepEqual(validate({ ...GOOD, email }), { imported: { ...GOOD, email } });
});

Deno.test("validateImportLine() returns the first fault of a refused line, in words that contain no address", async (t) => {
  const cases: [line: unknown, reason: RegExp][] = [
    ["{", /^The line is not valid JSON\.$/],
    ["", /^The line is not valid JSON\.$/],
    [[GOOD], /^The line must be a JSON object/],
    ["null", /^The line must be a JSON object/],
    [{ ...GOOD, phone: "1" }, /^The field 'phone' is not known; the known ones are email, .+\.$/],
    [{ ...GOOD, [EMAIL]: 1 }, /^The field \(not shown, as it may be an address\) is not known/],
    [`{"email":"${EMAIL}","consentedAt":"${CONSENT}","__proto__":{}}`, /'__proto__' is not known/],
    [{ consentedAt: CONSENT }, /^The e-mail address is missing or not valid\.$/],
    [
      { email: "ada\u202e@example.com", consentedAt: CONSENT },
      /^The e-mail address holds U\+202E, an invisible character; remove it\.$/,
    ],
    [{ email: "ada@example", consentedAt: CONSENT }, /^The e-mail address is missing or not valid/],
    [{ email: `${"a".repeat(250)}@b.example`, consentedAt: CONSENT }, /^The e-mail address is/],
    [{ email: EMAIL }, /^There is no consent time \(consentedAt\)\.$/],
    [{ email: EMAIL, consentedAt: "" }, /^There is no consent time \(consentedAt\)\.$/],
    [{ ...GOOD, consentedAt: "2024-05-01" }, /^The field consentedAt is '2024-05-01'; .+09:30:00Z/],
    [{ ...GOOD, consentedAt: "2024-02-30T00:00:00Z" }, /^The field consentedAt is '2024-02-30T/],
    [{ ...GOOD, consentedAt: "2026-11-21T12:00:20.001Z" }, /^The field consentedAt .+ the future/],
    [{ ...GOOD, createdAt: "2027-01-01T00:00:00Z" }, /^The field createdAt .+ in the future\.$/],
    [
      { ...GOOD, createdAt: "0000-01-01T00:00:00+00:01" },
      /^The field createdAt .+ outside of the years 0000 to 9999/,
    ],
    [
      { ...GOOD, expiresAt: "9999-12-31T23:59:59-00:01" },
      /^The field expiresAt .+ outside of the years 0000 to 9999/,
    ],
    [{ ...GOOD, createdAt: "yesterday" }, /^The field createdAt is 'yesterday'; it must be a date/],
    [{ ...GOOD, source: "news" }, /^The field source is 'news'; it must be 'hero' or 'cta'\.$/],
    [{ ...GOOD, lang: "fr" }, /^The field lang is 'fr'; it must be 'en' or 'de'\.$/],
    [
      { ...GOOD, role: "Engineer" },
      /^The field role is 'Engineer'; it must be one of the offered answers, or a short name of 1 to 40/,
    ],
    [
      { ...GOOD, role: "x".repeat(41) },
      /^The field role is 'x{40}…'; it must be one of the offered answers/,
    ],
    [
      { ...GOOD, building: "Büro" },
      /^The field building is 'Büro'; it must be one of the offered answers/,
    ],
    [{ ...GOOD, building: EMAIL }, /^The field building is \(not shown, as it may be an address\)/],
    ...[
      ...["code-of-19-characte", "a".repeat(65), "a code with its spaces"],
      ...UNPRINTABLE.map((text) => `${"c".repeat(20)}${text}=1`),
    ].map((invitationCode): [unknown, RegExp] => [
      { ...GOOD, invitationCode },
      /^The field invitationCode is '.+'; it must be a code of 20 to 64 of the characters/s,
    ]),
    ...["w".repeat(65), "2026.06", "w 1", "wäve", ...UNPRINTABLE.map((text) => `w${text}=1`)].map((
      wave,
    ): [unknown, RegExp] => [
      { ...GOOD, wave },
      /^The field wave is '.+'; it must be an id of 1 to 64 of the characters/s,
    ]),
    ...UNPRINTABLE.map((text): [unknown, RegExp] => [
      { ...GOOD, proof: { requestedAt: CONSENT, confirmedAt: CONSENT, consentText: `t${text}=1` } },
      /^The field proof is '.+'; it must be an object with/s,
    ]),
    [{ ...GOOD, role: 7 }, /^The field role is '7'; it must be one of the offered answers/],
  ];
  for (const [line, expected] of cases) {
    await t.step(`the line is ${JSON.stringify(line)}`, () => {
      const verdict = validate(line);
      assert.ok("reasons" in verdict);
      assert.match(verdict.reasons.join(" "), expected);
      assert.ok(!verdict.reasons.join().includes(EMAIL));
    });
  }
});

Deno.test("validateImportLine() ignores the number of referrals in a line, because the service counts referrals itself", () => {
  const line = { ...GOOD, referrals: 7, referredBy: "Ada1234567" };
  assert.deepEqual(validate(line), { imported: { ...GOOD, referredBy: "Ada1234567" } });
});

Deno.test("validateImportLine() returns a reason when any one field has a value of a wrong type", async (t) => {
  for (const field of Object.keys(importLineSchema.shape)) {
    await t.step(`the field is ${field}`, () => {
      const verdict = validate({ ...GOOD, [field]: { wrong: true } });
      assert.ok("reasons" in verdict);
      assert.doesNotMatch(verdict.reasons.join(" "), /undefined/);
    });
  }
});

Deno.test("validateImportLine() turns the name of an offered answer into its slug, and keeps a slug unchanged", () => {
  const findAnswer = createAnswerFinder({
    role: { site_engineer: { en: "Engineer", de: "Entwicklung" } },
  });
  const roleOf = (role: string) => {
    const verdict = validateImportLine(
      JSON.stringify({ ...GOOD, role }),
      Date.parse(NOW),
      findAnswer,
    );
    return "imported" in verdict ? verdict.imported.role : verdict.reasons.join(" ");
  };
  assert.equal(roleOf("Site Engineer"), "site_engineer");
  assert.equal(roleOf("Entwicklung"), "site_engineer");
  assert.equal(roleOf("site-engineer"), "site-engineer");
  assert.match(
    roleOf("Head of a site")!,
    /^The field role is 'Head of a site'; it must be one of the offered answers, /,
  );
});
