/** Runs some tests of a copy of the project in one process, and tells which of them failed. @module */
import { join } from "node:path";
import { FOLDER_VARIABLE } from "./mark.ts";
import { BEFORE_ALL, type ReportLine } from "./watch.ts";

/** A test, such as `store takes an address` in `tests/server/store/people/sign_ups_test.ts`. */
export interface TestName {
  /** Relative to the project. */
  file: string;
  title: string;
}

/** The end of a test that ran. */
export interface EndedTest extends TestName {
  number: number;
  passed: boolean;
  milliseconds: number;
}

/** The end of a process that ran tests. */
export interface Run {
  passed: boolean;
  /** The tests and the hooks that ended. */
  ended: EndedTest[];
  /** The first test that failed, or during which the process broke; absent if the process broke outside a test. */
  failed?: TestName;
  /** Why the process failed, such as `SyntaxError: …`. */
  reason?: string;
}

/** What to run: the titles of the tests by file; `undefined` for all tests of a file. */
export type Choice = Map<string, string[] | undefined>;

interface RunOptions {
  /** The most CPU time of the process in seconds. It makes no difference between a busy machine and a quiet one. */
  cpuSeconds: number;
  /** Whether to go on after a test that fails. */
  goOn?: boolean;
  /** The folder that gets the notes of `mark.ts`. */
  marks?: string;
}

/** The most time of one test in seconds. */
const MOST_TEST_SECONDS = 30;

/** The most time of a process in seconds. It is long, because machines are busy. */
const MOST_SECONDS = 1800;

/**
 * Runs tests in one process.
 * @param copy the folder of the copy; files of the run are made beside it
 */
export async function runTests(
  copy: string,
  choice: Choice,
  { cpuSeconds, goOn = false, marks }: RunOptions,
): Promise<Run> {
  const folder = await Deno.makeTempDir({ dir: join(copy, ".."), prefix: "run-" });
  try {
    const [report, main] = [join(folder, "report"), join(folder, "main_test.ts")];
    await Deno.writeTextFile(report, "");
    await Deno.writeTextFile(main, mainModule(copy, choice, report));
    const options = ["--config", "tests/deno.json", "-A", "--no-check"];
    const args = ["test", ...options, ...goOn ? [] : ["--fail-fast"], main];
    const limited = `ulimit -t ${Math.ceil(cpuSeconds)}; exec "$0" "$@"`;
    const { success, code, stdout, stderr } = await new Deno.Command("timeout", {
      args: ["-s", "KILL", String(MOST_SECONDS), "sh", "-c", limited, Deno.execPath(), ...args],
      cwd: copy,
      // What a test that was stopped leaves behind goes with the folder.
      env: { NO_COLOR: "1", TMPDIR: folder, ...(marks && { [FOLDER_VARIABLE]: marks }) },
      stdout: "piped",
      stderr: "piped",
    }).output();
    const output = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join("\n");
    return readRun(await Deno.readTextFile(report), { success, code, output });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** The module that loads the test files one after another, so that each test is known by its file. */
function mainModule(copy: string, choice: Choice, report: string): string {
  const chosen = Object.fromEntries([...choice].filter(([, titles]) => titles));
  const options = { report, chosen, mostSeconds: MOST_TEST_SECONDS };
  return [
    `import { watchTests } from "${new URL("./watch.ts", import.meta.url)}";`,
    `const declare = watchTests(${JSON.stringify(options)});`,
    ...[...choice.keys()].map((file) =>
      `declare("${file}"); await import("${new URL(`file://${join(copy, file)}`)}");`
    ),
  ].join("\n");
}

/** Reads the report of a process, and what it has printed. */
export function readRun(
  report: string,
  { success, code, output }: { success: boolean; code: number; output: string },
): Run {
  const begun = new Map<number, TestName>();
  const ended: EndedTest[] = [];
  for (const text of report.split("\n").filter((text) => text.endsWith("}"))) {
    const line: ReportLine = JSON.parse(text);
    if ("file" in line) begun.set(line.number, { file: line.file, title: line.title });
    else {
      ended.push({ ...begun.get(line.number)!, ...line });
      begun.delete(line.number);
    }
  }
  if (success) return { passed: true, ended };
  const [unended] = begun.values();
  const failed = ended.find(({ passed }) => !passed) ?? unended;
  const error = /^error: (?!Test failed)(.+)/m.exec(output)?.[1];
  // The shell gives 128 and the number of the signal that ended the process, as after too much CPU time.
  const reason = error ?? (code > 128 ? `stopped by signal ${code - 128}` : `exit ${code}`);
  return {
    passed: false,
    ended,
    reason,
    ...(failed && { failed: { file: failed.file, title: failed.title } }),
  };
}

/** Chooses tests: by title, but all of a file whose hook before the tests is named. */
export function choose(tests: TestName[]): Choice {
  const byFile = Map.groupBy(tests, ({ file }) => file);
  return new Map(
    [...byFile].map(([file, named]) => {
      const titles = named.map(({ title }) => title);
      return [file, titles.includes(BEFORE_ALL) ? undefined : titles];
    }),
  );
}
