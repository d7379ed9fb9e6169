/** The time to read a place in line on lists of different sizes. @module */
import { readPlace } from "../../../server/store/people/line.ts";
import { storeSignUps } from "../../../server/store/people/sign_ups.ts";
import { findRecords } from "../../../server/store/people/records.ts";
import { openKv } from "../../../server/store/kv/open.ts";
import { outputOf } from "../../support/process.ts";
import { recordId } from "../../support/records.ts";
import { mark, median, printTable } from "./compare.ts";

/** The people of the small list. */
const SMALL = 1_000;

/** The people whose places are read, and the reads before them that do not count. */
const READS = 2_000;
const WARM_UPS = 200;

/** How many times as long as on the small list a place may take on a list of many people (medians). */
const GROWTH = 1.5;

/** The time in which the people of a list signed up, in milliseconds: two years. */
const SPREAD_MS = 2 * 365 * 24 * 60 * 60_000;

const LISTS = {
  "at different moments": (n: number, count: number) => n * SPREAD_MS / count,
  "half of them at one moment": (n: number, count: number) =>
    n % 2 === 0 ? n * SPREAD_MS / count : SPREAD_MS / 2,
};

type ListName = keyof typeof LISTS;

/** What a place took on a list. */
export interface LineFigures {
  people: number;
  list: ListName;
  /** The median time, in milliseconds. */
  ms: number;
  /** How many times as long it takes as on the small list. */
  ratio: number;
  holds: boolean;
}

/** Measures places on a list of 1,000 people and on two lists of many people. */
export async function measureLine(folder: string, signUps: number): Promise<LineFigures[]> {
  const figures: LineFigures[] = [];
  for (
    const [people, list] of [
      [SMALL, "at different moments"],
      [signUps, "at different moments"],
      [signUps, "half of them at one moment"],
    ] as const
  ) {
    // A process of its own leaves nothing in memory.
    const args = [`${folder}/line${figures.length}.sqlite3`, people, list].map(String);
    const { pathname } = new URL(import.meta.url);
    const ms = Number(await outputOf([Deno.execPath(), "run", "-A", pathname, ...args]));
    const ratio = ms / (figures[0]?.ms ?? ms);
    figures.push({ people, list, ms, ratio, holds: ratio <= GROWTH });
  }
  return figures;
}

/** The sign-ups of a commit. */
const BATCH = 90;

/** Fills a KV file, and gives the median time of a place there, in milliseconds. */
async function measurePlaces(path: string, people: number, list: ListName): Promise<number> {
  using store = await openKv({ kind: "file", path });
  const { kv } = store;
  const start = Date.now() - SPREAD_MS;
  for (let from = 0; from < people; from += BATCH) {
    const length = Math.min(BATCH, people - from);
    const signUps = Array.from({ length }, (_, index) => ({
      signUp: { email: emailOf(from + index) },
      at: new Date(start + LISTS[list](from + index, people)).toISOString(),
      id: recordId(),
    }));
    await storeSignUps(kv, signUps);
  }
  const times: number[] = [];
  for (let read = 0; read < WARM_UPS + READS; read++) {
    const [person] = await findRecords(kv, [emailOf(Math.floor(Math.random() * people))]);
    const started = performance.now();
    await readPlace(kv, person!.record);
    if (read >= WARM_UPS) times.push(performance.now() - started);
  }
  return median(times);
}

const emailOf = (n: number): string => `visitor${n}@example.com`;

/** Prints figures as a table. */
export function printLine(figures: LineFigures[]): void {
  console.log();
  printTable(
    `People | Signed up | A place, ms: | Ratio: | At most ${GROWTH}`,
    figures.map(({ people, list, ms, ratio, holds }) => [
      people.toLocaleString("en"),
      list,
      ms.toFixed(3),
      ratio.toFixed(2),
      mark(holds),
    ]),
  );
}

if (import.meta.main) {
  const [path = "", people = "", list = ""] = Deno.args;
  console.log(await measurePlaces(path, Number(people), list as ListName));
}
