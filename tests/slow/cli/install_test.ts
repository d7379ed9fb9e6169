/** `deno task install`, and the command that it installs. */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import project from "../../../deno.json" with { type: "json" };
import { OPERATOR, useService } from "../../cli/support/service.ts";
import { makeTestFolder, PROJECT } from "../../support/process.ts";
import { runShell } from "./support/process.ts";

const service = useService();

Deno.test("'deno task install', called from any folder, makes a command that works in any folder", async (t) => {
  await using folder = await makeTestFolder();
  const elsewhere = join(folder.path, "else where");
  await Deno.mkdir(elsewhere);
  const env = {
    ...OPERATOR,
    DENO_INSTALL_ROOT: folder.path,
    WAITLIST_BASE_URL: service.url,
    // The command calls `deno`.
    PATH: `${dirname(Deno.execPath())}:${join(folder.path, "bin")}:${Deno.env.get("PATH")}`,
  };
  const run = (line: string) => runShell(line, { cwd: elsewhere, env });
  const install = `deno task --config '${PROJECT}/deno.json' install`;
  for (const times of ["once", "again, as after an upgrade"]) {
    await t.step(times, async () => {
      const { code, stderr } = await run(install);
      assert.equal(code, 0, `${times}: ${stderr}`);
    });
  }

  const version = await run("waitlist --version");
  assert.equal(version.stdout, `waitlist ${project.version}\n`, version.stderr);
  const status = await run("waitlist status --sandbox --json");
  assert.equal(JSON.parse(status.stdout).environment, "sandbox", status.stderr);
  const exported = await run("waitlist signups export --output list.csv");
  assert.equal(exported.stdout, "Exported 0 sign-ups to list.csv.\n", exported.stderr);
  assert((await Deno.stat(join(elsewhere, "list.csv"))).isFile);
});
