/**
 * `deno task bench`: measures the service beside its peers, in interleaved rounds, then places in line, the commands
 * that handle the whole list, and the pages of the console. Prints medians and ratios as tables and, with
 * `--json FILE`, as JSON. Exits with 1 where a floor or a bound does not hold. @module
 */
import { Command } from "commander";
import { compare, median, printRows, type Row } from "./compare.ts";
import { comparisons } from "./comparisons.ts";
import { type ConsoleFigures, measureConsole, printConsole } from "./console/mod.ts";
import { type CommandFigures, printCommands } from "./list/measure_command.ts";
import { measureList } from "./list/mod.ts";
import { type LineFigures, measureLine, printLine } from "./line.ts";
import { measureExpiry } from "./mail/expiry.ts";
import { measureLetters, MIN_LETTERS_PER_SECOND } from "./mail/letters.ts";
import { megabytes } from "../../support/victim.ts";
import { JOIN, type Seed } from "./requests.ts";
import { seed } from "./seed.ts";
import { startService } from "./server_process.ts";
import { measure } from "./wrk.ts";

const { only, json, ...given } = new Command("deno task bench")
  .option("--rounds <n>", "rounds, of two measurements each", "5")
  .option("--seconds <n>", "seconds for each measurement", "2")
  .option("--sign-ups <n>", "sign-ups stored where it says many, and on the list", "1000000")
  .option(
    "--only <text>",
    "only work whose name contains this, such as stats, letters, memory, place, whole list or console",
    "",
  )
  .option("--json <file>", "write the figures to this file as well")
  .parse(Deno.args, { from: "user" }).opts<
  { rounds: string; seconds: string; signUps: string; only: string; json?: string }
>();
const timing = { rounds: Number(given.rounds), seconds: Number(given.seconds) };
const signUps = Number(given.signUps);

/** The most that may be resident during the second half of a million sign-ups (median), in megabytes. */
const MAX_MEGABYTES = 225;

/** The sign-ups stored where it does not say many. */
const SMALL = 1_000;

/** The work besides the comparisons, which need a while to be set up. */
const OTHER_WORK = ["letters", "memory", "place in line", "the whole list", "console"];
const isOtherWork = only !== "" && OTHER_WORK.some((work) => work.includes(only));

const folder = await Deno.makeTempDir({ prefix: "waitlist-bench-" });
try {
  const rows: Row[] = [];
  let seeds: Promise<{ small: Seed; large: Seed }> | undefined;
  /** Fills the two KV files when they are first needed. */
  const fillFiles = () => seeds ??= seedBoth();
  if (!isOtherWork) {
    for await (const comparison of comparisons({ folder, ...await fillFiles() })) {
      if (comparison.work.includes(only)) rows.push(...await compare(comparison, timing));
    }
  }
  if (rows.length > 0) printRows(rows);

  let lettersPerSecond = NaN;
  if ("letters".includes(only)) {
    lettersPerSecond = await measureLetters(folder);
    console.log(
      `\n${lettersPerSecond.toFixed(0)} letters a second to a mail server on this machine ` +
        `(at least ${MIN_LETTERS_PER_SECOND})\n`,
    );
  }

  let memory: Awaited<ReturnType<typeof memoryOfSignUps>> | undefined;
  if ("memory".includes(only)) {
    memory = await memoryOfSignUps(`${folder}/memory.sqlite3`);
    console.log(
      `\n${memory.signUps} sign-ups through HTTP in ${memory.seconds.toFixed(0)} s; ` +
        `${
          memory.megabytes.toFixed(0)
        } MB resident during the second half (at most ${MAX_MEGABYTES})\n`,
    );
  }

  let line: LineFigures[] = [];
  if ("place in line".includes(only)) {
    line = await measureLine(folder, signUps);
    printLine(line);
  }

  let list: CommandFigures[] = [];
  if ("the whole list".includes(only)) {
    const { large } = await fillFiles();
    list = await measureList({ folder, full: large.path, signUps });
    list.push(await measureExpiry(large.path, signUps / 10));
    printCommands(list);
  }

  let pages: ConsoleFigures | undefined;
  if ("console".includes(only)) {
    const { small, large } = await fillFiles();
    pages = await measureConsole(small.path, large.path);
    printConsole(pages, [SMALL, signUps]);
  }

  if (json) {
    const figures = { rows, lettersPerSecond, memory, line, list, console: pages };
    await Deno.writeTextFile(json, JSON.stringify(figures, null, 2) + "\n");
  }
  const broken = rows.some((row) => row.holds === false) ||
    [...list, ...line].some((row) => !row.holds) ||
    pages?.holds === false || (memory?.megabytes ?? 0) > MAX_MEGABYTES ||
    lettersPerSecond < MIN_LETTERS_PER_SECOND;
  Deno.exitCode = broken ? 1 : 0;
} finally {
  await Deno.remove(folder, { recursive: true });
}

/** Fills a KV file with few sign-ups, and one with many. */
async function seedBoth(): Promise<{ small: Seed; large: Seed }> {
  const small = await seed(`${folder}/small.sqlite3`, SMALL);
  return { small, large: await seed(`${folder}/large.sqlite3`, signUps) };
}

/**
 * Sends at least as many sign-ups of new addresses through HTTP, each from a source of its own. Gives the median of the
 * memory after each 10 s of the second half, because a single value may be from just before a collection of garbage.
 */
async function memoryOfSignUps(path: string) {
  await using server = await startService(path);
  const started = performance.now();
  const values: number[] = [];
  let stored = 0;
  while (stored < signUps) {
    const { requests, refused, failed } = await measure(server.port, JOIN, 10);
    if (failed > 0 || requests === 0) throw new Error(`${failed} of ${requests} sign-ups failed`);
    stored += requests - refused;
    if (stored >= signUps / 2) values.push(megabytes(server.pid));
  }
  const seconds = (performance.now() - started) / 1000;
  return { signUps: stored, seconds, megabytes: median(values) };
}
