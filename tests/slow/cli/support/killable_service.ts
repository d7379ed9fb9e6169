/**
 * A service that a test kills, as a power cut would, or stops, and starts again at the same address.
 *
 * @module
 */
import { OPERATOR_KEY } from "../../../cli/support/service.ts";
import { freePort } from "../../../support/free_port.ts";
import { PROJECT } from "../../../support/process.ts";

/** A service on a KV file. */
export interface KillableService extends AsyncDisposable {
  url: string;
  /** Starts it, and resolves once it answers. */
  start: () => Promise<void>;
  /** Kills it with SIGKILL; nothing is written down any more. */
  kill: () => Promise<void>;
  /** Ends it with SIGTERM; it stops as after a release. */
  stop: () => Promise<void>;
}

/** Starts a service on a KV file. */
export async function startKillableService(kvPath: string): Promise<KillableService> {
  const port = freePort();
  let child: Deno.ChildProcess | undefined;

  async function start(): Promise<void> {
    child = new Deno.Command(Deno.execPath(), {
      // Without `deno task` in between, which would be killed in its place.
      args: ["run", "-A", "server/main.ts"],
      cwd: PROJECT,
      env: { KV_PATH: kvPath, PORT: String(port), OPERATOR_KEY, LOG_LEVEL: "info" },
      stdout: "piped",
      stderr: "null",
    }).spawn();
    let output = "";
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
      output += text;
      if (output.includes("The waitlist runs at")) return;
    }
    throw new Error(`The service did not start: ${output}`);
  }

  async function end(signal: Deno.Signal): Promise<void> {
    try {
      child?.kill(signal);
    } catch {
      // It is gone already.
    }
    await child?.status;
  }

  const kill = () => end("SIGKILL");
  const stop = () => end("SIGTERM");
  await start();
  return { url: `http://127.0.0.1:${port}`, start, kill, stop, [Symbol.asyncDispose]: kill };
}
