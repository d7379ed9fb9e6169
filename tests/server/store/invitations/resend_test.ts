/** The invitation that is sent again to one person. */
import assert from "node:assert/strict";
import type { AuditEntry } from "../../../../shared/operator_schemas.ts";
import { readOne } from "../../../../server/store/kv/calls.ts";
import { Commit, type Kv } from "../../../../server/store/kv/engine.ts";
import { readFirstItems } from "../../../../server/store/outbox/reads.ts";
import { correctAddress } from "../../../../server/store/people/correct.ts";
import { readLettersTo } from "../../../../server/store/people/letter_log.ts";
import { createOutboxStore, retryItems } from "../../../../server/store/people/outbox_commits.ts";
import type { LetterLimit } from "../../../../server/waitlist/letter_limit.ts";
import type { SignUpRecord } from "../../../../server/waitlist/record.ts";
import type { Wave } from "../../../../server/waitlist/waves.ts";
import { racingKv } from "../../../support/faulty_kv.ts";
import {
  codeOf,
  inviteAll,
  nth,
  redeem,
  storeWaiting,
  waveStoreOf,
} from "../../../support/invitations.ts";
import { listAll, test } from "../../../support/memory_kv.ts";
import {
  changeRecord,
  OUTBOX,
  random,
  recordOf,
  storeAddresses,
} from "../../../support/records.ts";
import { START } from "../../../support/service.ts";

const DAY = 24 * 60 * 60_000;
const EMAIL = nth(0);
const AUDIT: AuditEntry = {
  at: new Date(START).toISOString(),
  id: "audit",
  action: "resendInvitation",
};

const at = (moment: number) => new Date(moment).toISOString();

const resend = (kv: Kv, moment: number, email = EMAIL) =>
  waveStoreOf(kv, moment).resendInvitation(email, AUDIT);

const nextOf = async (kv: Kv, moment: number) =>
  await waveStoreOf(kv, moment).readNextInvitation({
    email: EMAIL,
    record: await recordOf(kv, EMAIL),
  });

/** The invitation letters that wait. */
const waiting = (kv: Kv) => readFirstItems(kv, "invitations", { limit: 9 });

/** Lets the mail server take the letter that waits. */
async function take(kv: Kv, moment: number): Promise<void> {
  const [letter] = await waiting(kv);
  await createOutboxStore(kv).complete(letter!, moment);
}

/** Refuses the letter that waits for good. */
async function refuse(kv: Kv, moment: number): Promise<void> {
  const [letter] = await waiting(kv);
  const item = { ...letter!.item, queue: "refused", dueAt: moment, placedAt: moment } as const;
  await createOutboxStore(kv).postpone(letter!, item);
}

/** Invites one person, whose letter the mail server has taken at once. */
async function inviteOne(kv: Kv, request: Parameters<typeof inviteAll>[1] = {}): Promise<void> {
  await storeWaiting(kv, 1);
  await inviteAll(kv, { next: 1, ...request });
  if (request?.letters !== false) await take(kv, START);
}

const change = (kv: Kv, members: Partial<SignUpRecord>) =>
  changeRecord(kv, EMAIL, (record) => ({ record: { ...record, ...members } }));

const countsOf = async (kv: Kv) => {
  const { state, invited, taken, refused, lettersWaiting } =
    (await waveStoreOf(kv).findWave("first"))!;
  return { state, invited, taken, refused, lettersWaiting };
};

test("resendInvitation() puts the same letter into the outbox once, and writes the audit entry with it", async (kv) => {
  await inviteOne(kv, { expires: at(START + 9 * DAY) });
  const before = await recordOf(kv, EMAIL);
  const counts = await countsOf(kv);
  const outcome = await resend(kv, START + DAY);
  assert.ok("record" in outcome, JSON.stringify(outcome));
  const letters = await waiting(kv);
  assert.equal(letters.length, 1);
  const { id, item: { message, dueAt, recordId } } = letters[0]!;
  const invitationUrl = `https://app.example.com/?code=${before.invitationCode}`;
  assert.deepEqual(message, { letter: "invitation", invitationUrl });
  assert.deepEqual([recordId, dueAt], [before.id, START + DAY]);
  assert.deepEqual(await recordOf(kv, EMAIL), { ...before, outbox: [...before.outbox ?? [], id] });
  const entries = await listAll<AuditEntry>(kv, { prefix: ["audit"] });
  assert.deepEqual(entries.map(({ value }) => value), [AUDIT]);
  assert.deepEqual(await countsOf(kv), counts, "the wave counts the letter once");

  assert.deepEqual(await resend(kv, START + DAY), { refused: "in_outbox" });
  assert.deepEqual(await nextOf(kv, START + DAY), { noInvitation: "in_outbox" });
  assert.equal((await waiting(kv)).length, 1);
  await take(kv, START + DAY + 1);
  assert.deepEqual(await countsOf(kv), counts);
  const taken = (await readLettersTo(kv, before.id)).map(({ takenAt }) => takenAt);
  assert.deepEqual(taken, [at(START + DAY + 1), at(START)], "the log has both, the newest first");
});

