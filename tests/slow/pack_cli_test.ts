/**
 * The CLI as an npm package: packed from the sources, and as the service serves it, run by the workflows of
 * `cli/README.md` as far as a shell can.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { load as parseYaml } from "js-yaml";
import config from "../../deno.json" with { type: "json" };
import { CLI_PACKAGE_NAME, packCli } from "../../shared/pack_cli.ts";
import { makeTestFolder, outputOf, run, startService } from "../support/process.ts";
import { readDocument, readSources } from "../support/project_files.ts";

/** The limit of the program, in bytes. */
const MAX_BYTES = 1_000_000;

Deno.test("packCli() makes a program in one file that runs on Node and on Deno without further packages", async (t) => {
  await using folder = await makeTestFolder();
  await using service = await startService({ KV_PATH: join(folder.path, "kv", "kv.sqlite3") });
  const tarball = join(folder.path, "cli.tgz");
  await Deno.writeFile(tarball, await packCli(CLI_PACKAGE_NAME));
  await outputOf(["tar", "-xzf", tarball], { cwd: folder.path });
  const unpacked = join(folder.path, "package");
  const files = Array.from(Deno.readDirSync(unpacked), ({ name }) => name).sort();
  assert.deepEqual(files, ["LICENSE", "README.md", "package.json", "waitlist.mjs"]);
  const manifest = JSON.parse(await Deno.readTextFile(join(unpacked, "package.json")));
  assert.deepEqual(manifest.bin, { waitlist: "waitlist.mjs" });
  assert.equal(manifest.version, config.version);
  assert.ok(!("dependencies" in manifest));
  assert.match(await Deno.readTextFile(join(unpacked, "LICENSE")), /\ncommander\n\n.*MIT License/s);
  const program = join(unpacked, "waitlist.mjs");
  const { size } = await Deno.stat(program);
  assert.ok(size < MAX_BYTES, `${size} bytes`);

  const options = { cwd: folder.path, env: { WAITLIST_BASE_URL: service.started.baseUrl } };
  for (const runtime of [["node"], [Deno.execPath(), "run", "--quiet", "--allow-all"]]) {
    await t.step(runtime.join(" "), async () => {
      assert.equal(
        await outputOf([...runtime, program, "--version"], options),
        `waitlist ${config.version}\n`,
      );
      const stats = await outputOf([...runtime, program, "stats", "--sandbox", "--json"], options);
      assert.equal(JSON.parse(stats).total, 1280);
      // The help of a command loads the command with all modules that it needs.
      const help = await outputOf([...runtime, program, "signups", "import", "--help"], options);
      assert.match(help, /^Usage: waitlist signups import/m);
      const wrong = await run([...runtime, program, "stats", "--since"], options);
      assert.deepEqual([wrong.code, wrong.stdout], [2, ""]);
    });
  }
});

interface Workflow {
  jobs: { check: { steps: { run?: string }[] } };
}

interface Pipeline {
  waitlist: { script: string[] };
}

/** The shell commands of the two workflows in `cli/README.md`. */
async function workflowCommands(): Promise<string[][]> {
  const blocks = (await readDocument("cli/README.md")).matchAll(/^```yaml\n([^]*?)^```$/gm);
  const [github, gitlab] = Array.from(blocks, ([, yaml]) => parseYaml(yaml!));
  const { steps } = (github as Workflow).jobs.check;
  return [steps.flatMap(({ run }) => run ?? []), (gitlab as Pipeline).waitlist.script];
}

Deno.test("The CI workflows in cli/README.md download, check and run the CLI package that the service serves", async () => {
  await using folder = await makeTestFolder();
  await using service = await startService({ KV_PATH: join(folder.path, "kv", "kv.sqlite3") });
  const page = await (await service.request("/developers.md")).text();
  const [, sha256 = ""] =
    /waitlist-cli\.tgz[^]*?SHA-256 of the file is `([0-9a-f]{64})`/.exec(page) ?? [];
  const env = { WAITLIST_BASE_URL: service.started.baseUrl, SHA256: sha256 };
  const workflows = await workflowCommands();
  assert.deepEqual(workflows.map(({ length }) => length), [3, 3]);
  for (const commands of workflows) {
    for (const command of commands) {
      await outputOf(["sh", "-euc", command], { cwd: folder.path, env });
    }
    const report = join(folder.path, "waitlist.xml");
    assert.match(
      await Deno.readTextFile(report),
      /<testsuites [^>]*tests="\d{2}"[^>]*failures="0"/,
    );
    // The second workflow finds the package in the cache.
    await Deno.remove(report);
  }
  const changed = { cwd: folder.path, env: { ...env, SHA256: "0".repeat(64) } };
  assert.equal((await run(["sh", "-euc", workflows[0]![1]!], changed)).code, 1);
});

/** Functions that Node 20 lacks. Syntax that it lacks is written in an older form by the bundler. */
const NEWER_THAN_NODE_20 = new RegExp(
  String.raw`\b(?:Array\.fromAsync|(?:Map|Object)\.groupBy|Promise\.(?:try|withResolvers)|` +
    String.raw`RegExp\.escape|AsyncDisposableStack|DisposableStack|Error\.isError|` +
    String.raw`Uint8Array\.from(?:Base64|Hex))\b|` +
    String.raw`\.(?:toBase64|toHex|union|intersection|difference|symmetricDifference|isSubsetOf|` +
    String.raw`isSupersetOf|isDisjointFrom|bytes)\(`,
);

Deno.test("The sources of the CLI use no API that Node 20 lacks", async () => {
  // Programs that pack run on Deno alone. A union of an array is a schema of zod.
  const onDenoOnly = /^shared\/(?:pack|pack_cli|pack_client|tarball)\.ts$/;
  const found = (await readSources(["cli", "shared"]))
    .filter(({ path }) => !onDenoOnly.test(path))
    .flatMap(({ lines }) => lines.map(({ at, text }) => `${at}: ${text}`))
    .filter((line) => NEWER_THAN_NODE_20.test(line.replaceAll(".union([", "")));
  assert.deepEqual(found, []);
});
