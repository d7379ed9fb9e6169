import assert from "node:assert/strict";
import fc from "fast-check";
import type { SignUpRecord } from "../../../server/waitlist/record.ts";
import { mergeImported, mergeRestored } from "../../../server/waitlist/merge_records.ts";
import { redeemInvitation, renewInvitation } from "../../../server/waitlist/transitions.ts";
import { summarizePeople } from "../../../server/waitlist/overview.ts";
import { countersOf } from "../../../shared/counters.ts";

const AT = "2026-11-21T12:00:00.000Z";
const LATER = "2026-11-22T12:00:00.000Z";

const INVITED: SignUpRecord = {
  id: "x".repeat(22),
  createdAt: AT,
  consentedAt: AT,
  updatedAt: AT,
  lang: "en",
  state: "invited",
  invitedAt: AT,
  invitationCode: "c".repeat(32),
  wave: "first",
};

const redeem = (record: SignUpRecord, at = LATER, reference = "user-1") => {
  const step = redeemInvitation(record, { at, reference });
  return typeof step === "string" ? step : step.record;
};

Deno.test("redeemInvitation() changes nothing for a second call with the same reference, and returns 'used' for another reference", () => {
  const expiring = { ...INVITED, expiresAt: LATER };
  const accepted = redeem(expiring, AT) as SignUpRecord;
  assert.equal(accepted.state, "accepted");
  // Also once the time is over.
  assert.equal(redeem(accepted, "2027-01-01T00:00:00.000Z"), accepted);
  assert.equal(redeem(accepted, LATER, "user-2"), "used");
});

Deno.test("redeemInvitation() returns 'expired' at the time of expiry and later", () => {
  const expiring = { ...INVITED, expiresAt: LATER };
  assert.equal(redeem(expiring, LATER), "expired");
  const before = new Date(Date.parse(LATER) - 1).toISOString();
  assert.notEqual(redeem(expiring, before), "expired");
});

Deno.test("renewInvitation() extends an invitation and keeps its code, but does not change a person who has accepted", () => {
  const { record } = renewInvitation({ ...INVITED, expiresAt: AT }, {
    at: LATER,
    expiresAt: LATER,
  });
  assert.deepEqual(record, { ...INVITED, expiresAt: LATER, updatedAt: LATER });
  const accepted = redeem(INVITED) as SignUpRecord;
  assert.equal(renewInvitation(accepted, { at: LATER, expiresAt: LATER }).record, accepted);
});

Deno.test("mergeImported() and mergeRestored() keep the state 'accepted', the acceptedAt, the reference and the wave of a record", () => {
  const accepted = redeem(INVITED) as SignUpRecord;
  const options = { at: LATER, id: INVITED.id };
  const { id: _, ...line } = { ...INVITED, email: "a@example.com", reference: "user-9", wave: "x" };
  const imported = mergeImported(accepted, line, options);
  const kept = (
    { state, reference, acceptedAt, wave }: SignUpRecord,
  ) => [state, reference, acceptedAt, wave];
  assert.deepEqual(kept(imported), ["accepted", "user-1", LATER, "first"]);
  const again = { ...INVITED, id: "signed-up-again" };
  assert.deepEqual(kept(mergeRestored(again, accepted)), kept(accepted));
  assert.deepEqual(kept(mergeRestored(accepted, again)), kept(accepted));
});

Deno.test("summarizePeople() returns the median time from invitation to acceptance, exact to 5 %", () => {
  const seconds = fc.array(fc.integer({ min: 0, max: 3e8 }), { minLength: 1, maxLength: 30 });
  fc.assert(fc.property(seconds, (times) => {
    const counters = times.flatMap((time) => {
      const acceptedAt = new Date(Date.parse(AT) + time * 1000).toISOString();
      return countersOf({ ...INVITED, state: "accepted", acceptedAt });
    }).map((counter) => ({ counter, count: 1 }));
    const { medianSeconds = -1 } = summarizePeople(counters, Date.parse(AT)).funnel;
    const median = times.toSorted((a, b) => a - b)[Math.ceil(times.length / 2) - 1]!;
    assert.ok(Math.abs(medianSeconds - median) <= 0.05 * median + 1, `${medianSeconds} ${median}`);
  }));
});
