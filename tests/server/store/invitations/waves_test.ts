/** What pausing, resuming and cancelling a wave does to its letters. @module */
import assert from "node:assert/strict";
import { readFirstItems } from "../../../../server/store/outbox/reads.ts";
import { findRecordAndComplaint } from "../../../../server/store/people/complaints.ts";
import { createOutboxStore, retryItems } from "../../../../server/store/people/outbox_commits.ts";
import type { OutboxItem } from "../../../../server/waitlist/outbox_item.ts";
import type { SignUpRecord } from "../../../../server/waitlist/record.ts";
import { REMOTE_TRAITS } from "../../../../server/store/kv/deno_kv.ts";
import { Commit, type Kv } from "../../../../server/store/kv/engine.ts";
import {
  inviteAll,
  INVITING,
  LINK,
  nth,
  storeWaiting,
  wavesOf,
  waveStoreOf,
} from "../../../support/invitations.ts";
import { listAll, openMemoryKv, test } from "../../../support/memory_kv.ts";
import { START } from "../../../support/service.ts";
import type { AuditEntry } from "../../../../shared/operator_schemas.ts";
import { correctAddress } from "../../../../server/store/people/correct.ts";
import { racingKv } from "../../../support/faulty_kv.ts";

const AUDIT = { at: new Date(START).toISOString(), id: "audit", action: "resumeWave" };

const lettersOf = async (kv: Kv) => {
  const due = await readFirstItems(kv, "invitations", { limit: 500 });
  return due.map(({ item: { email } }) => email).toSorted();
};

/** Resumes a wave, and works on it to its end. */
async function resume(kv: Kv, now = START, waves = wavesOf(kv, { now: () => now })) {
  const changed = await waveStoreOf(kv, now, waves).changeWave("first", "resume", AUDIT);
  await waves.run();
  return changed;
}

/** The item of a letter that was refused for good. */
const refusedAt = (at: number, item: OutboxItem): OutboxItem => {
  return { ...item, queue: "refused", dueAt: at, placedAt: at, reason: "554 5.7.1" };
};

/** Empties the outbox, as a restore does, because backups have no waiting letters. */
async function forgetLetters(kv: Kv): Promise<void> {
  const items = [
    ...await listAll(kv, { prefix: ["outbox"] }),
    ...await listAll(kv, { prefix: ["due"] }),
  ];
  const commit = new Commit();
  for (const { key } of items) commit.delete(key);
  for (const { key, value } of await listAll<SignUpRecord>(kv, { prefix: ["sign_up"] })) {
    const { outbox: _, ...record } = value;
    commit.set(key, record);
  }
  await kv.commit(commit);
}

test("changeWave() with 'resume' puts each missing or refused letter of a wave into the outbox once more, and no taken letter", async (kv) => {
  await storeWaiting(kv, 70);
  await inviteAll(kv, { next: 60 });
  const store = waveStoreOf(kv);
  const outbox = createOutboxStore(kv);
  const [first, second, third] = await readFirstItems(kv, "invitations", { limit: 3 });
  await outbox.complete(first!, START);
  await outbox.refuseRecipient(second!, { at: START, reason: "550 5.1.1" });
  await outbox.postpone(third!, { ...third!.item, queue: "refused", dueAt: START });
  const { taken, refused } = (await store.findWave("first"))!;
  assert.deepEqual([taken, refused], [1, 2]);

  // All other letters wait in the outbox, or are for people who can get no letter.
  await resume(kv);
  const again = (await store.findWave("first"))!;
  assert.deepEqual([again.state, again.lettersAgain, again.refused], ["done", 1, 1]);
  assert.equal((await lettersOf(kv)).length, 58);
  const refusedItems = await readFirstItems(kv, "refused", { limit: 9 });
  assert.deepEqual(refusedItems.map(({ id }) => id), [second!.id]);
  await resume(kv);
  assert.equal((await lettersOf(kv)).length, 58);

  await forgetLetters(kv);
  await resume(kv);
  const wave = (await store.findWave("first"))!;
  assert.deepEqual([wave.state, wave.invited, wave.lettersAgain], ["done", 60, 58]);
  assert.equal(wave.refused, 1, "a letter that was refused and is put in again counts no more");
  const expected = Array.from({ length: 60 }, (_, n) => nth(n))
    .filter((email) => ![first, second].some((each) => each!.item.email === email));
  assert.deepEqual(await lettersOf(kv), expected.toSorted());
  const [letter] = await readFirstItems(kv, "invitations", { limit: 1 });
  const { record } = await findRecordAndComplaint(kv, letter!.item.email);
  const { message } = letter!.item;
  assert.ok("letter" in message && message.invitationUrl?.endsWith(record!.invitationCode!));
});

