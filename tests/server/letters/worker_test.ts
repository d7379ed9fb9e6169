import assert from "node:assert/strict";
import type { SendOutcome } from "../../../server/letters/letter.ts";
import { createOutboxWorker, type OutboxWorker } from "../../../server/letters/worker.ts";
import { createLog } from "../../../server/log.ts";
import { eraseSignUp } from "../../../server/store/erasures.ts";
import { createMailState } from "../../../server/store/mail_state.ts";
import { LOCAL_ENGINE } from "../../../server/store/open.ts";
import { readDue, readOutboxCounts } from "../../../server/store/outbox_reads.ts";
import { createOutboxStore } from "../../../server/store/outbox_work.ts";
import { storeSignUps } from "../../../server/store/sign_ups.ts";
import { changeRecords } from "../../../server/store/record_changes.ts";
import { inviteSignUp } from "../../../server/waitlist/life.ts";
import type { SignUpRecord } from "../../../server/waitlist/record.ts";
import { recordId } from "../../support/records.ts";
import { START } from "../../support/service.ts";

const random = (length: number) => crypto.getRandomValues(new Uint8Array(length));
const OUTBOX = { letters: true, events: true, random };
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const TODAY = "2026-11-21";

/** A worker on a KV, whose letters and events go where the test says. */
interface TestWorker extends OutboxWorker {
  letters: { email: string; id: string; letter: string }[];
  events: { email: string; event: string }[];
  log: Record<string, unknown>[];
  /** Beats once, and waits until everything is sent. */
  round: () => Promise<void>;
}

interface Behaviour {
  send?: (email: string) => SendOutcome | Promise<SendOutcome>;
  report?: () => string | undefined;
  perMinute?: number;
}

function startWorker(kv: Deno.Kv, clock: { now: number }, behaviour: Behaviour = {}): TestWorker {
  const letters: TestWorker["letters"] = [];
  const events: TestWorker["events"] = [];
  const log: TestWorker["log"] = [];
  const worker = createOutboxWorker({
    store: createOutboxStore(kv, { engine: LOCAL_ENGINE, monotonic: () => performance.now() }),
    mail: createMailState(kv),
    async sendLetter({ id, item: { email, message } }) {
      const outcome = await behaviour.send?.(email) ?? { kind: "sent" };
      if (outcome.kind === "sent" && "letter" in message) {
        letters.push({ email, id, letter: message.letter });
      }
      return outcome;
    },
    sendEvent({ item: { email, message } }) {
      const fault = behaviour.report?.();
      if (fault === undefined && "event" in message) events.push({ email, event: message.event });
      return Promise.resolve(fault);
    },
    perMinute: behaviour.perMinute ?? 60_000,
    now: () => clock.now,
    log: createLog({
      level: "info",
      now: () => clock.now,
      write: (line) => log.push(JSON.parse(line)),
    }),
  });
  async function round(): Promise<void> {
    worker.wake();
    await worker.beat();
    await worker.settled();
  }
  return { ...worker, letters, events, log, round };
}

/** People join one after the other, within the last milliseconds before a moment. */
async function join(kv: Deno.Kv, emails: string[], at = START): Promise<void> {
  const signUps = emails.map((email, index) => ({
    signUp: { email },
    at: new Date(at - (emails.length - 1 - index) % 50).toISOString(),
    id: recordId(),
  }));
  for (let from = 0; from < signUps.length; from += 90) {
    await storeSignUps(kv, signUps.slice(from, from + 90), { outbox: OUTBOX });
  }
}

async function recordOf(kv: Deno.Kv, email: string): Promise<SignUpRecord> {
  const { value } = await kv.get<SignUpRecord>(["sign_up", email]);
  assert.ok(value);
  return value;
}

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
  assert.deepEqual(await readOutboxCounts(kv, TODAY), { due: 0, refused: 0, sent: 1 });
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

