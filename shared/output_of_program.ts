/**
 * Runs the programs that packing needs.
 *
 * @module
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** The longest output of a program, in bytes. The packed files have about one megabyte. */
const MAX_OUTPUT = 64 * 1024 * 1024;

/**
 * Runs a program and returns what it writes to standard output.
 *
 * @throws {Error} with the text of the program's `stderr` if the program fails, or with the reason why the program
 * cannot be started
 */
export async function outputOfProgram(
  program: string,
  args: string[],
  cwd: string,
): Promise<string> {
  try {
    return (await promisify(execFile)(program, args, { cwd, maxBuffer: MAX_OUTPUT })).stdout;
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    // If the program cannot be started, `stderr` is empty.
    throw new Error(`'${program} ${args[0]}' failed:\n${stderr || message}`, { cause: error });
  }
}
