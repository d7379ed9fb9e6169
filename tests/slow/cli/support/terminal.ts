import { dependencies, filePermissions, type RunningCli, shellLine, watch } from "./process.ts";

/**
 * Whether this computer has `script` of util-linux, which lends a process a pseudo-terminal. Tests
 * without it must be ignored, and say so.
 */
export async function hasTerminal(): Promise<boolean> {
  try {
    const { stdout } = await new Deno.Command("script", { args: ["--version"] }).output();
    if (new TextDecoder().decode(stdout).includes("util-linux")) return true;
  } catch {
    // There is none.
  }
  console.warn("Terminal tests are skipped: they need `script` of util-linux on the PATH.");
  return false;
}

/** What a terminal is like. */
export interface TerminalOptions {
  env?: Record<string, string>;
  /** 90 by default. */
  columns?: number;
}

/** A program on a terminal; what it shows, errors too, is its standard output. */
export type OnTerminal = RunningCli & { type: (keys: string) => Promise<void> };

/** Starts the CLI on a terminal. */
export function startOnTerminal(args: string[], options: TerminalOptions = {}): OnTerminal {
  return startLineOnTerminal(`exec ${shellLine(args, filePermissions(args))}`, options);
}

/** Starts a shell line on a terminal. */
export function startLineOnTerminal(
  shell: string,
  { env = {}, columns = 90 }: TerminalOptions = {},
): OnTerminal {
  const line = `stty cols ${columns} rows 50; ${shell}`;
  const process = new Deno.Command("script", {
    args: ["--quiet", "--return", "--command", line, "/dev/null"],
    ...dependencies({ env: { SHELL: "/bin/sh", ...env } }),
  }).spawn();
  const keyboard = process.stdin.getWriter();
  const running = watch(process);
  return {
    ...running,
    type: (keys) => keyboard.write(new TextEncoder().encode(keys)),
    async [Symbol.asyncDispose]() {
      await keyboard.close().catch(() => {});
      await running[Symbol.asyncDispose]();
    },
  };
}
