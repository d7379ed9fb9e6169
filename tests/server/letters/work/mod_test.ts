import assert from "node:assert/strict";
import { LETTERS_AT_ONCE } from "../../../../server/letters/work/letter_work.ts";
import { createOutboxWorker } from "../../../../server/letters/work/mod.ts";
import { createLog } from "../../../../server/runtime/log.ts";
import { createMailState } from "../../../../server/store/outbox/mail_state.ts";
import { readDue, readOutboxCounts } from "../../../../server/store/outbox/reads.ts";
import { createOutboxStore } from "../../../../server/store/people/outbox.ts";
import { storeSignUps } from "../../../../server/store/people/sign_ups.ts";
import { changeRecords } from "../../../../server/store/people/commit.ts";
import { inviteSignUp } from "../../../../server/waitlist/transitions.ts";
import { join, OUTBOX, recordOf, startWorker } from "../../../support/outbox_worker.ts";
import { recordId } from "../../../support/records.ts";
import { START } from "../../../support/service.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const TODAY = "2026-11-21";
const ADA = "ada@example.com";

Deno.test("createOutboxWorker() sends a letter and an event once and notes when the server took the letter", async () => {
  using kv = await Deno.openKv(":memory:");
  const clock = { now: START };
  await join(kv, [ADA]);
  const worker = startWorker(kv, clock);
  clock.now += 3_000;
  for (let rounds = 0; rounds < 3; rounds++) await worker.round();
  assert.deepEqual(worker.letters.map(({ email, letter }) => [email, letter]), [
    [ADA, "confirmation"],
  ]);
  assert.deepEqual(worker.events, [{ email: ADA, event: "signup.joined" }]);
  const { confirmations } = await recordOf(kv, ADA);
  assert.equal(confirmations?.takenAt, new Date(clock.now).toISOString());
  assert.deepEqual(await readOutboxCounts(kv, TODAY), { due: 0, held: 0, refused: 0, sent: 1 });
  assert.deepEqual(await Array.fromAsync(kv.list({ prefix: ["outbox"] })), []);
  assert.deepEqual(await Array.fromAsync(kv.list({ prefix: ["due"] })), []);
});

Deno.test("createOutboxWorker() sends each letter once when four processes share the outbox", async () => {
  using kv = await Deno.openKv(":memory:");
  const clock = { now: START };
  const emails = Array.from({ length: 200 }, (_, n) => `visitor${n}@example.com`);
  await join(kv, emails);
  const workers = Array.from({ length: 4 }, () => startWorker(kv, clock));
  for (let rounds = 0; rounds < 3; rounds++) {
    await Promise.all(workers.map(({ round }) => round()));
    clock.now += 1_000;
  }
  const sent = workers.flatMap(({ letters }) => letters.map(({ email }) => email));
  assert.deepEqual(sent.sort(), emails.sort());
  assert.equal(workers.flatMap(({ events }) => events).length, 200);
});

Deno.test("createOutboxWorker() sends no more letters in a minute than allowed and no burst when processes share the limit", async () => {
  using kv = await Deno.openKv(":memory:");
  // The whole minute, second by second.
  const clock = { now: START + 40_000 };
  await join(kv, Array.from({ length: 300 }, (_, n) => `visitor${n}@example.com`));
  const workers = [
    startWorker(kv, clock, { perMinute: 90 }),
    startWorker(kv, clock, { perMinute: 90 }),
  ];
  const perSecond: number[] = [];
  let sent = 0;
  for (let second = 0; second < 60; second++) {
    for (const { round } of [...workers, ...workers]) await round();
    const now = workers.reduce((sum, { letters }) => sum + letters.length, 0);
    perSecond.push(now - sent);
    sent = now;
    clock.now += 1_000;
  }
  assert.equal(sent, 90);
  assert.deepEqual([...new Set(perSecond)].sort(), [1, 2]);
});

Deno.test("createOutboxWorker() begins no letter after the minute of its permit", async () => {
  using kv = await Deno.openKv(":memory:");
  const minuteEnd = START + 40_000;
  const clock = { now: minuteEnd - 100 };
  await join(kv, Array.from({ length: 60 }, (_, n) => `visitor${n}@example.com`));
  const worker = startWorker(kv, clock, {
    send() {
      clock.now = minuteEnd;
      return { kind: "sent" };
    },
  });
  await worker.round();
  assert.equal(worker.letters.length, LETTERS_AT_ONCE, "those that had begun");
  await worker.round();
  assert.equal(worker.letters.length, 60);
});

