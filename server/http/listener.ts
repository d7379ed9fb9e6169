/**
 * Keeps the server listening. Deno stops listening after one connection that it cannot accept, for example because too
 * many files are open. This file then closes all connections, because idle connections count as open files, and listens
 * again. @module
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Runtime, Server } from "../runtime/mod.ts";

/**
 * The time between a failure of the server and the closing of its connections, in milliseconds. Running requests can
 * end in this time.
 */
const PAUSE_MS = 1_000;

/** What {@linkcode keepListening} needs. */
export interface ListenOptions extends Pick<Runtime, "log"> {
  /**
   * Starts a server, on `port` if the port is given. When the signal aborts, the server closes its connections at once.
   */
  serve: (signal: AbortSignal, port?: number) => Promise<Server>;
  /** Called when the server failed and cannot listen again, for example because another process uses the port. */
  onEnd: () => void;
}

/** A server that listens again after a failure. */
export interface Listener {
  /** The address on which the first server listens. */
  addr: Server["addr"];
  /** Refuses new connections, and resolves when the running requests have ended. */
  shutdown: () => Promise<void>;
}

/** Listens until `shutdown()` is called. @throws the error of the first call of `serve` */
export async function keepListening({ serve, log, onEnd }: ListenOptions): Promise<Listener> {
  let isClosed = false;

  async function start(port?: number): Promise<Server> {
    const connections = new AbortController();
    const server = await serve(connections.signal, port);
    server.finished.catch((error) => listenAgain(error, server, connections));
    return server;
  }

  async function listenAgain(error: Error, failedServer: Server, connections: AbortController) {
    log.error(
      "cannot accept connections; will close all connections and listen again",
      logFieldsOf(error),
    );
    await delay(PAUSE_MS);
    connections.abort();
    try {
      await failedServer.shutdown();
      if (isClosed) return;
      server = await start(failedServer.addr.port);
      log.info("listening again", { port: server.addr.port });
    } catch (error) {
      log.error("cannot listen again; stopping", logFieldsOf(error as Error));
      onEnd();
    }
  }

  let server = await start();
  return {
    addr: server.addr,
    async shutdown() {
      isClosed = true;
      await server.shutdown();
    },
  };
}

/** Gives the fields of a log line about an error: its message, and what the operator can do about it. */
function logFieldsOf({ message }: Error): Record<string, string> {
  if (!/too many open files/i.test(message)) return { error: message };
  const advice =
    "Raise the limit of open files (LimitNOFILE), and limit the number of connections in a proxy.";
  return { error: message, advice };
}
