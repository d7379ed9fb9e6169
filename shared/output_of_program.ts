/**
 * Runs the programs that packing needs.
 *
 * @module
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Runs a program and returns its output. @throws {Error} with the program's errors, if the program fails */
export async function outputOfProgram(
  program: string,
  args: string[],
  cwd: string,
): Promise<string> {
  try {
    return (await promisify(execFile)(program, args, { cwd, maxBuffer: 2 ** 26 })).stdout;
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    throw new Error(`'${program} ${args[0]}' failed:\n${stderr ?? message}`);
  }
}
