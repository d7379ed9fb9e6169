import assert from "node:assert/strict";
import { createCalls } from "../../../server/operator/calls.ts";
import type { Operations } from "../../../server/operator/operation.ts";
import { createOperations, type OperatorStores } from "../../../server/operator/operations.ts";
import { openMemoryKv } from "../../support/memory_kv.ts";
import { START } from "../../support/service.ts";
import { testWith } from "../../support/test_with.ts";

const ADA = { operator: { name: "ada", role: "operator" as const }, requestId: "abc123" };
const VIEWER = { operator: { name: "vi", role: "viewer" as const }, requestId: "abc124" };

/** Calls of operations on a store that notes what it is asked. */
async function startCalls() {
  const kv = await openMemoryKv();
  const asked: unknown[] = [];
  const refused: string[] = [];
  const clients = {
    readClientUse: () => Promise.resolve(undefined),
    changeClient(...given: unknown[]) {
      asked.push(given);
      return Promise.resolve(undefined);
    },
  };
  const options = {
    baseUrl: "https://waitlist.test",
    contact: {},
    unconfirmedDays: 14,
    selfServiceUrls: { pageUrl: () => "" },
    makeOverviewWarnings: () => [],
    sender: undefined,
    answers: undefined,
    sendTestLetter: undefined,
    sendTestEvent: undefined,
    yieldToCalls: () => Promise.resolve(),
    now: () => START,
    random: (length: number) => new Uint8Array(length),
    repeat: () => ({ close: () => Promise.resolve() }),
  };
  const others = {
    audit: {},
    backups: {},
    filters: {},
    jobs: {},
    people: {},
    testLetters: {},
    waves: {},
  };
  const stores = { ...others, clients } as unknown;
  const operationsOn = (): Operations => createOperations(stores as OperatorStores, options);
  const calls = createCalls({
    kv,
    operationsOn,
    hashAddress: (_kv, email) => Promise.resolve(`hash of ${email}`),
    countRefusal: (operator) => void refused.push(operator),
    now: options.now,
    random: options.random,
  });
  return { calls, asked, refused, [Symbol.dispose]: () => kv[Symbol.dispose]() };
}

const test = testWith(startCalls);

test("callableBy() returns operations that take the path's parameters and the body's members in one object", async (started) => {
  const { renameClient } = started.calls.callableBy(ADA);
  const outcome = await renameClient({ client_id: "board", name: "Sales" });
  assert.deepEqual(outcome, {
    failure: "unknown",
    message: "There is no client 'board'.",
  });
  const [[clientId, , entry]] = started.asked as [[string, unknown, object]];
  assert.equal(clientId, "board");
  assert.deepEqual(entry, {
    at: new Date(START).toISOString(),
    id: "AAAAAAAAAAAA",
    action: "renameClient",
    operator: "ada",
    requestId: "abc123",
    details: { name: "Sales" },
    client_id: "board",
  });
});

test("callableBy() returns the same outcome as perform() when both get the same input", async ({ calls }) => {
  const direct = await calls.callableBy(ADA).renameClient({ client_id: "board", name: " " });
  const given = { path: { client_id: "board" }, query: {}, body: { name: " " } };
  assert.deepEqual(await calls.perform("renameClient", given, ADA), direct);
  assert.deepEqual(direct, {
    failure: "invalid_request",
    message: "Field 'name' is ' '; give it 1 to 100 characters, not only spaces.",
  });
});

test("callableBy() checks the role before the input, and refuses a call that the role may not make", async (started) => {
  const { renameClient } = started.calls.callableBy(VIEWER);
  const outcome = await renameClient({ client_id: "board", name: "" });
  assert.deepEqual(outcome, { failure: "forbidden", role: "viewer" });
  assert.deepEqual(started.refused, ["vi"]);
  assert.deepEqual(started.asked, []);
});

test("perform() refuses a wrong or unknown query parameter with a message that names the parameter", async (started) => {
  const read = (query: Record<string, string>) =>
    started.calls.perform("getOverview", { path: {}, query }, ADA);
  assert.deepEqual(await read({ since: "2026-02-30" }), {
    failure: "invalid_request",
    message: "The parameter since is '2026-02-30'; give a UTC date such as 2026-05-01.",
  });
  assert.deepEqual(await read({ until: "x" }), {
    failure: "invalid_request",
    message: "The parameter 'until' is not known here; give since.",
  });
});
