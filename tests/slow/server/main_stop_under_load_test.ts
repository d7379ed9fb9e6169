import assert from "node:assert/strict";
import { join } from "node:path";
import { SignUpLoad } from "../crash/sign_up_load.ts";
import { validate } from "../crash/verdict.ts";
import { makeTestFolder } from "../../support/process.ts";
import { startVictim } from "../../support/victim.ts";

Deno.test("main() answers no sign-up but with 200, and keeps what it answered, when it stops under load", async () => {
  await using folder = await makeTestFolder();
  const kvPath = join(folder.path, "kv.sqlite3");
  const victim = startVictim({ KV_PATH: kvPath, TRUSTED_PROXY_HOPS: "1" });
  const load = new SignUpLoad("stop");
  try {
    const service = await victim.serving ?? assert.fail("it did not start");
    const running = load.run(service.baseUrl);
    while (load.acknowledged.size < 300) {
      await (await service.request("/robots.txt")).body?.cancel();
    }
    await victim.end("SIGTERM");
    await running;
  } finally {
    await victim.end("SIGKILL");
  }
  assert.deepEqual(load.refusals, []);
  using kv = await Deno.openKv(kvPath);
  const { findings } = await validate(kv, load.acknowledged);
  assert.deepEqual(findings, []);
});
