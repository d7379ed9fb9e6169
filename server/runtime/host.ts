/** What Deno and Node do each in its own way: `deno.ts` and `node.ts` have it, and nothing else names them. @module */

/** The other end of a connection. Its address takes time to read, so it is read where it is needed. */
export interface ConnectionInfo {
  readonly remoteAddr: { readonly hostname: string };
}

export type Handler = (request: Request, info: ConnectionInfo) => Response | Promise<Response>;

export interface ServeOptions {
  /** Where it listens; absent where the platform decides. */
  at?: { hostname: string; port: number };
  handler: Handler;
  signal: AbortSignal;
}

export interface Server {
  addr: { hostname: string; port: number };
  /** Resolves once it has ended; rejects where it cannot accept connections any more. */
  finished: Promise<void>;
  /** Refuses new connections; resolves when the running requests have ended. */
  shutdown: () => Promise<void>;
}

export interface Host {
  /** Serves HTTP. @throws {Error} where it cannot listen */
  serve: (options: ServeOptions) => Promise<Server>;
  /** Registers work that Deno Deploy starts the process for each minute; nothing elsewhere. */
  everyMinute: (name: string, work: () => Promise<void>) => void;
}
