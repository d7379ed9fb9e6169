import assert from "node:assert/strict";
import { join } from "node:path";
import { ALL_VARIABLE_NAMES, CONFIG_EXIT_CODE } from "../../server/config/mod.ts";
import { VERSION } from "../../shared/version.ts";
import { OPERATOR_KEY } from "../support/operator.ts";
import {
  environment,
  makeTestFolder,
  outputOf,
  run,
  STARTED,
  startProcess,
} from "../support/process.ts";
import { copyProject, readDocument } from "../support/project_files.ts";

/** What is run; Debian's package `systemd` has it. */
const PROGRAM = "systemd-analyze";

async function readUnit(): Promise<string> {
  const readme = await readDocument("server/docs/deploy.md");
  const [, unit] = /^```ini\n([^]*?)^```$/m.exec(readme) ?? [];
  assert.ok(unit, "server/docs/deploy.md has no block of ini");
  return unit;
}

Deno.test("The systemd unit in server/docs/deploy.md sets only variables that Deno or the service reads", async () => {
  const unit = await readUnit();
  const known: string[] = [...ALL_VARIABLE_NAMES, "DENO_DIR"];
  const set = Array.from(unit.matchAll(/^Environment=(\w+)=/gm), ([, name = ""]) => name);
  assert.ok(set.length > 0);
  assert.deepEqual(set.filter((name) => !known.includes(name)), []);
});

const ignore = await run([PROGRAM, "--version"]).then(({ code }) => code !== 0, () => true);
const name = ignore
  ? `The systemd unit in server/docs/deploy.md is valid (skipped: there is no ${PROGRAM})`
  : "The systemd unit in server/docs/deploy.md is valid";

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

/** An account that owns nothing here, for the unit's `waitlist`. */
const ACCOUNT = 61_993;

const testAsRoot = Deno.uid() === 0 ? Deno.test : Deno.test.ignore;

testAsRoot(
  "The systemd unit in server/docs/deploy.md starts the service under its own account, with two folders and the operator key",
  async () => {
    await using project = await copyProject();
    await using folder = await makeTestFolder("waitlist_unit_");
    const root = folder.path;
    // Deno cannot allow a path with a comma to be read, which the copy's has.
    await outputOf(["cp", "-r", project.path, join(root, "project")]);
    await outputOf(["chmod", "-R", "a+rX", root]);
    await outputOf(["install", "-D", "-m", "0755", Deno.execPath(), join(root, "deno")]);
    // What systemd makes: the two folders, and the credential, which only the service can read.
    const account = String(ACCOUNT);
    for (const name of ["state", "cache", "credentials"]) {
      await outputOf(["install", "-d", "-m", "0700", "-o", account, join(root, name)]);
    }
    const credential = join(root, "credentials/operator_key");
    await Deno.writeTextFile(credential, `${OPERATOR_KEY}\n`, { mode: 0o400 });
    await Deno.chown(credential, ACCOUNT, null);

    const unit = (await readUnit())
      .replaceAll("/srv/waitlist", join(root, "project"))
      .replaceAll("/var/lib/waitlist", join(root, "state"))
      .replaceAll("/var/cache/waitlist", join(root, "cache"))
      .replaceAll("/usr/local/bin/deno", join(root, "deno"))
      .replaceAll("%d/", join(root, "credentials/"));
    const valueOf = (name: string) => new RegExp(`^${name}=(.*)$`, "m").exec(unit)?.[1] ?? "";
    const env = Object.fromEntries(
      Array.from(unit.matchAll(/^Environment=(\w+)=(.*)$/gm), ([, name, value]) => [name, value]),
    );
    const start = (variables: Record<string, string>) =>
      startProcess(
        [
          ...["setpriv", `--reuid=${ACCOUNT}`, `--regid=${ACCOUNT}`, "--clear-groups"],
          ...["--no-new-privs", "--bounding-set=-all", "--inh-caps=-all"],
          ...["sh", "-c", `umask ${valueOf("UMask")}; exec ${valueOf("ExecStart")}`],
        ],
        {
          cwd: valueOf("WorkingDirectory"),
          // The first start gets its packages, as it does on a new machine.
          env: environment({ PORT: "0", ...env, ...variables }),
        },
      );

    await using service = start({});
    const started = await service.stderr.find(STARTED);
    if (!started) throw new Error(JSON.stringify(await service.end()));
    const { port, version } = JSON.parse(started);
    assert.equal(version, VERSION);
    const headers = { Authorization: `Bearer ${OPERATOR_KEY}` };
    const response = await fetch(`http://127.0.0.1:${port}/operator/v1/overview`, { headers });
    assert.equal(response.status, 200);
    assert.equal((await response.json()).version, VERSION);
    const { code, stderr } = await service.end("SIGTERM");
    assert.equal(code, 0, stderr);
    const { uid, mode } = await Deno.stat(join(root, "state/waitlist.sqlite3"));
    assert.deepEqual([uid, mode! & 0o777], [ACCOUNT, 0o600]);

    // A refused configuration is not tried again.
    const refused = await start({ BASE_URL: "nowhere" }).end();
    assert.equal(refused.code, CONFIG_EXIT_CODE, refused.stderr);
    assert.equal(valueOf("RestartPreventExitStatus"), String(CONFIG_EXIT_CODE));
  },
);
