import assert from "node:assert/strict";
import { join } from "node:path";
import { makeTestFolder } from "../../../support/process.ts";
import { storedIds } from "../../../support/records.ts";
import { startVictim, whileServing } from "../../../support/victim.ts";

/** More than the process upgrades between its first line of the log and the signal. */
const RECORDS = 100_000;

/** Writes records as version 1 of the schema has them. */
async function writeVersion1(path: string): Promise<void> {
  using kv = await Deno.openKv(path);
  const at = "2026-10-01T08:00:00.000Z";
  const record = { createdAt: at, consentedAt: at, updatedAt: at, lang: "en" };
  for (let from = 0; from < RECORDS; from += 1_000) {
    const commit = kv.atomic();
    for (let n = from; n < from + 1_000; n++) {
      commit.set(["sign_up", `visitor${n}@example.com`], record);
    }
    await commit.commit();
  }
}

Deno.test("main() upgrades every record once when it is killed in the middle of an upgrade", async () => {
  await using folder = await makeTestFolder();
  const path = join(folder.path, "waitlist.sqlite3");
  await writeVersion1(path);

  const victim = startVictim({ KV_PATH: path });
  await victim.logged(/"event":"upgrading the store"/);
  await victim.end("SIGKILL");
  const before = await (async () => {
    using kv = await Deno.openKv(path);
    const { value } = await kv.get<{ version: number }>(["schema"]);
    assert.equal(value?.version, 1, "the kill came before the end");
    return await storedIds(kv);
  })();

  await whileServing({ KV_PATH: path }, async ({ request }) => {
    const response = await request("/ready");
    assert.deepEqual(await response.json(), { ready: true });
  });
  using kv = await Deno.openKv(path);
  const after = await storedIds(kv);
  const ids = Object.values(after).filter(Boolean);
  assert.equal(new Set(ids).size, RECORDS);
  for (const [email, id] of Object.entries(before)) assert.equal(id ?? after[email], after[email]);
});
