/**
 * The commands of the READMEs, run in the order of the files as they are printed, but for `npx`, whose package is the
 * Deno that runs this, and for the port. A reader has two terminals: one runs the service, the other one runs
 * everything else. Blocks with a line `<!-- not run: the reason -->` are left out. @module
 */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "../support/free_port.ts";
import {
  outputOf,
  PROJECT,
  run,
  type ServiceProcess,
  startProcess,
  startService,
  type TestVariables,
} from "../support/process.ts";
import {
  DENO,
  readDocument,
  READMES,
  type ShellBlock,
  shellBlocks,
} from "../support/project_files.ts";

/** How long a block may take before it counts as failed, in milliseconds. */
const BLOCK_MS = 120_000;

const START = "deno task start";

/** A block whose commands stop the service, do their work and leave the service to be started again. */
const COMPACT = "deno task compact";

/** A shell in which one block after another is run; a command that fails ends it. */
class Terminal implements AsyncDisposable {
  readonly #folder: string;
  readonly #shell: ReturnType<typeof startProcess>;
  readonly #input: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>;
  #blocks = 0;
  #read = 0;

  constructor(folder: string, env: Record<string, string>) {
    this.#folder = folder;
    // A task that runs the tests sets `INIT_CWD`, which a person's terminal does not have.
    const command = ["env", "-u", "INIT_CWD", "sh", "-eu"];
    this.#shell = startProcess(command, { cwd: PROJECT, env, stdin: "piped" });
    this.#input = this.#shell.child.stdin.getWriter();
  }

