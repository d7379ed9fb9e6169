import assert from "node:assert/strict";
import { readDue } from "../../../../server/store/outbox/reads.ts";
import { createOutboxStore } from "../../../../server/store/people/outbox_commits.ts";
import type { SignUpRecord } from "../../../../server/waitlist/record.ts";
import { Commit, type Kv } from "../../../../server/store/kv/engine.ts";
import {
  inviteAll,
  nth,
  storeWaiting,
  wavesOf,
  waveStoreOf,
} from "../../../support/invitations.ts";
import { racingKv } from "../../../support/faulty_kv.ts";
import { listAll, openMemoryKv } from "../../../support/memory_kv.ts";
import { START } from "../../../support/service.ts";

const AUDIT = { at: new Date(START).toISOString(), id: "audit", action: "resumeWave" };

const lettersOf = async (kv: Kv) => {
  const due = await readDue(kv, "invitations", { limit: 500 });
  return due.map(({ item: { email } }) => email).toSorted();
};

/** Empties the outbox, as a restore does, which knows no letters that wait. */
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

Deno.test("changeWave() puts in again the letters that no mail server has taken, each once", async () => {
  using kv = await openMemoryKv();
  await storeWaiting(kv, 70);
  await inviteAll(kv, { next: 60 });
  const store = waveStoreOf(kv);
  const outbox = createOutboxStore(kv);
  const [first, second, third] = await readDue(kv, "invitations", { limit: 3 });
  await outbox.sent(first!, START);
  await outbox.refuseRecipient(second!, { at: START, reason: "550 5.1.1" });
  await outbox.postpone(third!, { ...third!.item, queue: "refused", dueAt: START });
  const { taken, refused } = (await store.findWave("first"))!;
  assert.deepEqual([taken, refused], [1, 2]);

  // All others wait in the outbox, or belong to nobody who can get a letter.
  await store.changeWave("first", "resume", AUDIT);
  await wavesOf(kv, { now: () => START + 30_000 }).run();
  const again = (await store.findWave("first"))!;
  assert.deepEqual([again.state, again.lettersAgain, again.refused], ["done", 1, 1]);
  assert.equal((await lettersOf(kv)).length, 58);
  const refusedItems = await readDue(kv, "refused", { limit: 9 });
  assert.deepEqual(refusedItems.map(({ id }) => id), [second!.id]);
  await store.changeWave("first", "resume", AUDIT);
  await wavesOf(kv, { now: () => START + 30_000 }).run();
  assert.equal((await lettersOf(kv)).length, 58);

  await forgetLetters(kv);
  await store.changeWave("first", "resume", AUDIT);
  await wavesOf(kv, { now: () => START + 30_000 }).run();
  const wave = (await store.findWave("first"))!;
  assert.deepEqual([wave.state, wave.invited, wave.lettersAgain], ["done", 60, 58]);
  assert.equal(wave.refused, 1, "a letter that was refused and is put in again counts no more");
  const expected = Array.from({ length: 60 }, (_, n) => nth(n))
    .filter((email) => ![first, second].some((each) => each!.item.email === email));
  assert.deepEqual(await lettersOf(kv), expected.toSorted());
  const [letter] = await readDue(kv, "invitations", { limit: 1 });
  const record = await outbox.findRecord(letter!.item.email);
  const { message } = letter!.item;
  assert.ok("letter" in message && message.invitationUrl?.endsWith(record!.invitationCode!));
});

for (const change of ["pause", "cancel"] as const) {
  Deno.test(`changeWave() keeps the letters of a wave that is done from being sent when it is to ${change}`, async () => {
    using kv = await openMemoryKv();
    await storeWaiting(kv, 63);
    await inviteAll(kv, { next: 60 });
    const store = waveStoreOf(kv);
    const outbox = createOutboxStore(kv, { monotonic: () => 0 });
    const dueOf = async (limit: number) => {
      const due = await outbox.readDue("invitations", { until: START, limit });
      return due.map(({ item: { email } }) => email).toSorted();
    };
    const [sending] = await readDue(kv, "invitations", { limit: 1 });
    await inviteAll(kv, { wave: "other", next: 3 });
    const claimed = await outbox.claim(sending!, { at: START, until: START + 1 });
    const changed = await store.changeWave("first", change, AUDIT);
    assert.ok(typeof changed === "object" && "state" in changed, JSON.stringify(changed));
    assert.deepEqual(await dueOf(5), [60, 61, 62].map(nth).toSorted());
    await outbox.sent(claimed!, START);
    const { taken, refused } = (await store.findWave("first"))!;
    assert.deepEqual([taken, refused], [1, 0]);
    assert.equal((await lettersOf(kv)).length, 3);
    const resumed = await store.changeWave("first", "resume", AUDIT);
    if (change === "cancel") return assert.deepEqual(resumed, { refusedAs: "cancelled" });
    await wavesOf(kv, { now: () => START + 30_000 }).run();
    assert.equal((await dueOf(500)).length, 62);
  });
}

Deno.test("changeWave() takes no letter out of the outbox of a wave that is resumed meanwhile", async () => {
  using kv = await openMemoryKv();
  await storeWaiting(kv, 3);
  await inviteAll(kv, { next: 3 });
  const store = waveStoreOf(kv);
  await store.changeWave("first", "pause", AUDIT);
  const racing = racingKv(kv, () => store.changeWave("first", "resume", AUDIT));
  await createOutboxStore(racing).readDue("invitations", { until: START, limit: 5 });
  assert.equal((await lettersOf(kv)).length, 3);
});

Deno.test("changeWave() pauses and cancels no wave whose letters are all over", async () => {
  using kv = await openMemoryKv();
  await storeWaiting(kv, 3);
  await inviteAll(kv, { next: 1 });
  const [letter] = await readDue(kv, "invitations", { limit: 1 });
  await createOutboxStore(kv).sent(letter!, START);
  await inviteAll(kv, { wave: "by_post", next: 1, letters: false });
  for (const wave of ["first", "by_post"]) {
    for (const change of ["pause", "cancel"] as const) {
      const refused = await waveStoreOf(kv).changeWave(wave, change, AUDIT);
      assert.deepEqual(refused, { refusedAs: "done" });
    }
  }
});

Deno.test("changeWave() puts in no letter about an invitation that is over", async () => {
  using kv = await openMemoryKv();
  await storeWaiting(kv, 3);
  await inviteAll(kv, { next: 2, expires: new Date(START + 1).toISOString() });
  await forgetLetters(kv);
  const store = waveStoreOf(kv, START + 1);
  await store.changeWave("first", "resume", AUDIT);
  await wavesOf(kv, { now: () => START + 30_001 }).run();
  const { state, lettersAgain } = (await store.findWave("first"))!;
  assert.deepEqual([state, lettersAgain], ["done", 0]);
  assert.deepEqual(await lettersOf(kv), []);
});

Deno.test("changeWave() puts in no letters for a wave whose people are written to by other means", async () => {
  using kv = await openMemoryKv();
  await storeWaiting(kv, 3);
  await inviteAll(kv, { next: 2, letters: false });
  const wave = await waveStoreOf(kv).changeWave("first", "resume", AUDIT);
  assert.ok(typeof wave === "object" && "state" in wave);
  assert.deepEqual([wave.state, wave.lettersAgain], ["done", undefined]);
  assert.deepEqual(await lettersOf(kv), []);
});
