/** Random histories of people: what the store holds agrees at every step with a plain list in memory. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { storeBulkSignUps } from "../../../../server/store/people/bulk_sign_ups.ts";
import { correctAddress } from "../../../../server/store/people/correct.ts";
import { eraseSignUp } from "../../../../server/store/people/erasure.ts";
import { readOutboxCounts } from "../../../../server/store/outbox/counts.ts";
import { findItems, readFirstItems } from "../../../../server/store/outbox/reads.ts";
import { type Person, readPeople } from "../../../../server/store/people/people_lists.ts";
import { changeRecords } from "../../../../server/store/people/change_records.ts";
import { storeSignUps } from "../../../../server/store/people/sign_ups.ts";
import { confirmSignUp, inviteSignUp } from "../../../../server/waitlist/transitions.ts";
import {
  noteConfirmationTaken,
  noteDeliverable,
  noteUndeliverable,
} from "../../../../server/waitlist/letter_outcomes.ts";
import { newReferralCode } from "../../../../server/waitlist/referrals.ts";
import { type SignUpRecord, STATES } from "../../../../server/waitlist/record.ts";
import { mergeImported } from "../../../../server/waitlist/merge_records.ts";
import { uncertainKv } from "../../../support/faulty_kv.ts";
import { codeOf, redeem, renew } from "../../../support/invitations.ts";
import { HOUR, TransitionsModel } from "../../../support/transitions.ts";
import {
  assertCountersEqualRecount,
  assertReferralsEqualRecount,
} from "../../../support/recounts.ts";
import { assertListsAgree, listItems } from "../../../support/lists.ts";
import {
  changeRecord,
  OUTBOX,
  random,
  recordId,
  storedCounters,
  storedSignUps,
} from "../../../support/records.ts";
import { START } from "../../../support/service.ts";
import type { Kv } from "../../../../server/store/kv/engine.ts";
import { listAll, openMemoryKv } from "../../../support/memory_kv.ts";

const SIGN_UPS = { prefix: ["sign_up"] };
const iso = (at: number) => new Date(at).toISOString();

const email = fc.constantFrom(..."abcde").map((name) => `${name}@example.com`);
const answers = fc.record({
  lang: fc.constantFrom("en" as const, "de" as const),
  source: fc.constantFrom("hero" as const, "cta" as const),
}, { requiredKeys: [] });
const state = fc.constantFrom(...STATES);

const step = fc.record({
  /** Hours since the step before; none is as likely as those about the letter limits. */
  hours: fc.constantFrom(0, 0, 1, 23, 24, 100),
  /** What becomes of the step's first commit. */
  commit: fc.constantFrom("sound", "sound", "sound", "unanswered", "failed"),
  what: fc.oneof(
    // The third value is the person by whose link the sign-up comes.
    {
      weight: 4,
      arbitrary: fc.array(fc.tuple(email, answers, fc.option(email)), {
        minLength: 1,
        maxLength: 4,
      }),
    },
    fc.record({ confirm: email }),
    fc.record({
      invite: fc.integer({ min: 1, max: 3 }),
      expiresIn: fc.constantFrom(undefined, 24, 1_000),
    }),
    fc.record({ redeem: email, reference: fc.constantFrom("user-1", "user-2") }),
    fc.record({ renew: email, expiresIn: fc.constantFrom(24, 1_000) }),
    fc.record({ taken: email }),
    fc.record({ expire: email }),
    fc.record({ correct: email, to: email }),
    fc.record({ mark: email, marked: fc.boolean() }),
    fc.record({ erase: email, reason: fc.constantFrom("person" as const, "operator" as const) }),
    fc.record({
      import: email,
      hoursAgo: fc.constantFrom(0, 30, 1_000),
      answers: fc.tuple(answers, fc.option(state, { nil: undefined })),
    }),
  ),
});
type What =
  (typeof step extends fc.Arbitrary<infer S extends { what: unknown }> ? S : never)["what"];