  /** Runs a block; resolves to what it has printed to standard output. */
  async run({ at, script }: ShellBlock): Promise<string> {
    const file = join(this.#folder, "block.sh");
    await Deno.writeTextFile(file, script);
    const mark = `--- end of block ${++this.#blocks} ---`;
    const { stdout, stderr } = this.#shell;
    const line = `. '${file}' < /dev/null\necho '${mark}'\n`;
    await this.#input.write(new TextEncoder().encode(line));
    const guard = new AbortController();
    const ended = await Promise.race([
      stdout.find(new RegExp(`${mark}\\n`)),
      delay(BLOCK_MS, undefined, { signal: guard.signal }).catch(() => {}),
    ]);
    guard.abort();
    const output = stdout.text.slice(this.#read);
    assert.ok(ended, `${at} failed:\n${script}\n${output}\n${stderr.text}`);
    this.#read = stdout.text.length;
    return output.replace(`${mark}\n`, "");
  }

  async [Symbol.asyncDispose]() {
    await this.#input.close().catch(() => {});
    await this.#shell.end();
  }
}

/** Runs all blocks of the READMEs; resolves to the function that gives what a block has printed. */
async function walk(variables: TestVariables, home: string) {
  const { denoDir } = JSON.parse(await outputOf([Deno.execPath(), "info", "--json"]));
  const PORT = String(freePort());
  const env = {
    HOME: home,
    // Deno keeps its own cache.
    DENO_DIR: denoDir,
    PATH: `${dirname(Deno.execPath())}:${Deno.env.get("PATH")}`,
    NO_COLOR: "1",
    KV_PATH: variables.KV_PATH ?? "",
    // In place of the CLI's default, which has the port 8000.
    WAITLIST_BASE_URL: `http://127.0.0.1:${PORT}`,
  };
  await using terminal = new Terminal(home, env);
  await using stack = new AsyncDisposableStack();
  let service: ServiceProcess | undefined;
  stack.defer(() => service?.[Symbol.asyncDispose]());
  let exported: TestVariables = {};

  /** Starts the service after the lines of a block that make its variables, or again with the same ones. */
  async function start(block?: ShellBlock): Promise<void> {
    if (block) {
      const [last, ...lines] = block.script.trimEnd().split("\n").reverse();
      assert.equal(last, START, block.at);
      const makeKey = [...lines.reverse(), 'printf %s "${OPERATOR_KEY:-}"'].join("\n");
      const { stdout: OPERATOR_KEY } = await run(["sh", "-euc", makeKey]);
      exported = OPERATOR_KEY ? { OPERATOR_KEY } : {};
      const script = `export OPERATOR_KEY='${OPERATOR_KEY}'\n`;
      await terminal.run({ at: block.at, script });
    }
    await service?.[Symbol.asyncDispose]();
    service = await startService({ ...variables, PORT, ...exported });
  }

  const outputs = new Map<ShellBlock, string>();
  for (const path of READMES) {
    const text = (await readDocument(path)).replaceAll(DENO, "deno")
      .replaceAll("localhost:8000", `127.0.0.1:${PORT}`);
    const [, csv] = /^```csv\n([^]*?)^```$/m.exec(text) ?? [];
    if (csv) await Deno.writeTextFile(join(home, "list.csv"), csv);
    for (const block of shellBlocks(path, text)) {
      const { script, notRun } = block;
      if (notRun || (script.includes(COMPACT) && variables.KV_URL)) continue;
      if (script.includes(START)) {
        await start(block);
        continue;
      }
      if (script.includes(COMPACT)) await service?.[Symbol.asyncDispose]();
      // `waitlist` works from any folder, and Deno's tasks from the project's.
      const folder = /\bwaitlist [a-z]/.test(script) ? home : PROJECT;
      await terminal.run({ at: block.at, script: `cd '${folder}'\n` });
      outputs.set(block, await terminal.run(block));
      if (script.includes(COMPACT)) await start();
    }
  }
  const installed = {
    at: "cli/README.md, installed",
    script: `cd '${home}'
    waitlist stats --quiet
    .deno/bin/waitlist status --sandbox --json`,
  };
  outputs.set(installed, await terminal.run(installed));

  /** The output of the one block that has a text in it. */
  return (text: string) => {
    const found = [...outputs].filter(([{ script }]) => script.includes(text));
    assert.equal(found.length, 1, `blocks with '${text}': ${found.length}`);
    return found[0]![1];
  };
}

/** Runs the commands of the READMEs against a service with these variables; asserts what they print. */
export async function assertWalk(variables: TestVariables, home: string): Promise<void> {
  const printed = await walk(variables, home);
  assert.match(printed("TOKEN="), /^\{"total":\d+,[^]+\}\{"accepted":true\}$/);
  assert.match(printed("redirect_url"), /^303 \S+\/thanks\/\n$/);
  assert.match(printed("/operator/v1/openapi.json"), /^\{"openapi":"3\.1\.0"/);
  assert.match(printed("clients create"), /^Waitlist statistics, production, .+\n\n {2}Total +0\n/);
  assert.match(
    printed("waitlist join"),
    /^Accepted: ada@example\.com\. .+\nExported 1 sign-up to .+\/waitlist\.csv\.\n/,
  );
  assert.match(printed("signups list --state"), /^Address .+\nada@example\.com +waiting +20/);
  assert.match(printed("signups invite"), /^Invited 1 person in the wave 2026-06-01; .+\.csv\.\n$/);
  assert.match(
    printed("signups list --referrals"),
    /^Waitlist, 1 person, [^]+\nNobody\.\n\{\n {2}"email": "ada@example\.com",/,
  );
  assert.match(
    printed("outbox list"),
    /^Waitlist, 1 person, [^]+\nNo e-mail or event was refused\.\n$/,
  );
  assert.match(
    await Deno.readTextFile(join(home, "waitlist.csv")),
    /^email,.+\r\nada@example\.com,.+\r\n$/,
  );
  assert.match(
    printed("signups erase ada"),
    /^ {2}email +ada@example\.com\n[^]+\nErased: ada@example\.com is no longer /,
  );
  const rotation = printed("clients rotate");
  assert.match(rotation, /^ {2}client_id +\S+\n {2}client_secret +\S+\n {2}old one until +20/);
  assert.match(
    rotation,
    /\n\S+ +Dashboard +waitlist:stats:read +20\S+ +20\S+ +an old secret works/,
  );
  assert.match(rotation, /\nKey 2 signs from 20\S+Z on\./);
  assert.match(printed("signups import"), /1 new, 0 merged, 0 unchanged, 1 refused/);
  assert.match(printed("counters verify"), /^Recounted 1 record; .+\nThe counters are right\.\n$/);
  const backup = await Deno.readTextFile(join(home, "waitlist-backup.ndjson"));
  assert.match(backup, /"bo@example\.com"/);
  assert.match(await Deno.readTextFile(join(home, "validate.xml")), /<testsuites? .*failures="0"/);
  assert.match(printed("text/markdown"), /^# /);
  // The old secret works on, one person was erased and one came with the import.
  assert.match(printed(".deno/bin/waitlist"), /^1\n\{[^]*"environment": ?"sandbox"/);
  if (variables.KV_PATH) assert.match(printed(COMPACT), /^Compacted .+: .+ MB before, .+ MB now/);
}
