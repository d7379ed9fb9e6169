import assert from "node:assert/strict";
import { join } from "node:path";
import { ENVIRONMENT_NAMES } from "../../server/config/mod.ts";
import { makeTestFolder, run } from "../support/process.ts";
import { readDocument } from "../support/readmes.ts";

/** What is run; Debian's package `systemd` has it. */
const PROGRAM = "systemd-analyze";

async function readUnit(): Promise<string> {
  const readme = await readDocument("server/README.md");
  const [, unit] = /^```ini\n([^]*?)^```$/m.exec(readme) ?? [];
  assert.ok(unit, "server/README.md has no block of ini");
  return unit;
}

Deno.test("the unit in server/README.md sets variables that Deno and the service read", async () => {
  const unit = await readUnit();
  const known: string[] = [...ENVIRONMENT_NAMES, "DENO_DIR"];
  const set = Array.from(unit.matchAll(/^Environment=(\w+)=/gm), ([, name = ""]) => name);
  assert.ok(set.length > 0);
  assert.deepEqual(set.filter((name) => !known.includes(name)), []);
});

const ignore = await run([PROGRAM, "--version"]).then(({ code }) => code !== 0, () => true);
const name = ignore
  ? `the unit in server/README.md is valid (skipped: there is no ${PROGRAM})`
  : "the unit in server/README.md is valid";

Deno.test({ name, ignore }, async () => {
  await using folder = await makeTestFolder();
  const file = join(folder.path, "waitlist.service");
  // The program must exist.
  await Deno.writeTextFile(
    file,
    (await readUnit()).replace("/usr/local/bin/deno", Deno.execPath()),
  );
  const { stdout, stderr } = await run([PROGRAM, "verify", file]);
  // A line that is wrong is reported, and ignored without an exit code.
  assert.equal(stdout + stderr, "");
});
