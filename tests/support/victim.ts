/**
 * The service's own process, for tests that kill it or look at its memory: `deno task` in between would
 * be the one to get the signal.
 *
 * @module
 */
import { join } from "node:path";
import { SERVICE_VARIABLES } from "../../server/config.ts";
import { PROJECT, type TestVariables } from "./process.ts";
import type { Serving } from "./process_requests.ts";

/** A service process, and what becomes of it. */
export interface Victim {
  pid: number;
  /** Takes requests once it listens; `undefined` where it ended before that. */
  serving: Promise<Serving & { baseUrl: string } | undefined>;
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
  const absent = Object.fromEntries(SERVICE_VARIABLES.map((name) => [name, ""]));
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
  const started = Promise.withResolvers<string | undefined>();
  const logged = readLog(child.stderr, started.resolve);
  return {
    pid: child.pid,
    serving: started.promise.then((baseUrl) =>
      baseUrl === undefined ? undefined : {
        baseUrl,
        request: (path, init) => fetch(baseUrl + path, init),
      }
    ),
    async end(signal) {
      try {
        child.kill(signal);
      } catch {
        // It has ended already.
      }
      await Promise.all([child.status, logged]);
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

/** Reads the log to its end, so that the process is never held up by it. */
async function readLog(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  started: (baseUrl: string | undefined) => void,
): Promise<void> {
  let text = "";
  for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
    if (text.length < 10_000) text += chunk;
    const line = /^{.*"event":"started".*}$/m.exec(text)?.[0];
    if (line) started(`http://127.0.0.1:${JSON.parse(line).port}`);
  }
  started(undefined);
}
