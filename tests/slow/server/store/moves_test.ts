import assert from "node:assert/strict";
import { join } from "node:path";
import type { Kv } from "../../../../server/store/kv/engine.ts";
import type { SignUpRecord } from "../../../../server/waitlist/record.ts";
import { backup, begin, finish, send } from "../../../support/backups.ts";
import { openFileKv } from "../../../support/memory_kv.ts";
import { addresses } from "../../../support/mail.ts";
import { openUrl, startPostgres, test } from "../../../support/postgres.ts";
import { makeTestFolder } from "../../../support/process.ts";
import { everyEntry, storeAddresses, storedSignUps } from "../../../support/records.ts";
import { type OperatedService, startOperatedService } from "../../../support/operator.ts";
import { createTestClient, START, WITH_MAIL } from "../../../support/service.ts";

/**
 * What a backup does not hold (letters that wait, and what a store and its processes note of themselves), and where a
 * store has its own keys before the restored ones.
 */
const NOT_COMPARED = new Set([
  ...[
    "due",
    "new_letters",
    "outbox",
    "outbox_count",
    "mail",
    "expiry_clock",
    "last_done",
    "restore",
  ],
  ...[
    "limit_counts",
    "address_key",
    "console_key",
    "credentials",
    "place_keys",
    "schema",
    "root_key",
  ],
]);

/** What a store has, as texts that can be compared; entries of the audit log that restores write are left out. */
async function contentOf(kv: Kv): Promise<string[]> {
  const entries = (await everyEntry(kv)).filter(({ key: [first], value }) =>
    !NOT_COMPARED.has(String(first)) &&
    !(first === "audit" && /backUp|estore/.test(JSON.stringify(value)))
  );
  return entries.map(({ key, value }) => {
    // A record names the letters that wait.
    const kept = key[0] === "sign_up" ? { ...value as SignUpRecord, outbox: undefined } : value;
    return Deno.inspect([key, kept], { depth: 9, sorted: true });
  });
}

/** People in several states, a wave, an erased address, a client, and the audit log of it all. */
async function fill(service: OperatedService): Promise<void> {
  const at = (hour: number) => new Date(START - hour * 3_600_000).toISOString();
  await storeAddresses(service.kv, addresses(300, "waits"), at(50), {});
  await storeAddresses(service.kv, addresses(200, "unconfirmed"), at(30));
  await storeAddresses(service.kv, addresses(20, "o'hara+"), at(3), {});
  const link = "https://app.example.com/welcome?code={code}";
  const wave = { wave: "first", next: 90, letters: false, link };
  assert.equal((await service.operate("/waves", wave)).status, 200);
  await service.repeatOnce();
  const { invited } = await (await service.operate("/waves/first")).json();
  assert.equal(invited, 90);
  for (const email of addresses(5, "waits")) await service.operate("/signups/erase", { email });
  await createTestClient(service);
}

async function restoreInto(kv: Kv, lines: Awaited<ReturnType<typeof backup>>) {
  await using service = await startOperatedService(WITH_MAIL, { ...kv, close() {} });
  await (await begin(service, lines)).body?.cancel();
  await (await send(service, lines)).body?.cancel();
  await finish(service, lines);
  return { lines: await backup(service), content: await contentOf(kv) };
}

test("A backup moves all records, lists, counters, clients and erasure marks from a KV file to PostgreSQL and back", async () => {
  await using folder = await makeTestFolder();
  await using postgres = await startPostgres();
  using file = await openFileKv(join(folder.path, "first.sqlite3"));
  let lines: Awaited<ReturnType<typeof backup>>;
  {
    await using service = await startOperatedService(WITH_MAIL, { ...file, close() {} });
    await fill(service);
    lines = await backup(service);
  }
  const content = await contentOf(file);
  assert.equal(Object.keys(await storedSignUps(file)).length, 515);

  using store = await openUrl(postgres.variables.KV_URL);
  const there = await restoreInto(store.kv, lines);
  assert.deepEqual(there.content, content);
  using back = await openFileKv(join(folder.path, "second.sqlite3"));
  assert.deepEqual((await restoreInto(back, there.lines)).content, content);
});
