/**
 * Draws mutants of the source by a seed, and finds out which of them the fast tests notice. A mutant is a copy of the
 * project with one small fault (`faults.ts`). `deno task mutants --seed 7 --count 150 --results results.ndjson`
 * writes a line for each mutant; a mutant that has a line in the file is not tried again.
 *
 * `--again before.ndjson` draws none: it tries those mutants of an earlier run that the tests noticed, and finds them
 * by their line's text, because the source may have changed. @module
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { copyProject, readSources } from "../../support/project_files.ts";
import { PROJECT } from "../../support/process.ts";
import { type Mutant, mutantsOf, withFault } from "./faults.ts";

/** The rooms whose mutants are drawn. */
const ROOMS = ["waitlist", "oauth", "limits", "http", "api", "store/people"];

/**
 * The most CPU time that one process of the tests takes, in seconds: of the tests of a file or a room, and of all fast
 * tests. A mutant that takes longer, as in an endless loop, is noticed. CPU time makes no difference between a busy
 * machine and a quiet one.
 */
const ROOM_CPU_SECONDS = 180;
const ALL_CPU_SECONDS = 900;

/** The most time of a process in seconds, which ends a test that waits for ever. It is long, because machines are busy. */
const MOST_SECONDS = 3600;

const OWN_TESTS = ["test", "--config", "tests/deno.json", "-A", "--no-check", "--fail-fast"];

/** What became of a mutant. */
interface Result extends Omit<Mutant, "start" | "end" | "to"> {
  id: string;
  /** The text of the line without its indentation. */
  code: string;
  /** Which tests noticed the fault: those of its room, those of other rooms, or none. */
  noticedBy: "room" | "others" | "none";
  /** The first test that failed, such as `tests/server/app_test.ts: title`; absent if a process failed without one. */
  test?: string;
}

/** The end of a run of tests; `test` as in `Result`. */
type Run = { passed: true } | { passed: false; test?: Failure };

interface Failure {
  file: string;
  title: string;
}

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "7" },
    count: { type: "string", default: "150" },
    results: { type: "string", default: "mutants.ndjson" },
    again: { type: "string" },
  },
});

const earlier = values.again ? [...(await readResults(values.again)).values()] : undefined;
const mutants = earlier
  ? findAgain(await allMutants(), earlier.filter(({ noticedBy }) => noticedBy !== "none"))
  : draw(await allMutants(), Number(values.count), Number(values.seed));
