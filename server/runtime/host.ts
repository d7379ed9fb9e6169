/** The functions that differ between Deno and Node. `deno.ts` and `node.ts` have one set of them each. @module */

/** The other end of a connection. Its address is read only when it is needed, because reading takes time. */
export interface ConnectionInfo {
  readonly remoteAddr: { readonly hostname: string };
}

export type Handler = (request: Request, info: ConnectionInfo) => Response | Promise<Response>;

export interface ServeOptions {
  /** The address on which the server listens. Absent where the platform decides. */
  at?: { hostname: string; port: number };
  handler: Handler;
  /** Closes all connections at once when it aborts. */
  signal: AbortSignal;
}

export interface Server {
  /** The address on which the server listens. */
  addr: { hostname: string; port: number };
  /** Resolves once the server has ended. Rejects when it cannot accept connections any more. */
  finished: Promise<void>;
  /** Refuses new connections, and resolves when the running requests have ended. */
  shutdown: () => Promise<void>;
}

export interface Host {
  /** Serves HTTP. @throws {Error} where the server cannot listen */
  serve: (options: ServeOptions) => Promise<Server>;
  /** Registers work for which Deno Deploy starts the process each minute. On Node it does nothing. */
  everyMinute: (name: string, work: () => Promise<void>) => void;
}