test("The log keeps a letter, its repetition and a retry for 90 days each, however old the invitation is", async (kv) => {
  await inviteOne(kv);
  const { id } = await recordOf(kv, EMAIL);
  const sentAgain = START + 100 * DAY;
  await resend(kv, sentAgain);
  await refuse(kv, sentAgain + 1);
  const retriedAt = sentAgain + 2;
  await Array.fromAsync(retryItems(kv, { which: "refused", now: () => retriedAt, leaseMs: 1 }));
  await take(kv, sentAgain + 3);
  const putAt = (await readLettersTo(kv, id)).map((letter) => letter.putAt);
  assert.deepEqual(putAt, [at(retriedAt), at(sentAgain), at(START)]);
  const keys = (await listAll(kv, { prefix: ["letter_log_at"] })).map(({ key }) => key);
  const moments = keys.map(([, momentAndId]) => String(momentAndId).split(" ")[0]);
  const expected = [at(START), at(sentAgain), at(retriedAt)];
  assert.deepEqual(moments, expected, "the sweep removes letters by this moment");
  assert.equal((await recordOf(kv, EMAIL)).lastLetters?.invitation?.putAt, at(retriedAt));
});

test("resendInvitation() sends one letter in 24 hours, counted from the last letter that was put, taken or refused", async (kv) => {
  await storeWaiting(kv, 1);
  await inviteAll(kv, { next: 1 });
  const isLimited = async (moment: number, until: number) => {
    assert.deepEqual(await nextOf(kv, moment), { nextInvitation: at(until) });
    assert.deepEqual(await resend(kv, moment), { refusedUntil: at(until) });
  };
  await take(kv, START + 1_000);
  await isLimited(START + DAY, START + 1_000 + DAY);
  assert.deepEqual(await nextOf(kv, START + 2 * DAY), { nextInvitation: at(START + 2 * DAY) });
  assert.ok("record" in await resend(kv, START + 1_000 + DAY));
  await take(kv, START + 2 * DAY);
  await isLimited(START + 2 * DAY + 1, START + 3 * DAY);
  assert.ok("record" in await resend(kv, START + 3 * DAY));
  await refuse(kv, START + 4 * DAY);
  await isLimited(START + 4 * DAY + 1, START + 5 * DAY);
  // A clock that was far ahead does not stop the letters.
  assert.deepEqual(await nextOf(kv, START - 2 * DAY), { nextInvitation: at(START - 2 * DAY) });
});

test("resendInvitation() puts one letter when two operators send it at the same time", async (kv) => {
  await inviteOne(kv);
  const racing = racingKv(kv, () => resend(kv, START + DAY));
  assert.deepEqual(await resend(racing, START + DAY), { refused: "in_outbox" });
  assert.equal((await waiting(kv)).length, 1);
});

test("resendInvitation() replaces a refused letter, which the wave does not count as refused any more", async (kv) => {
  await storeWaiting(kv, 1);
  await inviteAll(kv, { next: 1 });
  await refuse(kv, START + 1);
  assert.equal((await countsOf(kv)).refused, 1);
  assert.ok("record" in await resend(kv, START + 1 + DAY));
  assert.equal((await waiting(kv)).length, 1);
  assert.deepEqual(await readFirstItems(kv, "refused", { limit: 9 }), []);
  assert.equal((await countsOf(kv)).refused, 0);
  const { lastLetters, outbox } = await recordOf(kv, EMAIL);
  assert.equal(lastLetters?.invitation, undefined);
  assert.ok(outbox?.includes((await waiting(kv))[0]!.id));
  await take(kv, START + 2 + DAY);
  assert.deepEqual([(await countsOf(kv)).taken, (await countsOf(kv)).refused], [1, 0]);
});

test("A wave counts a letter as taken only, when the letter was taken, sent again and then refused", async (kv) => {
  await inviteOne(kv);
  const counts = await countsOf(kv);
  await resend(kv, START + DAY);
  await refuse(kv, START + DAY);
  assert.deepEqual(await countsOf(kv), counts);
  await Array.fromAsync(retryItems(kv, { which: "refused", now: () => START + DAY, leaseMs: 1 }));
  assert.deepEqual(await countsOf(kv), counts);
  await refuse(kv, START + DAY);
  await resend(kv, START + 2 * DAY);
  assert.equal((await waiting(kv)).length, 1);
  assert.deepEqual(await countsOf(kv), counts);
});

