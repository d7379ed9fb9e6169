/** Decisions, "The life of a sign-up": its states, and the letters and events that each step brings. */
import assert from "node:assert/strict";
import { confirmSignUp, expiryOf, noteTaken } from "../../../server/waitlist/life.ts";
import { after, HOUR, join, NOON, record } from "../../support/life.ts";

Deno.test("expiryOf() counts from when the mail server took the confirmation letter", () => {
  const { record: joined } = join(0);
  assert.equal(expiryOf(joined, 14), undefined, "nobody expires before");
  const taken = noteTaken(joined, after(2));
  assert.deepEqual(taken.confirmations, { count: 1, lastAt: after(0), takenAt: after(2) });
  assert.equal(expiryOf(taken, 14), NOON + (2 + 14 * 24) * HOUR);
  const confirmed = confirmSignUp(taken, { at: after(3), consentText: "c1" }).record;
  assert.equal(expiryOf(confirmed, 14), undefined);
  for (const state of ["waiting", "invited"] as const) {
    const each = record(state);
    assert.equal(noteTaken(each, after(2)), each);
    assert.equal(expiryOf(each, 14), undefined);
  }
});

// The last letter counts: while it waits, the time to confirm has not begun.
Deno.test("expiryOf() gives no moment when a further confirmation letter waits", () => {
  const taken = noteTaken(join(0).record, after(0));
  const repeated = join(13 * 24, taken);
  assert.equal(repeated.letter, "confirmation");
  assert.equal(expiryOf(repeated.record, 14), undefined, "asked again after 13 days");

  const back = join(20 * 24, undefined, { earlier: taken.confirmations });
  assert.equal(back.letter, "confirmation");
  assert.equal(expiryOf(back.record, 14), undefined, "erased, and back after 20 days");
  const takenAgain = noteTaken(back.record, after(21 * 24));
  assert.equal(expiryOf(takenAgain, 14), NOON + 35 * 24 * HOUR);
});

// Such an address gets no letter that could begin the time to confirm.
Deno.test("expiryOf() counts from the sign-up when the brakes of an erased record hold its letter back", () => {
  const { confirmations } = noteTaken(join(0).record, after(1));
  assert.ok(confirmations);
  for (const [hours, count] of [[2, 1], [100 * 24, 3]] as const) {
    const back = join(hours, undefined, { earlier: { ...confirmations, count } });
    assert.equal(back.letter, undefined);
    assert.equal(expiryOf(back.record, 14), NOON + (hours + 14 * 24) * HOUR);
    const repeated = join(hours + 1, back.record);
    assert.equal(expiryOf(repeated.record, 14), NOON + (hours + 14 * 24) * HOUR, "a repeat");
  }
  const { record: untaken } = join(2, undefined, { earlier: { count: 1, lastAt: after(0) } });
  assert.equal(expiryOf(untaken, 14), undefined, "no letter ever reached the mail server");
});
