import assert from "node:assert/strict";
import { run } from "../../../support/process.ts";
import { filePermissions, shellLine, start } from "./process.ts";

/** Makes a test that is skipped without `script` of util-linux, which lends a process a pseudo-terminal. */
export const test = await hasTerminal() ? Deno.test : Deno.test.ignore;

async function hasTerminal(): Promise<boolean> {
  const version = await run(["script", "--version"]).catch(() => undefined);
  if (version?.stdout.includes("util-linux")) return true;
  console.warn("Terminal tests are skipped: they need `script` of util-linux on the PATH.");
  return false;
}

/** What a terminal is like. */
interface TerminalOptions {
  env?: Record<string, string>;
  /** 90 by default. */
  columns?: number;
}

/** What is done once a text is shown: keys are typed, or something else happens. */
type Exchange = [shown: string, then: string | (() => Promise<unknown>)];

/** Runs the CLI on a terminal to its end, with some exchanges, one after another. */
export function runOnTerminal(
  args: string[],
  options: TerminalOptions,
  ...exchanges: Exchange[]
) {
  return runLineOnTerminal(`exec ${shellLine(args, filePermissions(args))}`, options, ...exchanges);
}

/** Runs a shell line on a terminal in the same way; what it shows, errors too, is its standard output. */
export async function runLineOnTerminal(
  shell: string,
  { env = {}, columns = 90 }: TerminalOptions,
  ...exchanges: Exchange[]
) {
  const line = `stty cols ${columns} rows 50; ${shell}`;
  const command = ["script", "--quiet", "--return", "--command", line, "/dev/null"];
  await using running = start(command, { env: { SHELL: "/bin/sh", ...env } }, "piped");
  const { child, stdout, end } = running;
  const keyboard = child.stdin.getWriter();
  for (const [shown, then] of exchanges) {
    const isShown = await stdout.find(new RegExp(RegExp.escape(shown)));
    assert.ok(isShown, `'${shown}' was never shown, but: ${stdout.text}`);
    if (typeof then === "string") await keyboard.write(new TextEncoder().encode(then));
    else await then();
  }
  const ended = await end();
  await keyboard.close().catch(() => {});
  return ended;
}
