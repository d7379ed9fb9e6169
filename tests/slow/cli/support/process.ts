/**
 * The CLI as its users run it: a process of its own, with the permissions of a daily installation.
 *
 * @module
 */

export const PROJECT = new URL("../../../../", import.meta.url);

/** The permissions that the README installs with. */
const PERMISSIONS = [
  // What Deno itself says, as of a package that it fetches for the first time, is not the CLI's.
  "--quiet",
  "--no-prompt",
  "--allow-net",
  "--allow-env=WAITLIST_BASE_URL,WAITLIST_CLIENT_ID,WAITLIST_CLIENT_SECRET,WAITLIST_OPERATOR_KEY,NO_COLOR",
  "--ignore-env",
];

/** What the flags and commands that name a file need besides. */
const FILE_PERMISSIONS = ["--allow-read", "--allow-write"];

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
  /** The folder that it is called from; the project's by default. */
  cwd?: string;
}

/** Runs the CLI to its end. */
export async function runCli(args: string[], options: RunOptions = {}): Promise<Finished> {
  await using cli = startCli(args, options);
  return await cli.finished;
}

/** A run that a test looks at while it goes on. */
export interface RunningCli extends AsyncDisposable {
  process: Deno.ChildProcess;
  finished: Promise<Finished>;
  /** Resolves once an output holds the text; rejects if it ends without. */
  wrote: (output: "stdout" | "stderr", text: string) => Promise<void>;
}

const USE_FILES = ["--document", "--report", "--output", "import", "backup", "restore"];

/** What the command takes to work with files; nothing where it does not. */
export function filePermissions(args: string[]): string[] {
  return args.some((arg) => USE_FILES.includes(arg)) ? FILE_PERMISSIONS : [];
}

/** Starts the CLI; disposing of it ends the process if it still runs. */
export function startCli(args: string[], options: RunOptions = {}): RunningCli {
  const permissions = [...PERMISSIONS, ...filePermissions(args)];
  return start(Deno.execPath(), ["run", ...permissions, "cli/main.ts", ...args], options);
}

/** A command line that runs the CLI in a shell, its arguments quoted; without more, it has no access to files. */
export function shellLine(args: string[], more: string[] = []): string {
  return [Deno.execPath(), "run", ...PERMISSIONS, ...more, "cli/main.ts", ...args]
    .map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
}

/** Runs a shell line to its end. */
export async function runShell(line: string, options: RunOptions = {}): Promise<Finished> {
  await using shell = start("sh", ["-c", line], options);
  return await shell.finished;
}

function start(program: string, args: string[], options: RunOptions): RunningCli {
  const process = new Deno.Command(program, { args, ...dependencies(options) }).spawn();
  // A program that does not read its input is no fault.
  new Blob([options.stdin ?? ""]).stream().pipeTo(process.stdin).catch(() => {});
  return watch(process);
}

/** What Deno itself needs: its folders, and how it reaches the package registry the first time. */
const DENO_VARIABLES = [
  "PATH",
  "HOME",
  "DENO_DIR",
  "DENO_CERT",
  "DENO_TLS_CA_STORE",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "NODE_EXTRA_CA_CERTS",
  "NPM_CONFIG_REGISTRY",
];

/** No other variable of the computer gets into a test. */
export function dependencies({ env = {}, cwd }: RunOptions): Deno.CommandOptions {
  const kept = DENO_VARIABLES.flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value]];
  });
  return {
    cwd: cwd ?? PROJECT,
    clearEnv: true,
    env: { ...Object.fromEntries(kept), ...env },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  };
}

/** Gathers what a process writes, and ends it at the end. */
export function watch(process: Deno.ChildProcess): RunningCli {
  const stdout = gather(process.stdout);
  const stderr = gather(process.stderr);
  const finished = (async () => {
    const [{ code }] = await Promise.all([process.status, stdout.done, stderr.done]);
    return { code, stdout: stdout.text(), stderr: stderr.text() };
  })();
  return {
    process,
    finished,
    wrote: (name, text) => (name === "stdout" ? stdout : stderr).holds(text),
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

function gather(stream: ReadableStream<Uint8Array<ArrayBuffer>>) {
  let text = "";
  let ended = false;
  let grown = Promise.withResolvers<void>();
  const done = (async () => {
    for await (const part of stream.pipeThrough(new TextDecoderStream())) {
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
