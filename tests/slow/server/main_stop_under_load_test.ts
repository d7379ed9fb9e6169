import assert from "node:assert/strict";
import { join } from "node:path";
import { createLoad } from "../crash/rounds.ts";
import { makeTestFolder } from "../../support/process.ts";
import { statusOf } from "../../support/process_requests.ts";
import { findingsIn, startVictim } from "../../support/victim.ts";
import { openFileKv } from "../../support/memory_kv.ts";

Deno.test("main() answers each sign-up with 200 or not at all, and has stored each answered sign-up, when it stops under load", async () => {
  await using folder = await makeTestFolder();
  const kvPath = join(folder.path, "kv.sqlite3");
  const victim = startVictim({ KV_PATH: kvPath, TRUSTED_PROXY_HOPS: "1" });
  const load = createLoad("stop");
  try {
    const service = await victim.serving ?? assert.fail("it did not start");
    const running = load.run(service);
    while (load.acknowledged.size < 300) {
      await statusOf(service.request("/robots.txt"));
    }
    await victim.end("SIGTERM");
    await running;
  } finally {
    await victim.end("SIGKILL");
  }
  assert.deepEqual(load.refusals, []);
  using kv = await openFileKv(kvPath);
  assert.deepEqual(await findingsIn(kv, load.acknowledged), []);
});
