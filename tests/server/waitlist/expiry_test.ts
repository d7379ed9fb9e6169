import assert from "node:assert/strict";
import { expiryOf } from "../../../server/waitlist/expiry.ts";
import {
  noteConfirmationTaken,
  noteUndeliverable,
} from "../../../server/waitlist/letter_outcomes.ts";
import { after, HOUR, join, NOON } from "../../support/transitions.ts";

Deno.test("expiryOf() counts the days to confirm from the time when the last confirmation letter entered the outbox if this letter was not taken", () => {
  const { record: joined } = join(0);
  assert.equal(expiryOf(joined, 14), NOON + 14 * 24 * HOUR);
  assert.equal(expiryOf(noteUndeliverable(joined, after(5)), 14), NOON + 14 * 24 * HOUR, "refused");
  const repeated = join(13 * 24, noteConfirmationTaken(joined, after(1)));
  assert.equal(repeated.letter, "confirmation");
  assert.equal(expiryOf(repeated.record, 14), NOON + 27 * 24 * HOUR, "a further letter waits");
});

Deno.test("expiryOf() counts the days to confirm from the sign-up when the letter limit prevented every confirmation letter", () => {
  const letterLimit = { letters: [after(1)] };
  const held = join(2, undefined, { letterLimit });
  assert.equal(held.letter, undefined);
  assert.equal(expiryOf(held.record, 14), NOON + (2 + 14 * 24) * HOUR);
  const repeated = join(20, held.record, { letterLimit });
  assert.equal(expiryOf(repeated.record, 14), NOON + (2 + 14 * 24) * HOUR, "a repeat");
});
