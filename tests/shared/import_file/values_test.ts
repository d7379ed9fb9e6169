/** The values of an import file; the forms of a time are in `tests/shared/foreign_times_test.ts`. */
import assert from "node:assert/strict";
import { readValue } from "../../../shared/import_file/values.ts";

const AT = "2024-05-01T09:30:00.000Z";
const BERLIN = "Europe/Berlin";
const ADVICE = { zone: "give the zone", nameless: "leave it out" };

/** Texts of a file, and the values that the service gets. */
const VALUES: [field: string, text: string, value: string | number | boolean][] = [
  ["lang", "DE", "de"],
  ["lang", "de-AT", "de"],
  ["lang", "de_DE", "de"],
  ["lang", "De-de-1996", "de"],
  ["proof.lang", "de-CH", "de"],
  ["lang", "Deutsch", "de"],
  ["lang", "German (Austria)", "de"],
  ["lang", "ENGLISH", "en"],
  ["lang", "Englisch", "en"],
  ["lang", "Français", "Français"],
  ["lang", "fr-CH", "fr-CH"],
  ["email", "\u200b ada@example.com\u00a0", "ada@example.com"],
  ["note", " Met at the fair. ", " Met at the fair. "],
  ["referrals", "3", 3],
  ["referralCounts", "true", true],
  ["consentedAt", "2024-05-01T11:30:00+02:00", "2024-05-01T11:30:00+02:00"],
  ["consentedAt", " 2024-05-01 11:30+02:00 ", AT],
  ["consentedAt", "01.05.2024 11:30:00", AT],
  ["consentedAt", "soon", "soon"],
];

Deno.test("readValue() converts texts of other tools to values that the service accepts", async (t) => {
  for (const [field, text, value] of VALUES) {
    await t.step(`${field} ${text}`, () => {
      assert.deepEqual(readValue(field, text, { zone: BERLIN, advice: ADVICE }), { value });
    });
  }
});

/** Times that are refused, and why. */
const REASONS: [text: string, reason: RegExp, zone?: string][] = [
  ["2024-05-01 11:30", /is '2024-05-01 11:30', a time without a zone; give the zone\.$/],
  [
    "2024-03-31 02:30",
    /, a time that does not exist in Europe\/Berlin, because the clocks/,
    BERLIN,
  ],
  ["2024-02-30T09:30:00Z", /, a day or a time that does not exist; correct this value\.$/],
  [
    "2024-05-01",
    /, a day without a time, which counts from 00:00 in a time zone; give the zone\.$/,
  ],
  ["5/6/2024 9:30am", /, a date whose day and month cannot be told apart; write the year first/],
];

Deno.test("readValue() says why it cannot read a text as a time", async (t) => {
  for (const [text, reason, zone] of REASONS) {
    await t.step(text, () => {
      const read = readValue("consentedAt", text, { zone, advice: ADVICE });
      assert.match("reason" in read ? read.reason : "", reason);
    });
  }
});
