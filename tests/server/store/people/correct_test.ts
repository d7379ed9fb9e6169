import assert from "node:assert/strict";
import { correctAddress } from "../../../../server/store/people/correct.ts";
import { eraseSignUp, findSignUp } from "../../../../server/store/people/erasure.ts";
import { findPersonById } from "../../../../server/store/people/records.ts";
import { confirmSignUp, inviteSignUp } from "../../../../server/waitlist/transitions.ts";
import { expiryOf } from "../../../../server/waitlist/expiry.ts";
import type { OutboxItem } from "../../../../server/waitlist/outbox_item.ts";
import { mustStillBeSent } from "../../../../server/waitlist/message_causes.ts";
import type { SignUpRecord } from "../../../../server/waitlist/record.ts";
import type { Kv } from "../../../../server/store/kv/engine.ts";
import { assertListsAgree } from "../../../support/lists.ts";
import { listAll, test } from "../../../support/memory_kv.ts";
import {
  changeRecord,
  everyEntry,
  OUTBOX,
  random,
  storeAddresses,
  storedIds,
  storedSignUps,
} from "../../../support/records.ts";
import { assertCountersEqualRecount } from "../../../support/recounts.ts";
import { START } from "../../../support/service.ts";

const OLD = "ada@exmaple.com", NEW = "ada@example.com";
const HOUR = 3_600_000;
const iso = (hours: number) => new Date(START + hours * HOUR).toISOString();
const LINK = "https://app.example.com/";

function correct(
  kv: Kv,
  { from = OLD, to = NEW, hours = 1, outbox = OUTBOX, isLinkKnown = true } = {},
) {
  const findInvitationUrl = () => Promise.resolve(isLinkKnown ? LINK : undefined);
  const options = { kv, outbox, random, now: START + hours * HOUR, findInvitationUrl };
  return correctAddress({ email: from, newEmail: to }, options);
}

async function recordOf(kv: Kv, email: string): Promise<SignUpRecord> {
  const found = await findSignUp(kv, email);
  assert.ok(found && "record" in found);
  return found.record;
}

/** The waiting items in their order: the address and the message. */
async function waiting(kv: Kv) {
  const items = await listAll<OutboxItem>(kv, { prefix: ["outbox"] });
  return items.map(({ value: { email, message } }) => {
    return [email, "letter" in message ? message.letter : message.event];
  });
}

test("correctAddress() moves a person to the new address, and puts a confirmation letter to the new address into the outbox", async (kv) => {
  await storeAddresses(kv, [OLD], iso(0));
  await changeRecord(kv, OLD, (record) => {
    const taken = { putAt: iso(0), takenAt: iso(0), answer: "250 OK" };
    const lastLetters = { confirmation: taken, link: taken };
    const asked = { ...record, role: "engineer", lastLetters };
    return confirmSignUp(asked, { at: iso(0), consentText: "c" });
  });
  const ids = await storedIds(kv);
  const outcome = await correct(kv);
  assert.deepEqual(outcome, {
    outcome: "corrected",
    correctedAt: iso(1),
    state: "unconfirmed",
    letter: "confirmation",
  });
  const { [NEW]: moved, ...others } = await storedSignUps(kv);
  assert.deepEqual(others, {});
  const { corrections = [], outbox: _, ...record } = moved!;
  assert.deepEqual(record, {
    state: "unconfirmed",
    lang: "en",
    role: "engineer",
    createdAt: iso(0),
    consentedAt: iso(0),
    updatedAt: iso(1),
    confirmations: { count: 1, lastAt: iso(1) },
    letters: [iso(1)],
  });
  assert.deepEqual(await storedIds(kv), { [NEW]: ids[OLD] });
  assert.equal((await findPersonById(kv, ids[OLD]!))?.email, NEW);
  const proof = {
    ...{ requestedAt: iso(0), lang: "en" as const, consentText: "c", confirmedAt: iso(0) },
    ...{ putAt: iso(0), takenAt: iso(0), answer: "250 OK" },
  };
  assert.deepEqual(corrections.map(({ at, proof }) => [at, proof]), [[iso(1), proof]]);
  assert.deepEqual(await findSignUp(kv, OLD), { erasedAt: iso(1) });
  const left = (await waiting(kv)).toSorted();
  const events = ["signup.confirmed", "signup.corrected", "signup.joined"];
  assert.deepEqual(left, ["confirmation", ...events].map((what) => [NEW, what]));
  await assertListsAgree(kv);
  await assertCountersEqualRecount(kv);

  // Only the event of the correction still has the old address.
  const items = await listAll<OutboxItem>(kv, { prefix: ["outbox"] });
  const naming = items.filter(({ value }) => JSON.stringify(value).includes(OLD));
  const former = naming.map(({ value: { message } }) => "event" in message && message.formerEmail);
  assert.deepEqual(former, [OLD]);
  const entries = (await everyEntry(kv)).filter((entry) => Deno.inspect(entry).includes(OLD));
  assert.equal(entries.length, 1);

  // A second call gives the result of the first one.
  const again = await correct(kv, { hours: 2 });
  assert.deepEqual(again, {
    outcome: "corrected_before",
    correctedAt: iso(1),
    state: "unconfirmed",
  });
});

