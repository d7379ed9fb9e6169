/** The CLI as its users run it: a process of its own, with the permissions of a daily installation. @module */
import { VARIABLES } from "../../../../cli/context.ts";
import { PROJECT, startProcess } from "../../../support/process.ts";

/** The permissions that the README installs with. */
const PERMISSIONS = [
  // What Deno itself says, as of a package that it fetches for the first time, is not the CLI's.
  "--quiet",
  "--no-prompt",
  "--allow-net",
  `--allow-env=${VARIABLES.join(",")}`,
  "--ignore-env",
];

/** What the flags and commands that name a file need besides. */
const FILE_PERMISSIONS = ["--allow-read", "--allow-write"];

const USE_FILES = ["--document", "--report", "--output", "import", "backup", "restore"];

/** What the command takes to work with files; nothing where it does not. */
export const filePermissions = (args: string[]): string[] =>
  args.some((arg) => USE_FILES.includes(arg)) ? FILE_PERMISSIONS : [];

/** What a run can be given. */
interface RunOptions {
  env?: Record<string, string>;
  /** The folder that it is called from; the project's by default. */
  cwd?: string;
}

/** Starts the CLI; disposing of it ends the process if it still runs. */
export const startCli = (args: string[], options?: RunOptions) =>
  start(cliCommand(args, filePermissions(args)), options);

/** A command line that runs the CLI in a shell, its arguments quoted; without more, it has no access to files. */
export const shellLine = (args: string[], more?: string[]): string =>
  cliCommand(args, more).map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");

const cliCommand = (
  args: string[],
  more: string[] = [],
) => [Deno.execPath(), "run", ...PERMISSIONS, ...more, "cli/main.ts", ...args];

/** Runs a shell line to its end. */
export async function runShell(line: string, options?: RunOptions) {
  await using shell = start(["sh", "-c", line], options);
  return await shell.end();
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

/** Starts a program, with no other variable of the computer; disposing of it ends the program. */
export function start(
  command: string[],
  { env = {}, cwd = PROJECT }: RunOptions = {},
  stdin: "null" | "piped" = "null",
) {
  const kept = DENO_VARIABLES.flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value]];
  });
  const all = { ...Object.fromEntries(kept), ...env };
  return startProcess(command, { cwd, clearEnv: true, env: all, stdin });
}
