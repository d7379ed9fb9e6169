/**
 * Draws mutants of the source by a seed, and finds out which of them the fast tests notice. A mutant is a copy of the
 * project with one small fault (`faults.ts`). `deno task mutants --seed 7 --count 150 --results results.ndjson`
 * writes a line for each mutant; a mutant that has a line in the file is not tried again. @module
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { copyProject, readSources } from "../../support/project_files.ts";
import { PROJECT } from "../../support/process.ts";
import { type Mutant, mutantsOf, withFault } from "./faults.ts";

/** The rooms whose mutants are drawn. */
const ROOMS = ["waitlist", "oauth", "limits", "http", "api", "store/people"];

/** The longest time of a room's tests and of all fast tests, in milliseconds; a mutant that takes longer is noticed. */
const ROOM_MS = 180_000;
const ALL_MS = 600_000;

/** What became of a mutant. */
interface Result extends Omit<Mutant, "start" | "end" | "to"> {
  id: string;
  /** Which tests noticed the fault: those of its room, those of other rooms, or none. */
  noticedBy: "room" | "others" | "none";
}

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "7" },
    count: { type: "string", default: "150" },
    results: { type: "string", default: "mutants.ndjson" },
  },
});

const mutants = draw(await allMutants(), Number(values.count), Number(values.seed));
const done = await readResults(values.results);
await using copy = await copyProject();
for (const mutant of mutants) {
  const id = `${mutant.path}:${mutant.start}:${mutant.fault}`;
  if (done.has(id)) continue;
  const { start: _, end: _end, to: _to, ...shown } = mutant;
  const result: Result = { id, ...shown, noticedBy: await tryOut(mutant) };
  done.set(id, result);
  await Deno.writeTextFile(values.results, `${JSON.stringify(result)}\n`, { append: true });
  console.log(`${result.noticedBy.padEnd(6)} ${result.path}:${result.line} ${result.fault}`);
}
const noticed = [...done.values()].filter(({ noticedBy }) => noticedBy !== "none").length;
console.log(`${noticed} of ${done.size} mutants are noticed (seed ${values.seed})`);

async function allMutants(): Promise<Mutant[]> {
  const sources = await readSources(ROOMS.map((room) => `server/${room}`));
  return sources.flatMap(({ path, text }) => mutantsOf(path, text));
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

async function tryOut(mutant: Mutant): Promise<Result["noticedBy"]> {
  const file = join(copy.path, mutant.path);
  const text = await Deno.readTextFile(join(PROJECT, mutant.path));
  await Deno.writeTextFile(file, withFault(text, mutant));
  try {
    const room = ROOMS.find((each) => mutant.path.startsWith(`server/${each}/`))!;
    const own = ["test", "--config", "tests/deno.json", "-A", "--no-check", "--parallel"];
    if (!await passes([...own, "--fail-fast", `tests/server/${room}`], ROOM_MS)) return "room";
    return await passes(["task", "test", "--no-check", "--fail-fast"], ALL_MS) ? "none" : "others";
  } finally {
    await Deno.writeTextFile(file, text);
  }
}

/** Runs Deno in the copy; false where it fails or takes too long. */
async function passes(args: string[], ms: number): Promise<boolean> {
  const command = new Deno.Command(Deno.execPath(), {
    args,
    cwd: copy.path,
    stdout: "null",
    stderr: "null",
    signal: AbortSignal.timeout(ms),
  });
  return (await command.output()).success;
}
