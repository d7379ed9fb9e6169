import { setTimeout as delay } from "node:timers/promises";
import { megabytes } from "../../../support/victim.ts";
import { mark, printTable } from "../compare.ts";
import { startService } from "../server_process.ts";
import { signUpsBeside, type SteadyFigures, WARM_UP_MS } from "./steady_sign_ups.ts";

/** The most memory that server and CLI may have taken at any time, in megabytes. */
const MAX_MEGABYTES = 256;

/** The most that one in a hundred sign-ups beside it may wait, in milliseconds. */
const MAX_P99 = 50;

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
export type CommandFigures = ReturnType<typeof figuresOf>;

/** Sums up what some work took, and says whether that is good enough. @param pid that of the server */
export function figuresOf(
  { name, atMost }: Pick<Work, "name" | "atMost">,
  { seconds, signUps, failed, p99 }: SteadyFigures,
  { pid, cliMegabytes }: { pid: number; cliMegabytes: number },
) {
  const serverMegabytes = megabytes(pid, "VmHWM");
  const holds = seconds <= atMost && failed === 0 && p99 <= MAX_P99 &&
    Math.max(serverMegabytes, cliMegabytes) <= MAX_MEGABYTES;
  return { name, seconds, atMost, serverMegabytes, cliMegabytes, signUps, p99, holds };
}

/** Runs a command once, on a service of its own, with steady sign-ups beside it. */
export async function measureCommand(work: Work): Promise<CommandFigures> {
  const key = crypto.randomUUID();
  await using server = await startService(work.kvPath, { ...work.variables, OPERATOR_KEY: key });
  const baseUrl = `http://127.0.0.1:${server.port}`;
  await work.prepare?.({ baseUrl, key });
  await signUpsBeside(baseUrl, () => delay(WARM_UP_MS));
  const { pathname } = new URL("../../../../cli/main.ts", import.meta.url);
  let cliMegabytes = 0;
  const beside = await signUpsBeside(baseUrl, async () => {
    const cli = new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "-A", pathname, ...work.args],
      env: { WAITLIST_BASE_URL: baseUrl, WAITLIST_OPERATOR_KEY: key },
      stdin: "null",
      stdout: "null",
      stderr: "inherit",
    }).spawn();
    const watch = setInterval(() => {
      cliMegabytes = Math.max(cliMegabytes, megabytes(cli.pid, "VmHWM"));
    }, 100);
    const { code } = await cli.status;
    clearInterval(watch);
    if (code !== 0) throw new Error(`waitlist ${work.args.join(" ")} ended with ${code}`);
  });
  return figuresOf(work, beside, { pid: server.pid, cliMegabytes });
}

/** Prints figures as a table. */
export function printCommands(rows: CommandFigures[]): void {
  printTable(
    "Command | Seconds: | At most: | Server MB: | CLI MB: | Sign-ups beside: | p99 ms: | ",
    rows.map(({ name, seconds, atMost, serverMegabytes, cliMegabytes, signUps, p99, holds }) => [
      name,
      seconds.toFixed(1),
      atMost,
      serverMegabytes.toFixed(0),
      cliMegabytes.toFixed(0),
      signUps.toLocaleString("en"),
      p99.toFixed(1),
      mark(holds),
    ]),
  );
}
