/**
 * The service's own process, for tests that kill it, start it again or look at its memory, and checks of its store
 * afterwards. Signals would reach `deno task` instead, if it started the process. @module
 */
import { join } from "node:path";
import { freePort } from "./free_port.ts";
import {
  environment,
  PROJECT,
  requestTo,
  RUN,
  RUN_VARIABLES,
  RUNTIME,
  type RuntimeName,
  STARTED,
  startProcess,
  type TestVariables,
} from "./process.ts";
import type { Serving } from "./process_requests.ts";
import { isDeepStrictEqual } from "node:util";
import { type ComparableRecord, readCounts, recount, storedSignUps } from "./records.ts";
import type { Kv } from "../../server/store/kv/engine.ts";

/** A service process, and what becomes of it; disposing of it kills it. */
export type Victim = ReturnType<typeof startVictim>;

/** How a process of the service is started. */
export interface VictimOptions {
  /** KiB that a file may grow to, past which the system refuses to write, as a full disk does. */
  largestFile?: number;
  runtime?: RuntimeName;
  /** How far the clock of the process is ahead, in milliseconds. The process then also polls more often. */
  clockAheadMs?: number | undefined;
}

/** The options of both runtimes that run a module before the program. */
const PRELOAD = { deno: "--preload", node: "--import" } as const;

/** Starts the service, as `deno task start` does but for its permissions, or as `npm start` does. */
export function startVictim(
  variables: TestVariables,
  { largestFile, runtime = RUNTIME, clockAheadMs }: VictimOptions = {},
) {
  const clock = clockAheadMs === undefined
    ? []
    : [PRELOAD[runtime], join(PROJECT, "tests/support/shifted_clock.ts")];
  const command = [...RUN[runtime](), ...clock, join(PROJECT, "server/main.ts")];
  // The signal that comes with a refusal would end the process, were it not ignored from the start.
  const shell = `trap '' XFSZ; ulimit -f ${largestFile ?? "unlimited"}; exec "$@"`;
  const env = {
    ...environment({ PORT: "0", ...variables }),
    ...RUN_VARIABLES[runtime],
    ...clockAheadMs !== undefined && { CLOCK_AHEAD_MS: String(clockAheadMs) },
  };
  const running = startProcess(["bash", "-c", shell, "bash", ...command], { env });
  const { child, stderr } = running;
  return {
    ...running,
    pid: child.pid,
    /** Takes requests once it listens; `undefined` where it ended before that. */
    serving: stderr.find(STARTED).then((line) => {
      if (line === undefined) return undefined;
      const port: number = JSON.parse(line).port;
      const baseUrl = `http://127.0.0.1:${port}`;
      return { port, baseUrl, request: requestTo(baseUrl) };
    }),
    /** Waits until the log has what matches; `undefined` where it ends without that. */
    logged: (pattern: RegExp) => stderr.find(pattern),
  };
}

/** Starts the service, uses it, and stops it as a supervisor would. */
export async function whileServing<T>(
  variables: TestVariables,
  use: (service: Serving) => Promise<T>,
): Promise<T> {
  const victim = startVictim(variables);
  try {
    const service = await victim.serving;
    if (!service) throw new Error("The service did not start");
    return await use(service);
  } finally {
    await victim.end("SIGTERM");
  }
}

/** A server process on a port that it keeps when it is started again; disposing of it stops it. */
export type Server = Awaited<ReturnType<typeof startServer>>;

/** How many lines of a log `troubles()` gives at most. */
const MOST_LINES = 20;

/** Starts a server process, and waits until it listens. */
export async function startServer(variables: TestVariables) {
  const PORT = String(freePort());
  const address = `127.0.0.1:${PORT}`;
  let victim: Victim;
  const stop = () => victim.end("SIGTERM");
  const server = {
    address,
    url: `http://${address}`,
    /** Sends a request to a path; throws where no answer comes. */
    request: requestTo(`http://${address}`),
    /** Starts it, for the first time or again, and waits until it listens. */
    async start(): Promise<void> {
      victim = startVictim({ ...variables, PORT });
      if (await victim.serving) return;
      throw new Error(`A server process did not start: ${(await victim.end()).stderr}`);
    },
    /** Gives the last warnings and errors of its log. */
    troubles(): string {
      const lines = victim.stderr.text.match(/^{.*"level":"(?:warn|error)".*}$/gm) ?? [];
      return lines.slice(-MOST_LINES).join("\n");
    },
    /** Ends it without a warning; nothing is written down any more. */
    kill: () => victim.end("SIGKILL"),
    /** Ends it as a supervisor does. */
    stop,
    [Symbol.asyncDispose]: async () => void await stop(),
  };
  await server.start();
  return server;
}

/** The memory that a process has resident, or the most that it had, in megabytes (Linux); 0 where it has ended. */
export function megabytes(pid: number, which: "VmRSS" | "VmHWM" = "VmRSS"): number {
  try {
    const status = Deno.readTextFileSync(`/proc/${pid}/status`);
    return Number(new RegExp(`${which}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/**
 * Sign-ups that a service has answered with 200. Of each address the last one counts: a record that an earlier one left
 * behind does not hide that a repeat of it was lost.
 */
export class Acknowledged {
  /** When the last acknowledged sign-up of each address was sent, in milliseconds since 1970. */
  readonly #sentAt = new Map<string, number>();

  get size(): number {
    return this.#sentAt.size;
  }

  addresses(): Iterable<string> {
    return this.#sentAt.keys();
  }

  /** @param sentAt by the clock of the machine that the service runs on, in milliseconds since 1970 */
  add(email: string, sentAt: number): void {
    this.#sentAt.set(email, Math.max(sentAt, this.#sentAt.get(email) ?? 0));
  }

  /** What is missing among stored records, in sentences. */
  missingFrom(stored: Record<string, ComparableRecord>): string[] {
    let lost = 0;
    let outdated = 0;
    for (const [email, sentAt] of this.#sentAt) {
      const record = Object.hasOwn(stored, email) ? stored[email] : undefined;
      if (!record) lost++;
      // Consent is given after the sending, whichever of the address's sign-ups came to be the last.
      else if (Date.parse(record.consentedAt) < sentAt) outdated++;
    }
    const findings = [];
    if (lost > 0) findings.push(`${lost} acknowledged addresses have no record.`);
    if (outdated > 0) {
      findings.push(`${outdated} records are from before their last acknowledged sign-up.`);
    }
    return findings;
  }
}

/** What is wrong with the counters, in sentences. @param now milliseconds since 1970 */
export async function counterFindings(kv: Kv, now: number): Promise<string[]> {
  const [counts, recounted] = [await readCounts(kv, now), await recount(kv, now)];
  if (isDeepStrictEqual(counts, recounted)) return [];
  const [said, right] = [counts, recounted].map((each) => JSON.stringify(each));
  return [`The counters say ${said}; a recount gives ${right}.`];
}

/** What is wrong with the store of a process that is gone, in sentences. */
export async function findingsIn(kv: Kv, acknowledged: Acknowledged): Promise<string[]> {
  const missing = acknowledged.missingFrom(await storedSignUps(kv));
  return [...missing, ...await counterFindings(kv, Date.now())];
}
