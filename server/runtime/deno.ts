/** The functions of {@linkcode Host} on Deno. @module */
import type { Host, ServeOptions, Server } from "./host.ts";

// deno-lint-ignore require-await -- An async function rejects when `Deno.serve()` throws, like the function for Node.
async function serve({ address, handler, signal }: ServeOptions): Promise<Server> {
  // Without `onListen`, Deno would print a line about the address on the standard output.
  return Deno.serve({ ...address, signal, handler, onListen() {} });
}

/**
 * Registers work that Deno starts each minute. If the work takes longer than a minute, Deno skips the minutes in which
 * it is still running. Deno Deploy finds the work only if it is registered at the top level of a module, before a
 * server starts.
 */
function everyMinute(name: string, work: () => Promise<void>): void {
  Deno.cron(name, "* * * * *", work);
}

/** The functions of {@linkcode Host} on Deno. */
export const DENO: Host = { serve, everyMinute };
