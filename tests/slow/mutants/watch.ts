/** Runs in the process of the tests: chooses tests by file and title, and reports each test's begin and end. @module */
import { beginTest } from "./mark.ts";

/** What stands in a report in place of a title while the hooks before the tests of a file run. */
export const BEFORE_ALL = "(before the tests)";

/** A line of the report: a test that begins, or the end of the test that began with this number. */
export type ReportLine =
  | { number: number; file: string; title: string }
  | { number: number; passed: boolean; milliseconds: number };

interface WatchOptions {
  /** The file that gets a line of JSON for each begin and end. */
  report: string;
  /** The titles of the tests to run, by file. If a file is absent here, all of its tests run. */
  chosen: Record<string, string[]>;
  /** The most time of a test in seconds; a test that waits for ever fails after this time. */
  mostSeconds: number;
}

type Definition = Partial<Deno.TestDefinition>;

/**
 * Takes the place of `Deno.test`.
 * @returns the function that says which file's tests are declared next
 */
export function watchTests(
  { report, chosen, mostSeconds }: WatchOptions,
): (file: string) => void {
  const { test: register } = Deno;
  const { setInterval, clearInterval, performance } = globalThis;
  const start = performance.now.bind(performance);
  // An open file needs no permission, which some tests take away.
  const lines = Deno.openSync(report, { append: true, create: true });
  const write = (line: ReportLine) =>
    void lines.writeSync(new TextEncoder().encode(`${JSON.stringify(line)}\n`));
  let declaring = "";
  let last = 0;

  /** Reports the begin and the end of a test or of a hook. */
  async function act(file: string, title: string, work: () => Promise<boolean>): Promise<void> {
    const number = ++last;
    write({ number, file, title });
    beginTest(number);
    const started = start();
    let passed = false;
    let timer;
    try {
      passed = await Promise.race([
        work(),
        new Promise<never>((_, reject) => {
          // Counts seconds, because a process that somebody stops for a while must not fail when it goes on.
          let seconds = 0;
          timer = setInterval(() => {
            if (++seconds === mostSeconds) reject(new Error(`not done after ${seconds} seconds`));
          }, 1000);
        }),
      ]);
    } finally {
      clearInterval(timer);
      beginTest(0);
      write({ number, passed, milliseconds: Math.round(start() - started) });
    }
  }

  function test(...args: unknown[]): void {
    const file = declaring;
    const { name = "", fn, ...others } = definitionOf(args);
    if (chosen[file] && !chosen[file].includes(name)) return;
    register({
      ...others,
      name,
      fn: (t) =>
        act(file, name, async () => {
          let passed = true;
          const step = t.step.bind(t) as (...args: unknown[]) => Promise<boolean>;
          const watched = async (...args: unknown[]) => {
            const stepPassed = await step(...args);
            passed &&= stepPassed || definitionOf(args).ignore === true;
            return stepPassed;
          };
          Object.assign(t, { step: watched });
          await fn!(t);
          return passed;
        }),
    });
  }

  const beforeAll = (hook: () => void | Promise<void>) => {
    const file = declaring;
    register.beforeAll(() =>
      act(file, BEFORE_ALL, async () => {
        await hook();
        return true;
      })
    );
  };
  Object.assign(Deno, { test: Object.assign(test, { ...register, beforeAll }) });
  return (file) => declaring = file;
}

/** Gives the one form of the forms that `Deno.test()` and `step()` take. */
export function definitionOf(args: unknown[]): Definition {
  const definition: Definition = {};
  for (const argument of args) {
    if (typeof argument === "string") definition.name = argument;
    else if (typeof argument === "function") {
      definition.fn = argument as Deno.TestDefinition["fn"];
      definition.name ??= argument.name;
    } else Object.assign(definition, argument);
  }
  return definition;
}
