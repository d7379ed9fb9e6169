import assert from "node:assert/strict";
import { assertOperatorError, startOperatedService } from "../../support/operator.ts";
import { createTestClient } from "../../support/service.ts";
import {
  type AroundCommit,
  type AroundRead,
  ENOUGH_MS,
  faultyKv,
  hangingKv,
  holdingKv,
  withCommitsEnd,
} from "../../support/faulty_kv.ts";
import { LINK, nth, storeWaiting } from "../../support/invitations.ts";
import { openMemoryKv } from "../../support/memory_kv.ts";
import { inTime } from "../../../server/runtime/mod.ts";

/** How long the store waits for KV that hangs, instead of five seconds; a busy machine answers within it. */
const SHORT_DEADLINE_MS = 1_000;

Deno.test("createOperatorSurface() answers every call by its deadline when KV never answers", async () => {
  const kv = await openMemoryKv();
  let hung = false;
  const hang: AroundRead = (read) => hung ? new Promise(() => {}) : read();
  const hangingCommit: AroundCommit = (commit) => hung ? new Promise(() => {}) : commit();
  const faulty = withCommitsEnd(faultyKv(kv, hangingCommit, hang, SHORT_DEADLINE_MS));
  await using service = await startOperatedService({}, faulty.kv);
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
  await faulty.commitsEnd();
});

// A store that hangs once a list is on its way; only the lists of a backup and a recount are long.
Deno.test("createOperatorSurface() breaks off the streamed answer of a backup or a recount when KV stops answering", async () => {
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
Deno.test("createClient, rotateClient and rotateKeys answer 500 when KV does not answer, and say that the change may still take effect", async (t) => {
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
    await t.step(path, async () => {
      const answer = await service.operate(path, body, { method: "POST" });
      const message = await assertOperatorError(answer, 500, "internal_error");
      assert.match(message, /^KV did not say whether .+ may still .+ once it answers/);
      assert.ok(message.length <= 200, "the CLI shows 200 characters");
      assert.match(JSON.stringify(service.log.at(-1)), /The commit was given up/);
    });
  }
  await late.release();
  const [client, key] = await Promise.all(
    rotations.map(([path, body]) => service.operate(path, body, { method: "POST" })),
  );
  assert.equal(client?.status, 200);
  assert.equal((await key?.json()).keyId, "2", "the key that came late");
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
  ["/signups/note", { email: nth(0), note: "Met at the fair." }],
  ["/invitations/check", { code: CODE }],
  ["/invitations/redeem", { code: CODE, reference: "account" }],
  ["/waves", { wave: "w", next: 1, link: LINK, letters: false }],
  ["/clients", { name: "Dashboard", scopes: [] }],
  ["/keys/rotate", undefined],
];

for (const hangs of ["reads", "commits"] as const) {
  const name = `createOperatorSurface() answers each call by its deadline when ${hangs} of KV hang`;
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
