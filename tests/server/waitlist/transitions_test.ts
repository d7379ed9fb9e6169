/** The states of a sign-up, and the letters and events that each step brings. */
import assert from "node:assert/strict";
import {
  askForLink,
  askToConfirm,
  confirmSignUp,
  inviteSignUp,
} from "../../../server/waitlist/transitions.ts";
import {
  noteConfirmationTaken,
  noteUndeliverable,
} from "../../../server/waitlist/letter_outcomes.ts";
import { letterLimitOf } from "../../../server/waitlist/letter_limit.ts";
import { STATES } from "../../../server/waitlist/record.ts";
import { after, HOUR, join, NO_LETTER_LIMIT, record } from "../../support/transitions.ts";

Deno.test("joinList() gives a new person the state 'waiting' at once when mail is off", () => {
  const { record: joined, ...brought } = join(0, undefined, { asksToConfirm: false });
  assert.deepEqual(joined, record("waiting"));
  assert.deepEqual(brought, { event: "signup.joined" });
});

Deno.test("joinList() gives a new person the state 'unconfirmed' and asks for a confirmation letter when mail is on", () => {
  const { record: joined, ...brought } = join(0);
  const confirmations = { count: 1, lastAt: after(0) };
  assert.deepEqual(joined, record("unconfirmed", { confirmations, letters: [after(0)] }));
  assert.deepEqual(brought, { event: "signup.joined", letter: "confirmation" });
});

Deno.test("joinList() asks for another confirmation letter after 24 hours, and for at most three letters in 30 days", async (t) => {
  const almost = 24 - 1 / HOUR;
  const cases: [hours: number, asks: boolean][] = [
    [0, false],
    [almost, false],
    [24, true],
    [24 + almost, false],
    [48, true],
    [72, false],
    [30 * 24 - 1 / HOUR, false],
    [30 * 24, true],
    [30 * 24 + 23, false],
    [31 * 24, true],
  ];
  let { record: kept } = join(0);
  for (const [hours, asks] of cases) {
    await t.step(`a repeat comes after ${hours} hours`, () => {
      const { record: repeated, letter, event } = join(hours, kept, {
        letterLimit: letterLimitOf(kept),
      });
      assert.equal(letter, asks ? "confirmation" : undefined);
      assert.equal(event, undefined);
      assert.equal(repeated.consentedAt, after(hours));
      if (!asks) assert.deepEqual(repeated.confirmations, kept.confirmations);
      kept = repeated;
    });
  }
  assert.deepEqual(kept.confirmations, { count: 5, lastAt: after(31 * 24) });
  assert.deepEqual(kept.letters, [48, 30 * 24, 31 * 24].map(after), "older ones are forgotten");
});

Deno.test("joinList() asks for no further confirmation letter when mail has been turned off", () => {
  const { record: kept } = join(0);
  const { record: repeated, letter } = join(24, kept, { asksToConfirm: false });
  assert.equal(letter, undefined);
  assert.deepEqual([repeated.state, repeated.confirmations], ["unconfirmed", kept.confirmations]);
});

Deno.test("joinList() asks for another confirmation letter when the clock was set back by a day", () => {
  const { record: kept } = join(0);
  const letterLimit = letterLimitOf(kept);
  assert.equal(join(-23, kept, { letterLimit }).letter, undefined);
  assert.equal(join(-24, kept, { letterLimit }).letter, "confirmation");
});

Deno.test("joinList() keeps to the letter limit of the mailbox even when the record is new", async (t) => {
  const cases: [lettersHoursAgo: number[], asks: boolean][] = [
    [[23], false],
    [[24], true],
    [[48, 24], true],
    [[72, 48, 24], false],
    [[30 * 24, 48, 24], true],
    [[29 * 24, 28 * 24, 27 * 24], false],
  ];
  for (const [hoursAgo, asks] of cases) {
    await t.step(`the mailbox got letters ${hoursAgo} hours ago`, () => {
      const letterLimit = { letters: hoursAgo.map((hours) => after(-hours)) };
      const { record: joined, letter, event } = join(0, undefined, { letterLimit });
      assert.equal(joined.state, "unconfirmed");
      assert.equal(letter, asks ? "confirmation" : undefined);
      assert.deepEqual(joined.confirmations, asks ? { count: 1, lastAt: after(0) } : undefined);
      assert.equal(event, "signup.joined");
    });
  }
});

