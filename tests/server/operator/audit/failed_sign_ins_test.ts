import assert from "node:assert/strict";
import { faultyKv } from "../../../support/faulty_kv.ts";
import { readAudit, startOperatedService } from "../../../support/operator.ts";
import { everyEntry } from "../../../support/records.ts";
import type { TestService } from "../../../support/service.ts";

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

Deno.test("countFailedSignIns() writes one entry a minute, and nothing while calls are refused", async () => {
  await using service = await startOperatedService();
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

Deno.test("countFailedSignIns() writes what is counted when the service ends", async () => {
  using kv = await Deno.openKv(":memory:");
  const service = await startOperatedService({}, kv);
  await signInWrongly(service, 3);
  await service.stop();
  const counts = (await everyEntry(kv)).filter(({ key }) => key[0] === "audit")
    .map(({ value }) => (value as { details: unknown }).details);
  assert.deepEqual(counts, [{ count: 3 }]);
});

Deno.test("countFailedSignIns() counts once when KV loses its answers, and says so in the log", async () => {
  let isLossy = false;
  const kv = faultyKv(await Deno.openKv(":memory:"), async (commit) => {
    const result = await commit();
    if (isLossy) throw new Error("The answer was lost");
    return result;
  });
  await using service = await startOperatedService({}, kv);
  await signInWrongly(service, 5);
  isLossy = true;
  await service.repeatOnce();
  const warned = service.log.filter(({ level }) => level === "warn").map(({ event }) => event);
  assert.ok(warned.includes("failed sign-ins are not in the audit log yet, as KV did not answer"));
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

Deno.test("countFailedSignIns() writes an entry that waited, and the calls since, when the service ends", async () => {
  let isAway = false;
  using memory = await Deno.openKv(":memory:");
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
  const counts = (await everyEntry(memory)).filter(({ key }) => key[0] === "audit")
    .map(({ value }) => (value as { details: unknown }).details);
  assert.deepEqual(counts, [{ count: 5 }, { count: 2 }]);
});
