/** What becomes of letters when the wall clock jumps while they wait. @module */
import assert from "node:assert/strict";
import { createOutboxStore } from "../../../../server/store/people/outbox_commits.ts";
import { OPERATOR_KEY } from "../../../support/operator.ts";
import { listenTo } from "../../../support/receiver.ts";
import { json, serveOn, type TestService } from "../../../support/service.ts";
import { openMemoryKv } from "../../../support/memory_kv.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const [ADA, BO, CY] = ["ada@example.com", "bo@example.com", "cy@example.com"];
const DAN = "dan@example.com";

/** A mail API that answers as the test says, and the addresses whose letters it has taken. */
function startMailApi() {
  const api = { status: 200, taken: new Array<string>() };
  const receiver = listenTo(({ body }) => {
    const { status } = api;
    if (status === 200) api.taken.push(JSON.parse(body).to);
    return new Response("{}", { status, headers: { Connection: "close" } });
  });
  const variables = {
    MAIL_URL: `${receiver.url}/letters`,
    MAIL_FROM: "Example Company <hello@example.com>",
    MAIL_TOKEN: "token-of-the-mail-api",
    OPERATOR_KEY,
  };
  return { api, variables, [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose]() };
}

/** Sets the wall clock, as a person or a time server does. */
function setClock({ clock }: TestService, byMs: number): void {
  clock.now += byMs;
  clock.jumped += byMs;
}

const join = (service: TestService, email: string) =>
  service.request("/api/v1/waitlist", json({ email, consent: true }));

/** Beats for some seconds. */
async function beat(service: TestService, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    service.clock.now += 1_000;
    await service.workOutbox();
  }
}

// Mail was down, so that a letter and the pause were written by the clock that was ahead.
Deno.test("createService() sends all waiting letters when a clock that was 50 minutes fast is set back", async () => {
  await using mail = startMailApi();
  await using service = await serveOn(await openMemoryKv(), mail.variables);
  mail.api.status = 401;
  await join(service, ADA);
  setClock(service, 50 * MINUTE);
  await service.workOutbox();
  await join(service, BO);
  setClock(service, -50 * MINUTE);
  mail.api.status = 200;
  await beat(service, 3);
  assert.deepEqual(mail.api.taken.toSorted(), [ADA, BO]);
});

Deno.test("createService() sends a letter when it starts, even if another process dated the letter a day into the future", async () => {
  await using mail = startMailApi();
  const kv = await openMemoryKv();
  const before = await serveOn(kv, mail.variables);
  setClock(before, DAY);
  // Their letters share an entry.
  await Promise.all([ADA, BO].map((email) => join(before, email)));
  await before.stop();
  await using service = await serveOn(kv, mail.variables);
  await beat(service, 1);
  assert.deepEqual(mail.api.taken.toSorted(), [ADA, BO]);
});

// A letter that is on its way at that moment is not sent twice.
Deno.test("When a clock that is an hour fast is set back, createService() sends a claimed letter two minutes later", async () => {
  await using mail = startMailApi();
  await using service = await serveOn(await openMemoryKv(), mail.variables);
  await service.workOutbox();
  await join(service, ADA);
  setClock(service, HOUR);
  const store = createOutboxStore(service.kv);
  const [entry] = await store.readDue("letters", { dueBy: service.clock.now, limit: 1 });
  const at = service.clock.now;
  assert.ok(await store.claim(entry!, { at, until: at + 5 * MINUTE }));
  setClock(service, -HOUR);
  await beat(service, 119);
  assert.deepEqual(mail.api.taken, []);
  await beat(service, 2);
  assert.deepEqual(mail.api.taken, [ADA]);
});

Deno.test("retryOutbox makes letters due even if another process dated the letters a day into the future", async () => {
  await using mail = startMailApi();
  const kv = await openMemoryKv();
  await using service = await serveOn(kv, mail.variables);
  await service.workOutbox();
  // The process with the wrong clock is another one, so that this one sees no jump.
  const other = await serveOn(kv, mail.variables);
  setClock(other, DAY);
  await join(other, ADA);
  mail.api.status = 422;
  await join(other, BO);
  await other.workOutbox();
  await Promise.all([CY, DAN].map((email) => join(other, email)));
  await other.stop();
  mail.api.status = 200;
  const response = await service.request("/operator/v1/outbox/retry", {
    ...json({ all: true }),
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${OPERATOR_KEY}` },
  });
  const end = (await response.text()).trim().split("\n").at(-1)!;
  assert.deepEqual(JSON.parse(end), { complete: true, retried: 4, left: 0 });
  await beat(service, 2);
  assert.deepEqual(mail.api.taken.toSorted(), [ADA, BO, CY, DAN]);
});
