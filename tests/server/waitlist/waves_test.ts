import assert from "node:assert/strict";
import {
  asksForWave,
  reasonNotToInvite,
  toWaveParameters,
} from "../../../server/waitlist/waves.ts";
import type { SignUpRecord } from "../../../server/waitlist/record.ts";
import { mergeSignUp } from "../../../server/waitlist/merge_records.ts";

const AT = "2026-11-21T12:00:00.000Z";

function record(fields: Partial<SignUpRecord> = {}): SignUpRecord {
  const options = { at: AT, id: "a".repeat(22) };
  return { ...mergeSignUp(undefined, { email: "ada@example.com" }, options), ...fields };
}

Deno.test("reasonNotToInvite() returns undefined only for waiting people who can get letters", () => {
  assert.equal(reasonNotToInvite(record()), undefined);
  assert.equal(reasonNotToInvite(record({ undeliverableAt: AT, complainedAt: AT })), "complained");
  assert.equal(reasonNotToInvite(record({ state: "accepted" })), "invited");
  assert.equal(reasonNotToInvite(record({ state: "unconfirmed" })), "unconfirmed");
  assert.equal(reasonNotToInvite(record({ state: "invited", wave: "other" })), "invited");
  assert.equal(reasonNotToInvite(record({ undeliverableAt: AT })), "undeliverable");
});

Deno.test("asksForWave() compares all parameters of a wave except the order of its addresses", () => {
  const link = "https://a.example/";
  const emails = ["ada@example.com", "bo@example.com"];
  const wave = (request: Parameters<typeof toWaveParameters>[0]) => {
    return {
      parameters: toWaveParameters(request, "salt"),
      salt: "salt",
      invited: 0,
      startedAt: AT,
    };
  };
  const named = wave({ wave: "a", emails, link });
  assert.ok(asksForWave({ wave: "a", emails: emails.toReversed(), link, dryRun: true }, named));
  assert.ok(!asksForWave({ wave: "a", emails: emails.slice(1), link }, named));
  assert.ok(!JSON.stringify(named).includes("example.com"), "no address in the entry");

  const next = wave({ wave: "a", next: 3, link, lang: "de" });
  assert.ok(asksForWave({ wave: "a", next: 3, link, lang: "de" }, next));
  assert.ok(!asksForWave({ wave: "a", next: 4, link, lang: "de" }, next));
  assert.ok(!asksForWave({ wave: "a", next: 3, link }, next));
  assert.ok(!asksForWave({ wave: "a", next: 3, link: `${link}x`, lang: "de" }, next));
});
