import assert from "node:assert/strict";
import { eraseSignUp } from "../../../../server/store/people/erasure.ts";
import { createMailState } from "../../../../server/store/outbox/mail_state.ts";
import { readDue, readOutboxCounts } from "../../../../server/store/outbox/reads.ts";
import type { OutboxItem } from "../../../../server/waitlist/outbox_item.ts";
import { addresses } from "../../../support/mail.ts";
import { join, startOutbox, startWorker } from "../../../support/outbox_worker.ts";
import { OUTBOX, random } from "../../../support/records.ts";
import { START } from "../../../support/service.ts";
import { listAll, openMemoryKv } from "../../../support/memory_kv.ts";

const MINUTE = 60_000;
const TODAY = "2026-11-21";
const ADA = "ada@example.com";

Deno.test("createOutboxWorker() pauses all letters when the server accepts none, and logs its beginning and its end once", async () => {
  let isAway = true;
  using outbox = await startOutbox(addresses(20), {
    perMinute: 60,
    send: () => isAway ? { kind: "paused", reason: "connection refused" } : { kind: "sent" },
  });
  const { kv, clock, worker, beat } = outbox;
  await beat(60);
  assert.equal(worker.tried.length, 1, "nothing more is tried in the first minute");
  await worker.round();
  assert.equal(worker.tried.length, 2);
  assert.equal((await createMailState(kv).read())?.pause?.count, 2);
  assert.equal(worker.log.filter(({ level }) => level === "error").length, 1);
  isAway = false;
  clock.now += 5 * MINUTE;
  await worker.round();
  assert.equal(worker.tried.length, 3, "one letter finds out whether the server is back");
  await beat(20);
  assert.equal(worker.letters.length, 20);
  assert.equal((await createMailState(kv).read())?.pause, undefined);
  assert.deepEqual(worker.log.map(({ event }) => event), [
    "letters are paused because the mail server accepts none",
    "letters are sent again",
  ]);
  const items = await readDue(kv, "refused", { limit: 10 });
  assert.deepEqual(items, [], "a pause is no attempt of a letter");
});

Deno.test("createOutboxWorker() logs the end of a pause that an earlier process has begun", async () => {
  const send = () => ({ kind: "paused", reason: "connection refused" }) as const;
  using outbox = await startOutbox([ADA], { send });
  const { kv, clock, worker, beat } = outbox;
  await beat(1);
  worker.stop();
  clock.now += MINUTE;
  const next = startWorker(kv, clock);
  await next.round();
  assert.deepEqual(next.letters.map(({ email }) => email), [ADA]);
  assert.deepEqual(next.log.map(({ event }) => event), ["letters are sent again"]);
});

Deno.test("createOutboxWorker() loses no letter and sends it after its lease when the process is killed while sending", async () => {
  using kv = await openMemoryKv();
  const clock = { now: START };
  await join(kv, [ADA]);
  const killed = startWorker(kv, clock, { send: () => new Promise(() => {}) });
  killed.wake();
  await killed.work();
  killed.stop();
  const other = startWorker(kv, clock);
  clock.now += 5 * MINUTE - 1;
  await other.round();
  assert.equal(other.letters.length, 0, "the lease holds");
  clock.now += 1;
  await other.round();
  assert.equal(other.letters.length, 1);
});

for (const moment of ["waited", "was claimed"] as const) {
  Deno.test(`createOutboxWorker() sends nothing to a person who was erased while the letter ${moment}`, async () => {
    using kv = await openMemoryKv();
    const clock = { now: START };
    await join(kv, [ADA]);
    const erase = () => eraseSignUp(kv, ADA, { now: clock.now, random, outbox: OUTBOX });
    if (moment === "waited") await erase();
    const isClaimOfLetter = (item: OutboxItem) => "letter" in item.message && item.tries === 1;
    const worker = startWorker({
      ...kv,
      async commit(commit) {
        const outcome = await kv.commit(commit);
        const isClaim = commit.writes.some((write) =>
          write.type === "set" && write.key[0] === "outbox" &&
          isClaimOfLetter(write.value as OutboxItem)
        );
        if (isClaim) await erase();
        return outcome;
      },
    }, clock);
    await worker.round();
    await worker.round();
    assert.deepEqual(worker.letters, []);
    assert.deepEqual(worker.events.at(-1), { email: ADA, event: "signup.left" });
    assert.deepEqual(await readOutboxCounts(kv, TODAY), { due: 0, held: 0, refused: 0, sent: 0 });
    await readDue(kv, "letters", { limit: 9 });
    const left = JSON.stringify((await listAll(kv, { prefix: [] })).map(({ key }) => key));
    assert.ok(!left.includes(ADA));
  });
}

Deno.test("createOutboxWorker() tries a letter again that could not be made, and sends the others", async () => {
  using outbox = await startOutbox([ADA, "grace@example.com"], {
    send(email) {
      if (email === ADA) throw new Error(`Nothing can be written to ${ADA}`);
      return { kind: "sent" };
    },
  });
  const { kv, worker } = outbox;
  await worker.round();
  assert.deepEqual(worker.letters.map(({ email }) => email), ["grace@example.com"]);
  const [waiting] = await readDue(kv, "letters", { limit: 9 });
  assert.equal(waiting?.item.dueAt, START + MINUTE);
  assert.equal(waiting?.item.reason, "Error: Nothing can be written to …");
  assert.deepEqual(worker.log.map(({ level, event }) => [level, event]), [
    ["error", "could not make a letter; will try again"],
  ]);
  assert.ok(!JSON.stringify(worker.log).includes(ADA));
});