Deno.test("createOutboxWorker() sends confirmations before invitations", async () => {
  using kv = await Deno.openKv(":memory:");
  const clock = { now: START };
  const at = new Date(START).toISOString();
  await storeSignUps(kv, [{ signUp: { email: "grace@example.com" }, at, id: recordId() }]);
  await changeRecords(kv, [{
    email: "grace@example.com",
    decide: (record) => record && inviteSignUp(record, { at, invitationCode: "c", wave: "w" }),
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
  assert.deepEqual(await readOutboxCounts(kv, TODAY), { due: 0, refused: 1, sent: 0 });
});

Deno.test("createOutboxWorker() marks the address and sends nothing more when the server refuses the recipient", async () => {
  using kv = await Deno.openKv(":memory:");
  const clock = { now: START };
  await join(kv, [ADA, "grace@example.com"]);
  const worker = startWorker(kv, clock, {
    send: (email) =>
      email === ADA ? { kind: "refused_recipient", reason: "550 unknown" } : { kind: "sent" },
  });
  await worker.round();
  assert.deepEqual(worker.letters.map(({ email }) => email), ["grace@example.com"]);
  const at = new Date(clock.now).toISOString();
  assert.equal((await recordOf(kv, ADA)).undeliverableAt, at);
  // The person signs up again two days later.
  clock.now += 48 * HOUR;
  await join(kv, [ADA], clock.now);
  assert.equal((await recordOf(kv, ADA)).undeliverableAt, undefined);
  assert.equal((await readDue(kv, "letters", { limit: 9 })).length, 1);
});

Deno.test("createOutboxWorker() pauses all letters when the server accepts none, and logs its beginning and its end once", async () => {
  using kv = await Deno.openKv(":memory:");
  const clock = { now: START };
  await join(kv, Array.from({ length: 20 }, (_, n) => `visitor${n}@example.com`));
  let isAway = true;
  let attempts = 0;
  const worker = startWorker(kv, clock, {
    perMinute: 60,
    send:
      () => (attempts++,
        isAway ? { kind: "paused", reason: "connection refused" } : { kind: "sent" }),
  });
  await worker.round();
  assert.equal(attempts, 1);
  for (let seconds = 0; seconds < 59; seconds++) {
    clock.now += 1_000;
    await worker.round();
  }
  assert.equal(attempts, 1, "nothing is tried in the first minute");
  clock.now += 1_000;
  await worker.round();
  assert.equal(attempts, 2);
  assert.equal((await createMailState(kv).read())?.pause?.count, 2);
  assert.equal(worker.log.filter(({ level }) => level === "error").length, 1);
  isAway = false;
  clock.now += 5 * MINUTE;
  const triedAt = attempts;
  await worker.round();
  assert.equal(attempts, triedAt + 1, "one letter finds out whether the server is back");
  for (let seconds = 0; seconds < 20; seconds++) {
    await worker.round();
    clock.now += 1_000;
  }
  assert.equal(worker.letters.length, 20);
  assert.equal((await createMailState(kv).read())?.pause, undefined);
  assert.deepEqual(worker.log.map(({ event }) => event), [
    "letters are paused, as the mail server accepts none",
    "letters are sent again",
  ]);
  const items = await readDue(kv, "refused", { limit: 10 });
  assert.deepEqual(items, [], "a pause is no attempt of a letter");
});

Deno.test("createOutboxWorker() loses no letter and sends it after its lease when the process is killed while sending", async () => {
  using kv = await Deno.openKv(":memory:");
  const clock = { now: START };
  await join(kv, [ADA]);
  const killed = startWorker(kv, clock, { send: () => new Promise(() => {}) });
  killed.wake();
  await killed.beat();
  killed.stop();
  const other = startWorker(kv, clock);
  clock.now += 5 * MINUTE - 1;
  await other.round();
  assert.equal(other.letters.length, 0, "the lease holds");
  clock.now += 1;
  await other.round();
  assert.equal(other.letters.length, 1);
});

Deno.test("createOutboxWorker() sends nothing to a person who was erased while the letter waited or was claimed", async () => {
  using kv = await Deno.openKv(":memory:");
  const clock = { now: START };
  await join(kv, [ADA]);
  await eraseSignUp(kv, ADA, { now: clock.now, random, reason: "person", outbox: OUTBOX });
  const worker = startWorker(kv, clock);
  await worker.round();
  assert.deepEqual(worker.letters, []);
  assert.deepEqual(worker.events, [{ email: ADA, event: "signup.left" }]);
  assert.deepEqual(await readOutboxCounts(kv, TODAY), { due: 0, refused: 0, sent: 0 });
  const left = JSON.stringify(await Array.fromAsync(kv.list({ prefix: [] }), ({ key }) => key));
  assert.ok(!left.includes(ADA));
});

Deno.test("createOutboxWorker() asks KV for nothing while it rests", async () => {
  using kv = await Deno.openKv(":memory:");
  const clock = { now: START };
  let calls = 0;
  const store = createOutboxStore(kv);
  const worker = createOutboxWorker({
    store: { ...store, readDue: (...args) => (calls++, store.readDue(...args)) },
    mail: createMailState(kv),
    sendLetter: () => Promise.resolve({ kind: "sent" }),
    perMinute: 300,
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
  await join(kv, [ADA], clock.now);
  worker.wake();
  await worker.beat();
  await worker.settled();
  assert.ok(calls > first);
});
