/**
 * The service's own process, for tests that kill it or look at its memory: `deno task` in between would
 * be the one to get the signal.
 *
 * @module
 */
import { join } from "node:path";
import { VARIABLES } from "../../server/config.ts";
import { PROJECT, type TestVariables } from "./process.ts";

/** A service process. */
export interface Victim {
  pid: number;
  /** Its public origin once it listens, `undefined` where it ended before that. */
  baseUrl: Promise<string | undefined>;
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
  const absent = Object.fromEntries(VARIABLES.map((name) => [name, ""]));
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
    baseUrl: started.promise,
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
