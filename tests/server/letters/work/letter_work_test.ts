import assert from "node:assert/strict";
import type { SendOutcome } from "../../../../server/letters/letter.ts";
import { createMailState } from "../../../../server/store/outbox/mail_state.ts";
import { retryItems } from "../../../../server/store/people/outbox.ts";
import { readDue } from "../../../../server/store/outbox/reads.ts";
import { storeSignUps } from "../../../../server/store/people/sign_ups.ts";
import { changeRecords } from "../../../../server/store/people/commit.ts";
import { inviteSignUp } from "../../../../server/waitlist/transitions.ts";
import { addresses } from "../../../support/mail.ts";
import { join, OUTBOX, recordOf, startWorker } from "../../../support/outbox_worker.ts";
import { recordId } from "../../../support/records.ts";
import { START } from "../../../support/service.ts";

const MINUTE = 60_000;
const ADA = "ada@example.com", GRACE = "grace@example.com", JOAN = "joan@example.com";
const REFUSED: SendOutcome = { kind: "refused_recipient", reason: "550 5.1.1 unknown" };

/** A worker whose mail server answers as the test says, and the addresses that it was tried with. */
function startTrying(
  kv: Deno.Kv,
  clock: { now: number },
  { perMinute = 60, answer }: {
    perMinute?: number;
    answer: (email: string) => SendOutcome | Promise<SendOutcome>;
  },
) {
  const tried: string[] = [];
  const send = (email: string) => (tried.push(email), answer(email));
  return { ...startWorker(kv, clock, { perMinute, send }), tried };
}

Deno.test("createLetterWork() ends a pause with another letter when the oldest one met it", async () => {
  using kv = await Deno.openKv(":memory:");
  const clock = { now: START };
  await join(kv, [ADA]);
  const worker = startTrying(kv, clock, {
    answer: (email) => email === ADA ? { kind: "paused", reason: "closed" } : { kind: "sent" },
  });
  await worker.round();
  // The other letter is an invitation, which goes behind confirmations.
  const at = new Date(clock.now).toISOString();
  await storeSignUps(kv, [{ signUp: { email: GRACE }, at, id: recordId() }]);
  await changeRecords(kv, [{
    email: GRACE,
    decide: (record) =>
      record ? inviteSignUp(record, { at, invitationCode: "c", wave: "w" }) : "unchanged",
  }], { outbox: OUTBOX, at: clock.now });
  clock.now += MINUTE;
  await worker.round();
  assert.deepEqual(worker.tried, [ADA, GRACE]);
  assert.equal((await createMailState(kv).read())?.pause, undefined);
  assert.deepEqual(worker.letters.map(({ email }) => email), [GRACE]);
});

Deno.test("createLetterWork() tries the letter that met the pause when no other waits", async () => {
  using kv = await Deno.openKv(":memory:");
  const clock = { now: START };
  await join(kv, [ADA]);
  const worker = startTrying(kv, clock, { answer: () => ({ kind: "paused", reason: "closed" }) });
  await worker.round();
  clock.now += MINUTE;
  await worker.round();
  assert.deepEqual(worker.tried, [ADA, ADA]);
});

Deno.test("createLetterWork() pauses to the second for the time that the API asks for", async () => {
  using kv = await Deno.openKv(":memory:");
  const clock = { now: START };
  await join(kv, addresses(3));
  const triedAt: number[] = [];
  const worker = startTrying(kv, clock, {
    answer() {
      const isFirst = triedAt.push((clock.now - START) / 1_000) === 1;
      return isFirst
        ? { kind: "paused", reason: "HTTP 429", retryAfterMs: 17_000 }
        : { kind: "sent" };
    },
  });
  for (let second = 0; second < 20; second++) {
    await worker.round();
    clock.now += 1_000;
  }
  assert.deepEqual(triedAt, [0, 17, 18, 19]);
});

