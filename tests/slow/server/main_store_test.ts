/** A store that vanishes under a running process, and a file that two processes open. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { makeTestFolder, runTask, startService } from "../../support/process.ts";
import { sendSignUp, type Serving, statusOf } from "../../support/process_requests.ts";
import { startVictim } from "../../support/victim.ts";

let signUps = 0;

const signUp = (service: Serving) =>
  statusOf(sendSignUp(service, { email: `visitor${signUps++}@example.com` }));

Deno.test(
  "main() accepts no sign-up and answers /ready with 503 a few seconds after its KV file is removed",
  {
    ignore: Deno.build.os === "windows",
  },
  async () => {
    await using service = await startService();
    assert.equal(await signUp(service), 200);
    await Deno.remove(service.started.store);
    assert.ok(await service.logged(/"event":"the store has vanished"/));
    assert.equal(await signUp(service), 500);
    const ready = await service.request("/ready");
    assert.deepEqual((await ready.json()).missing, ["store"]);
  },
);

Deno.test("main() refuses a KV file that another process has opened under another path", {
  ignore: Deno.build.os === "windows",
}, async () => {
  await using folder = await makeTestFolder();
  const path = join(folder.path, "kv.sqlite3");
  const link = join(folder.path, "link.sqlite3");
  const elsewhere = join(folder.path, "elsewhere", "kv.sqlite3");
  await using _owner = await startService({ KV_PATH: path });
  await Deno.symlink(path, link);
  await Deno.mkdir(join(folder.path, "elsewhere"));
  await Deno.symlink(path, elsewhere);
  const second = await runTask(["start"], { KV_PATH: link, PORT: "0" });
  assert.equal(second.code, 1);
  assert.match(second.stderr, /in use by process \d+\..*KV_URL/);
  const third = await runTask(["start"], { KV_PATH: elsewhere, PORT: "0" });
  assert.equal(third.code, 1);
  assert.match(
    third.stderr,
    /KV_PATH is .*elsewhere.* it is a link to '.*\/kv\.sqlite3', whose folder/,
  );
  const victim = startVictim({ KV_PATH: elsewhere });
  assert.match(await victim.logged(/start failed.*/) ?? "", /in use by process \d+/);
  await victim.end("SIGKILL");
});
