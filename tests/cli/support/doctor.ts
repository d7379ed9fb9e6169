/** `doctor` in a test, and its lines. @module */
import assert from "node:assert/strict";
import { type Finished, runCli } from "./cli.ts";

/** Calls without the operator key, unless it is given. */
export const diagnose = (
  url: string,
  { env = {}, flags = [] as string[] } = {},
): Promise<Finished> => runCli(["doctor", "--base-url", url, ...flags], { env });

/** The line about one thing. */
export function lineOf({ stdout }: Finished, check: string): string {
  const lines = stdout.split("\n").filter((line) => line.startsWith(check, 7));
  assert.equal(lines.length, 1, stdout);
  return lines[0]!.replaceAll(/ +/g, " ");
}

/** Changes an answer on its way. */
export type Alter = (response: Response) => Response | Promise<Response>;
