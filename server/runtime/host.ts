/** The interface of the functions that differ between Deno and Node. `deno.ts` and `node.ts` implement it. @module */

/**
 * The client's end of a connection. The IP address should be read only when it is needed, because reading it takes
 * time.
 */
export interface ConnectionInfo {
  readonly remoteAddr: { readonly hostname: string };
}

/** Answers a request. */
export type Handler = (request: Request, info: ConnectionInfo) => Response | Promise<Response>;

/** What a server needs. */
export interface ServeOptions {
  /** The host and port on which to listen. Absent if the platform chooses them. */
  address?: { hostname: string; port: number };
  handler: Handler;
  /** When this signal aborts, the server closes all connections at once. */
  signal: AbortSignal;
}

/** A server that is listening. */
export interface Server {
  /** The host and port on which the server listens. The name is that of the same member of `Deno.serve()`. */
  addr: { hostname: string; port: number };
  /** Resolves once the server has ended. Rejects if the server cannot accept connections any more. */
  finished: Promise<void>;
  /** Refuses new connections, and resolves when the running requests have ended. */
  shutdown: () => Promise<void>;
}

/** The runtime on which the program runs: Deno or Node. */
export interface Host {
  /** Serves HTTP. @throws an Error if the server cannot listen */
  serve: (options: ServeOptions) => Promise<Server>;
  /**
   * Registers work that runs each minute. Deno Deploy starts a process for this work. On Node, this function does
   * nothing.
   */
  everyMinute: (name: string, work: () => Promise<void>) => void;
}