test("A wave counts one outcome for a person whose address was corrected, however the letters ended", async (kv) => {
  await storeWaiting(kv, 1);
  await inviteAll(kv, { next: 1 });
  const newEmail = "corrected@example.com";
  const correct = (email: string, newEmail: string, now: number) =>
    correctAddress({ email, newEmail }, {
      kv,
      outbox: OUTBOX,
      random,
      now,
      findInvitationUrl: () => Promise.resolve("https://app.example.com/"),
    });
  await refuse(kv, START + 1);
  assert.equal((await countsOf(kv)).refused, 1);
  await correct(EMAIL, newEmail, START + 2);
  const { refused, lettersWaiting } = await countsOf(kv);
  assert.deepEqual([refused, lettersWaiting], [0, 1], "the letter to the new address waits");
  await take(kv, START + 3);
  await correct(newEmail, EMAIL, START + 4);
  await refuse(kv, START + 5);
  const { taken, refused: refusedLater } = await countsOf(kv);
  assert.deepEqual([taken, refusedLater], [1, 0]);
  await resend(kv, START + 5 + DAY);
  await take(kv, START + 6 + DAY);
  const { taken: takenAtLast, refused: refusedAtLast } = await countsOf(kv);
  assert.deepEqual([takenAtLast, refusedAtLast], [1, 0]);
});

const COMPLAINED = { complainedAt: at(START) };

for (
  const [reason, prepare] of [
    ["expired", (kv) => change(kv, { expiresAt: at(START + DAY) })],
    ["undeliverable", (kv) => change(kv, { undeliverableAt: at(START) })],
    ["complained", (kv) => change(kv, COMPLAINED)],
    ["no_link", (kv) => change(kv, { wave: "unknown" })],
    ["paused", (kv) => setWaveState(kv, "paused")],
    ["cancelled", (kv) => setWaveState(kv, "cancelled")],
  ] satisfies [string, (kv: Kv) => Promise<unknown>][]
) {
  test(`resendInvitation() and readNextInvitation() give '${reason}', and change nothing`, async (kv) => {
    await inviteOne(kv);
    await prepare(kv);
    const record = await recordOf(kv, EMAIL);
    assert.deepEqual(await resend(kv, START + DAY), { refused: reason });
    assert.deepEqual(await nextOf(kv, START + DAY), { noInvitation: reason });
    assert.deepEqual(await waiting(kv), []);
    assert.deepEqual(await recordOf(kv, EMAIL), record);
    assert.deepEqual(await listAll(kv, { prefix: ["audit"] }), []);
  });
}

/** Stores another state of the wave. The letters of the wave are all taken, so an operator could not pause it. */
async function setWaveState(kv: Kv, state: string): Promise<void> {
  const { key, value } = await readOne<Wave>(kv, ["wave", "first"]);
  await kv.commit(new Commit().set(key, { ...value, state }));
}

test("resendInvitation() gives 'complained' after a complaint of another address of the mailbox, and 'unreadable' when the letter limit is damaged", async (kv) => {
  await inviteOne(kv);
  await storeAddresses(kv, [EMAIL.replace("@", "+1@")], at(START - DAY));
  const [limit] = await listAll<LetterLimit>(kv, { prefix: ["brake"] });
  await kv.commit(new Commit().set(limit!.key, { ...limit!.value, ...COMPLAINED }));
  assert.deepEqual(await resend(kv, START + DAY), { refused: "complained" });
  await kv.raw.set(limit!.key, new TextEncoder().encode("{"));
  assert.deepEqual(await resend(kv, START + DAY), { refused: "unreadable" });
});

test("resendInvitation() gives 'no_letters' for a wave whose letters the operator sends", async (kv) => {
  await inviteOne(kv, { letters: false });
  assert.deepEqual(await resend(kv, START + DAY), { refused: "no_letters" });
});

test("resendInvitation() gives the state of a person who is not invited, and 'unknown' for an unknown address", async (kv) => {
  await inviteOne(kv);
  await storeWaiting(kv, 3, (n) => n === 2 ? { state: "unconfirmed" } : {});
  assert.deepEqual(await resend(kv, START + DAY, nth(1)), { refused: "waiting" });
  assert.deepEqual(await resend(kv, START + DAY, nth(2)), { refused: "unconfirmed" });
  await redeem(kv, await codeOf(kv, EMAIL), { at: at(START), reference: "user-1" });
  assert.deepEqual(await resend(kv, START + DAY), { refused: "accepted" });
  assert.deepEqual(await resend(kv, START + DAY, "nobody@example.com"), { refused: "unknown" });
});
