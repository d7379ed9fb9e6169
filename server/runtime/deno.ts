/** What Deno does in its own way; see `Host`. @module */
import type { Host, ServeOptions, Server } from "./host.ts";

// deno-lint-ignore require-await -- An async function rejects where `Deno.serve()` throws, as that of Node does.
async function serve({ at, handler, signal }: ServeOptions): Promise<Server> {
  return Deno.serve({ ...at, signal, handler, onListen() {} });
}

/** Call it before a server starts, and at the top level of a module: Deno Deploy finds nothing else. */
function everyMinute(name: string, work: () => Promise<void>): void {
  Deno.cron(name, "* * * * *", work);
}

export const DENO: Host = { serve, everyMinute };
