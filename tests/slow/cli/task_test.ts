/** `deno task cli`, as the README calls it, from wherever it is called. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { makeTestFolder, PROJECT } from "../../support/process.ts";
import { runShell } from "./support/process.ts";
import { OPERATOR, useService } from "../../cli/support/service.ts";

const service = useService();
const CONFIG = join(PROJECT, "deno.json");

/** Runs the task from a folder. */
function runTask(args: string, cwd: string) {
  const line = `'${Deno.execPath()}' task --quiet --config '${CONFIG}' cli ${args}`;
  return runShell(line, { cwd, env: { ...OPERATOR, WAITLIST_BASE_URL: service.url } });
}

Deno.test("'deno task cli' reads and writes files in the folder that it is called from", async () => {
  await using folder = await makeTestFolder();
  const caller = join(folder.path, "a folder");
  await Deno.mkdir(caller);
  await Deno.writeTextFile(
    join(caller, "list.csv"),
    "email,consentedAt\nada@example.com,2026-05-01T09:30:00Z\n",
  );
  const imported = await runTask("signups import list.csv", caller);
  assert.equal(imported.stderr, "");
  assert.equal(imported.stdout, "Imported list.csv: 1 new, 0 merged, 0 unchanged, 0 refused.\n");

  const exported = await runTask("signups export --output 'here 1.csv'", caller);
  assert.equal(exported.stdout, "Exported 1 sign-up to here 1.csv.\n", exported.stderr);
  const backedUp = await runTask("backup ../backup.ndjson", caller);
  assert.equal(backedUp.code, 0, backedUp.stderr);
  const names = await Array.fromAsync(Deno.readDir(caller), ({ name }) => name);
  assert.deepEqual(names.toSorted(), ["here 1.csv", "list.csv"]);
  assert.match(await Deno.readTextFile(join(caller, "here 1.csv")), /\nada@example\.com,/);
  assert.ok((await Deno.stat(join(folder.path, "backup.ndjson"))).isFile);
});

Deno.test("'deno task cli' uses the project's deno.json when the caller's folder has a deno.json of its own", async () => {
  await using folder = await makeTestFolder();
  await Deno.writeTextFile(
    join(folder.path, "deno.json"),
    '{ "imports": { "commander": "./none.ts" } }',
  );
  const { code, stdout, stderr } = await runTask("status --quiet --sandbox", folder.path);
  assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: "", stderr: "" });
});

Deno.test("'deno task cli' resolves paths from the caller's folder even when this folder is inside the project", async () => {
  const line = `'${Deno.execPath()}' task --quiet cli validate --sandbox --document operator.yaml`;
  const { code, stderr } = await runShell(line, {
    cwd: join(PROJECT, "openapi"),
    env: { WAITLIST_BASE_URL: service.url },
  });
  assert.equal(code, 2);
  assert.match(stderr, /^waitlist: The document 'operator\.yaml' is not JSON; /);
});
