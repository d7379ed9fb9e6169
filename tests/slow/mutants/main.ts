/**
 * Draws mutants of the source by a seed, and finds out which of them the fast tests notice. A mutant is a copy of the
 * project with one small fault (`faults.ts`). `deno task mutants --seed 7 --count 150 --results results.ndjson`
 * writes a line for each mutant; a mutant that has a line in the file is not tried again. The tests that run the place
 * of each mutant are found first (`reach.ts`), and kept in `results.ndjson.reach.json`.
 *
 * `--again before.ndjson` draws none: it tries the mutants of an earlier run, and finds them by the text of their
 * statement or line (`candidates.ts`), because the source may have changed. @module
 */
import { parseArgs } from "node:util";
import { copyProject } from "../../support/project_files.ts";
import { allCandidates, type EarlierMutant, findAgain, roomOf } from "./candidates.ts";
import type { FoundMutant } from "./candidates.ts";
import { draw } from "./draw.ts";
import { findReach, type Reach } from "./reach.ts";
import { tryOut, type Verdict } from "./trial.ts";

/** A line of the results: a mutant with what became of it. */
type Result = Omit<FoundMutant, "start" | "end" | "to" | "whole"> & Verdict;

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "7" },
    count: { type: "string", default: "150" },
    results: { type: "string", default: "mutants.ndjson" },
    again: { type: "string" },
  },
});

const mutants = await chooseMutants();
const done = new Map((await readLines<Result>(values.results)).map((each) => [each.id, each]));
const folder = await Deno.makeTempDir({ prefix: "waitlist-mutants-" });
await using copy = await copyProject({
  path: folder,
  [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
});
const reach = await readReach();
for (const mutant of mutants) {
  if (done.has(mutant.id)) continue;
  const { start: _start, end: _end, to: _to, whole: _whole, ...shown } = mutant;
  const at = `${mutant.path}:${mutant.line} ${mutant.fault}`;
  try {
    const result = { ...shown, ...await tryOut(copy.path, mutant, roomOf(mutant.path), reach) };
    done.set(mutant.id, result);
    await Deno.writeTextFile(values.results, `${JSON.stringify(result)}\n`, { append: true });
    console.log(`${result.noticedBy.padEnd(7)} ${at}`);
  } catch (error) {
    // A fault of the trial. The mutant has no line, so it is tried again when the task runs again.
    console.log(`untried ${at}: ${error}`);
  }
}
const results = mutants.flatMap(({ id }) => done.get(id) ?? []);
const noticed = results.filter(({ noticedBy }) => noticedBy !== "none").length;
console.log(`${noticed} of ${results.length} mutants are noticed`);

async function chooseMutants(): Promise<FoundMutant[]> {
  const candidates = await allCandidates();
  if (!values.again) return draw(candidates, Number(values.count), Number(values.seed));
  const { found, lost } = findAgain(candidates, await readLines<EarlierMutant>(values.again));
  for (const { path, line, fault, code } of lost) {
    console.log(`lost    ${path}:${line} ${fault}: ${code}`);
  }
  console.log(`${found.length} of ${found.length + lost.length} mutants are tried again`);
  return found;
}

/** Reads which tests run the place of each mutant, or finds it out. */
async function readReach(): Promise<Reach> {
  const path = `${values.results}.reach.json`;
  const kept = await Deno.readTextFile(path).catch(() => undefined);
  if (kept) return JSON.parse(kept);
  const reach = await findReach(copy.path, mutants);
  await Deno.writeTextFile(path, JSON.stringify(reach));
  return reach;
}

async function readLines<Line>(path: string): Promise<Line[]> {
  const text = await Deno.readTextFile(path).catch(() => "");
  return text.split("\n").filter(Boolean).map((line): Line => JSON.parse(line));
}
