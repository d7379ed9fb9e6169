/** Which letters leave the outbox when a wave is paused or cancelled, and which waves can be paused or cancelled. */
import assert from "node:assert/strict";
import type { Kv } from "../../../../server/store/kv/engine.ts";
import { readDue } from "../../../../server/store/outbox/reads.ts";
import { correctAddress } from "../../../../server/store/people/correct.ts";
import { createOutboxStore } from "../../../../server/store/people/outbox_commits.ts";
import { racingKv } from "../../../support/faulty_kv.ts";
import { inviteAll, INVITING, LINK, nth } from "../../../support/invitations.ts";
import { storeWaiting, waveStoreOf } from "../../../support/invitations.ts";
import { openMemoryKv } from "../../../support/memory_kv.ts";
import { START } from "../../../support/service.ts";

const AUDIT = { at: new Date(START).toISOString(), id: "audit", action: "pauseWave" };

const lettersOf = async (kv: Kv) => {
  const due = await readDue(kv, "invitations", { limit: 500 });
  return due.map(({ item: { email } }) => email).toSorted();
};

Deno.test("changeWave() lets the letter to a corrected address go out, because it belongs to no wave", async () => {
  using kv = await openMemoryKv();
  await storeWaiting(kv, 2);
  await inviteAll(kv, { next: 2 });
  const { outbox, random } = INVITING;
  const findInvitationUrl = () => Promise.resolve(LINK);
  const corrected = { email: nth(0), newEmail: "corrected@example.com" };
  await correctAddress(corrected, { kv, outbox, random, at: START + 1, findInvitationUrl });
  await waveStoreOf(kv).changeWave("first", "pause", AUDIT);
  await createOutboxStore(kv).readDue("invitations", { until: START + 1, limit: 5 });
  assert.deepEqual(await lettersOf(kv), [corrected.newEmail]);
});

Deno.test("changeWave() removes no letter of a wave that is resumed meanwhile", async () => {
  using kv = await openMemoryKv();
  await storeWaiting(kv, 3);
  await inviteAll(kv, { next: 3 });
  const store = waveStoreOf(kv);
  await store.changeWave("first", "pause", AUDIT);
  const racing = racingKv(kv, () => store.changeWave("first", "resume", AUDIT));
  await createOutboxStore(racing).readDue("invitations", { until: START, limit: 5 });
  assert.equal((await lettersOf(kv)).length, 3);
});

Deno.test("changeWave() pauses and cancels no wave whose letters were all sent or refused", async () => {
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
