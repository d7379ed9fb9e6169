import assert from "node:assert/strict";
import type { AroundCommit, AroundRead } from "../../support/faulty_kv.ts";
import { ENOUGH_MS, faultyKv, hangingKv, holdingKv } from "../../support/faulty_kv.ts";
import { inTime } from "../../../server/runtime/mod.ts";
import { LINK, nth, storeWaiting } from "../../support/invitations.ts";
import { assertOperatorError, OPERATOR_KEY, startOperatedService } from "../../support/operator.ts";
import { createTestClient } from "../../support/service.ts";
import { startListeningService } from "../../support/socket.ts";
import { openMemoryKv } from "../../support/memory_kv.ts";

/** How long the store waits for KV in these tests, instead of five seconds. */
const SHORT_DEADLINE_MS = 300;

Deno.test("createOperator() leaves no call hanging when KV never answers", async () => {
  const kv = await openMemoryKv();
  let hung = false;
  const hang: AroundRead = (read) => hung ? new Promise(() => {}) : read();
  const hangingCommit: AroundCommit = (commit) => hung ? new Promise(() => {}) : commit();
  const faulty = faultyKv(kv, hangingCommit, hang, SHORT_DEADLINE_MS);
  await using service = await startOperatedService({}, faulty);
  hung = true;
  const checksum = "0".repeat(64);
  const counts = { signUps: 0, clients: 0, erasures: 0, auditEntries: 0 };
  const calls: [path: string, body: unknown][] = [
    ["/clients", { name: "Dashboard", scopes: [] }],
    ["/clients/nobody/disable", undefined],
    ["/signups/export", {}],
    ["/signups/erase", { email: "ada@example.com" }],
    ["/counters/verify", {}],
    ["/counters/repair", {}],
    ["/backup", {}],
    ["/restores", { checksum, counts }],
    [`/restores/${checksum}/finish`, {}],
  ];
  await Promise.all(calls.map(async ([path, body]) => {
    // A stream has begun, and breaks off.
    const text = service.operate(path, body, { method: "POST" }).then((answer) => answer.text());
    const ended = await text.catch((error) => String(error));
    assert.match(ended, /internal_error|KV did not answer in time/, path);
  }));
});

const CODE = "the-code-of-the-invited";

/** Those of the next ones that write nothing. */
const READS = ["/signups/show", "/invitations/check"];

/** Calls of the operator that read and write once or several times. */
const CHANGES: [path: string, body: unknown][] = [
  ["/signups/erase", { email: nth(0) }],
  ["/signups/show", { email: nth(0) }],
  ["/signups/correct", { email: nth(0), newEmail: "new@example.com" }],
  ["/signups/answers", { email: nth(0), role: "engineer" }],
  ["/invitations/check", { code: CODE }],
  ["/invitations/redeem", { code: CODE, reference: "account" }],
  ["/waves", { wave: "w", next: 1, link: LINK, letters: false }],
  ["/clients", { name: "Dashboard", scopes: [] }],
  ["/keys/rotate", undefined],
];

for (const hangs of ["reads", "commits"] as const) {
  const name = `createOperator() answers by the one deadline of each call when ${hangs} of KV hang`;
  Deno.test(name, async () => {
    const begin = async () => {
      const kv = await openMemoryKv();
      await storeWaiting(kv, 2, (n) => n === 1 ? { state: "invited", invitationCode: CODE } : {});
      const hanging = hangingKv(kv, { hangs, deadlineMs: SHORT_DEADLINE_MS });
      return { hanging, service: await startOperatedService({}, hanging.kv) };
    };
    const begun = [];
    const calls = hangs === "reads" ? CHANGES : CHANGES.filter(([path]) => !READS.includes(path));
    for (const call of calls) begun.push({ call, ...await begin() });
    await Promise.all(begun.map(async ({ call: [path, body], hanging, service: started }) => {
      await using service = started;
      hanging.isHung = true;
      const answer = await inTime(ENOUGH_MS, service.operate(path, body, { method: "POST" }));
      assert.equal(answer.status, 500, path);
      hanging.isHung = false;
    }));
  });
}

