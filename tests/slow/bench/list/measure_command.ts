import { setTimeout as delay } from "node:timers/promises";
import { ServerProcess } from "../server_process.ts";
import { startSteadySignUps } from "./steady_sign_ups.ts";

/** Sign-ups a second that come beside a command: eight million a day. */
export const SIGN_UPS_PER_SECOND = 100;

/** How long sign-ups come before they count, in milliseconds. */
export const WARM_UP_MS = 2_000;

/** The most memory that server and CLI may have taken at any time, in megabytes. */
export const MAX_MEGABYTES = 256;

/** The most that one in a hundred sign-ups beside it may wait, in milliseconds. */
export const MAX_P99 = 50;

/** A command of the CLI on a list of some size. */
export interface Work {
  name: string;
  /** The KV file that the service runs on. */
  kvPath: string;
  args: string[];
  /** How long it may take, in seconds. */
  atMost: number;
  /** Variables of the service. */
  variables?: Record<string, string>;
  /** What is to be done at the operator surface before any sign-up comes. */
  prepare?: (operator: OperatorAccess) => Promise<void>;
}

/** Where the operator surface is, and its key. */
export interface OperatorAccess {
  baseUrl: string;
  key: string;
}

/** What it took. */
export interface CommandFigures {
  name: string;
  seconds: number;
  atMost: number;
  serverMegabytes: number;
  cliMegabytes: number;
  signUps: number;
  p99: number;
  holds: boolean;
}

/** Runs a command once, on a service of its own, with steady sign-ups beside it. */
export async function measureCommand(
  { name, kvPath, args, atMost, variables, prepare }: Work,
): Promise<CommandFigures> {
  const key = crypto.randomUUID();
  await using server = await ServerProcess.startService(kvPath, {
    ...variables,
    OPERATOR_KEY: key,
  });
  const baseUrl = `http://127.0.0.1:${server.port}`;
  await prepare?.({ baseUrl, key });
  // The first ones find a process that has compiled nothing yet.
  const warmUp = startSteadySignUps(baseUrl, SIGN_UPS_PER_SECOND);
  await delay(WARM_UP_MS);
  await warmUp.stop();
  const signUps = startSteadySignUps(baseUrl, SIGN_UPS_PER_SECOND);
  const started = performance.now();
  const cli = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "-A",
      new URL("../../../../cli/main.ts", import.meta.url).pathname,
      ...args,
    ],
    env: { WAITLIST_BASE_URL: baseUrl, WAITLIST_OPERATOR_KEY: key },
    stdin: "null",
    stdout: "null",
    stderr: "inherit",
  }).spawn();
  let cliMegabytes = 0;
  const watch = setInterval(() => {
    cliMegabytes = Math.max(cliMegabytes, peakMegabytes(cli.pid));
  }, 100);
  const { code } = await cli.status;
  const seconds = (performance.now() - started) / 1000;
  clearInterval(watch);
  const beside = await signUps.stop();
  if (code !== 0) throw new Error(`waitlist ${args.join(" ")} ended with ${code}`);
  const serverMegabytes = peakMegabytes(server.pid);
  const holds = seconds <= atMost && beside.failed === 0 && beside.p99 <= MAX_P99 &&
    Math.max(serverMegabytes, cliMegabytes) <= MAX_MEGABYTES;
  const { signUps: count, p99 } = beside;
  return { name, seconds, atMost, serverMegabytes, cliMegabytes, signUps: count, p99, holds };
}

/** The most memory that a process has had resident, in megabytes (Linux); 0 where it has ended. */
export function peakMegabytes(pid: number): number {
  try {
    const status = Deno.readTextFileSync(`/proc/${pid}/status`);
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** Prints figures as a table. */
export function printCommands(rows: CommandFigures[]): void {
  console.log("| Command | Seconds | At most | Server MB | CLI MB | Sign-ups beside | p99 ms | |");
  console.log("|---|---:|---:|---:|---:|---:|---:|---|");
  for (const row of rows) {
    const { name, seconds, atMost, serverMegabytes, cliMegabytes, signUps, p99, holds } = row;
    const cells = [
      name,
      seconds.toFixed(1),
      atMost,
      serverMegabytes.toFixed(0),
      cliMegabytes.toFixed(0),
      signUps.toLocaleString("en"),
      p99.toFixed(1),
      holds ? "✓" : "✗",
    ];
    console.log(`| ${cells.join(" | ")} |`);
  }
}