test("correctAddress() gives an invited person a new invitation code, and a letter only if the invitation link is known", async (kv) => {
  const emails = [OLD, "bob@exmaple.com"];
  await storeAddresses(kv, emails, iso(0));
  for (const email of emails) {
    await changeRecord(kv, email, (record) => {
      const invitation = { at: iso(0), invitationCode: "old", wave: "first" };
      return inviteSignUp({ ...record, state: "waiting" }, invitation);
    });
  }
  const outcome = await correct(kv);
  assert.ok("outcome" in outcome);
  assert.deepEqual([outcome.state, outcome.letter], ["invited", "invitation"]);
  const record = await recordOf(kv, NEW);
  assert.match(record.invitationCode ?? "", /^[0-9a-f]{32}$/);
  assert.deepEqual([record.invitedAt, record.wave], [iso(0), "first"]);
  const letters = (await listAll<OutboxItem>(kv, { prefix: ["outbox"] }))
    .map(({ value }) => value)
    .filter(({ email, message }) => email === NEW && "letter" in message);
  assert.deepEqual(letters.map(({ message }) => message), [
    { letter: "invitation", invitationUrl: LINK },
  ]);
  assert.deepEqual(letters.map((item) => [item.putAt, mustStillBeSent(item, record)]), [
    [START + HOUR, true],
  ]);
  const other = { from: "bob@exmaple.com", to: "bob@example.com", isLinkKnown: false };
  const unsent = await correct(kv, other);
  assert.ok("outcome" in unsent && unsent.letter === undefined);
  assert.notEqual((await recordOf(kv, "bob@example.com")).invitationCode, "old");
});

test("correctAddress() refuses a new address that is on the list or erased, and allows a return to the person's former address", async (kv) => {
  await storeAddresses(kv, [OLD, "bo@example.com", "cy@example.com"], iso(0));
  assert.deepEqual(await correct(kv, { to: "bo@example.com" }), { refused: "on_list" });
  await eraseSignUp(kv, "cy@example.com", { now: START, random });
  assert.deepEqual(await correct(kv, { to: "cy@example.com" }), { refused: "erased" });
  assert.deepEqual(await correct(kv, { from: "nobody@example.com" }), {
    refused: "unknown",
    erasedAt: undefined,
  });
  assert.deepEqual(Object.keys(await storedSignUps(kv)), [OLD, "bo@example.com"]);

  await correct(kv);
  // The correction of another person does not get the address back.
  const other = { from: "bo@example.com", to: OLD };
  assert.deepEqual(await correct(kv, other), { refused: "erased" });
  const undone = await correct(kv, { from: NEW, to: OLD, hours: 2 });
  assert.ok("outcome" in undone && undone.outcome === "corrected");
  assert.deepEqual(await findSignUp(kv, NEW), { erasedAt: iso(2) });
  assert.equal((await recordOf(kv, OLD)).corrections?.length, 2);

  // After another person had the address and was erased, the erasure mark belongs to that person.
  await storeAddresses(kv, [NEW], iso(3));
  await eraseSignUp(kv, NEW, { now: START + 4 * HOUR, random });
  assert.deepEqual(await correct(kv, { hours: 5 }), { refused: "erased" });
});

test("correctAddress() puts no letter into the outbox when the letter limit is reached, and the person expires UNCONFIRMED_DAYS after the correction", async (kv) => {
  await storeAddresses(kv, [OLD], iso(0));
  assert.ok("outcome" in await correct(kv));
  // The old mailbox got a letter an hour ago, so the undo puts no letter in, and the person does not expire for that.
  const undone = await correct(kv, { from: NEW, to: OLD, hours: 20 });
  assert.ok("outcome" in undone && undone.letter === undefined);
  const record = await recordOf(kv, OLD);
  assert.equal(record.confirmations, undefined);
  assert.equal(expiryOf(record, 14), START + 20 * HOUR + 14 * 24 * HOUR);
});

test("correctAddress() keeps the person's state and makes the person deliverable again when mail is off", async (kv) => {
  const outbox = { ...OUTBOX, sendsLetters: false };
  await storeAddresses(kv, [OLD], iso(0), { outbox });
  await changeRecord(kv, OLD, (record) => ({ record: { ...record, undeliverableAt: iso(0) } }));
  const outcome = await correct(kv, { outbox });
  assert.ok("outcome" in outcome && outcome.state === "waiting" && !outcome.letter);
  assert.equal((await recordOf(kv, NEW)).undeliverableAt, undefined);
});

test("correctAddress() keeps the invitation code of an accepted person, and puts no letter into the outbox", async (kv) => {
  await storeAddresses(kv, [OLD], iso(0));
  await changeRecord(kv, OLD, (record) => {
    const accepted = { state: "accepted", invitedAt: iso(0), acceptedAt: iso(0) } as const;
    return { record: { ...record, ...accepted, invitationCode: "old" } };
  });
  const outcome = await correct(kv);
  assert.ok("outcome" in outcome && outcome.state === "accepted" && !outcome.letter);
  assert.equal((await recordOf(kv, NEW)).invitationCode, "old");
  await assertListsAgree(kv);
});
