/** The outbox and the events that were delivered, as operators see them. @module */
import assert from "node:assert/strict";
import {
  assertRefused,
  call,
  type OperatedService,
  readAudit,
  readNdjson,
  refusalOf,
  startOperatedService,
  test,
} from "../../support/operator.ts";
import { LINK, storeWaiting } from "../../support/invitations.ts";
import { refuseDue } from "../../support/outbox.ts";
import { signUp, START, WITH_MAIL, withEvents } from "../../support/service.ts";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import document from "../../../shared/generated/operator.json" with { type: "json" };
import { findItems } from "../../../server/store/outbox/reads.ts";
import { createOutboxStore } from "../../../server/store/people/outbox_commits.ts";
import { openPerson, signIn } from "../../support/console.ts";
import { textOf } from "../../support/console_forms.ts";
import type { ListedDelivery, ListedItem, ShownSignup } from "../../../shared/operator_schemas.ts";
import { listAll, openMemoryKv } from "../../support/memory_kv.ts";
import { join } from "../../support/outbox_worker.ts";
import { listenTo } from "../../support/receiver.ts";
import { recordOf } from "../../support/records.ts";
import { confirmPerson } from "../../support/self_service.ts";
import { addresses } from "../../support/mail.ts";

const AT = new Date(START).toISOString();

/** A service with so many people, and an event about each of them. */
async function startWithEvents(people: number) {
  const service = await startOperatedService(withEvents());
  for (let n = 0; n < people; n++) {
    assert.equal(await signUp(service, `visitor${n}@example.com`), 200);
  }
  return service;
}

Deno.test("getOverview shows the numbers of people and of waiting letters and events, and answers GET and HEAD", async () => {
  await using service = await startWithEvents(2);
  const overview = await (await service.operate("/overview")).json();
  assert.equal(overview.total, 2);
  assert.deepEqual(overview.states, { unconfirmed: 0, waiting: 2, invited: 0, accepted: 0 });
  assert.deepEqual(overview.outbox, { due: 2, oldestDue: AT, held: 0, refused: 0, sentToday: 0 });
  assert.deepEqual(overview.days.at(-1), {
    day: "2026-11-21",
    added: 2,
    byLang: { en: 2 },
    bySource: {},
  });
  assert.equal(overview.generatedAt, AT);
  const head = await service.operate("/overview", undefined, { method: "HEAD" });
  assert.equal(head.status, 200);
});

Deno.test("listOutbox returns at most `limit` letters and events, and retryOutbox makes refused letters and events due", async () => {
  await using service = await startWithEvents(3);
  const few = await (await service.operate("/outbox/list", { limit: 2 })).json();
  const rest = await (await service.operate("/outbox/list", { limit: 2, after: few.next })).json();
  assert.deepEqual(rest, { items: [rest.items[0]] });
  const { items: all } = await (await service.operate("/outbox/list", {})).json();
  assert.deepEqual([...few.items, ...rest.items], all);
  const [{ id, ...first }] = few.items;
  const expected = { message: "signup.joined", putAt: AT, dueAt: AT, tries: 0 };
  assert.match(first.email, /^visitor\d@example\.com$/);
  const person = await (await service.operate("/signups/show", { email: first.email })).json();
  assert.deepEqual(first, { email: first.email, recordId: person.id, ...expected });
  const none = await service.operate("/outbox/list", { refused: true });
  assert.deepEqual(await none.json(), { items: [] });

  await refuseDue(service.kv, "events", { limit: 1 });
  const refused = await (await service.operate("/outbox/list", { refused: true })).json();
  const { dueAt: _, ...item } = first;
  assert.deepEqual(refused.items, [{ id, ...item, refusedAt: AT, tries: 8, reason: "HTTP 500" }]);

  const byId = await readNdjson(await service.operate("/outbox/retry", { ids: [id, "unknown"] }));
  assert.deepEqual(byId.at(-1), { complete: true, retried: 1, left: 1 });
  const everything = await readNdjson(await service.operate("/outbox/retry", { all: true }));
  assert.deepEqual(everything.at(-1), { complete: true, retried: 0, left: 0 });
  const [{ details } = {}, ...others] = await readAudit(service);
  const counts = { retried: 1, left: 1, complete: true };
  assert.deepEqual([details, others], [{ message: "signup.joined", ...counts }, []]);
});

