import assert from "node:assert/strict";
import { join } from "node:path";
import { makeTestFolder, Output, PROJECT, startService } from "../../support/process.ts";

/** Starts the service as its task does, without the task. */
function start(folder: string) {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", join(PROJECT, "server/start.ts")],
    env: { PORT: "0", KV_PATH: join(folder, "kv.sqlite3"), NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  return { child, stdout: new Output(child.stdout), stderr: new Output(child.stderr) };
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  Deno.test(`start.ts passes ${signal} on and ends with the exit code of the service`, async () => {
    await using folder = await makeTestFolder();
    const { child, stdout, stderr } = start(folder.path);
    assert.ok(await stderr.find(/"event":"started"/));
    child.kill(signal);
    assert.equal((await child.status).code, 0);
    await Promise.all([stdout.finished, stderr.finished]);
    assert.match(stderr.text, /"event":"stopped"/);
  });
}

Deno.test("start.ts leaves no service behind that keeps the file locked when it is killed", async () => {
  await using folder = await makeTestFolder();
  const { child, stdout, stderr } = start(folder.path);
  assert.ok(await stderr.find(/"event":"started"/));
  child.kill("SIGKILL");
  await Promise.all([stdout.finished, stderr.finished]);
  assert.match(stderr.text, /"event":"stopped"/);
  await using service = await startService({ KV_PATH: join(folder.path, "kv.sqlite3") });
  assert.equal(await (await service.request("/ready")).text(), '{"ready":true}');
});

Deno.test("start.ts runs the service in the folder that a link to a folder leads to", async () => {
  await using folder = await makeTestFolder();
  const real = join(folder.path, "real"), link = join(folder.path, "link");
  await Deno.mkdir(real);
  await Deno.symlink(real, link);
  await using service = await startService({ KV_PATH: join(link, "kv.sqlite3") });
  assert.equal(service.started.store, join(real, "kv.sqlite3"));
});