for (const change of ["pause", "cancel"] as const) {
  test(`changeWave() with '${change}' stops the waiting letters of a wave that has invited everybody`, async (kv) => {
    await storeWaiting(kv, 63);
    await inviteAll(kv, { next: 60 });
    const store = waveStoreOf(kv);
    const outbox = createOutboxStore(kv, { monotonic: () => 0 });
    const dueOf = async (limit: number) => {
      const due = await outbox.readDue("invitations", { dueBy: START, limit });
      return due.map(({ item: { email } }) => email).toSorted();
    };
    const [sending] = await readFirstItems(kv, "invitations", { limit: 1 });
    await inviteAll(kv, { wave: "other", next: 3 });
    const claimed = await outbox.claim(sending!, { at: START, until: START + 1 });
    const changed = await store.changeWave("first", change, AUDIT);
    assert.ok(typeof changed === "object" && "state" in changed, JSON.stringify(changed));
    assert.deepEqual(await dueOf(5), [60, 61, 62].map(nth).toSorted());
    await outbox.complete(claimed!, START);
    const { taken, refused } = (await store.findWave("first"))!;
    assert.deepEqual([taken, refused], [1, 0]);
    assert.equal((await lettersOf(kv)).length, 3);
    const resumed = await resume(kv);
    if (change === "cancel") return assert.deepEqual(resumed, { refusedAs: "cancelled" });
    assert.equal((await dueOf(500)).length, 62);
  });
}

test("changeWave() with 'resume' restores all letters that 'pause' has removed from the outbox", async (kv) => {
  await storeWaiting(kv, 100);
  await inviteAll(kv, { next: 100 }, { commits: 0 });
  const waves = wavesOf(kv);
  await waves.makeCommit("first");
  await waveStoreOf(kv).changeWave("first", "pause", AUDIT);
  await createOutboxStore(kv).readDue("invitations", { dueBy: START, limit: 5 });
  assert.deepEqual(await lettersOf(kv), []);
  await resume(kv, START, waves);
  await waves.run();
  assert.equal((await waveStoreOf(kv).findWave("first"))!.state, "done");
  assert.equal((await lettersOf(kv)).length, 100);
});

test("changeWave() with 'resume' writes the detail 'again' into the audit entry only when the wave was done", async (kv) => {
  await storeWaiting(kv, 1);
  await inviteAll(kv, { next: 1 });
  const detailsOf = async () =>
    (await listAll<AuditEntry>(kv, { prefix: ["audit"] }))[0]?.value.details;
  await waveStoreOf(kv).changeWave("first", "pause", { ...AUDIT, action: "pauseWave" });
  await resume(kv);
  assert.equal(await detailsOf(), undefined, "the wave was paused");
  const [item] = await readFirstItems(kv, "invitations", { limit: 1 });
  await createOutboxStore(kv).postpone(item!, { ...item!.item, queue: "refused", dueAt: START });
  await resume(kv);
  assert.deepEqual(await detailsOf(), { again: true });
});

Deno.test("changeWave() makes no commit with more checks than KV allows when it puts refused letters into the outbox again", async () => {
  using kv = await openMemoryKv({ traits: REMOTE_TRAITS });
  await storeWaiting(kv, 20);
  await inviteAll(kv, { next: 20 });
  const outbox = createOutboxStore(kv);
  for (const entry of await readFirstItems(kv, "invitations", { limit: 20 })) {
    await outbox.postpone(entry, refusedAt(START, entry.item));
  }
  let most = 0;
  await resume({
    ...kv,
    commit(commit) {
      most = Math.max(most, commit.checks.length);
      return kv.commit(commit);
    },
  });
  assert.equal((await lettersOf(kv)).length, 20);
  assert.ok(most <= REMOTE_TRAITS.checksPerCommit, String(most));
});

test("changeWave() no longer counts a refused letter as refused when the letter is in the outbox again", async (kv) => {
  await storeWaiting(kv, 1);
  await inviteAll(kv, { next: 1 });
  const store = waveStoreOf(kv), outbox = createOutboxStore(kv);
  const refusedCount = async () => (await store.findWave("first"))!.refused;
  const [letter] = await readFirstItems(kv, "invitations", { limit: 1 });
  await outbox.postpone(letter!, refusedAt(START, letter!.item));
  assert.equal(await refusedCount(), 1);
  await Array.fromAsync(retryItems(kv, { which: "refused", now: () => START, leaseMs: 1 }));
  assert.equal(await refusedCount(), 0);
  await store.changeWave("first", "pause", AUDIT);
  await outbox.readDue("invitations", { dueBy: START, limit: 5 });
  await resume(kv);
  assert.equal((await lettersOf(kv)).length, 1);
  assert.equal(await refusedCount(), 0);
});

