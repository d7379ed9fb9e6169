/** The pages of the console on a small and a large list, and the sign-ups beside somebody who reads them. @module */
import { mark, median, printTable } from "../compare.ts";
import { type ServerProcess, startService } from "../server_process.ts";
import { type BesideFigures, measureBeside, PAGES_PER_SECOND, SLOWER_BESIDE } from "./beside.ts";
import { pageReader, signIn } from "./visitor.ts";
import type { LoadRequest } from "../wrk.ts";

/** The most that a page may take, in milliseconds (median). */
const AT_MOST_MS = 50;

/**
 * How many times as long a page of the large list may take. A search reads at most 3,500 entries, and the small list of
 * 1,000 people has two sevenths of them.
 */
const GROWTH = 4.2;

/** The difference between two pages that is too small to matter, in milliseconds. */
const LITTLE_MS = 5;

/** Requests of each page that count, and those before them. */
const REQUESTS = 50;
const WARM_UPS = 20;

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
  p99: BesideFigures;
  holds: boolean;
}

/** Measures the pages on two KV files, and the sign-ups on the large one, of which another process gets a copy. */
export async function measureConsole(small: string, large: string): Promise<ConsoleFigures> {
  const onSmall = await onService(small, mediansOf);
  const copy = `${large}.copy`;
  await Deno.copyFile(large, copy);
  // Writes the copy to the disk now, because the commits of the sign-ups would otherwise wait for this.
  await syncFile(copy);
  const { medians, p99 } = await onService(large, async (own, pages) => ({
    medians: await mediansOf(own, pages),
    p99: await onService(copy, async (other, otherPages) => {
      // Compiles the pages of the other process as well, as the medians have done for this one.
      await mediansOf(other, otherPages);
      return await measureBeside(
        { ...own, pages: [...pages.values()] },
        { ...other, pages: [...otherPages.values()] },
      );
    }),
  }));
  const pages = [...medians].map(([page, ms]): PageFigures => {
    const before = onSmall.get(page) ?? NaN;
    const holds = ms <= AT_MOST_MS && ms <= Math.max(before * GROWTH, before + LITTLE_MS);
    return { page, small: before, large: ms, holds };
  });
  return { pages, p99, holds: p99.holds && pages.every(({ holds }) => holds) };
}

async function syncFile(path: string): Promise<void> {
  using file = await Deno.open(path, { write: true });
  await file.sync();
}

/** Starts a service on a KV file and signs an operator in. */
async function onService<Figures>(
  kvPath: string,
  measure: (server: ServerProcess, pages: Map<string, LoadRequest>) => Promise<Figures>,
): Promise<Figures> {
  const key = crypto.randomUUID();
  await using server = await startService(kvPath, { OPERATOR_KEY: key });
  return await measure(server, await signIn(`http://127.0.0.1:${server.port}`, key));
}

async function mediansOf(
  { port }: ServerProcess,
  pages: Map<string, LoadRequest>,
): Promise<Map<string, number>> {
  const ask = pageReader(`http://127.0.0.1:${port}`);
  const medians = new Map<string, number>();
  for (const [name, page] of pages) {
    for (let n = 0; n < WARM_UPS; n++) await ask(page);
    const times: number[] = [];
    for (let n = 0; n < REQUESTS; n++) {
      const started = performance.now();
      await ask(page);
      times.push(performance.now() - started);
    }
    medians.set(name, median(times));
  }
  return medians;
}

/** Prints figures as a table. @param signUps the sizes of the two lists */
export function printConsole({ pages, p99 }: ConsoleFigures, signUps: [number, number]): void {
  const [small, large] = signUps.map((size) => size.toLocaleString("en"));
  console.log();
  printTable(
    `Page of the console | ${small} people, ms: | ${large} people, ms: | `,
    pages.map(({ page, small, large, holds }) => {
      return [page, small.toFixed(1), large.toFixed(1), mark(holds)];
    }),
  );
  const [without, elsewhere, beside] = [p99.without, p99.elsewhere, p99.beside]
    .map((ms) => ms.toFixed(1));
  console.log(
    `\np99 of sign-ups: ${without} ms without pages; ${elsewhere} ms while another process serves ` +
      `${PAGES_PER_SECOND} pages a second; ${beside} ms while their own process serves them ` +
      `(at most ${SLOWER_BESIDE} times as long as while another process does) ` +
      `${mark(p99.holds)}\n`,
  );
}
