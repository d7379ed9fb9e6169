/**
 * The CLI as its users run it: a process of its own, with the permissions of a daily installation.
 *
 * @module
 */

const PROJECT = new URL("../../../", import.meta.url);

/** The permissions that the README installs with, and the two of `--report` and `--document`. */
const PERMISSIONS = [
  "--no-prompt",
  "--allow-net",
  "--allow-env=WAITLIST_BASE_URL,WAITLIST_CLIENT_ID,WAITLIST_CLIENT_SECRET,NO_COLOR",
  "--ignore-env",
  "--allow-read",
  "--allow-write",
];

/** What a run leaves behind. */
export interface Finished {
  code: number;
  stdout: string;
  stderr: string;
}

/** What a run can be given. */
export interface RunOptions {
  env?: Record<string, string>;
  /** Standard input; none by default. */
  stdin?: string;
}

/** Runs the CLI to its end. */
export async function runCli(
  args: string[],
  { env = {}, stdin }: RunOptions = {},
): Promise<Finished> {
  await using cli = startCli(args, { env, ...(stdin !== undefined && { stdin }) });
  return await cli.finished;
}

/** A run that a test looks at while it goes on. */
export interface RunningCli extends AsyncDisposable {
  process: Deno.ChildProcess;
  finished: Promise<Finished>;
  /** Resolves once an output holds the text; rejects if it ends without. */
  wrote: (output: "stdout" | "stderr", text: string) => Promise<void>;
}

/** Starts the CLI; disposing of it ends the process if it still runs. */
export function startCli(args: string[], options: RunOptions = {}): RunningCli {
  return watch(
    new Deno.Command(Deno.execPath(), {
      args: ["run", ...PERMISSIONS, "cli/main.ts", ...args],
      ...surroundings(options),
    }).spawn(),
    options.stdin,
  );
}

/** A command line that runs the CLI in a shell, its arguments quoted. */
export function shellLine(args: string[]): string {
  return [Deno.execPath(), "run", ...PERMISSIONS, "cli/main.ts", ...args]
    .map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
}

/** Runs a shell line to its end. */
export async function runShell(line: string, options: RunOptions = {}): Promise<Finished> {
  const command = new Deno.Command("sh", { args: ["-c", line], ...surroundings(options) });
  await using shell = watch(command.spawn(), options.stdin);
  return await shell.finished;
}

/** Only what Deno itself needs, so that no variable of the computer gets into a test. */
export function surroundings({ env = {} }: RunOptions): Deno.CommandOptions {
  const kept = ["PATH", "HOME", "DENO_DIR"].flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value]];
  });
  return {
    cwd: PROJECT,
    clearEnv: true,
    env: { ...Object.fromEntries(kept), ...env },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  };
}

/** Feeds a process, gathers what it writes and ends it at the end. */
export function watch(process: Deno.ChildProcess, stdin: string | undefined): RunningCli {
  const output = gather(process.stdout);
  const errors = gather(process.stderr);
  const fed = stdin === undefined
    ? Promise.resolve()
    : new Blob([stdin]).stream().pipeTo(process.stdin).catch(() => {});
  const finished = (async () => {
    const [{ code }] = await Promise.all([process.status, output.done, errors.done, fed]);
    return { code, stdout: output.text(), stderr: errors.text() };
  })();
  if (stdin === undefined) process.stdin.close().catch(() => {});
  return {
    process,
    finished,
    wrote: (name, text) => (name === "stdout" ? output : errors).holds(text),
    async [Symbol.asyncDispose]() {
      try {
        process.kill("SIGKILL");
      } catch {
        // It has ended by itself.
      }
      await finished;
    },
  };
}

function gather(stream: ReadableStream<Uint8Array>) {
  let text = "";
  let ended = false;
  let grown = Promise.withResolvers<void>();
  const done = (async () => {
    for await (const part of stream.pipeThrough(new TextDecoderStream() as never)) {
      text += part;
      grown.resolve();
      grown = Promise.withResolvers();
    }
    ended = true;
    grown.resolve();
  })();
  return {
    done,
    text: () => text,
    async holds(wanted: string) {
      while (!text.includes(wanted)) {
        if (ended) throw new Error(`'${wanted}' was never written, but: ${text}`);
        await grown.promise;
      }
    },
  };
}