Deno.test("retryOutbox leaves an entry in the history of each person, which says whether the mark was lifted", async () => {
  await using service = await startOperatedService(WITH_MAIL);
  for (const email of [ADA, BO]) await signUp(service, email);
  const historyOf = async (email: string) => {
    const { history } = await call<ShownSignup>(service, "/signups/show", { email });
    return history?.map(({ action, operator, details }) => [action, operator, details]);
  };
  await refuseDue(service.kv, "letters");
  await call(service, "/signups/undeliverable", { emails: [BO] });
  service.clock.now += 1_000;
  const unmarked = await readNdjson(await service.operate("/outbox/retry", { unmarked: true }));
  assert.deepEqual(unmarked.at(-1), { complete: true, retried: 1, left: 0 });
  const marked = ["markUndeliverable", "operator", { named: 1 }];
  assert.deepEqual(await historyOf(ADA), [["retryOutbox", "operator", undefined]]);
  assert.deepEqual(await historyOf(BO), [marked]);
  service.clock.now += 1_000;
  await readNdjson(await service.operate("/outbox/retry", { all: true }));
  assert.equal((await historyOf(ADA))?.length, 1);
  const lifted = ["retryOutbox", "operator", { liftedMarks: 1 }];
  assert.deepEqual(await historyOf(BO), [lifted, marked]);
  const browser = await signIn(service);
  const person = textOf((await openPerson(browser, BO)).html);
  assert.match(person, /Confirmation e‑mail tried again; mark as undeliverable lifted operator/);
  const activity = textOf((await browser.open("/operator/activity/")).html);
  assert.match(
    activity,
    /again tried again: 1 operator marks as undeliverable lifted: 1 .+ again tried again: 1 operator /,
  );
});

Deno.test("retryOutbox names the kind of the e-mails in the history of each person when it lifts marks of several people", async () => {
  await using service = await startOperatedService(WITH_MAIL);
  for (const email of [ADA, BO]) await signUp(service, email);
  await refuseDue(service.kv, "letters");
  await call(service, "/signups/undeliverable", { emails: [BO] });
  service.clock.now += 1_000;
  const { items } = await call(service, "/outbox/list", { refused: true });
  const ids = items.map(({ id }: ListedItem) => id);
  await readNdjson(await service.operate("/outbox/retry", { ids }));
  const detailsOf = async (email: string) =>
    (await call<ShownSignup>(service, "/signups/show", { email })).history?.[0]?.details;
  assert.deepEqual(await detailsOf(ADA), { message: "confirmation" });
  assert.deepEqual(await detailsOf(BO), { message: "confirmation", liftedMarks: 1 });
});

Deno.test("retryOutbox leaves an audit entry when it only removes a letter that is not sent any more", async () => {
  await using service = await startOperatedService(WITH_MAIL);
  await signUp(service, ADA);
  await refuseDue(service.kv, "letters");
  await confirmPerson(service, ADA);
  const lines = await readNdjson(await service.operate("/outbox/retry", { all: true }));
  assert.deepEqual(lines.at(-1), { complete: true, retried: 0, left: 0 });
  const { outbox } = await (await service.operate("/overview")).json();
  assert.equal(outbox.refused, 0);
  const entries = await readAudit(service);
  assert.deepEqual(entries.map(({ action, details }) => [action, details]), [
    ["retryOutbox", { retried: 0, left: 0, complete: true }],
  ]);
});

Deno.test("listOutbox reads at most 1,500 letters and events to find those of a wave, and goes on with the next call", async () => {
  await using service = await startOperatedService(WITH_MAIL);
  await storeWaiting(service.kv, 1_501);
  await call(service, "/waves", { wave: "first", next: 1_500, link: LINK });
  await service.repeatOnce();
  service.clock.now += 60_000;
  await call(service, "/waves", { wave: "second", next: 1, link: LINK });
  const body = { wave: "second" };
  const { items, next } = await call(service, "/outbox/list", body);
  assert.deepEqual(items, []);
  const rest = await call(service, "/outbox/list", { ...body, after: next });
  assert.deepEqual([rest.items.length, rest.next], [1, undefined]);
});

