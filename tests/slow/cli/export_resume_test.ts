/** Exports that are cut by a kill or by the disk, and run again. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { useList } from "../../cli/support/list.ts";
import { cutAnswers } from "../../cli/support/proxy.ts";
import { OPERATOR } from "../../cli/support/service.ts";
import { runShell, shellLine, startCli } from "./support/process.ts";

const service = useList();

Deno.test("'signups export --output' continues after the rows already written when it is killed and run again", async () => {
  const file = join(service.folder, "killed.csv");
  const whole = join(service.folder, "reference.csv");
  assert.equal((await service.run(["--output", whole])).code, 0);
  {
    await using proxy = cutAnswers(service, { bytes: 700_000, times: Infinity, how: "stall" });
    const env = { ...OPERATOR, WAITLIST_BASE_URL: proxy.url };
    const args = ["signups", "export", "--output", file];
    await using cli = startCli(args, { env });
    await appears("killed.csv.part.json");
    await cli.end("SIGKILL");
    assert.deepEqual(await service.leftovers("killed.csv"), [
      "killed.csv.part",
      "killed.csv.part.json",
    ]);
    for (const name of await service.leftovers("killed.csv")) {
      const { mode } = await Deno.stat(join(service.folder, name));
      assert.equal(mode! & 0o777, 0o600, "only its owner can read it");
    }
    // Whatever a crash leaves behind the last known byte.
    await Deno.writeTextFile(`${file}.part`, "half a line", { append: true });
    proxy.open();
    const { code, stdout, stderr } = await startCli(args, { env }).end();
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^Continuing after [\d,]+ sign-ups\.\n$/);
    assert.equal(stdout, `Exported 6,000 sign-ups to ${file}.\n`);
    assert.ok(proxy.afters.at(-1));
  }
  assert.ok(await Deno.readTextFile(file) === await Deno.readTextFile(whole));
  assert.deepEqual(await service.leftovers("killed.csv"), []);
});

Deno.test("'signups export' says what to do when the disk is full, and continues when it is run again", async () => {
  const file = join(service.folder, "full.ndjson");
  const args = ["signups", "export", "--output", file, "--base-url", service.url];
  // 1,200 blocks of 512 bytes; without the trap, the limit would kill the process.
  const line = `trap '' XFSZ; ulimit -f 1200; exec ${shellLine(args)}`
    .replace("'run'", "'run' '--allow-read' '--allow-write'");
  const full = await runShell(line, { env: OPERATOR });
  assert.match(
    full.stderr,
    /^waitlist: Cannot write '.+full\.ndjson\.part': .+; the new run continues where this run has stopped/,
  );
  assert.equal(full.code, 1);
  const { code, stdout, stderr } = await service.run(["--output", file]);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^Continuing after [\d,]+ sign-ups\.\n$/);
  assert.equal(stdout, `Exported 6,000 sign-ups to ${file}.\n`);
  assert.ok(await Deno.readTextFile(file) === service.ndjson);
});

/** Resolves once there is a file of this name in the folder. */
async function appears(name: string): Promise<void> {
  using watcher = Deno.watchFs(service.folder);
  if ((await service.leftovers("")).includes(name)) return;
  for await (const { paths } of watcher) if (paths.some((path) => path.endsWith(name))) return;
}
