/** The pause of all letters, as operators see and end it. @module */
import assert from "node:assert/strict";
import type { SendOutcome } from "../../../server/letters/letter.ts";
import { createMailState } from "../../../server/store/outbox/mail_state.ts";
import type { ListedItem } from "../../../shared/operator_schemas.ts";
import { call, readAudit, readNdjson, startOperatedService, test } from "../../support/operator.ts";
import { startWorker } from "../../support/outbox_worker.ts";
import { signUp, START, WITH_MAIL } from "../../support/service.ts";

/** A service with three people whose letters the mail server has just rejected, so that all letters are paused. */
async function startPaused() {
  const service = await startOperatedService(WITH_MAIL);
  const emails = [0, 1, 2].map((n) => `visitor${n}@example.com`);
  for (const email of emails) await signUp(service, email);
  /** How the mail server answers from now on. */
  const mailServer: { outcome: SendOutcome } = {
    outcome: { kind: "refused_letter", reason: "550 5.7.1 policy" },
  };
  const worker = startWorker(service.kv, service.clock, { send: () => mailServer.outcome });
  await worker.round();
  return {
    service,
    emails,
    mailServer,
    worker,
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

test("retryOutbox ends the pause of all letters", async ({ kv, operate }) => {
  const { pause, read } = createMailState(kv);
  await pause({ at: START, reason: "535 no", causedBy: [], delayOf: () => 60_000 });
  assert.equal((await read())?.pause?.until, START + 60_000);
  await readNdjson(await operate("/outbox/retry", { all: true }));
  assert.equal((await read())?.pause?.until, START);
});

Deno.test("retryOutbox with `pause` makes only the letter due that is due first, keeps the tries of all letters, and writes an audit entry each time", async () => {
  await using paused = await startPaused();
  const { service, worker } = paused;
  const { clock } = service;
  const tryAt = new Date(clock.now + 60_000).toISOString();
  const pauseOf = async () => (await call(service, "/overview")).outbox.pause;
  const duesOf = async () =>
    (await call(service, "/outbox/list", {})).items.map(({ dueAt, tries }: ListedItem) => [
      dueAt,
      tries,
    ]);
  assert.deepEqual(await duesOf(), [[tryAt, 1], [tryAt, 1], [tryAt, 1]]);
  const begun = await pauseOf();
  assert.deepEqual([begun.until, begun.testing, begun.testedAt], [tryAt, undefined, undefined]);
  clock.now += 1_000;
  const now = new Date(clock.now).toISOString();
  await readNdjson(await service.operate("/outbox/retry", { pause: true }));
  assert.deepEqual(await duesOf(), [[now, 1], [tryAt, 1], [tryAt, 1]]);
  assert.equal((await pauseOf()).testing, true);
  await readNdjson(await service.operate("/outbox/retry", { pause: true }));
  assert.deepEqual(await duesOf(), [[now, 1], [tryAt, 1], [tryAt, 1]]);
  await worker.round();
  assert.equal(worker.tried.length, 4);
  const failed = await pauseOf();
  assert.deepEqual([failed.testing, failed.testedAt], [undefined, now]);
  assert.deepEqual(
    (await readAudit(service)).map(({ action, details }) => [action, details]),
    Array(2).fill(["retryOutbox", { testedPause: true, complete: true }]),
  );
});

Deno.test("retryOutbox with `pause` tests with a letter that is sent when letters to marked people are due first", async () => {
  await using paused = await startPaused();
  const { service, emails, mailServer, worker } = paused;
  const { clock } = service;
  const triedAt = async (email: string) => {
    const { items } = await call(service, "/outbox/list", {});
    return items.find((item: ListedItem) => item.email === email)?.dueAt;
  };
  await call(service, "/signups/undeliverable", { emails: emails.slice(0, 2) });
  clock.now += 1_000;
  await readNdjson(await service.operate("/outbox/retry", { pause: true }));
  assert.equal(await triedAt(emails[2]!), new Date(clock.now).toISOString());
  mailServer.outcome = { kind: "taken" };
  await worker.round();
  assert.equal((await call(service, "/overview")).outbox.pause, undefined);
});

Deno.test("retryOutbox with `pause` changes no letter when letters are not paused", async () => {
  await using service = await startOperatedService(WITH_MAIL);
  const { kv, clock } = service;
  await signUp(service, "ada@example.com");
  const send = () => ({ kind: "try_later", reason: "452 4.2.2 mailbox full" }) as const;
  await startWorker(kv, clock, { send }).round();
  const before = await call(service, "/outbox/list", {});
  const lines = await readNdjson(await service.operate("/outbox/retry", { pause: true }));
  assert.deepEqual(lines.at(-1), { complete: true, retried: 0, left: 0 });
  assert.deepEqual(await call(service, "/outbox/list", {}), before);
});

Deno.test("getOverview says that the next try of a pause is when the first letter is due if no letter is due at the end of the wait", async () => {
  await using paused = await startPaused();
  const { service, worker } = paused;
  const { clock } = service;
  clock.now += 60_000;
  for (let round = 0; round < 4; round++) {
    await worker.round();
    clock.now += 61_000;
  }
  const { items: [first] } = await call(service, "/outbox/list", {});
  const { pause } = (await call(service, "/overview")).outbox;
  assert.ok(Date.parse(first.dueAt) > clock.now);
  assert.deepEqual([pause.until, pause.testing], [first.dueAt, undefined]);
});
