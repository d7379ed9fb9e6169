/** Sign-ups without and beside somebody who reads the pages of the console. @module */
import { setTimeout as delay } from "node:timers/promises";
import { median } from "../compare.ts";
import { signUpsBeside, WARM_UP_MS } from "../list/steady_sign_ups.ts";
import { type LoadRequest, measure } from "../wrk.ts";

/** How much longer one in a hundred sign-ups may wait beside the pages than without. */
export const SLOWER_BESIDE = 1.2;

/** The pages that are asked for each second. */
export const PAGES_PER_SECOND = 10;

/** The connections that ask in turn, so that a page that takes long on a busy machine does not delay the next one. */
const CONNECTIONS = 10;

/** How many pairs of rounds there are, one without and one with the pages. */
const ROUNDS = 9;
/** The length of a round, in seconds. */
const ROUND_SECONDS = 5;

/** What one in a hundred sign-ups waited, in milliseconds (median of the rounds). */
export interface BesideFigures {
  without: number;
  beside: number;
  holds: boolean;
}

/** Measures the sign-ups, in turn without the pages and beside them. */
export async function measureBeside(port: number, pages: LoadRequest[]): Promise<BesideFigures> {
  const baseUrl = `http://127.0.0.1:${port}`;
  const rounds = { without: [] as number[], beside: [] as number[] };

  async function askForPages(): Promise<void> {
    // A program of its own asks, so that what it does with a page delays no sign-up that this process sends.
    const pace = { connections: CONNECTIONS, everyMs: 1_000 / PAGES_PER_SECOND };
    const { requests, refused, failed } = await measure(port, pages, ROUND_SECONDS, pace);
    // At the end, each connection can have a request under way that does not count.
    const least = PAGES_PER_SECOND * ROUND_SECONDS - CONNECTIONS;
    if (requests < least || refused + failed > 0) {
      throw new Error(
        `Of ${requests} pages (at least ${least}), ${refused} were refused and ${failed} failed`,
      );
    }
  }

  await p99During(baseUrl, () => delay(WARM_UP_MS));
  for (let round = 0; round < ROUNDS; round++) {
    rounds.without.push(await p99During(baseUrl, () => delay(ROUND_SECONDS * 1_000)));
    rounds.beside.push(await p99During(baseUrl, askForPages));
  }
  const [without, beside] = [median(rounds.without), median(rounds.beside)];
  return { without, beside, holds: beside <= without * SLOWER_BESIDE };
}

/** Sends sign-ups during some work; gives what one in a hundred of them waited. */
async function p99During(baseUrl: string, work: () => Promise<void>): Promise<number> {
  const { p99, failed } = await signUpsBeside(baseUrl, work);
  return failed === 0 ? p99 : Infinity;
}
