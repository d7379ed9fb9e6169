/** The functions of {@linkcode Host} on Deno. @module */
import type { Host, ServeOptions, Server } from "./host.ts";

// deno-lint-ignore require-await -- An async function rejects when `Deno.serve()` throws, like the one for Node.
async function serve({ at, handler, signal }: ServeOptions): Promise<Server> {
  // Without `onListen`, Deno prints a line of its own on the standard output.
  return Deno.serve({ ...at, signal, handler, onListen() {} });
}

/**
 * Registers work for each minute. Deno leaves out a minute in which the work of an earlier minute is still running.
 * Deno Deploy finds the work only at the top level of a module, before a server starts.
 */
function everyMinute(name: string, work: () => Promise<void>): void {
  Deno.cron(name, "* * * * *", work);
}

export const DENO: Host = { serve, everyMinute };