const done = await readResults(values.results);
const folder = await Deno.makeTempDir({ prefix: "waitlist-mutants-" });
await using copy = await copyProject({
  path: folder,
  [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
});
for (const mutant of mutants) {
  if (done.has(mutant.id)) continue;
  const { start: _, end: _end, to: _to, likelyTest: _test, ...shown } = mutant;
  const result: Result = { ...shown, ...await tryOut(mutant) };
  done.set(mutant.id, result);
  await Deno.writeTextFile(values.results, `${JSON.stringify(result)}\n`, { append: true });
  console.log(`${result.noticedBy.padEnd(6)} ${result.path}:${result.line} ${result.fault}`);
}
const noticed = [...done.values()].filter(({ noticedBy }) => noticedBy !== "none").length;
if (earlier) console.log(`${mutants.length} of ${earlier.length} mutants were tried again`);
console.log(`${noticed} of ${done.size} mutants are noticed`);

/** A mutant of the project as it is now. */
interface Candidate extends Mutant {
  id: string;
  code: string;
  /** The file of the test that noticed the mutant in an earlier run. */
  likelyTest?: string;
}

async function allMutants(): Promise<Candidate[]> {
  const sources = await readSources(ROOMS.map((room) => `server/${room}`));
  return sources.flatMap(({ path, text }) => {
    const lines = text.split("\n");
    return mutantsOf(path, text).map((mutant) => ({
      ...mutant,
      id: `${path}:${mutant.start}:${mutant.fault}`,
      code: lines[mutant.line - 1]!.trim(),
    }));
  });
}

/** Finds the mutants of an earlier run: the same fault in the same text, nearest to the line that it was in. */
function findAgain(candidates: Candidate[], earlier: Result[]): Candidate[] {
  return earlier.flatMap(({ path, fault, code, line, test }) => {
    const same = candidates.filter((each) =>
      each.path === path && each.fault === fault && each.code === code
    ).toSorted((a, b) => Math.abs(a.line - line) - Math.abs(b.line - line))[0];
    if (!same) return [];
    return { ...same, ...(test && { likelyTest: test.slice(0, test.indexOf(": ")) }) };
  });
}

/** Draws some of the items, the same ones for the same seed. */
function draw<T>(items: T[], count: number, seed: number): T[] {
  const random = createRandom(seed);
  const left = [...items];
  return Array.from(
    { length: Math.min(count, left.length) },
    () => left.splice(Math.floor(random() * left.length), 1)[0]!,
  );
}

/** A small generator of numbers from 0 to below 1 (mulberry32), because a seed has to give the same ones everywhere. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

async function readResults(path: string): Promise<Map<string, Result>> {
  const text = await Deno.readTextFile(path).catch(() => "");
  const results = text.split("\n").filter(Boolean).map((line): Result => JSON.parse(line));
  return new Map(results.map((result) => [result.id, result]));
}

async function tryOut(mutant: Candidate): Promise<Pick<Result, "noticedBy" | "test">> {
  const file = join(copy.path, mutant.path);
  const text = await Deno.readTextFile(join(PROJECT, mutant.path));
  await Deno.writeTextFile(file, withFault(text, mutant));
  try {
    const room = ROOMS.find((each) => mutant.path.startsWith(`server/${each}/`))!;
    // The fewest tests first: most mutants are noticed by the tests of their own file.
    const first = [mutant.likelyTest, `tests/${mutant.path.replace(".ts", "_test.ts")}`]
      .filter((path) => path !== undefined && exists(join(copy.path, path)));
    const runs = [
      ...first.map((path) => [...OWN_TESTS, path!]),
      [...OWN_TESTS, "--parallel", `tests/server/${room}`],
      ["run", "-A", "tests/fast.ts", "--fail-fast"],
    ];
    for (const args of runs) {
      const run = await runTwiceIfUnsure(args);
      if (run.passed) continue;
      const { test } = run;
      if (test) {
        await Deno.writeTextFile(file, text);
        const { passed } = await runTests(alone(test));
        if (!passed) throw new Error(`${test.file}: ${test.title} fails without a fault, too`);
      }
      // A process that failed without a test of its own is one of the room, unless it ran all tests.
      const inRoom = test ? test.file.startsWith(`tests/server/${room}/`) : args[0] === "test";
      return {
        noticedBy: inRoom ? "room" : "others",
        ...(test && { test: `${test.file}: ${test.title}` }),
      };
    }
    return { noticedBy: "none" };
  } finally {
    await Deno.writeTextFile(file, text);
  }
}

/** Runs tests, and once more if the test that failed passes alone: then the busy machine failed it. */
async function runTwiceIfUnsure(args: string[]): Promise<Run> {
  const run = await runTests(args);
  if (run.passed || !run.test) return run;
  return (await runTests(alone(run.test))).passed ? await runTests(args) : run;
}

/** The arguments that run one test. */
function alone({ title, file }: Failure): string[] {
  return [...OWN_TESTS, "--filter", title, file];
}

/** Runs Deno in the copy. */
async function runTests(args: string[]): Promise<Run> {
  const cpuSeconds = args[0] === "test" ? ROOM_CPU_SECONDS : ALL_CPU_SECONDS;
  const limited = `ulimit -t ${cpuSeconds}; exec "$0" "$@"`;
  const { success, stdout } = await new Deno.Command("timeout", {
    args: ["-s", "KILL", String(MOST_SECONDS), "sh", "-c", limited, Deno.execPath(), ...args],
    cwd: copy.path,
    env: { NO_COLOR: "1" },
    stdout: "piped",
    stderr: "null",
  }).output();
  if (success) return { passed: true };
  // Such as `title ... step => ./tests/server/app_test.ts:12:6`, in the list of failures.
  const failures = new TextDecoder().decode(stdout).split(" FAILURES ")[1] ?? "";
  const { 1: title, 2: file } = /^(.+?)(?: \.\.\. .+)? => (?:\.\/)?(\S+\.ts):\d+/m.exec(failures) ??
    [];
  return { passed: false, ...(title && file && { test: { title, file } }) };
}

function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