/** Does a step in the store and in the model. */
async function take(kv: Kv, model: TransitionsModel, what: What, at: number): Promise<void> {
  if (Array.isArray(what)) {
    const records = await storedSignUps(kv);
    const signUps = what.map(([email, answers, by]) => {
      model.signUp(email, at, answers);
      const referralCode = by === null ? undefined : records[by]?.referralCode;
      return { signUp: { email, ...answers }, at: iso(at), id: recordId(), referralCode };
    });
    await storeSignUps(kv, signUps, { outbox: OUTBOX });
  } else if ("confirm" in what) {
    model.confirm(what.confirm, at);
    const options = { at: iso(at), consentText: "c1", referralCode: newReferralCode(random) };
    await changeRecord(kv, what.confirm, (record) => confirmSignUp(record, options));
  } else if ("invite" in what) {
    const { expiresIn } = what;
    const expires = expiresIn === undefined ? undefined : at + expiresIn * HOUR;
    const options = { at: iso(at), wave: "w1", ...expires && { expiresAt: iso(expires) } };
    const { value: next } = await readPeople(kv, { list: "waiting", limit: what.invite }).next();
    const emails = ((next ?? []) as Person[]).map(({ email }) => email);
    assert.deepEqual(model.invite(what.invite, at, expires), emails);
    const decisions = emails.map((email) => {
      const invitation = { ...options, invitationCode: recordId() };
      const decide = (record?: SignUpRecord) => inviteSignUp(record!, invitation);
      return { email, decide };
    });
    await changeRecords(kv, decisions, { outbox: OUTBOX });
  } else if ("redeem" in what) {
    const { redeem: email, reference } = what;
    const outcome = await redeem(kv, await codeOf(kv, email), { at: iso(at), reference });
    const became = "refused" in outcome ? outcome.refused : outcome.record.state;
    assert.equal(became, model.redeem(email, at, reference));
  } else if ("renew" in what) {
    const expiresAt = at + what.expiresIn * HOUR;
    model.renew(what.renew, at, expiresAt);
    await renew(kv, what.renew, { at: iso(at), expiresAt: iso(expiresAt) });
  } else if ("taken" in what) {
    await changeRecord(
      kv,
      what.taken,
      (record) => ({ record: noteConfirmationTaken(record, iso(at)) }),
    );
  } else if ("expire" in what) {
    if (model.people.get(what.expire)?.state !== "unconfirmed") return;
    model.leave(what.expire, at, "expired");
    await changeRecord(kv, what.expire, () => ({ leaves: "expired", at }));
  } else if ("mark" in what) {
    model.mark(what.mark, what.marked);
    await changeRecord(kv, what.mark, (record) => ({
      record: what.marked ? noteUndeliverable(record, iso(at)) : noteDeliverable(record),
    }));
  } else if ("correct" in what) {
    const { correct: email, to: newEmail } = what;
    model.correct(email, newEmail, at);
    const findInvitationUrl = () => Promise.resolve("https://app.example.com/");
    const options = { kv, outbox: OUTBOX, random, now: at, findInvitationUrl };
    await correctAddress({ email, newEmail }, options);
  } else if ("erase" in what) {
    const { erase, reason } = what;
    model.leave(erase, at, reason);
    if (reason === "person") await changeRecord(kv, erase, () => ({ leaves: reason, at }));
    else await eraseSignUp(kv, erase, { now: at, random, outbox: OUTBOX });
  } else {
    const { import: email, hoursAgo, answers: [answers, state] } = what;
    const consented = at - hoursAgo * HOUR;
    const given = { ...answers, ...state && { state } };
    model.import(email, consented, given);
    const imported = { email, consentedAt: iso(consented), ...given };
    const merge = (record?: SignUpRecord) =>
      mergeImported(record, imported, { at: iso(at), id: recordId() });
    await storeBulkSignUps(kv, [{ email, answers: {}, consentedAt: imported.consentedAt, merge }]);
  }
}

