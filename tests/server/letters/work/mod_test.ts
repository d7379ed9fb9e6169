import assert from "node:assert/strict";
import { LETTERS_AT_ONCE } from "../../../../server/letters/work/letter_work.ts";
import { createOutboxWorker } from "../../../../server/letters/work/mod.ts";
import { createMailState } from "../../../../server/store/outbox/mail_state.ts";
import { readOutboxCounts } from "../../../../server/store/outbox/counts.ts";
import { readFirstItems } from "../../../../server/store/outbox/reads.ts";
import { createOutboxStore } from "../../../../server/store/people/outbox_commits.ts";
import { recordLog } from "../../../support/log.ts";
import { addresses } from "../../../support/mail.ts";
import { invite, join, startOutbox, startWorker } from "../../../support/outbox_worker.ts";
import { OUTBOX, random, recordOf } from "../../../support/records.ts";
import { START } from "../../../support/service.ts";
import { listAll, test } from "../../../support/memory_kv.ts";
import { eraseSignUp } from "../../../../server/store/people/erasure.ts";
import type { OutboxItem } from "../../../../server/waitlist/outbox_item.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const TODAY = "2026-11-21";
const ADA = "ada@example.com";

Deno.test("createOutboxWorker() sends a letter and an event once, and stores the time at which the mail server took the letter", async () => {
  using outbox = await startOutbox([ADA]);
  const { kv, clock, worker } = outbox;
  clock.now += 3_000;
  for (let rounds = 0; rounds < 3; rounds++) await worker.round();
  assert.deepEqual(worker.letters.map(({ email, letter }) => [email, letter]), [
    [ADA, "confirmation"],
  ]);
  assert.deepEqual(worker.events, [{ email: ADA, event: "signup.joined" }]);
  const { confirmations } = await recordOf(kv, ADA);
  assert.equal(confirmations?.takenAt, new Date(clock.now).toISOString());
  assert.deepEqual(await readOutboxCounts(kv, TODAY), { due: 0, held: 0, refused: 0, sent: 1 });
  // The event is kept, so that it can be sent again.
  const [kept, ...others] = await readFirstItems(kv, "delivered", { limit: 10 });
  assert.deepEqual([kept?.item.queue, others], ["delivered", []]);
  assert.equal((await listAll(kv, { prefix: ["outbox"] })).length, 1);
  assert.equal((await listAll(kv, { prefix: ["due"] })).length, 1);
});

