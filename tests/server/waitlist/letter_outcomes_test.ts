import assert from "node:assert/strict";
import { confirmSignUp } from "../../../server/waitlist/transitions.ts";
import { expiryOf } from "../../../server/waitlist/expiry.ts";
import { noteLetterOutcome } from "../../../server/waitlist/letter_outcomes.ts";
import { after, HOUR, join, NOON } from "../../support/transitions.ts";

Deno.test("noteLetterOutcome() stores the last letter of each kind, and confirmSignUp() adds a taken confirmation letter to the proof", () => {
  const { record: joined } = join(0);
  const said = { answer: "250 OK", messageId: "<1@waitlist.test>" };
  const refused = { putAt: after(1), refusedAt: after(2), answer: "550 no" };
  const taken = { putAt: after(0), takenAt: after(3), ...said };
  const linked = noteLetterOutcome(joined, "link", refused);
  const once = noteLetterOutcome(linked, "confirmation", refused);
  assert.equal(once.confirmations?.takenAt, undefined, "a refused letter begins no time");
  const asked = noteLetterOutcome(once, "confirmation", taken);
  assert.deepEqual(asked.lastLetters, { link: refused, confirmation: taken });
  assert.equal(asked.confirmations?.takenAt, after(3));
  const confirmed = confirmSignUp(asked, { at: after(4), consentText: "c" }).record;
  assert.deepEqual(confirmed.lastLetters, { link: refused });
  const proof = { requestedAt: after(0), lang: "en", consentText: "c", confirmedAt: after(4) };
  assert.deepEqual(confirmed.proof, { ...proof, ...taken });
  const early = confirmSignUp(once, { at: after(4), consentText: "c" }).record;
  assert.deepEqual(early.proof, proof, "a refused letter is no proof");
});

Deno.test("noteLetterOutcome() does not extend the time to confirm when a letter with the self-service link is taken", () => {
  const taken = { putAt: after(0), takenAt: after(1) };
  const asked = noteLetterOutcome(join(0).record, "confirmation", taken);
  assert.equal(expiryOf(asked, 14), NOON + (1 + 14 * 24) * HOUR);
  const linked = noteLetterOutcome(asked, "link", { putAt: after(24), takenAt: after(25) });
  assert.equal(expiryOf(linked, 14), NOON + (1 + 14 * 24) * HOUR);
});
