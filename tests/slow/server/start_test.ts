import assert from "node:assert/strict";
import { join } from "node:path";
import { makeTestFolder, PROJECT, STARTED, startProcess } from "../../support/process.ts";
import { startService } from "../../support/process.ts";

/** Starts the service as its task does, without the task. */
function start(folder: string) {
  const env = { PORT: "0", KV_PATH: join(folder, "kv.sqlite3"), NO_COLOR: "1" };
  return startProcess([Deno.execPath(), "run", "-A", join(PROJECT, "server/start.ts")], { env });
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  Deno.test(`start.ts passes ${signal} on to the service and ends with the service's exit code`, async () => {
    await using folder = await makeTestFolder();
    const { stderr, end } = start(folder.path);
    assert.ok(await stderr.find(STARTED));
    assert.equal((await end(signal)).code, 0);
    // Neither this program nor Deno adds lines to those of the log.
    const events = stderr.text.trim().split("\n").map((line) => JSON.parse(line).event);
    assert.deepEqual(events, ["started", "stopping", "stopped"]);
  });
}

Deno.test("The service stops and unlocks the KV file when start.ts is killed", async () => {
  await using folder = await makeTestFolder();
  const { stderr, end } = start(folder.path);
  assert.ok(await stderr.find(STARTED));
  await end("SIGKILL");
  assert.match(stderr.text, /"event":"stopped"/);
  await using service = await startService({ KV_PATH: join(folder.path, "kv.sqlite3") });
  assert.equal(await (await service.request("/ready")).text(), '{"ready":true}');
});

Deno.test("start.ts gives the service the real path of the KV file when KV_PATH contains a symbolic link", async () => {
  await using folder = await makeTestFolder();
  const real = join(folder.path, "real"), link = join(folder.path, "link");
  await Deno.mkdir(real);
  await Deno.symlink(real, link);
  await using service = await startService({ KV_PATH: join(link, "kv.sqlite3") });
  assert.equal(service.started.store, join(real, "kv.sqlite3"));
});