test("createOutboxWorker() sends each letter once when four processes share the outbox", async (kv) => {
  const clock = { now: START };
  const emails = addresses(200);
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

test("createOutboxWorker() spreads 90 letters evenly over a minute when two processes share the limit of 90 letters a minute", async (kv) => {
  // The whole minute, second by second.
  const clock = { now: START + 40_000 };
  await join(kv, addresses(300));
  const workers = [90, 90].map((perMinute) => startWorker(kv, clock, { perMinute }));
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

test("createOutboxWorker() starts to send a letter only in the minute for which the letter was permitted", async (kv) => {
  const minuteEnd = START + 40_000;
  const clock = { now: minuteEnd - 100 };
  await join(kv, addresses(60));
  const worker = startWorker(kv, clock, {
    send() {
      clock.now = minuteEnd;
      return { kind: "taken" };
    },
  });
  await worker.round();
  assert.equal(worker.letters.length, LETTERS_AT_ONCE, "those that had begun");
  await worker.round();
  assert.equal(worker.letters.length, 60);
});

test("createOutboxWorker() counts a letter for the minute in which the letter is permitted, even if the store began to read the due letters in the minute before", async (kv) => {
  const minuteEnd = START + 40_000;
  const clock = { now: minuteEnd - 100 };
  await join(kv, [ADA]);
  const worker = startWorker(kv, clock, {
    replace: ({ permitLetters }) => ({
      permitLetters(request) {
        // The clock goes on while the store reads the letters that are due.
        const moments = [clock.now, minuteEnd + 50];
        return permitLetters({ ...request, now: () => clock.now = moments.shift() ?? clock.now });
      },
    }),
  });
  await worker.round();
  assert.equal(worker.letters.length, 1);
  assert.equal((await createMailState(kv).read())?.second, minuteEnd / 1_000);
});

Deno.test("createOutboxWorker() sends confirmation letters before invitations", async () => {
  using outbox = await startOutbox([], { perMinute: 60 });
  const { kv, clock, worker } = outbox;
  await invite(kv, "grace@example.com");
  clock.now += 1_000;
  await join(kv, [ADA], clock.now);
  await outbox.beat(3);
  assert.deepEqual(worker.letters.map(({ letter }) => letter), ["confirmation", "invitation"]);
});

Deno.test("createOutboxWorker() tries a letter again after 1, 5 and 30 minutes and 2, 6, 12 and 24 hours, and then gives up", async () => {
  const send = () => ({ kind: "try_later", reason: "450 busy" }) as const;
  using outbox = await startOutbox([ADA], { send });
  const { kv, clock, worker } = outbox;
  await worker.round();
  const hours = [2, 6, 12, 24].map((count) => count * HOUR);
  for (const [index, delay] of [MINUTE, 5 * MINUTE, 30 * MINUTE, ...hours].entries()) {
    assert.equal(worker.tried.length, index + 1);
    clock.now += delay - 1;
    await worker.round();
    assert.equal(worker.tried.length, index + 1, "not before its time");
    clock.now += 1;
    await worker.round();
  }
  assert.equal(worker.tried.length, 8);
  clock.now += 48 * HOUR;
  await worker.round();
  assert.equal(worker.tried.length, 8);
  const [refused] = await readFirstItems(kv, "refused", { limit: 10 });
  assert.equal(refused?.item.reason, "450 busy");
  assert.deepEqual(await readOutboxCounts(kv, TODAY), { due: 0, held: 0, refused: 1, sent: 0 });
});

test("createOutboxWorker() makes no request to KV while no item is due", async (kv) => {
  const clock = { now: START };
  let calls = 0;
  const store = createOutboxStore(kv);
  const worker = createOutboxWorker({
    store: { ...store, permitLetters: (...args) => (calls++, store.permitLetters(...args)) },
    mailState: createMailState(kv),
    letterSender: { send: () => Promise.resolve({ kind: "taken" }), perMinute: 300 },
    now: () => clock.now,
    log: recordLog().log,
  });
  await worker.work();
  const first = calls;
  for (let seconds = 1; seconds < 30; seconds++) {
    clock.now += 1_000;
    await worker.work();
  }
  assert.equal(calls, first);
  worker.wake();
  clock.now -= 24 * HOUR;
  for (let times = 0; times < 3; times++) await worker.work();
  assert.equal(calls, 2 * first, "once, as the clock was set back");
  await join(kv, [ADA], clock.now);
  worker.wake();
  await worker.work();
  await worker.settled();
  assert.ok(calls > first);
});

Deno.test("createOutboxWorker() pauses all letters when the mail server accepts none, and logs the beginning and the end of the pause", async () => {
  let isAway = true;
  using outbox = await startOutbox(addresses(20), {
    perMinute: 60,
    send: () => isAway ? { kind: "paused", reason: "connection refused" } : { kind: "taken" },
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
    "letters are paused because the mail server accepts none; will send one letter later as a test",
    "letters can be sent again",
  ]);
  const items = await readFirstItems(kv, "refused", { limit: 10 });
  assert.deepEqual(items, [], "a pause is no attempt of a letter");
});

Deno.test("createOutboxWorker() logs the end of a pause that another process has begun", async () => {
  const send = () => ({ kind: "paused", reason: "connection refused" }) as const;
  using outbox = await startOutbox([ADA], { send });
  const { kv, clock, worker, beat } = outbox;
  await beat(1);
  worker.stop();
  clock.now += MINUTE;
  const next = startWorker(kv, clock);
  await next.round();
  assert.deepEqual(next.letters.map(({ email }) => email), [ADA]);
  assert.deepEqual(next.log.map(({ event }) => event), ["letters can be sent again"]);
});

test("createOutboxWorker() sends a letter that a killed process had claimed, but not before the lease of this letter has ended", async (kv) => {
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
  test(`createOutboxWorker() sends no letter to a person who was erased before the sending began (the letter ${moment})`, async (kv) => {
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
    await readFirstItems(kv, "letters", { limit: 9 });
    const left = JSON.stringify((await listAll(kv, { prefix: [] })).map(({ key }) => key));
    assert.ok(!left.includes(ADA));
  });
}

Deno.test("createOutboxWorker() tries a letter again when its text could not be made, and sends the other letters", async () => {
  using outbox = await startOutbox([ADA, "grace@example.com"], {
    send(email) {
      if (email === ADA) throw new Error(`Nothing can be written to ${ADA}`);
      return { kind: "taken" };
    },
  });
  const { kv, worker } = outbox;
  await worker.round();
  assert.deepEqual(worker.letters.map(({ email }) => email), ["grace@example.com"]);
  const [waiting] = await readFirstItems(kv, "letters", { limit: 9 });
  assert.equal(waiting?.item.dueAt, START + MINUTE);
  assert.equal(waiting?.item.reason, "Error: Nothing can be written to …");
  assert.deepEqual(worker.log.map(({ level, event }) => [level, event]), [
    ["error", "could not make a letter; will make this letter later"],
  ]);
  assert.ok(!JSON.stringify(worker.log).includes(ADA));
});
