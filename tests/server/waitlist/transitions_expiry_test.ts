/** The states of a sign-up, and the letters and events that each step brings. */
import assert from "node:assert/strict";
import {
  confirmSignUp,
  expiryOf,
  noteTaken,
  noteUndeliverable,
} from "../../../server/waitlist/transitions.ts";
import { after, HOUR, join, NOON, record } from "../../support/transitions.ts";

Deno.test("expiryOf() counts from when the mail server took the confirmation letter", () => {
  const { record: joined } = join(0);
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

Deno.test("expiryOf() counts from when the letter was put in when none was taken", () => {
  const { record: joined } = join(0);
  assert.equal(expiryOf(joined, 14), NOON + 14 * 24 * HOUR);
  assert.equal(expiryOf(noteUndeliverable(joined, after(5)), 14), NOON + 14 * 24 * HOUR, "refused");
  const repeated = join(13 * 24, noteTaken(joined, after(1)));
  assert.equal(repeated.letter, "confirmation");
  assert.equal(expiryOf(repeated.record, 14), NOON + 27 * 24 * HOUR, "a further letter waits");
});

Deno.test("expiryOf() counts from the sign-up when the brakes hold all letters back", () => {
  const brake = { letters: [after(1)] };
  const held = join(2, undefined, { brake });
  assert.equal(held.letter, undefined);
  assert.equal(expiryOf(held.record, 14), NOON + (2 + 14 * 24) * HOUR);
  const repeated = join(20, held.record, { brake });
  assert.equal(expiryOf(repeated.record, 14), NOON + (2 + 14 * 24) * HOUR, "a repeat");
});
