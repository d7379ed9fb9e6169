/** The statistics when a counter cannot be read. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { damageEntry } from "../../../support/damage.ts";
import { makeTestFolder } from "../../../support/process.ts";
import { newAddress } from "../../../support/answers.ts";
import { openFileKv, openMemoryKv } from "../../../support/memory_kv.ts";
import { readNdjson, startOperatedService } from "../../../support/operator.ts";
import { readCounts } from "../../../support/read_counts.ts";
import { recount } from "../../../support/records.ts";
import {
  createTestClient,
  getAccessToken,
  json,
  START,
  type TestService,
} from "../../../support/service.ts";
import { requestStats } from "../../../support/tokens.ts";

for (const counter of [["byLang", "de"], ["total"], ["byLang", "unused"]]) {
  const name = counter.join("/");
  Deno.test(`stats() answers 500 and the log names the counter when ${name} cannot be read, until a repair`, async () => {
    const kv = await openMemoryKv();
    await using service = await startOperatedService({}, kv);
    const join = (email: string, lang: string) => {
      const body = json({ email, lang, consent: true });
      return service.request("/api/v1/waitlist", { ...body, from: newAddress() });
    };
    await join("ada@example.com", "de");
    await join("bo@example.com", "en");
    const authorization = `Bearer ${await getAccessToken(
      service,
      await createTestClient(service),
    )}`;
    const stats = async () => (await requestStats(service, { authorization })).status;
    const verify = async () =>
      (await readNdjson(await service.operate("/counters/verify", {}))).at(-1)!;
    assert.equal(await stats(), 200);

    await kv.raw.set(["statistics", ...counter], new Uint8Array([0x7b]));
    await kv.raw.atomic().sum(["statistics", "byLang", "en"], 0n).commit();
    // This process keeps its counts while the total stays the same, and the next process reads the counter.
    await using other = await startOperatedService({}, { ...kv, close: () => {} });
    assert.equal((await requestStats(other, { authorization })).status, 500);
    assert.ok(JSON.stringify(other.log).includes(`The counter ${name} cannot be read`));
    assert.equal((await service.operate("/overview")).status, 500);
    assert.equal((await verify()).agrees, false);

    const repair = (await readNdjson(await service.operate("/counters/repair", {}))).at(-1)!;
    assert.deepEqual([repair.repaired, repair.recounts], [true, 2]);
    const mended = repair.differences as { counter: string }[];
    assert.deepEqual(mended.map((each) => each.counter), [name]);
    assert.equal((await verify()).agrees, true);
    assert.deepEqual(await readCounts(kv, START), await recount(kv, START));
    assert.equal(await stats(), 200);
    assert.equal((await join("cy@example.com", "de")).status, 200);
  });
}

Deno.test("repairCounters makes a counter anew that KV rejects with its whole page", async () => {
  await using folder = await makeTestFolder();
  const path = join(folder.path, "kv.sqlite3");
  const signUp = (service: TestService, name: string) => {
    const body = json({ email: `${name}@example.com`, lang: "de", consent: true });
    return service.request("/api/v1/waitlist", { ...body, from: newAddress() });
  };
  {
    await using service = await startOperatedService({}, await openFileKv(path));
    assert.equal((await signUp(service, "ada")).status, 200);
  }
  damageEntry(path, "de", "encoding", ["statistics", "byLang"]);
  await using service = await startOperatedService({}, await openFileKv(path));
  assert.equal((await service.operate("/overview")).status, 500);
  assert.ok(JSON.stringify(service.log).includes("The counter byLang/de cannot be read"));
  // KV adds to no counter that it cannot read, and a sign-up without its counter would make the figures wrong.
  assert.equal((await signUp(service, "bo")).status, 500);
  const repair = (await readNdjson(await service.operate("/counters/repair", {}))).at(-1)!;
  assert.equal(repair.repaired, true);
  assert.equal((await signUp(service, "bo")).status, 200);
  assert.deepEqual(await readCounts(service.kv, START), await recount(service.kv, START));
});
