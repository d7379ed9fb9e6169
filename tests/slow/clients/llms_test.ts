/** The calls that `/llms.txt` shows to agents, run in a shell. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { makeTestFolder, outputOf, startService } from "../../support/process.ts";

Deno.test("The calls at the beginning of /llms.txt work as they are written", async () => {
  await using folder = await makeTestFolder();
  await using service = await startService({ KV_PATH: join(folder.path, "kv.sqlite3") });
  const text = await (await service.request("/llms.txt")).text();
  assert.ok(text.length < 4_000, `${text.length} characters`);
  const [, commands = ""] = /^[^#]*# [^#]*```sh\n([^]*?)```/.exec(text) ?? [];
  const output = await outputOf(["sh", "-euc", commands]);
  assert.match(output, /^{"accepted":true}{"total":1280,/);
});
