import assert from "node:assert/strict";
import {
  assertRefused,
  call,
  OPERATOR_KEY,
  refusalOf,
  startOperatedService,
  test,
} from "../../support/operator.ts";
import { listAll } from "../../support/memory_kv.ts";

const FILTERS = "/filters";

const GERMANS = { name: "Germans", selection: { lang: "de" }, order: "newest" };

test("saveFilter stores filters in the order of their names, and replaces a filter of the same name", async (service) => {
  assert.deepEqual(await call(service, FILTERS), { filters: [] });
  await call(service, FILTERS, GERMANS);
  const architects = { name: "Architects", selection: { role: "architect", since: "2026-05-01" } };
  const stored = {
    ...architects,
    selection: { role: "architect", since: "2026-05-01T00:00:00.000Z" },
  };
  assert.deepEqual(await call(service, FILTERS, architects), { filters: [stored, GERMANS] });
  const others = { ...GERMANS, selection: { lang: "de", state: "waiting" } };
  await call(service, FILTERS, others);
  assert.deepEqual(await call(service, FILTERS), { filters: [stored, others] });
});

test("removeFilter removes a filter, and deletes the operator's KV entry when no filter is left", async (service) => {
  await call(service, FILTERS, GERMANS);
  const none = await refusalOf(service.operate(`${FILTERS}/remove`, { name: "germans" }));
  assert.match(
    none,
    /^404 not_found: You have saved no filter 'germans'; see the list of filters\.$/,
  );
  assert.deepEqual(await call(service, `${FILTERS}/remove`, { name: "Germans" }), { filters: [] });
  assert.deepEqual(await listAll(service.kv, { prefix: ["saved_filters"] }), []);
  const audit = JSON.stringify(await listAll(service.kv, { prefix: ["audit"] }));
  assert.match(audit, /removeFilter/);
  assert.ok(!audit.includes("Germans"), "a name can be somebody's");
});

test("saveFilter refuses a filter that contains a search or has a wrong name, and refuses an operator's 51st filter", async (service) => {
  await assertRefused(service, FILTERS, [
    [{ ...GERMANS, selection: { search: "ada" } }, /^Field 'search' is not known here; leave it/],
    [{ ...GERMANS, name: " " }, /^Field 'name' is ' '; give it 1 to 60 characters/],
    [{ ...GERMANS, name: "n".repeat(61) }, /give it 1 to 60 characters without '@', not only/],
    [{ ...GERMANS, name: "ada@example.com" }, /give it 1 to 60 characters without '@', not only/],
    [{ ...GERMANS, order: "up" }, /^Field 'order' is 'up'; give 'oldest' or 'newest'\.$/],
  ]);
  for (let n = 0; n < 50; n++) await call(service, FILTERS, { ...GERMANS, name: `n${n}` });
  const refused = await refusalOf(service.operate(FILTERS, GERMANS));
  assert.equal(refused, "409 conflict: You have saved 50 filters; remove one of them first.");
  await call(service, FILTERS, { ...GERMANS, name: "n49" });
});

Deno.test("listFilters lists only the filters of the operator who calls", async () => {
  const keyOf = (name: string) => `${name}-${OPERATOR_KEY}`;
  const OPERATOR_KEYS = ["ada", "eve"].map((name) => `${name}=${keyOf(name)}`).join(" ");
  await using service = await startOperatedService({ OPERATOR_KEYS });
  const ask = async (name: string, init: RequestInit = {}) => {
    const headers = { Authorization: `Bearer ${keyOf(name)}`, "Content-Type": "application/json" };
    const answer = await service.request(`/operator/v1${FILTERS}`, { ...init, headers });
    return await answer.json();
  };
  await ask("ada", { method: "POST", body: JSON.stringify(GERMANS) });
  assert.deepEqual(await ask("ada"), { filters: [GERMANS] });
  assert.deepEqual(await ask("eve"), { filters: [] });
});
