/** What restores, work that breaks off, several operators and failed sign-ins leave in the audit log. */
import assert from "node:assert/strict";
import { faultyKv } from "../../support/faulty_kv.ts";
import { assertOperatorError, readAudit, startOperatedService } from "../../support/operator.ts";
import { test } from "../../support/operator.ts";
import { everyEntry, storeSignUp } from "../../support/records.ts";
import { json, type TestService } from "../../support/service.ts";
import { backup, begin, endOf, fill, finish, NOW, send } from "../../support/backups.ts";
import type { Kv } from "../../../server/store/kv/engine.ts";
import { openMemoryKv } from "../../support/memory_kv.ts";

const ADA = "ada@example.com";

Deno.test("every step of a restore is in the audit log, whatever log is restored", async () => {
  await using old = await startOperatedService();
  await fill(old);
  const lines = await backup(old);
  const { sha256: checksum } = endOf(lines);
  await using service = await startOperatedService();
  await begin(service, lines);
  // It changes nothing.
  await begin(service, lines, { resume: true });
  const [begun] = await readAudit(service);
  // A backup that somebody has altered cannot take an entry's place.
  const forged = { kind: "audit", entry: { ...begun, operator: "mallory", details: {} } };
  await send(service, [...lines, forged], checksum);
  await finish(service, lines);
  const log = await readAudit(service);
  const restored = await readAudit(old);
  assert.deepEqual(log.filter(({ id }) => restored.some((each) => each.id === id)), restored);
  const own = log.filter(({ id }) => !restored.some((each) => each.id === id));
  const byAction = Object.fromEntries(own.map(({ action, details }) => [action, details]));
  assert.equal(own.length, 3);
  assert.ok(own.every(({ operator }) => operator === "operator"));
  assert.deepEqual(byAction, {
    beginRestore: { checksum },
    restoreLines: { checksum, restored: 9, unchanged: 1, erased: 0, complete: true },
    finishRestore: { checksum },
  });
});

Deno.test("exportSignups and backUp give nothing out when the audit log cannot be written", async () => {
  using inner = await openMemoryKv();
  await storeSignUp(inner, { email: ADA }, NOW);
  let isDown = false;
  const kv = faultyKv(inner, (commit) => {
    if (isDown) throw new Error("the disk is full");
    return commit();
  });
  const service = await startOperatedService({}, kv);
  await using _service = { [Symbol.asyncDispose]: service.stop };
  isDown = true;
  await Promise.all(["/signups/export", "/backup"].map(async (path) => {
    const answer = await service.operate(path, {});
    const message = await assertOperatorError(answer, 500, "internal_error");
    assert.ok(!message.includes("disk"), "no detail");
  }));
  isDown = false;
  const logged = service.log.filter(({ event }) => event === "request failed");
  assert.deepEqual(
    logged.map(({ level, operation }) => `${level} ${operation}`).toSorted(),
    ["error operator.backUp", "error operator.exportSignups"],
  );
  for (const { error } of logged) assert.match(String(error), /the disk is full/);
  assert.deepEqual(await readAudit(service), []);
});

Deno.test("the audit log names whose key a call had, and each operator has their own", async () => {
  const ada = "ada-has-this-key-of-her-own-0123456789";
  const grace = "grace-has-another-key=0123456789-abcdef==";
  await using service = await startOperatedService({ OPERATOR_KEYS: `ada=${ada} grace=${grace}` });
  const create = (key: string) =>
    service.request("/operator/v1/clients", {
      ...json({ name: "Test", scopes: [] }),
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${key}` },
    });
  for (const key of [grace, ada, grace]) assert.equal((await create(key)).status, 201);
  for (const key of [`${ada}x`, `ada=${ada}`, "ada", `${ada} ${grace}`]) {
    await assertOperatorError(await create(key), 401, "unauthorized");
  }
  await service.operate("/keys/rotate", undefined, { method: "POST" });
  const log = await readAudit(service);
  const operators = log.map(({ operator }) => operator).toSorted();
  assert.deepEqual(operators, ["ada", "grace", "grace", "operator"]);
  assert.equal((await readAudit(service, "?operator=grace")).length, 2);
  assert.ok(![ada, grace].some((key) => JSON.stringify(service.log).includes(key)));
});

const MINUTE = 60_000;

/** Calls without a right key, all from one address. */
async function signInWrongly(service: TestService, count: number): Promise<void> {
  for (let call = 0; call < count; call++) {
    const headers = call % 2 === 0 ? { Authorization: `Bearer wrong${call}` } : {};
    const path = call % 3 === 0 ? "/operator/v1" : "/operator/v1/clients";
    const response = await service.request(path, { headers, from: "192.0.2.200" });
    assert.equal(response.status, call < 30 ? 401 : 429);
  }
}

/** What is stored, but for the counts of the limits. */
async function storedEntries({ kv }: TestService) {
  return (await everyEntry(kv)).filter(({ key }) => key[0] !== "limit_counts");
}

/** The details of the entries in the audit log of a service that has ended. */
const detailsIn = async (kv: Kv) =>
  (await everyEntry(kv)).filter(({ key }) => key[0] === "audit")
    .map(({ value }) => (value as { details: unknown }).details);

test("countRefusals() writes one entry a minute, and nothing while calls are refused", async (service) => {
  await service.repeatOnce();
  const before = await storedEntries(service);
  await signInWrongly(service, 40);
  assert.deepEqual(await storedEntries(service), before);

  service.clock.now += MINUTE;
  await service.repeatOnce();
  await service.repeatOnce();
  const log = await readAudit(service);
  const at = new Date(service.clock.now).toISOString();
  const entry = { at, id: log[0]?.id, action: "failedSignIn", details: { count: 40 } };
  assert.deepEqual(log, [entry]);
});

Deno.test("countRefusals() counts once when KV loses its answers, and says so in the log", async () => {
  let isLossy = false;
  const kv = faultyKv(await openMemoryKv(), async (commit) => {
    const result = await commit();
    if (isLossy) throw new Error("The answer was lost");
    return result;
  }, (read) => isLossy ? Promise.reject(new Error("KV is away")) : read());
  await using service = await startOperatedService({}, kv);
  await signInWrongly(service, 5);
  isLossy = true;
  await service.repeatOnce();
  const warned = service.log.filter(({ level }) => level === "warn").map(({ event }) => event);
  assert.ok(warned.includes("refused calls are not in the audit log yet, as KV did not answer"));
  await signInWrongly(service, 2);
  isLossy = false;
  // First the entry whose answer was lost, then the calls since.
  for (let beats = 0; beats < 3; beats++) {
    service.clock.now += MINUTE;
    await service.repeatOnce();
  }
  const counts = (await readAudit(service)).map(({ details }) => details?.count);
  assert.deepEqual(counts, [5, 2]);
});

Deno.test("countRefusals() writes an entry that waited, and the calls since, when the service ends", async () => {
  let isAway = false;
  using memory = await openMemoryKv();
  const kv = faultyKv(memory, (commit) => {
    return isAway ? Promise.reject(new Error("The connection was reset")) : commit();
  });
  const service = await startOperatedService({}, kv);
  await signInWrongly(service, 5);
  isAway = true;
  await service.repeatOnce();
  await signInWrongly(service, 2);
  isAway = false;
  service.clock.now += MINUTE;
  await service.stop();
  assert.deepEqual(await detailsIn(memory), [{ count: 5 }, { count: 2 }]);
});
