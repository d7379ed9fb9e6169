/** Decisions, "The life of a sign-up": its states, and the letters and events that each step brings. */
import assert from "node:assert/strict";
import {
  askForLink,
  askToConfirm,
  confirmSignUp,
  inviteSignUp,
  noteTaken,
  noteUndeliverable,
} from "../../../server/waitlist/life.ts";
import { STATES } from "../../../server/waitlist/record.ts";
import { after, HOUR, join, record } from "../../support/life.ts";

Deno.test("joinList() lets everybody wait from the start when there is no mail", () => {
  const earlier = { count: 1, lastAt: after(-1) };
  const { record: joined, ...brought } = join(0, undefined, { asksToConfirm: false, earlier });
  assert.deepEqual(joined, record("waiting"));
  assert.deepEqual(brought, { event: "signup.joined" });
});

Deno.test("joinList() asks a new address to confirm when there is mail", () => {
  const { record: joined, ...brought } = join(0);
  const confirmations = { count: 1, lastAt: after(0) };
  assert.deepEqual(joined, record("unconfirmed", { confirmations }));
  assert.deepEqual(brought, { event: "signup.joined", letter: "confirmation" });
});

Deno.test("joinList() asks again after 24 hours, and three times in all", () => {
  const almost = 24 - 1 / HOUR;
  const cases: [hours: number, asks: boolean][] = [
    [0, false],
    [almost, false],
    [24, true],
    [24 + almost, false],
    [48, true],
    [72, false],
    [10_000, false],
  ];
  let { record: kept } = join(0);
  for (const [hours, asks] of cases) {
    const { record: repeated, letter, event } = join(hours, kept);
    assert.equal(letter, asks ? "confirmation" : undefined, `after ${hours} hours`);
    assert.equal(event, undefined);
    assert.equal(repeated.consentedAt, after(hours));
    if (!asks) assert.deepEqual(repeated.confirmations, kept.confirmations);
    kept = repeated;
  }
  assert.deepEqual(kept.confirmations, { count: 3, lastAt: after(48) });
});

Deno.test("joinList() asks nobody again when there is no mail any more", () => {
  const { record: kept } = join(0);
  const { record: repeated, letter } = join(24, kept, { asksToConfirm: false });
  assert.equal(letter, undefined);
  assert.deepEqual([repeated.state, repeated.confirmations], ["unconfirmed", kept.confirmations]);
});

Deno.test("joinList() asks again when the clock was set back by more than a day", () => {
  const { record: kept } = join(0);
  assert.equal(join(-23, kept).letter, undefined);
  assert.equal(join(-24, kept).letter, "confirmation");
});

Deno.test("joinList() goes on with the brakes of the record that was erased", () => {
  const cases: [count: number, lastHours: number, asks: boolean][] = [
    [1, -23, false],
    [1, -24, true],
    [2, -24, true],
    [3, -24, false],
    [3, -10_000, false],
  ];
  for (const [count, lastHours, asks] of cases) {
    const earlier = { count, lastAt: after(lastHours) };
    const { record: joined, letter, event } = join(0, undefined, { earlier });
    assert.equal(joined.state, "unconfirmed");
    assert.equal(letter, asks ? "confirmation" : undefined, JSON.stringify(earlier));
    assert.deepEqual(
      joined.confirmations,
      asks ? { count: count + 1, lastAt: after(0) } : earlier,
    );
    assert.equal(event, "signup.joined");
  }
});

Deno.test("confirmSignUp() makes the proof, and sets the number of letters back", () => {
  const { record: joined } = join(0);
  const { record: again } = join(5, joined);
  const step = confirmSignUp(again, { at: after(6), consentText: "c1" });
  const proof = { requestedAt: after(5), consentText: "c1", confirmedAt: after(6) };
  assert.deepEqual(step, {
    record: record("waiting", { consentedAt: after(5), updatedAt: after(6), proof }),
    event: "signup.confirmed",
  });

  const { record: repeated, ...brought } = join(100, step.record);
  assert.deepEqual(repeated.proof, proof, "a repeat never touches it");
  assert.deepEqual(brought, {});
  assert.deepEqual(confirmSignUp(repeated, { at: after(101), consentText: "c2" }), {
    record: repeated,
  });
});

Deno.test("inviteSignUp() invites who waits, once", () => {
  const options = { at: after(1), invitationCode: "code", wave: "w1" };
  const invited = inviteSignUp(record("waiting"), options);
  assert.deepEqual(invited, {
    record: record("invited", {
      invitedAt: after(1),
      invitationCode: "code",
      wave: "w1",
      updatedAt: after(1),
    }),
    event: "signup.invited",
    letter: "invitation",
  });
  for (const each of [record("unconfirmed"), invited.record]) {
    const again = { at: after(2), invitationCode: "other", wave: "w2" };
    assert.deepEqual(inviteSignUp(each, again), { record: each });
  }
});

Deno.test("No step moves a state back, or brings a letter to who waits or is invited already", () => {
  for (const state of STATES) {
    const before = record(state);
    const at = after(100);
    const steps = {
      join: join(100, before),
      joinWithoutMail: join(100, before, { asksToConfirm: false }),
      askToConfirm: askToConfirm(before, at),
      confirm: confirmSignUp(before, { at, consentText: "c1" }),
      invite: inviteSignUp(before, { at, invitationCode: "code", wave: "w1" }),
      taken: { record: noteTaken(before, at) },
      undeliverable: { record: noteUndeliverable(before, at) },
    };
    for (const [name, step] of Object.entries(steps)) {
      assert.ok(STATES.indexOf(step.record.state) >= STATES.indexOf(state), `${state}, ${name}`);
      const letter = "letter" in step ? step.letter : undefined;
      if (letter === "confirmation") assert.equal(state, "unconfirmed", name);
      if (letter === "invitation") assert.equal(state, "waiting", name);
    }
  }
});

Deno.test("An undeliverable address gets no letter until it signs up again", () => {
  const { record: joined } = join(0);
  const refused = noteUndeliverable(joined, after(1));
  assert.deepEqual(refused, { ...joined, undeliverableAt: after(1) });
  assert.equal(noteUndeliverable(refused, after(2)), refused, "the first refusal counts");
  for (const step of [askToConfirm(refused, after(48)), askForLink(refused, after(48))]) {
    assert.deepEqual(step, { record: refused });
  }

  const early = join(23, refused);
  assert.equal(early.letter, undefined, "the brakes hold");
  assert.equal(early.record.undeliverableAt, undefined);
  assert.equal(join(24, refused).letter, "confirmation");
  assert.equal(askForLink(early.record, after(24)).letter, "link");
  const waits = noteUndeliverable(record("waiting"), after(1));
  assert.equal(join(2, waits).record.undeliverableAt, undefined);
});

Deno.test("askForLink() sends the link at most once a day, to people in every state", () => {
  for (const state of STATES) {
    const first = askForLink(record(state), after(0));
    assert.deepEqual(first, { record: record(state, { linkAt: after(0) }), letter: "link" });
    assert.deepEqual(askForLink(first.record, after(23)), { record: first.record });
    assert.equal(askForLink(first.record, after(24)).letter, "link");
  }
});
