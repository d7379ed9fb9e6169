/** The service on Node beside the one on Deno; `.ci/test_on_node` gives the program of Node 26 in `NODE`. @module */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { readOne } from "../../../server/store/kv/calls.ts";
import { openFileKv } from "../../support/memory_kv.ts";
import { fillOldStore } from "../../support/old_stores.ts";
import { environment, makeTestFolder, PROJECT, startProcess } from "../../support/process.ts";
import { statusOf } from "../../support/process_requests.ts";
import { json } from "../../support/service.ts";
import { startVictim } from "../../support/victim.ts";

const NODE = Deno.env.get("NODE");
const test = NODE === undefined ? Deno.test.ignore : Deno.test;

/** Runs a script of `package.json`, as a person on a machine without Deno does. */
function npm(args: string[], variables: Record<string, string>) {
  const env = environment(variables);
  env.PATH = `${dirname(NODE!)}:${Deno.env.get("PATH")}`;
  return startProcess(["npm", "--silent", ...args], { cwd: PROJECT, env });
}

test("'npm start' and 'npm run cli' do what the tasks of deno.json do, and the service stops on SIGTERM", async () => {
  await using folder = await makeTestFolder();
  const KV_PATH = join(folder.path, "kv.sqlite3");
  await using service = npm(["start"], { PORT: "0", KV_PATH, OTEL_DENO: "true" });
  const port = /"port":(\d+)/.exec(await service.stderr.find(/^{.*"event":"started".*}$/m) ?? "")
    ?.[1];
  assert.ok(port, service.stderr.text);
  assert.match(service.stderr.text, /"event":"no metrics or traces are exported"/);
  const url = `http://127.0.0.1:${port}`;
  await using cli = npm(["run", "cli", "--", "smoke", "--base-url", url], {});
  const { code, stdout, stderr } = await cli.end();
  assert.equal(code, 0, stdout + stderr);
  // The shell of npm passes no signal on, so a unit starts `node` itself.
  Deno.kill(Number(await Deno.readTextFile(`${KV_PATH}.lock`)), "SIGTERM");
  const ended = await service.end();
  assert.match(ended.stderr, /"event":"stopped"\}\n$/);
});

test("openKv() lets only one process open a file, whether the processes run on Deno or on Node", async (t) => {
  await using folder = await makeTestFolder();
  const variables = { KV_PATH: join(folder.path, "kv.sqlite3") };
  for (const [first, second] of [["deno", "node"], ["node", "deno"], ["node", "node"]] as const) {
    await t.step(`${first}, then ${second}`, async () => {
      await using owner = startVictim(variables, { runtime: first });
      const service = await owner.serving;
      assert.ok(service, owner.stderr.text);
      const signUp = { email: `${first}.${second}@example.com`, consent: true };
      assert.equal(await statusOf(service.request("/api/v1/waitlist", json(signUp))), 200);
      await using other = startVictim(variables, { runtime: second });
      const { code, stderr } = await other.end();
      assert.equal(code, 1);
      assert.match(stderr, new RegExp(`is in use by process ${owner.pid}\\b`));
    });
  }
});

test("On Node, openKv() changes the index of a KV file only when the file exists before the start, and loses no sign-up when the process is killed", async () => {
  await using folder = await makeTestFolder();
  const KV_PATH = join(folder.path, "kv.sqlite3");
  const signUpAndKill = async (email: string) => {
    await using victim = startVictim({ KV_PATH }, { runtime: "node" });
    const service = await victim.serving;
    assert.ok(service, victim.stderr.text);
    const stored = service.request("/api/v1/waitlist", json({ email, consent: true }));
    assert.equal(await statusOf(stored), 200);
    Deno.kill(victim.pid, "SIGKILL");
    await victim.end();
  };
  const readIndex = () => {
    using db = new DatabaseSync(KV_PATH);
    const select = "select sql from sqlite_master where name = 'kv_expiration_ms_idx'";
    return String(db.prepare(select).get()!.sql);
  };
  await signUpAndKill("ada@example.com");
  assert.doesNotMatch(readIndex(), /where/, "Node's engine has made the index during this start");
  await signUpAndKill("grace@example.com");
  assert.match(readIndex(), / where expiration_ms >= 0$/);
  using kv = await openFileKv(KV_PATH);
  for (const name of ["ada", "grace"]) {
    assert.ok((await readOne(kv, ["sign_up", `${name}@example.com`])).value, name);
  }
});

test("On Node, upgradeStore() refuses to upgrade a store of schema version 3, and advises to start the program on Deno", async () => {
  await using folder = await makeTestFolder();
  const KV_PATH = join(folder.path, "kv.sqlite3");
  {
    using kv = await openFileKv(KV_PATH);
    await fillOldStore(kv.raw, 3);
  }
  const { code, stderr } = await startVictim({ KV_PATH }, { runtime: "node" }).end();
  assert.equal(code, 1);
  assert.match(
    stderr,
    /before schema version 4, and only Deno can read its values; start this program once on Deno/,
  );
});

test("main() says which version of Node it needs when it runs on an older version", async () => {
  const program = [NODE!, "--import", "data:text/javascript,delete Uint8Array.fromBase64"];
  const { code, stderr } = await startProcess([...program, join(PROJECT, "server/main.ts")])
    .end();
  assert.equal(code, 1);
  assert.match(stderr, /^Node \d+\.\d+\.\d+ is too old; the service needs Node 26 or later\n$/);
});

for (const version of [20, 22, 24]) {
  test(`'npm start' says which version of Node it needs when it runs on Node ${version}`, async () => {
    const command = ["npx", "-y", "-p", `node@${version}`, "-c", "npm --silent start"];
    const { code, stderr } = await startProcess(command, { cwd: PROJECT }).end();
    assert.equal(code, 1);
    assert.match(
      stderr,
      new RegExp(
        `^Node ${version}\\.\\d+\\.\\d+ is too old; the service needs Node 26 or later\\n`,
      ),
    );
  });
}
