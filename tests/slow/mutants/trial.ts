/**
 * Tries one mutant: runs those tests that can notice it, until one of them fails. A failure counts if it repeats, and if
 * the same tests pass without the fault. @module
 */
import { join } from "node:path";
import { groupOf } from "../../support/fast_tests.ts";
import { type Mutant, withFault } from "./faults.ts";
import type { Reach, TimedTest } from "./reach.ts";
import { choose, type Run, runTests } from "./run.ts";

/** What became of a mutant. */
export interface Verdict {
  /** Which tests noticed the fault: those of its room, those of others, none, or the process broke outside a test. */
  noticedBy: "room" | "others" | "process" | "none";
  /** How many fast tests run the place of the fault. */
  tests: number;
  /** The first test that failed, such as `tests/server/app_test.ts: title`. */
  test?: string;
  /** The last error of the process that failed. */
  reason?: string;
}

/** The CPU seconds that a process may take beside its tests, and how much longer than before the tests may take. */
const EXTRA_CPU_SECONDS = 20;
const MOST_TIMES_LONGER = 4;

/** How often a failure that does not repeat is tried again. */
const MOST_TRIES = 3;

/**
 * Lists the tests that can notice a mutant, in the order in which they run: the tests of its own file, then those of its
 * room, then a list for each other group of `fast.ts`. All tests of its own file run, because some of them may run
 * the place in a process that takes no notes.
 */
export function stagesOf(
  { path, room, reach, id }: { path: string; room: string; reach: Reach; id: string },
): TimedTest[][] {
  const own = `tests/${path.replace(/\.ts$/, "_test.ts")}`;
  const inRoom = `tests/server/${room}/`;
  const reaching = (reach.byMutant[id] ?? []).map((index) => reach.tests[index]!)
    .filter(({ file }) => file !== own);
  const others = reaching.filter(({ file }) => !file.startsWith(inRoom));
  return [
    reach.tests.filter(({ file }) => file === own),
    reaching.filter(({ file }) => file.startsWith(inRoom)),
    ...Map.groupBy(others, ({ file }) => groupOf(file.slice("tests/".length))).values(),
  ].filter(({ length }) => length > 0);
}

/** Tries a mutant of a copy of the project. The copy is as before at the end. */
export async function tryOut(
  copy: string,
  mutant: Mutant & { id: string },
  room: string,
  reach: Reach,
): Promise<Verdict> {
  const path = join(copy, mutant.path);
  const text = await Deno.readTextFile(path);
  const faulty = withFault(text, mutant);
  const tests = reach.byMutant[mutant.id]?.length ?? 0;

  async function run(chosen: TimedTest[], source: string): Promise<Run> {
    await Deno.writeTextFile(path, source);
    try {
      const seconds = chosen.reduce((sum, { milliseconds }) => sum + milliseconds / 1000, 0);
      const cpuSeconds = EXTRA_CPU_SECONDS + MOST_TIMES_LONGER * seconds;
      return await runTests(copy, choose(chosen), { cpuSeconds });
    } finally {
      await Deno.writeTextFile(path, text);
    }
  }

  /** Runs the tests, and those that failed alone, until a failure is sure. */
  async function findFailure(stage: TimedTest[]): Promise<Run | undefined> {
    let left = stage;
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const first = await run(left, faulty);
      if (first.passed) return;
      const { failed } = first;
      const alone = left.filter(({ file, title }) =>
        file === failed?.file && title === failed.title
      );
      // A failure outside a test, or one that needs the tests before it, must repeat with all tests.
      for (const chosen of alone.length > 0 ? [alone, left] : [left]) {
        const repeated = await run(chosen, faulty);
        if (repeated.passed || repeated.failed?.title !== failed?.title) continue;
        const { passed } = await run(chosen, text);
        if (passed) return first;
        // The test fails without the fault as well, so it cannot notice the mutant.
        left = left.filter((test) => !alone.includes(test));
      }
    }
    throw new Error(`tests fail at random: ${stage[0]!.file} and ${stage.length - 1} other tests`);
  }

  for (const stage of stagesOf({ path: mutant.path, room, reach, id: mutant.id })) {
    const failure = await findFailure(stage);
    if (!failure) continue;
    const { failed, reason } = failure;
    const inRoom = failed?.file.startsWith(`tests/server/${room}/`);
    return {
      noticedBy: !failed ? "process" : inRoom ? "room" : "others",
      tests,
      ...(failed && { test: `${failed.file}: ${failed.title}` }),
      ...(reason && { reason }),
    };
  }
  return { noticedBy: "none", tests };
}
