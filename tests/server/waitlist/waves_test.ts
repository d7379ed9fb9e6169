import assert from "node:assert/strict";
import { asksForWave } from "../../../server/waitlist/waves.ts";
import { invitationUrlOf, isSafeLink } from "../../../server/waitlist/invitation_link.ts";
import { reasonNotToInvite } from "../../../server/waitlist/waves.ts";
import { matchesFilter } from "../../../server/waitlist/people_filter.ts";
import { toWaveParameters } from "../../../server/waitlist/waves.ts";
import type { SignUpRecord } from "../../../server/waitlist/record.ts";
import { mergeSignUp } from "../../../server/waitlist/merge_records.ts";

const AT = "2026-11-21T12:00:00.000Z";

function record(fields: Partial<SignUpRecord> = {}): SignUpRecord {
  const options = { at: AT, id: "a".repeat(22) };
  return { ...mergeSignUp(undefined, { email: "ada@example.com" }, options), ...fields };
}

Deno.test("isSafeLink() accepts https: URLs, and http: URLs of loopback hosts only", () => {
  const safe = "https://app.example.com/welcome?code={code} https://{code}.example.com/ " +
    "http://localhost:3000/{code} http://127.0.0.1/ http://[::1]:8000/";
  const unsafe = "app.example.com /welcome http://app.example.com/{code} javascript:alert(1) " +
    "http://localhost.example.com/ ftp://example.com/ https:// https://example.com/ü";
  const withSpace = ["", "https://example.com/a b", "https://example.com/\n"];
  assert.deepEqual(safe.split(" ").filter((link) => !isSafeLink(link)), []);
  assert.deepEqual([...unsafe.split(" "), ...withSpace].filter(isSafeLink), []);
});

Deno.test("invitationUrlOf() replaces each {code} of the link by the invitation code, and keeps a link without {code}", () => {
  assert.equal(
    invitationUrlOf("https://a.example/{code}?c={code}", "$&x"),
    "https://a.example/$&x?c=$&x",
  );
  assert.equal(invitationUrlOf("https://a.example/", "x"), "https://a.example/");
});

Deno.test("reasonNotToInvite() returns undefined only for waiting people who can get letters", () => {
  assert.equal(reasonNotToInvite(record()), undefined);
  assert.equal(reasonNotToInvite(record({ undeliverableAt: AT, complainedAt: AT })), "complained");
  assert.equal(reasonNotToInvite(record({ state: "accepted" })), "invited");
  assert.equal(reasonNotToInvite(record({ state: "unconfirmed" })), "unconfirmed");
  assert.equal(reasonNotToInvite(record({ state: "invited", wave: "other" })), "invited");
  assert.equal(reasonNotToInvite(record({ undeliverableAt: AT })), "undeliverable");
});

Deno.test("matchesFilter() accepts only people who have given every answer of the filter", () => {
  const person = { lang: "de" as const, role: "engineer" };
  assert.ok(matchesFilter(person, {}));
  assert.ok(matchesFilter(person, { lang: "de", role: "engineer" }));
  assert.ok(!matchesFilter(person, { lang: "de", role: "owner" }));
  assert.ok(!matchesFilter(person, { source: "hero" }));
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