test("changeWave() puts no letter for an expired invitation into the outbox when the wave is resumed", async (kv) => {
  await storeWaiting(kv, 3);
  await inviteAll(kv, { next: 2, expires: new Date(START + 1).toISOString() });
  await forgetLetters(kv);
  const store = waveStoreOf(kv, START + 1);
  await resume(kv, START + 1);
  const { state, lettersAgain } = (await store.findWave("first"))!;
  assert.deepEqual([state, lettersAgain], ["done", 0]);
  assert.deepEqual(await lettersOf(kv), []);
});

test("changeWave() puts no letter into the outbox when the operator, and not the service, sends the letters of the wave", async (kv) => {
  await storeWaiting(kv, 3);
  await inviteAll(kv, { next: 2, letters: false });
  const wave = await waveStoreOf(kv).changeWave("first", "resume", AUDIT);
  assert.ok(typeof wave === "object" && "state" in wave);
  assert.deepEqual([wave.state, wave.lettersAgain], ["done", undefined]);
  assert.deepEqual(await lettersOf(kv), []);
});

test("changeWave() makes a repeated letter due at the moment of the repetition, so that the letter does not look late", async (kv) => {
  await storeWaiting(kv, 1);
  await inviteAll(kv, { next: 1 });
  await forgetLetters(kv);
  const now = START + 24 * 60 * 60_000;
  await resume(kv, now);
  const [letter] = await readFirstItems(kv, "invitations", { limit: 1 });
  assert.deepEqual([letter?.item.dueAt, letter?.item.putAt], [now, START]);
});

const AHEAD = START + 2 * 60 * 60_000;

test("changeWave() makes a repeated letter due at once even if the clock was two hours ahead when the person was invited", async (kv) => {
  await storeWaiting(kv, 1);
  await inviteAll(kv, { next: 1 }, { now: AHEAD });
  await forgetLetters(kv);
  await resume(kv);
  const [letter] = await readFirstItems(kv, "invitations", { limit: 1 });
  assert.equal(letter?.item.dueAt, START);
  assert.equal(letter.item.putAt, AHEAD, "by which it is known as the person's latest letter");
});

test("changeWave() does not repeat a taken letter even if the clock was two hours ahead when the person was invited", async (kv) => {
  await storeWaiting(kv, 1);
  await inviteAll(kv, { next: 1 }, { now: AHEAD });
  const [letter] = await readFirstItems(kv, "invitations", { limit: 1 });
  await createOutboxStore(kv).complete(letter!, START);
  await resume(kv);
  assert.deepEqual(await lettersOf(kv), []);
});

const PAUSE_ENTRY = { at: new Date(START).toISOString(), id: "audit", action: "pauseWave" };

test("changeWave() with 'pause' does not stop the letter to a corrected address, because the letter belongs to no wave", async (kv) => {
  await storeWaiting(kv, 2);
  await inviteAll(kv, { next: 2 });
  const { outbox, random } = INVITING;
  const findInvitationUrl = () => Promise.resolve(LINK);
  const corrected = { email: nth(0), newEmail: "corrected@example.com" };
  await correctAddress(corrected, { kv, outbox, random, now: START + 1, findInvitationUrl });
  await waveStoreOf(kv).changeWave("first", "pause", PAUSE_ENTRY);
  await createOutboxStore(kv).readDue("invitations", { dueBy: START + 1, limit: 5 });
  assert.deepEqual(await lettersOf(kv), [corrected.newEmail]);
});

test("readDue() removes no letter of a paused wave when the wave is resumed between the read and the commit", async (kv) => {
  await storeWaiting(kv, 3);
  await inviteAll(kv, { next: 3 });
  const store = waveStoreOf(kv);
  await store.changeWave("first", "pause", PAUSE_ENTRY);
  const racing = racingKv(kv, () => store.changeWave("first", "resume", PAUSE_ENTRY));
  await createOutboxStore(racing).readDue("invitations", { dueBy: START, limit: 5 });
  assert.equal((await lettersOf(kv)).length, 3);
});

test(
  "changeWave() refuses to pause or cancel a wave that has no letter left to send",
  async (kv, t) => {
    await storeWaiting(kv, 3);
    await inviteAll(kv, { next: 1 });
    const [letter] = await readFirstItems(kv, "invitations", { limit: 1 });
    await createOutboxStore(kv).complete(letter!, START);
    await inviteAll(kv, { wave: "by_post", next: 1, letters: false });
    for (const wave of ["first", "by_post"]) {
      for (const change of ["pause", "cancel"] as const) {
        await t.step(`${change} is refused for the wave ${wave}`, async () => {
          const refused = await waveStoreOf(kv).changeWave(wave, change, PAUSE_ENTRY);
          assert.deepEqual(refused, { refusedAs: "done" });
        });
      }
    }
  },
);
