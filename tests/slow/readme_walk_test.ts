/**
 * The README's commands. Its walk, "Running it for real", is run line by line as it is printed, but for
 * `npx`, whose package is the Deno that runs this.
 */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { DENOKV, Denokv, DENOKV_ACCESS_TOKEN } from "../support/denokv.ts";
import { makeTestFolder, PROJECT, startService, type TestVariables } from "../support/process.ts";

/** How the README calls Deno: so that it takes Node alone. */
const DENO = "npx -y deno@2.9.6";

function readReadme(): Promise<string> {
  return Deno.readTextFile(join(PROJECT, "README.md"));
}

/** The shell blocks of the section: how to start the service, then what happens in another terminal. */
async function readWalk(): Promise<{ start: string; steps: string[] }> {
  const readme = (await readReadme()).replaceAll(DENO, "deno");
  const [, section = ""] = /^## Running it for real\n([^]*?)^## /m.exec(readme) ?? [];
  const [start = "", ...steps] = [...section.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, sh]) =>
    sh!
  );
  return { start, steps };
}

/** Runs a script in a shell whose home is a test's folder; Deno keeps its own cache. */
async function runScript(script: string, home: string, env: Record<string, string> = {}) {
  const info = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).output();
  const { denoDir } = JSON.parse(new TextDecoder().decode(info.stdout));
  const PATH = `${dirname(Deno.execPath())}:${Deno.env.get("PATH")}`;
  const { code, stdout, stderr } = await new Deno.Command("sh", {
    args: ["-euc", script],
    cwd: PROJECT,
    env: { HOME: home, DENO_DIR: denoDir, PATH, NO_COLOR: "1", ...env },
  }).output();
  const decoder = new TextDecoder();
  assert.equal(code, 0, decoder.decode(stdout) + decoder.decode(stderr));
  return decoder.decode(stdout);
}

async function walk(variables: TestVariables, home: string): Promise<void> {
  const { start, steps } = await readWalk();
  const [makeKey, startLine] = start.trimEnd().split("\n");
  assert.equal(startLine, "deno task start");
  const OPERATOR_KEY = await runScript(`${makeKey}; printf %s "$OPERATOR_KEY"`, home);
  await using service = await startService({ ...variables, OPERATOR_KEY });

  const mark = "=== next ===";
  const [definition, ...calls] = steps;
  // From a folder that is not the project's.
  const elsewhere = `${definition}cd "$HOME"\n`;
  const script = [elsewhere, ...calls, "waitlist stats --quiet"].join(`echo "${mark}"\n`)
    .replace("localhost:8000", `127.0.0.1:${service.started.port}`);
  const output = await runScript(script, home, { OPERATOR_KEY });
  const [none, client, list, person, rotation, statsAfter] = output.split(`${mark}\n`);
  assert.equal(none, "");
  assert.match(client!, /^Waitlist statistics, production, .+\n\n {2}Total +0\n/);
  assert.match(
    list!,
    /^Accepted: ada@example\.com is on .+\nExported 1 sign-up to .+\/waitlist\.csv\.\n$/,
  );
  assert.match(
    await Deno.readTextFile(join(home, "waitlist.csv")),
    /^email,.+\r\nada@example\.com,.+\r\n$/,
  );
  assert.match(
    person!,
    /^ {2}email +ada@example\.com\n[^]+\nErased: ada@example\.com is no longer /,
  );
  assert.match(rotation!, /^ {2}client_id +\S+\n {2}client_secret +\S+\n {2}old one until +20/);
  assert.match(
    rotation!,
    /\n\S+ +Dashboard +waitlist:stats:read +20\S+ +20\S+ +an old secret works/,
  );
  assert.match(rotation!, /\nKey 2 signs from 20\S+Z on\./);
  assert.equal(statsAfter, "0\n", "the old secret works on, and nobody is counted any more");
}

Deno.test("the README and the developers page call Deno in one form, which takes Node alone", async () => {
  const page = await Deno.readTextFile(join(PROJECT, "content/en/developers.md"));
  for (const text of [await readReadme(), page]) {
    const blocks = [...text.matchAll(/^ *```sh\n([^]*?)^ *```$/gm)].map(([, sh]) => sh!);
    const code = blocks.join("").replaceAll("\\\n", "").replaceAll(/#.*$/gm, "");
    const called = code.matchAll(/^.*\bdeno\s.*$/gm);
    const lines = Array.from(called, ([line]) => line);
    assert.deepEqual(lines.filter((line) => !/(^|\{ )npx -y deno@2\.9\.6 /.test(line)), []);
    assert.ok(blocks.some((sh) => sh.includes(DENO)));
  }
});

Deno.test("the README's walk works as printed on an embedded file", async () => {
  await using folder = await makeTestFolder();
  await walk({ KV_PATH: join(folder.path, "kv.sqlite3") }, folder.path);
});

Deno.test("the README's walk works as printed on denokv", { ignore: !DENOKV }, async () => {
  await using folder = await makeTestFolder();
  await using denokv = await Denokv.start();
  await walk({ KV_URL: denokv.url, DENO_KV_ACCESS_TOKEN: DENOKV_ACCESS_TOKEN }, folder.path);
});