/** Asserts that records, lists, counters and outbox are what the model has. */
async function assertAgrees(kv: Kv, model: TransitionsModel): Promise<void> {
  const expected = Array.from(model.people, ([email, person]) => {
    const { state, created, consented, lang, source, asked, proof, expires, reference, marked } =
      person;
    const [requested, confirmed] = proof?.map(iso) ?? [];
    const asking = asked && [asked.count, iso(asked.last)];
    const known = [email, state, iso(created), iso(consented), lang, source, asking];
    return [...known, requested, confirmed, expires && iso(expires), reference, Boolean(marked)];
  });
  const records = Object.entries(await storedSignUps(kv));
  const stored = records.map(([email, record]) => {
    const { state, createdAt, consentedAt, lang, source, confirmations, proof } = record;
    const redeemed = [record.expiresAt, record.reference, Boolean(record.undeliverableAt)];
    const asking = confirmations && [confirmations.count, confirmations.lastAt];
    const proven = [proof?.requestedAt, proof?.confirmedAt];
    return [email, state, createdAt, consentedAt, lang, source, asking, ...proven, ...redeemed];
  });
  assert.deepEqual(stored, expected.toSorted());

  const codes = records.flatMap(([, { invitationCode }]) => invitationCode ?? []);
  assert.equal(new Set(codes).size, codes.length, "no code is given twice");

  const counters = await storedCounters(kv);
  assert.equal(counters.total ?? 0, model.people.size);
  for (const state of STATES) {
    const people = model.inOrder(state);
    assert.equal(counters[`byState/${state}`] ?? 0, people.length);
    assert.deepEqual(await pages(kv, state, false), people);
    assert.deepEqual(await pages(kv, state, true), people.toReversed());
  }

  const all = [...model.outbox].flatMap(([email, items]) =>
    items.map(({ queue, what, at }) => ({ email, queue, what, at }))
  );
  const found = (await listItems(kv)).map(({ item: { email, queue, message, putAt } }) => {
    const reason = "event" in message && "reason" in message.person && message.person.reason;
    const what = "letter" in message ? message.letter : message.event;
    return { email, queue, what: reason ? `${what} ${reason}` : what, at: putAt };
  });
  const sorted = (each: unknown[]) => each.map((item) => JSON.stringify(item)).toSorted();
  assert.deepEqual(sorted(found), sorted(all));
  for (const { value: record } of await listAll<SignUpRecord>(kv, SIGN_UPS)) {
    const ids = (await findItems(kv, record.outbox)).map(({ id }) => id);
    assert.deepEqual(ids, record.outbox ?? [], "every item of the person is there");
  }
  for (const queue of ["letters", "invitations", "events"] as const) {
    const due = (await readFirstItems(kv, queue, { limit: 500 })).map(({ item }) => item.putAt);
    const ats = all.filter((item) => item.queue === queue).map(({ at }) => at);
    assert.deepEqual(due, ats.toSorted((a, b) => a - b));
  }
  const { due, refused } = await readOutboxCounts(kv, "2026-11-21");
  assert.deepEqual([due, refused], [all.length, 0]);
  await assertListsAgree(kv);
  await assertCountersEqualRecount(kv);
  await assertReferralsEqualRecount(kv);
}

/** Reads the people of a state two at a time. */
async function pages(kv: Kv, state: SignUpRecord["state"], newest: boolean) {
  const pages = await Array.fromAsync(readPeople(kv, { list: state, reverse: newest, limit: 2 }));
  return pages.flat().map(({ email }) => email);
}

Deno.test("The store has the same people and states as a simple model after each step of random histories", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40, size: "max" }), async (steps) => {
      using kv = await openMemoryKv();
      const model = new TransitionsModel();
      let at = START;
      for (const { hours, commit, what } of steps) {
        at += hours * HOUR;
        const goThrough = commit === "unanswered";
        const faulty = commit === "sound" ? kv : uncertainKv(kv, { commits: 1, goThrough });
        await take(faulty, model, what, at);
        await assertAgrees(kv, model);
      }
    }),
    { numRuns: 40 },
  );
});
