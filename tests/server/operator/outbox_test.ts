import assert from "node:assert/strict";
import { assertRefused, readAudit, readNdjson, refusalOf } from "../../support/operator.ts";
import { startOperatedService, test } from "../../support/operator.ts";
import { refuseDue } from "../../support/outbox.ts";
import { json, START, withEvents } from "../../support/service.ts";

const AT = new Date(START).toISOString();

/** A service with so many people, and an event about each of them. */
async function startWithEvents(people: number) {
  const service = await startOperatedService(withEvents());
  for (let n = 0; n < people; n++) {
    const signUp = { email: `visitor${n}@example.com`, consent: true };
    assert.equal((await service.request("/api/v1/waitlist", json(signUp))).status, 200);
  }
  return service;
}

Deno.test("getOverview tells of people and of what waits, to GET and HEAD", async () => {
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

Deno.test("listOutbox lists as many as asked, and retryOutbox makes refused ones due", async () => {
  await using service = await startWithEvents(3);
  const few = await (await service.operate("/outbox/list", { limit: 2 })).json();
  const rest = await (await service.operate("/outbox/list", { limit: 2, after: few.next })).json();
  assert.deepEqual(rest, { items: [rest.items[0]] });
  const { items: all } = await (await service.operate("/outbox/list", {})).json();
  assert.deepEqual([...few.items, ...rest.items], all);
  const [{ id, ...first }] = few.items;
  const expected = { message: "signup.joined", putAt: AT, dueAt: AT, tries: 0 };
  assert.match(first.email, /^visitor\d@example\.com$/);
  assert.deepEqual(first, { email: first.email, ...expected });
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
  assert.deepEqual([details, others], [{ retried: 1, left: 1, complete: true }, []]);
});

test("retryOutbox and listOutbox refuse a body that says nothing or too much", async (service) => {
  await assertRefused(service, "/outbox/retry", [
    [{}, /^Give either 'ids'/],
    [{ ids: ["a"], all: true }, /^Give either 'ids'/],
    [{ all: false }, /^Field 'all' is false; give true/],
    [{ ids: [] }, /^Field 'ids' is \[\]; give a list of 1 to 500 ids/],
  ]);
  await assertRefused(service, "/outbox/list", [
    [{ limit: 1_001 }, /^Field 'limit' is 1001; give a whole number from 1 to 1,000/],
    [{ after: { at: "May", id: "a" } }, /^Field 'after\.at' is 'May'; give the 'next'/],
    [{ refused: 1 }, /^Field 'refused' is 1; give true or false/],
  ]);
});

test("testWebhook is refused when there is no webhook", async (service) => {
  const refusal = await refusalOf(service.operate("/webhooks/test", undefined, { method: "POST" }));
  assert.match(
    refusal,
    /^409 conflict: The service sends no events, as WEBHOOK_URL is not set; set/,
  );
});
