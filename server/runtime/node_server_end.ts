/** How a server on Node ends: it was closed, or it cannot accept a connection. @module */
import type { Server } from "node:net";

/** How a server ends. */
export interface ServerEnd {
  /** Resolves when the server and all of its connections are closed. */
  closed: Promise<void>;
  /** Resolves with `closed`. Rejects at the first connection that the server cannot accept. */
  finished: Promise<void>;
}

/**
 * Watches for the end of a server that is listening. If the server cannot accept a connection, for example because the
 * machine has no free memory, Node reports an error and goes on listening. The first such error counts as the end of
 * the server; later errors change nothing.
 */
export function watchServerEnd(server: Server): ServerEnd {
  const closed = new Promise<void>((resolve) => server.once("close", resolve));
  // This handler stays, because Node ends the process at an error that no handler gets.
  const failed = new Promise<never>((_, reject) => server.on("error", reject));
  return { closed, finished: Promise.race([closed, failed]) };
}
