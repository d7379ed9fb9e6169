import assert from "node:assert/strict";
import type { SendOutcome } from "../../../../server/letters/letter.ts";
import { createMailState } from "../../../../server/store/outbox/mail_state.ts";
import { readFirstItems } from "../../../../server/store/outbox/reads.ts";
import { retryItems } from "../../../../server/store/people/outbox_commits.ts";
import { addresses } from "../../../support/mail.ts";
import { invite, join, startOutbox } from "../../../support/outbox_worker.ts";
import { recordOf } from "../../../support/records.ts";
import { START } from "../../../support/service.ts";
import type { Kv } from "../../../../server/store/kv/engine.ts";

const MINUTE = 60_000;
const ADA = "ada@example.com", GRACE = "grace@example.com", JOAN = "joan@example.com";
const TAKEN: SendOutcome = { kind: "taken" };
const PAUSED: SendOutcome = { kind: "paused", reason: "closed" };
const REFUSED: SendOutcome = { kind: "refused_recipient", reason: "550 5.1.1 unknown" };

/** One letter a second. */
const SLOW = { perMinute: 60 };

const pauseIn = async (kv: Kv) => (await createMailState(kv).read())?.pause;

Deno.test("createLetterWork() finds out whether a pause can end by sending a letter that did not cause the pause", async () => {
  const send = (email: string) => email === ADA ? PAUSED : TAKEN;
  using outbox = await startOutbox([ADA], { ...SLOW, send });
  const { kv, clock, worker } = outbox;
  await worker.round();
  // The other letter is an invitation, which goes behind confirmations.
  await invite(kv, GRACE, clock.now);
  clock.now += MINUTE;
  await worker.round();
  assert.deepEqual(worker.tried, [ADA, GRACE]);
  assert.equal(await pauseIn(kv), undefined);
  assert.deepEqual(worker.letters.map(({ email }) => email), [GRACE]);
});

Deno.test("After a pause, createLetterWork() tries the letter that caused the pause when no other letter waits", async () => {
  using outbox = await startOutbox([ADA], { ...SLOW, send: () => PAUSED });
  const { clock, worker } = outbox;
  await worker.round();
  clock.now += MINUTE;
  await worker.round();
  assert.deepEqual(worker.tried, [ADA, ADA]);
});

Deno.test("createLetterWork() pauses for exactly the time that the mail API asks for", async () => {
  const triedAt: number[] = [];
  using outbox = await startOutbox(addresses(3), {
    ...SLOW,
    send() {
      const isFirst = triedAt.push((outbox.clock.now - START) / 1_000) === 1;
      return isFirst ? { kind: "paused", reason: "HTTP 429", retryAfterMs: 17_000 } : TAKEN;
    },
  });
  await outbox.beat(20);
  assert.deepEqual(triedAt, [0, 17, 18, 19]);
});

Deno.test("createLetterWork() begins no more letters than the transport has capacity for", async () => {
  using outbox = await startOutbox(addresses(9), { capacity: () => 2 });
  await outbox.worker.round();
  assert.equal(outbox.worker.letters.length, 2);
});

Deno.test("createLetterWork() finds out whether a pause can end by sending a single letter, even if an operator has made all letters due", async () => {
  const login = { isRight: false };
  using outbox = await startOutbox(addresses(5), {
    perMinute: 6_000,
    send: () => login.isRight ? TAKEN : { kind: "paused", reason: "535 no" },
  });
  const { kv, clock, worker } = outbox;
  await worker.round();
  const first = worker.tried.length;
  for (const isRight of [false, true]) {
    login.isRight = isRight;
    clock.now += 10_000;
    await createMailState(kv).endWait(clock.now);
    await Array.fromAsync(
      retryItems(kv, { which: "refused", now: () => clock.now, leaseMs: 5 * MINUTE }),
    );
    const before = worker.tried.length;
    await worker.round();
    assert.equal(worker.tried.length - before, 1);
  }
  clock.now += 1_000;
  await worker.round();
  assert.equal(worker.tried.length, first + 2 + 4);
});

Deno.test("If a letter that is to show whether a pause can end gets the outcome try_later, createLetterWork() sends a second such letter", async () => {
  const answers: SendOutcome[] = [PAUSED, { kind: "try_later", reason: "450 later" }, TAKEN];
  using outbox = await startOutbox([ADA], { ...SLOW, send: () => answers.shift()! });
  const { kv, clock, worker } = outbox;
  await worker.round();
  await join(kv, [GRACE, JOAN], clock.now);
  clock.now += MINUTE;
  await worker.round();
  clock.now += 1_000;
  await worker.round();
  assert.equal(answers.length, 0);
  assert.equal(await pauseIn(kv), undefined);
});

Deno.test("createLetterWork() pauses, and marks nobody as undeliverable, when three letters in a row are refused", async () => {
  const emails = addresses(20);
  const sender = { isWrong: true };
  const send = () => sender.isWrong ? REFUSED : TAKEN;
  using outbox = await startOutbox(emails, { perMinute: 600, send });
  const { kv, worker, beat } = outbox;
  await beat(180);
  const records = await Promise.all(emails.map((email) => recordOf(kv, email)));
  assert.deepEqual(records.filter(({ undeliverableAt }) => undeliverableAt), []);
  assert.deepEqual(await readFirstItems(kv, "refused", { limit: 99 }), []);
  const tries = worker.tried.length;
  assert.ok(tries <= 10 + 3, `${tries} tries: those at once, and one a minute`);
  const { reason } = (await pauseIn(kv))!;
  assert.match(reason, /^3 e-mails in a row were rejected, the last one with: 550 5\.1\.1/);
  sender.isWrong = false;
  await beat(600);
  assert.deepEqual(worker.letters.map(({ email }) => email).sort(), emails.sort());
});

Deno.test("createLetterWork() keeps the reason of each refused letter when three letters in a row are refused", async () => {
  const emails = addresses(3);
  const refusal = (email: string): SendOutcome => ({ ...REFUSED, reason: `550 no ${email}` });
  using outbox = await startOutbox(emails, { ...SLOW, send: refusal });
  await outbox.beat(15);
  const items = await readFirstItems(outbox.kv, "letters", { limit: 9 });
  const reasons = items.map(({ item: { email, reason } }) => [email, reason]);
  assert.deepEqual(reasons.sort(), emails.map((email) => [email, `550 no ${email}`]).sort());
});

Deno.test("createLetterWork() marks refused recipients as undeliverable when other letters are taken between the refusals", async () => {
  const emails = addresses(12);
  const isDead = (email: string) => emails.indexOf(email) % 3 !== 0;
  const send = (email: string) => isDead(email) ? REFUSED : TAKEN;
  using outbox = await startOutbox(emails, { ...SLOW, send });
  await outbox.beat(15);
  for (const email of emails) {
    const { undeliverableAt } = await recordOf(outbox.kv, email);
    assert.equal(undeliverableAt !== undefined, isDead(email), email);
  }
  assert.equal(outbox.worker.tried.length, 12);
});