Deno.test("confirmSignUp() stores the proof of consent, and removes the count of confirmation letters", () => {
  const { record: joined } = join(0);
  const { record: again } = join(5, joined, { letterLimit: { letters: [after(0)] } });
  const step = confirmSignUp(again, { at: after(6), consentText: "c1" });
  const asked = { requestedAt: after(5), lang: "en" as const, consentText: "c1" };
  const proof = { ...asked, confirmedAt: after(6) };
  assert.deepEqual(step, {
    record: record("waiting", {
      consentedAt: after(5),
      updatedAt: after(6),
      letters: [after(0)],
      proof,
    }),
    event: "signup.confirmed",
  });

  const { record: repeated, ...brought } = join(100, step.record);
  assert.deepEqual(repeated.proof, proof, "a repeat never touches it");
  assert.deepEqual(brought, {});
  assert.deepEqual(confirmSignUp(repeated, { at: after(101), consentText: "c2" }), {
    record: repeated,
  });
});

Deno.test("No transition moves a state back, or asks for a confirmation letter to a waiting or invited person", async (t) => {
  for (const state of STATES) {
    await t.step(`the person is ${state}`, () => {
      const before = record(state);
      const at = after(100);
      const steps = {
        join: join(100, before),
        joinWithoutMail: join(100, before, { asksToConfirm: false }),
        askToConfirm: askToConfirm(before, at, NO_LETTER_LIMIT),
        confirm: confirmSignUp(before, { at, consentText: "c1" }),
        invite: inviteSignUp(before, { at, invitationCode: "code", wave: "w1" }),
        taken: { record: noteConfirmationTaken(before, at) },
        undeliverable: { record: noteUndeliverable(before, at) },
      };
      for (const [name, step] of Object.entries(steps)) {
        assert.ok(STATES.indexOf(step.record.state) >= STATES.indexOf(state), `${state}, ${name}`);
        const letter = "letter" in step ? step.letter : undefined;
        if (letter === "confirmation") assert.equal(state, "unconfirmed", name);
        if (letter === "invitation") assert.equal(state, "waiting", name);
      }
    });
  }
});

Deno.test("An undeliverable address gets no letter until the address signs up again", async (t) => {
  const { record: joined } = join(0);
  const refused = noteUndeliverable(joined, after(1));
  assert.deepEqual(refused, { ...joined, undeliverableAt: after(1) });
  assert.equal(noteUndeliverable(refused, after(2)), refused, "the first refusal counts");
  for (const ask of [askToConfirm, askForLink]) {
    await t.step(`${ask.name}() asks for no letter`, () => {
      assert.deepEqual(ask(refused, after(48), NO_LETTER_LIMIT), { record: refused });
    });
  }

  const early = join(23, refused, { letterLimit: { letters: [after(0)] } });
  assert.equal(early.letter, undefined, "the letter limits hold");
  assert.equal(early.record.undeliverableAt, undefined);
  assert.equal(join(24, refused).letter, "confirmation");
  assert.equal(askForLink(early.record, after(24), NO_LETTER_LIMIT).letter, "link");
  const waits = noteUndeliverable(record("waiting"), after(1));
  assert.equal(join(2, waits).record.undeliverableAt, undefined);
});

Deno.test("askForLink() asks for at most one link letter a day to a person who has confirmed", async (t) => {
  for (const state of ["waiting", "invited"] as const) {
    await t.step(`the person is ${state}`, () => {
      const first = askForLink(record(state), after(0), NO_LETTER_LIMIT);
      assert.deepEqual(first, { record: record(state, { linkAt: after(0) }), letter: "link" });
      const letterLimit = letterLimitOf(first.record);
      assert.deepEqual(letterLimit, { letters: [], linkAt: after(0) });
      assert.deepEqual(askForLink(first.record, after(23), letterLimit), { record: first.record });
      for (const hours of [24, 48, 72, 96]) {
        assert.equal(askForLink(first.record, after(hours), letterLimit).letter, "link");
      }
    });
  }
});

Deno.test("askForLink() counts a letter with the self-service link to an unconfirmed person toward the limit of confirmation letters", () => {
  const { record: joined } = join(0);
  assert.equal(askForLink(joined, after(23), letterLimitOf(joined)).letter, undefined);
  const { record: asked, letter } = askForLink(joined, after(24), letterLimitOf(joined));
  assert.equal(letter, "link");
  assert.equal(join(47, asked, { letterLimit: letterLimitOf(asked) }).letter, undefined);
  const { record: again, letter: second } = join(48, asked, { letterLimit: letterLimitOf(asked) });
  assert.equal(second, "confirmation");
  assert.equal(askForLink(again, after(72), letterLimitOf(again)).letter, undefined, "three");
});