// A store that hangs once a list is on its way; only the lists of a backup and a recount are long.
Deno.test("createOperator() ends a backup and a recount when KV falls silent in a list", async () => {
  const kv = await openMemoryKv();
  await storeWaiting(kv, 300);
  let reads = 0;
  let silentAfter = Infinity;
  const faulty = faultyKv(
    kv,
    (commit) => commit(),
    (read) => ++reads > silentAfter ? new Promise(() => {}) : read(),
    SHORT_DEADLINE_MS,
  );
  await using service = await startOperatedService({}, faulty);
  silentAfter = reads + 300;
  await Promise.all(["/backup", "/counters/verify"].map(async (path) => {
    await assert.rejects(
      service.operate(path, {}).then((answer) => answer.text()),
      /KV did not answer in time/,
      path,
    );
  }));
});

// A commit that was given up may still go through, and the operator does not have the secret that it stores.
Deno.test("createClient, rotateClient and rotateKeys say that they may still take effect, and how to go on, when KV is silent", async () => {
  const late = holdingKv(await openMemoryKv());
  late.isHolding = false;
  await using service = await startOperatedService({}, late.kv);
  const { clientId } = await createTestClient(service);
  const rotations: [path: string, body: unknown][] = [
    [`/clients/${clientId}/rotate`, { overlapSeconds: 60 }],
    ["/keys/rotate", undefined],
  ];
  late.isHolding = true;
  const changes = [["/clients", { name: "Dashboard", scopes: [] }] as const, ...rotations];
  for (const [path, body] of changes) {
    const answer = await service.operate(path, body, { method: "POST" });
    const message = await assertOperatorError(answer, 500, "internal_error");
    assert.match(message, /^KV did not say whether .+ may still .+ once it answers/, path);
    assert.ok(message.length <= 200, "the CLI shows 200 characters");
    assert.match(JSON.stringify(service.log.at(-1)), /The commit was given up/);
  }
  await late.release();
  const [client, key] = await Promise.all(
    rotations.map(([path, body]) => service.operate(path, body, { method: "POST" })),
  );
  assert.equal(client?.status, 200);
  assert.equal((await key?.json()).keyId, "2", "the key that came late");
});

// Such a Host is plain, and yet the request's URL is none that could be parsed.
Deno.test("importSignups takes a request when its Host has a port that there is not", async () => {
  await using service = await startListeningService({ OPERATOR_KEY });
  for (const [query, status] of [["", 200], ["?dryRun=true", 200], ["?dryRun=1", 400]] as const) {
    const response = await service.exchange(
      `POST /operator/v1/signups/import${query} HTTP/1.1\r\nHost: x:99999\r\n` +
        `Authorization: Bearer ${OPERATOR_KEY}\r\nContent-Type: application/x-ndjson\r\n` +
        "Content-Length: 0\r\nConnection: close\r\n\r\n",
    );
    assert.equal(response.status, status, query);
  }
});

// nginx decides by a path that is decoded and without dot segments, and passes
// it on as it came: where it blocks `/operator`, each of these is another path to it.
Deno.test("createOperator() is not there, whatever the key, when a path may be taken for another one", async () => {
  await using service = await startListeningService({ OPERATOR_KEY });
  const restores = "/operator/v1/restores";
  const paths = [
    "/operator/../x",
    "/operator/..",
    "/operator/./v1/clients",
    "/operator/%2e%2e/x",
    "/operator/v1/..%2f..%2fx",
    `${restores}/..%2f..%2f..%2fx/finish`,
    `${restores}/..%2F..%2Fx/lines`,
    "/operator/v1/clients/%2E%2E/rotate",
    "/operator/v1/clients/..%5c..%5cx/disable",
    "/operator/v1/clients/..%5C..%5Cx/enable",
    "/operator/v1/clients/..\\..\\x/enable",
    // It is one of its own only once it is decoded.
    "/%6Fperator/v1/clients",
    "/OPERATOR/v1/clients",
    "//operator/v1/clients",
  ];
  for (const path of paths) {
    const response = await service.exchange(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${OPERATOR_KEY}\r\n` +
        "Content-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}",
    );
    assert.equal(response.status, 404, path);
    assert.match(response.headers.get("content-type") ?? "", /^text\/html/, path);
    assert.equal(response.headers.get("ratelimit-limit"), null, path);
  }
});
