/**
 * Sign-ups without anybody who reads the pages of the console, while another process serves the pages, and while the
 * process of the sign-ups serves them. @module
 */
import { setTimeout as delay } from "node:timers/promises";
import { median } from "../compare.ts";
import { signUpsBeside, WARM_UP_MS } from "../list/steady_sign_ups.ts";
import { JOIN } from "../requests.ts";
import { cpuMillis, type LoadRequest, measure } from "../wrk.ts";

/**
 * How much longer one in a hundred sign-ups may wait if their own process serves the pages, than if another process on
 * the same machine serves them. The comparison is with another process, because on two cores the sign-ups also wait
 * for a core while another process makes pages.
 */
export const SLOWER_BESIDE = 1.2;

/** The pages that are asked for each second. */
export const PAGES_PER_SECOND = 10;

/** The connections that ask in turn, so that a page that takes long on a busy machine does not delay the next one. */
const CONNECTIONS = 10;

/** How many times the three kinds of rounds are measured. */
const ROUNDS = 9;
/** The length of a round, in seconds. */
const ROUND_SECONDS = 5;

/** What one in a hundred sign-ups waited, in milliseconds (median of the rounds). */
export interface BesideFigures {
  /** Nobody asks for pages. */
  without: number;
  /** Another process serves the pages. */
  elsewhere: number;
  /** The process of the sign-ups serves the pages. */
  beside: number;
  holds: boolean;
}

/** A process of the service, and the requests for its pages. */
export interface PageServer {
  port: number;
  pid: number;
  pages: LoadRequest[];
}

/** Measures the sign-ups at one process, while nobody, another process or the same process serves the pages. */
export async function measureBeside(own: PageServer, other: PageServer): Promise<BesideFigures> {
  const baseUrl = `http://127.0.0.1:${own.port}`;
  const rounds = { without: [] as number[], elsewhere: [] as number[], beside: [] as number[] };

  async function askForPages({ port, pages }: PageServer): Promise<void> {
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

  await readAllAddresses(own);
  await p99During(baseUrl, () => delay(WARM_UP_MS));
  for (let round = 0; round < ROUNDS; round++) {
    rounds.without.push(await p99During(baseUrl, () => delay(ROUND_SECONDS * 1_000)));
    rounds.elsewhere.push(await p99During(baseUrl, () => askForPages(other)));
    rounds.beside.push(await p99During(baseUrl, () => askForPages(own)));
  }
  const elsewhere = median(rounds.elsewhere);
  const beside = median(rounds.beside);
  return {
    without: median(rounds.without),
    elsewhere,
    beside,
    holds: beside <= elsewhere * SLOWER_BESIDE,
  };
}

/** How long many people sign up together before the measurement, in seconds. */
const BURST_SECONDS = 2;

/** A process counts as idle if it uses less CPU time than this in `IDLE_MS`, in milliseconds. */
const IDLE_CPU_MS = 50;
const IDLE_MS = 1_000;

/** How long a process may take to read all addresses, in milliseconds. */
const READING_MS = 180_000;

/**
 * Makes a process read all addresses into memory, and waits until it has done so. A process does this once, after
 * people have signed up in large batches. Without this step, the reading could begin at any moment of the measurement,
 * and would take half of the process's time. Only the process of the sign-ups needs this step.
 */
async function readAllAddresses({ port, pid }: PageServer): Promise<void> {
  await measure(port, JOIN, BURST_SECONDS);
  for (let waited = 0; waited < READING_MS; waited += IDLE_MS) {
    const before = cpuMillis([pid]);
    await delay(IDLE_MS);
    if (cpuMillis([pid]) - before < IDLE_CPU_MS) return;
  }
  throw new Error(`The process ${pid} has not read all addresses after ${READING_MS} ms`);
}

/** Sends sign-ups during some work; gives what one in a hundred of them waited. @throws {Error} if one of them failed */
async function p99During(baseUrl: string, work: () => Promise<void>): Promise<number> {
  const { p99, failed, signUps } = await signUpsBeside(baseUrl, work);
  if (failed > 0) throw new Error(`${failed} of ${signUps} sign-ups failed`);
  return p99;
}
