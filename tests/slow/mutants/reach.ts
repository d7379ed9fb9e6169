/**
 * Finds out which tests run the place of each mutant, because no other test can notice the mutant. All fast tests run
 * once on a copy of the project whose places are marked.
 *
 * A place that runs outside a test, as when a module is loaded, counts for all tests of the process. A place that runs
 * once in a process, because its result is kept, counts only for the first test that needs the result. @module
 */
import { join } from "node:path";
import { fastTestsIn, groupOf, GROUPS } from "../../support/fast_tests.ts";
import { type Mutant, withMarks } from "./faults.ts";
import { type EndedTest, runTests, type TestName } from "./run.ts";
import { BEFORE_ALL } from "./watch.ts";

/** A test with its time. */
export interface TimedTest extends TestName {
  milliseconds: number;
}

/** All fast tests, and those that run the place of each mutant, as indexes, by the mutant's id. */
export interface Reach {
  tests: TimedTest[];
  byMutant: Record<string, number[]>;
}

/** The most CPU time of a group in seconds. */
const GROUP_CPU_SECONDS = 600;

/** The folder `tests/`, before a path of `fast_tests.ts`. */
const TESTS = "tests/";

/** Runs all fast tests of a copy. The copy is as before at the end. */
export async function findReach(
  copy: string,
  mutants: (Mutant & { id: string })[],
): Promise<Reach> {
  const numbered = new Map(mutants.map((mutant, number) => [number, mutant]));
  const mark = String(new URL("./mark.ts", import.meta.url));
  const texts = new Map<string, string>();
  for (const [path, places] of Map.groupBy(numbered, ([, mutant]) => mutant.path)) {
    const text = await Deno.readTextFile(join(copy, path));
    texts.set(path, text);
    await Deno.writeTextFile(join(copy, path), withMarks(text, mark, new Map(places)));
  }
  const reach: Reach = {
    tests: [],
    byMutant: Object.fromEntries(mutants.map(({ id }) => [id, []])),
  };
  for (const group of GROUPS) {
    const files = fastTestsIn("").filter((path) => groupOf(path) === group);
    const choice = new Map(files.map((path) => [TESTS + path, undefined]));
    const marks = await Deno.makeTempDir({ dir: join(copy, ".."), prefix: "marks-" });
    await Deno.writeTextFile(join(marks, "ran"), "");
    const options = { cpuSeconds: GROUP_CPU_SECONDS, goOn: true, marks };
    const { ended, reason = "" } = await runTests(copy, choice, options);
    for (const { file, title, passed } of ended) {
      if (!passed) console.log(`fails with marks: ${file}: ${title}`);
    }
    console.log(`${ended.length} tests of ${TESTS}${group} ${reason}`);
    addRun(reach, mutants, ended, await Deno.readTextFile(join(marks, "ran")));
  }
  for (const [path, text] of texts) await Deno.writeTextFile(join(copy, path), text);
  return reach;
}

/**
 * Adds the tests of a process.
 * @param ran lines, each with the number of a test, or 0 outside a test, and the number of a mutant
 */
export function addRun(
  reach: Reach,
  mutants: { id: string }[],
  ended: EndedTest[],
  ran: string,
): void {
  const first = reach.tests.length;
  const tests = ended.filter(({ title }) => title !== BEFORE_ALL);
  reach.tests.push(
    ...tests.map(({ file, title, milliseconds }) => ({ file, title, milliseconds })),
  );
  const filesOfHooks = new Map(
    ended.filter(({ title }) => title === BEFORE_ALL).map(({ number, file }) => [number, file]),
  );
  const notes = Map.groupBy(
    ran.split("\n").filter(Boolean).map((line) => line.split(" ").map(Number)),
    ([, mutant]) => mutant!,
  );
  for (const [mutant, pairs] of notes) {
    const numbers = new Set(pairs.map(([test]) => test!));
    const files = new Set([...numbers].map((number) => filesOfHooks.get(number)));
    const indexes = tests.flatMap(({ number, file }, index) =>
      numbers.has(0) || numbers.has(number) || files.has(file) ? first + index : []
    );
    reach.byMutant[mutants[mutant]!.id]!.push(...indexes);
  }
}