test("retryOutbox and listOutbox refuse bodies with missing, contradictory or wrong members", async (service) => {
  await assertRefused(service, "/outbox/retry", [
    [{}, /^Give one of 'ids'/],
    [{ ids: ["a"], all: true }, /^Give one of 'ids'/],
    [{ all: true, waiting: true }, /^Give one of 'ids'/],
    [{ all: false }, /^Field 'all' is false; give true/],
    [{ ids: [] }, /^Field 'ids' is \[\]; give a list of 1 to 500 ids/],
  ]);
  await assertRefused(service, "/outbox/list", [
    [{ limit: 1_001 }, /^Field 'limit' is 1001; give a whole number from 1 to 1,000/],
    [{ after: { at: "May", id: "a" } }, /^Field 'after\.at' is 'May'; give the 'next'/],
    [{ refused: 1 }, /^Field 'refused' is 1; give true or false/],
  ]);
});

test("testWebhook is refused when WEBHOOK_URL is not set", async (service) => {
  const refusal = await refusalOf(service.operate("/webhooks/test", undefined, { method: "POST" }));
  assert.match(
    refusal,
    /^409 conflict: The service sends no events, as WEBHOOK_URL is not set; set/,
  );
});

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

async function deliveriesOf(service: OperatedService): Promise<ListedDelivery[]> {
  return (await (await service.operate("/webhooks/deliveries")).json()).deliveries;
}

async function resend(service: OperatedService, id: string): Promise<boolean> {
  const lines = await readNdjson(await service.operate("/outbox/retry", { ids: [id] }));
  await service.workOutbox();
  return lines.at(-1)?.retried === 1;
}

Deno.test("listDeliveries returns the last delivery of each event, the newest first", async () => {
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
  const [second, first, ...others] = (await deliveriesOf(service)).map(
    ({ ms, recordId, ...each }) => {
      assert.ok(ms >= 0);
      assert.match(recordId!, /./);
      return each;
    },
  );
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

Deno.test("showSignup returns an event about the person that is tried again, and no delivered event", async () => {
  await using started = await start();
  const { service, answer } = started;
  await signUp(service, ADA);
  const show = async () => await (await service.operate("/signups/show", { email: ADA })).json();
  answer.status = 503;
  await service.workOutbox();
  const [{ message, tries, reason } = assert.fail()] = (await show()).outboxItems;
  assert.deepEqual([message, tries, reason], ["signup.joined", 1, "HTTP 503"]);
  answer.status = 204;
  service.clock.now += 60_000;
  await service.workOutbox();
  const [{ delivered } = assert.fail()] = await deliveriesOf(service);
  assert.equal(delivered, true);
  assert.equal((await show()).outboxItems, undefined);
});

Deno.test("An erasure removes the delivered events about the person, and leaves no address in the store", async () => {
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

Deno.test("A correction removes the former address from the stored events that were delivered", async () => {
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

Deno.test("forgetDelivered() keeps the last hundred delivered events, and removes the ids of older events from the people's records", async () => {
  using kv = await openMemoryKv();
  await join(kv, addresses(130));
  const store = createOutboxStore(kv);
  const due = await store.readDue("events", { dueBy: START, limit: 200 });
  for (const [index, entry] of due.entries()) {
    const at = START + index;
    await store.complete(entry, at, { delivery: { at, ms: 5, status: 200, answer: "" } });
  }
  await store.forgetDelivered({ keep: 100, limit: 1_000 });
  const kept = await store.readDue("delivered", { limit: 200 });
  assert.deepEqual(kept.map(({ id }) => id), due.slice(30).map(({ id }) => id));
  assert.equal((await recordOf(kv, due[0]!.item.email)).outbox?.includes(due[0]!.id), false);
  await store.forgetDelivered({ keep: 100, limit: 1_000 });
  assert.equal((await store.readDue("delivered", { limit: 200 })).length, 100);
  await store.forgetDelivered({ keep: 0, limit: 1_000 });
  assert.deepEqual(await store.readDue("delivered", { limit: 200 }), []);
});

Deno.test("Each event that the service sends fits its description in the OpenAPI document", async (t) => {
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
    await t.step(`${event.type}`, () => {
      const described = webhooks[event.type as keyof typeof webhooks];
      const { schema } = described.post.requestBody.content["application/json"];
      const validate = ajv.compile(schema);
      assert.ok(validate(event), `${event.type}: ${ajv.errorsText(validate.errors)}`);
      for (const { name, schema } of described.post.parameters) {
        const value: unknown = headers[name];
        assert.ok(ajv.validate(schema, value), `${name}: ${value}`);
      }
    });
  }
  const types = new Set(received.map(({ body }) => JSON.parse(body).type));
  const others = new Set(Object.keys(webhooks)).difference(types);
  assert.deepEqual(others, new Set(["signup.confirmed", "signup.accepted", "service.attention"]));
});
