/**
 * The pages of the console on a small and a large list, and the sign-ups beside somebody who reads them.
 *
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import { PATHS, SIGN_IN_PATH } from "../../../server/console/layout.ts";
import { SIGN_UPS_PER_SECOND, WARM_UP_MS } from "./list/measure_command.ts";
import { startSteadySignUps } from "./list/steady_sign_ups.ts";
import { ServerProcess } from "./server_process.ts";

/** The most that a page may take, in milliseconds (median). */
const AT_MOST_MS = 50;

/**
 * How much longer a page of the large list may take, and what is too little to matter, in milliseconds. A small list of
 * 1,000 people has half of the entries that a page reads at most.
 */
const GROWTH = 2.5, LITTLE_MS = 5;

/** How much longer one in a hundred sign-ups may wait beside the pages than without. */
const SLOWER_BESIDE = 1.2;

/** Requests of each page that count, and those before them. */
const REQUESTS = 50, WARM_UPS = 20;

/** The pages that are asked for each second beside the sign-ups, and how long, in milliseconds. */
const PAGES_PER_SECOND = 10, BESIDE_MS = 5_000, BESIDE_ROUNDS = 3;

/** What a page took, in milliseconds (median). */
interface PageFigures {
  page: string;
  small: number;
  large: number;
  holds: boolean;
}

/** What the console took. */
export interface ConsoleFigures {
  pages: PageFigures[];
  /** What one in a hundred sign-ups waited without the pages and beside them, in milliseconds. */
  p99: { without: number; beside: number; holds: boolean };
  holds: boolean;
}

type AskForPage = () => Promise<void>;

/** Measures the pages on two KV files, and the sign-ups on the large one. */
export async function measureConsole(small: string, large: string): Promise<ConsoleFigures> {
  const onSmall = await onService(small, mediansOf);
  const { medians, p99 } = await onService(large, async (pages, baseUrl) => ({
    medians: await mediansOf(pages),
    p99: await measureBeside(pages, baseUrl),
  }));
  const pages = [...medians].map(([page, ms]): PageFigures => {
    const before = onSmall.get(page) ?? NaN;
    const holds = ms <= AT_MOST_MS && ms <= Math.max(before * GROWTH, before + LITTLE_MS);
    return { page, small: before, large: ms, holds };
  });
  return { pages, p99, holds: p99.holds && pages.every(({ holds }) => holds) };
}

/** Signs an operator in to a service on a KV file, and lets `measure` ask for pages. */
async function onService<Figures>(
  kvPath: string,
  measure: (pages: Map<string, AskForPage>, baseUrl: string) => Promise<Figures>,
): Promise<Figures> {
  const key = crypto.randomUUID();
  await using server = await ServerProcess.startService(kvPath, { OPERATOR_KEY: key });
  const baseUrl = `http://127.0.0.1:${server.port}`;
  let calls = 0;
  let cookie = "";

  async function ask(path: string, form?: Record<string, string>): Promise<Response> {
    const response = await fetch(baseUrl + path, {
      redirect: "manual",
      headers: {
        Cookie: cookie,
        Origin: "http://localhost:8000",
        // Each call is of another address, as the limits are not what is measured.
        "X-Forwarded-For": `10.9.${++calls >> 8 & 255}.${calls & 255}`,
      },
      ...form && { method: "POST", body: new URLSearchParams(form) },
    });
    await response.bytes();
    return response;
  }
  const page = (path: string, form?: Record<string, string>) => async () => {
    const { status } = await ask(path, form);
    if (status !== 200) throw new Error(`${path} answered ${status}`);
  };

  const signedIn = await ask(SIGN_IN_PATH, { key });
  cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
  const pages = new Map([
    ["Overview", page(PATHS.overview)],
    ["People", page(PATHS.people)],
    // Nobody in the list has it, so that as much is read as a page ever reads.
    ["People with a rare filter", page(`${PATHS.people}?lang=en`)],
    // Both lists have more of them than fit on a page.
    ["Search", page(PATHS.people, { search: "seed9" })],
  ]);
  return await measure(pages, baseUrl);
}

async function mediansOf(pages: Map<string, AskForPage>): Promise<Map<string, number>> {
  const medians = new Map<string, number>();
  for (const [name, ask] of pages) {
    for (let n = 0; n < WARM_UPS; n++) await ask();
    const times: number[] = [];
    for (let n = 0; n < REQUESTS; n++) {
      const started = performance.now();
      await ask();
      times.push(performance.now() - started);
    }
    medians.set(name, medianOf(times));
  }
  return medians;
}

/** Measures the sign-ups without the pages and beside them, in turn. */
async function measureBeside(
  pages: Map<string, AskForPage>,
  baseUrl: string,
): Promise<ConsoleFigures["p99"]> {
  const asks = [...pages.values()];
  const rounds = { without: [] as number[], beside: [] as number[] };
  await startAndStop(baseUrl, () => delay(WARM_UP_MS));
  for (let round = 0; round < BESIDE_ROUNDS; round++) {
    rounds.without.push(await startAndStop(baseUrl, () => delay(BESIDE_MS)));
    rounds.beside.push(
      await startAndStop(baseUrl, async () => {
        const until = performance.now() + BESIDE_MS;
        for (let n = 0; performance.now() < until; n++) {
          await Promise.all([asks[n % asks.length]?.(), delay(1_000 / PAGES_PER_SECOND)]);
        }
      }),
    );
  }
  const [without, beside] = [medianOf(rounds.without), medianOf(rounds.beside)];
  return { without, beside, holds: beside <= without * SLOWER_BESIDE };
}

/** Sends sign-ups during some work; gives what one in a hundred of them waited. */
async function startAndStop(baseUrl: string, work: () => Promise<void>): Promise<number> {
  const signUps = startSteadySignUps(baseUrl, SIGN_UPS_PER_SECOND);
  await work();
  const { p99, failed } = await signUps.stop();
  return failed === 0 ? p99 : Infinity;
}

function medianOf(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

/** Prints figures as a table. @param signUps the sizes of the two lists */
export function printConsole({ pages, p99 }: ConsoleFigures, signUps: [number, number]): void {
  const [small, large] = signUps.map((size) => size.toLocaleString("en"));
  console.log(`\n| Page of the console | ${small} people, ms | ${large} people, ms | |`);
  console.log("|---|---:|---:|---|");
  for (const { page, small, large, holds } of pages) {
    console.log(`| ${page} | ${small.toFixed(1)} | ${large.toFixed(1)} | ${holds ? "✓" : "✗"} |`);
  }
  console.log(
    `\nSign-ups beside ${PAGES_PER_SECOND} pages a second: p99 ${
      p99.beside.toFixed(1)
    } ms, without ` +
      `${p99.without.toFixed(1)} ms (at most ${SLOWER_BESIDE} times as long) ${
        p99.holds ? "✓" : "✗"
      }\n`,
  );
}
