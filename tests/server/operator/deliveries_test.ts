/** What is kept of events that were sent: to be looked at, and to be sent again. */
import assert from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import document from "../../../shared/generated/operator.json" with { type: "json" };
import { findItems } from "../../../server/store/outbox/reads.ts";
import { createOutboxStore } from "../../../server/store/people/outbox_commits.ts";
import type { ListedDelivery } from "../../../shared/operator_schemas.ts";
import { listAll, openMemoryKv } from "../../support/memory_kv.ts";
import { type OperatedService, readNdjson, startOperatedService } from "../../support/operator.ts";
import { join } from "../../support/outbox_worker.ts";
import { listenTo } from "../../support/receiver.ts";
import { recordOf } from "../../support/records.ts";
import { json, START, withEvents } from "../../support/service.ts";
import { addresses } from "../../support/mail.ts";

const ADA = "ada@example.com", BO = "bo@example.com";

/** A service with events, and a receiver of them that answers with a status. */
async function start() {
  const answer = { status: 204 };
  const receiver = listenTo(() => new Response(null, answer));
  const service = await startOperatedService(withEvents(receiver.url));
  return {
    service,
    answer,
    received: receiver.received,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
    },
  };
}

async function signUp(service: OperatedService, email: string): Promise<void> {
  const { status } = await service.request("/api/v1/waitlist", json({ email, consent: true }));
  assert.equal(status, 200);
}

async function deliveriesOf(service: OperatedService): Promise<ListedDelivery[]> {
  return (await (await service.operate("/webhooks/deliveries")).json()).deliveries;
}

async function resend(service: OperatedService, id: string): Promise<boolean> {
  const lines = await readNdjson(await service.operate("/outbox/retry", { ids: [id] }));
  await service.workOutbox();
  return lines.at(-1)?.retried === 1;
}

Deno.test("listDeliveries gives the last try of each event, the newest first", async () => {
  await using started = await start();
  const { service, answer, received } = started;
  assert.deepEqual(await deliveriesOf(service), []);
  answer.status = 503;
  await signUp(service, ADA);
  await service.workOutbox();
  service.clock.now += 10_000;
  answer.status = 204;
  await signUp(service, BO);
  await service.workOutbox();
  const [second, first, ...others] = (await deliveriesOf(service)).map(({ ms, ...each }) => {
    assert.ok(ms >= 0);
    return each;
  });
  const [firstId, secondId] = received.map(({ headers }) => headers["webhook-id"]!);
  const at = (ms: number) => new Date(START + ms).toISOString();
  const common = { event: "signup.joined", tries: 1, answer: "" };
  assert.deepEqual(second, {
    ...common,
    ...{ id: secondId, email: BO, delivered: true, at: at(10_000), status: 204 },
  });
  assert.deepEqual(first, {
    ...common,
    ...{ id: firstId, email: ADA, delivered: false, at: at(0), status: 503, nextAt: at(60_000) },
  });
  assert.deepEqual(others, []);
  const overview = await (await service.operate("/overview")).json();
  assert.equal(overview.outbox.due, 1, "what was taken is not due any more");
});

Deno.test("an erasure takes what was delivered about the person, and nothing of an address stays", async () => {
  await using started = await start();
  const { service } = started;
  await signUp(service, ADA);
  await service.workOutbox();
  const [{ id } = assert.fail()] = await deliveriesOf(service);
  await service.operate("/signups/erase", { email: ADA });
  await service.workOutbox();
  const [left, ...others] = await deliveriesOf(service);
  assert.deepEqual([left?.event, left?.email, others], ["signup.left", undefined, []]);
  for (const gone of [id, left!.id]) assert.ok(!await resend(service, gone));
  for (const prefix of ["outbox", "due"]) {
    const stored = await listAll(service.kv, { prefix: [prefix] });
    assert.doesNotMatch(JSON.stringify(stored), /ada@/);
  }
});

Deno.test("a correction leaves the former address in no event that was delivered", async () => {
  await using started = await start();
  const { service, received } = started;
  await signUp(service, ADA);
  await service.workOutbox();
  await service.operate("/signups/correct", { email: ADA, newEmail: BO });
  await service.workOutbox();
  const told = JSON.parse(received.at(-1)!.body);
  assert.deepEqual([told.type, told.data.formerEmail], ["signup.corrected", ADA]);
  const deliveries = await deliveriesOf(service);
  assert.deepEqual(deliveries.map(({ event, email }) => [event, email]).toSorted(), [
    ["signup.corrected", undefined],
    ["signup.joined", BO],
  ]);
  const kept = await findItems(service.kv, (await recordOf(service.kv, BO)).outbox);
  assert.deepEqual(kept.map(({ item }) => item.email), [BO], "what is kept without an address");
});

Deno.test("forgetDelivered() keeps the last hundred, and their people know of no other", async () => {
  using kv = await openMemoryKv();
  await join(kv, addresses(130));
  const store = createOutboxStore(kv);
  const due = await store.readDue("events", { until: START, limit: 200 });
  for (const [index, entry] of due.entries()) {
    const at = START + index;
    await store.sent(entry, at, { receiver: { at, ms: 5, status: 200, answer: "" } });
  }
  await store.forgetDelivered({ keep: 100, limit: 1_000 });
  const kept = await store.readDue("delivered", { limit: 200 });
  assert.deepEqual(kept.map(({ id }) => id), due.slice(30).map(({ id }) => id));
  assert.equal((await recordOf(kv, due[0]!.item.email)).outbox?.includes(due[0]!.id), false);
});

Deno.test("the document describes each event as it is sent", async () => {
  await using started = await start();
  const { service, received } = started;
  await signUp(service, ADA);
  await signUp(service, "eve@example.com");
  await service.workOutbox();
  await service.operate("/signups/correct", { email: ADA, newEmail: BO });
  const link = "https://app.example.com/?code={code}";
  await (await service.operate("/waves", {
    wave: "w1",
    emails: [BO],
    link,
    letters: false,
  })).text();
  await service.operate("/signups/erase", { email: "eve@example.com" });
  await service.workOutbox();
  await service.operate("/webhooks/test", undefined, { method: "POST" });
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  const { webhooks } = document;
  for (const { headers, body } of received) {
    const event = JSON.parse(body);
    const described = webhooks[event.type as keyof typeof webhooks];
    const { schema } = described.post.requestBody.content["application/json"];
    const validate = ajv.compile(schema);
    assert.ok(validate(event), `${event.type}: ${ajv.errorsText(validate.errors)}`);
    for (const { name, schema } of described.post.parameters) {
      const value: unknown = headers[name];
      assert.ok(ajv.validate(schema, value), `${name}: ${value}`);
    }
  }
  const types = new Set(received.map(({ body }) => JSON.parse(body).type));
  const others = new Set(Object.keys(webhooks)).difference(types);
  assert.deepEqual(others, new Set(["signup.confirmed", "signup.accepted", "service.attention"]));
});