Deno.test("createOutboxWorker() takes permits of the minute in which they are used when KV was slow", async () => {
  using kv = await Deno.openKv(":memory:");
  const minuteEnd = START + 40_000;
  const clock = { now: minuteEnd - 100 };
  await join(kv, [ADA]);
  const worker = startWorker(kv, clock, {
    replace: ({ readDue }) => ({
      async readDue(...args) {
        const due = await readDue(...args);
        clock.now = minuteEnd + 50;
        return due;
      },
    }),
  });
  await worker.round();
  assert.equal(worker.letters.length, 1);
  assert.equal((await createMailState(kv).read())?.second, minuteEnd / 1_000);
});

Deno.test("createOutboxWorker() sends confirmations before invitations", async () => {
  using kv = await Deno.openKv(":memory:");
  const clock = { now: START };
  const at = new Date(START).toISOString();
  await storeSignUps(kv, [{ signUp: { email: "grace@example.com" }, at, id: recordId() }]);
  await changeRecords(kv, [{
    email: "grace@example.com",
    decide: (record) =>
      record ? inviteSignUp(record, { at, invitationCode: "c", wave: "w" }) : "unchanged",
  }], { outbox: OUTBOX, at: START });
  clock.now += 1_000;
  await join(kv, [ADA], clock.now);
  const worker = startWorker(kv, clock, { perMinute: 60 });
  for (let seconds = 0; seconds < 3; seconds++) {
    await worker.round();
    clock.now += 1_000;
  }
  assert.deepEqual(worker.letters.map(({ letter }) => letter), ["confirmation", "invitation"]);
});

Deno.test("createOutboxWorker() tries again after 1, 5 and 30 minutes, 2, 6, 12 and 24 hours, and then no more", async () => {
  using kv = await Deno.openKv(":memory:");
  const clock = { now: START };
  await join(kv, [ADA]);
  let attempts = 0;
  const worker = startWorker(kv, clock, {
    send: () => (attempts++, { kind: "try_later", reason: "450 busy" }),
  });
  await worker.round();
  for (
    const [index, delay] of [
      MINUTE,
      5 * MINUTE,
      30 * MINUTE,
      2 * HOUR,
      6 * HOUR,
      12 * HOUR,
      24 * HOUR,
    ].entries()
  ) {
    assert.equal(attempts, index + 1);
    clock.now += delay - 1;
    await worker.round();
    assert.equal(attempts, index + 1, "not before its time");
    clock.now += 1;
    await worker.round();
  }
  assert.equal(attempts, 8);
  clock.now += 48 * HOUR;
  await worker.round();
  assert.equal(attempts, 8);
  const [refused] = await readDue(kv, "refused", { limit: 10 });
  assert.equal(refused?.item.reason, "450 busy");
  assert.deepEqual(await readOutboxCounts(kv, TODAY), { due: 0, held: 0, refused: 1, sent: 0 });
});

Deno.test("createOutboxWorker() asks KV for nothing while it rests", async () => {
  using kv = await Deno.openKv(":memory:");
  const clock = { now: START };
  let calls = 0;
  const store = createOutboxStore(kv);
  const worker = createOutboxWorker({
    store: { ...store, readDue: (...args) => (calls++, store.readDue(...args)) },
    mail: createMailState(kv),
    letters: { send: () => Promise.resolve({ kind: "sent" }), perMinute: 300 },
    now: () => clock.now,
    log: createLog({ level: "info", now: () => clock.now, write: assert.fail }),
  });
  await worker.beat();
  const first = calls;
  for (let seconds = 1; seconds < 30; seconds++) {
    clock.now += 1_000;
    await worker.beat();
  }
  assert.equal(calls, first);
  worker.wake();
  clock.now -= 24 * HOUR;
  for (let times = 0; times < 3; times++) await worker.beat();
  assert.equal(calls, 2 * first, "once, as the clock was set back");
  await join(kv, [ADA], clock.now);
  worker.wake();
  await worker.beat();
  await worker.settled();
  assert.ok(calls > first);
});
