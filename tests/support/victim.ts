/**
 * The service's own process, for tests that kill it or look at its memory: `deno task` in between would
 * be the one to get the signal.
 *
 * @module
 */
import { join } from "node:path";
import { VARIABLE_NAMES } from "../../server/config/mod.ts";
import { Output, PROJECT, type TestVariables } from "./process.ts";
import type { Serving } from "./process_requests.ts";

/** A service process, and what becomes of it. */
export interface Victim {
  pid: number;
  /** Takes requests once it listens; `undefined` where it ended before that. */
  serving: Promise<Serving & { baseUrl: string } | undefined>;
  /** Waits until the log has what matches; `undefined` where it ends without that. */
  logged: (pattern: RegExp) => Promise<string | undefined>;
  /** Ends it with a signal, and resolves when it is gone. Does nothing where it is gone already. */
  end: (signal: Deno.Signal) => Promise<void>;
}

/**
 * Starts the service, as `deno task start` does but for its permissions.
 *
 * @param largestFile KiB that a file may grow to, past which the system refuses to write, as a full disk
 * does
 */
export function startVictim(variables: TestVariables, largestFile?: number): Victim {
  const absent = Object.fromEntries(VARIABLE_NAMES.map((name) => [name, ""]));
  const command = [Deno.execPath(), "run", "-A", "--quiet", join(PROJECT, "server/main.ts")];
  // The signal that comes with a refusal would end the process, were it not ignored from the start.
  const shell = `trap '' XFSZ; ulimit -f ${largestFile ?? "unlimited"}; exec "$@"`;
  const child = new Deno.Command("bash", {
    args: ["-c", shell, "bash", ...command],
    env: { ...absent, PORT: "0", ...variables, NO_COLOR: "1" },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const stderr = new Output(child.stderr);
  return {
    pid: child.pid,
    serving: stderr.find(/^{.*"event":"started".*}$/m).then((line) => {
      if (line === undefined) return undefined;
      const baseUrl = `http://127.0.0.1:${JSON.parse(line).port}`;
      return { baseUrl, request: (path, init) => fetch(baseUrl + path, init) };
    }),
    logged: (pattern) => stderr.find(pattern),
    async end(signal) {
      try {
        child.kill(signal);
      } catch {
        // It has ended already.
      }
      await Promise.all([child.status, stderr.finished]);
    },
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