Deno.test("createLetterWork() begins no more letters than there is room for", async () => {
  using kv = await Deno.openKv(":memory:");
  const clock = { now: START };
  await join(kv, addresses(9));
  const worker = startWorker(kv, clock, { room: () => 2 });
  await worker.round();
  assert.equal(worker.letters.length, 2);
});

Deno.test("createLetterWork() lets one letter try first when the operator has all tried again", async () => {
  using kv = await Deno.openKv(":memory:");
  const clock = { now: START };
  await join(kv, addresses(5));
  const login = { isRight: false };
  const worker = startTrying(kv, clock, {
    perMinute: 6_000,
    answer: () => login.isRight ? { kind: "sent" } : { kind: "paused", reason: "535 no" },
  });
  await worker.round();
  const first = worker.tried.length;
  for (const isRight of [false, true]) {
    login.isRight = isRight;
    clock.now += 10_000;
    await createMailState(kv).probe(clock.now);
    await Array.fromAsync(retryItems(kv, { at: clock.now, leaseMs: 5 * MINUTE }));
    const before = worker.tried.length;
    await worker.round();
    assert.equal(worker.tried.length - before, 1);
  }
  clock.now += 1_000;
  await worker.round();
  assert.equal(worker.tried.length, first + 2 + 4);
});

Deno.test("createLetterWork() lets the next letter try when one has not found out whether a pause is over", async () => {
  using kv = await Deno.openKv(":memory:");
  const clock = { now: START };
  await join(kv, [ADA]);
  const answers: SendOutcome[] = [
    { kind: "paused", reason: "closed" },
    { kind: "try_later", reason: "450 later" },
    { kind: "sent" },
  ];
  const worker = startTrying(kv, clock, { answer: () => answers.shift()! });
  await worker.round();
  await join(kv, [GRACE, JOAN], clock.now);
  clock.now += MINUTE;
  await worker.round();
  clock.now += 1_000;
  await worker.round();
  assert.equal(answers.length, 0);
  assert.equal((await createMailState(kv).read())?.pause, undefined);
});

Deno.test("createLetterWork() marks nobody and pauses when three letters in a row are refused for good", async () => {
  using kv = await Deno.openKv(":memory:");
  const clock = { now: START };
  const emails = addresses(20);
  await join(kv, emails);
  const sender = { isWrong: true };
  const worker = startTrying(kv, clock, {
    perMinute: 600,
    answer: () => sender.isWrong ? REFUSED : { kind: "sent" },
  });
  for (let second = 0; second < 180; second++) {
    await worker.round();
    clock.now += 1_000;
  }
  const marks = await Promise.all(
    emails.map(async (email) => (await recordOf(kv, email)).undeliverableAt),
  );
  assert.deepEqual(marks.filter((mark) => mark), []);
  assert.deepEqual(await readDue(kv, "refused", { limit: 99 }), []);
  assert.ok(
    worker.tried.length <= 10 + 3,
    `${worker.tried.length} tries: those at once, and one a minute`,
  );
  const pause = (await createMailState(kv).read())?.pause;
  assert.match(
    pause?.reason ?? "",
    /^3 letters in a row were refused, the last one with: 550 5\.1\.1/,
  );
  sender.isWrong = false;
  for (let second = 0; second < 600; second++) {
    await worker.round();
    clock.now += 1_000;
  }
  assert.deepEqual(worker.letters.map(({ email }) => email).sort(), emails.sort());
});

Deno.test("createLetterWork() marks those who are refused when letters are taken between them", async () => {
  using kv = await Deno.openKv(":memory:");
  const clock = { now: START };
  const emails = addresses(12);
  await join(kv, emails);
  const isDead = (email: string) => emails.indexOf(email) % 3 !== 0;
  const worker = startTrying(kv, clock, {
    answer: (email) => isDead(email) ? REFUSED : { kind: "sent" },
  });
  for (let second = 0; second < 15; second++) {
    await worker.round();
    clock.now += 1_000;
  }
  for (const email of emails) {
    assert.equal((await recordOf(kv, email)).undeliverableAt !== undefined, isDead(email), email);
  }
  assert.equal(worker.tried.length, 12);
});
