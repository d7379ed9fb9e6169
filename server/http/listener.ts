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
  let closed = false;

  async function start(port?: number): Promise<Server> {
    const connections = new AbortController();
    const server = await serve(connections.signal, port);
    server.finished.catch((error) => listenAgain(error, server, connections));
    return server;
  }

  async function listenAgain(error: Error, failed: Server, connections: AbortController) {
    log.error(
      "cannot accept connections; closing all connections to listen again",
      describe(error),
    );
    await delay(PAUSE_MS);
    connections.abort();
    try {
      await failed.shutdown();
      if (closed) return;
      server = await start(failed.addr.port);
      log.info("listening again", { port: server.addr.port });
    } catch (error) {
      log.error("cannot listen again", describe(error as Error));
      onEnd();
    }
  }

  let server = await start();
  return {
    addr: server.addr,
    async shutdown() {
      closed = true;
      await server.shutdown();
    },
  };
}

function describe({ message }: Error): Record<string, string> {
  if (!/too many open files/i.test(message)) return { error: message };
  const advice = "Raise the limit of open files (LimitNOFILE), and bound connections in a proxy.";
  return { error: message, advice };
}

/**
 * Counts the answers that are not finished, so that a stop of the process can wait for them. It stores only a number,
 * because a stored promise would take a kilobyte for each answer.
 */
export class InFlight {
  #group: { open: number; settle?: () => void } = { open: 0 };

  /** Counts an answer until it settles. Returns the answer itself. */
  track<T>(answer: T | Promise<T>): T | Promise<T> {
    if (!(answer instanceof Promise)) return answer;
    const group = this.#group;
    group.open++;
    const end = () => {
      group.open--;
      if (group.open === 0) group.settle?.();
    };
    answer.then(end, end);
    return answer;
  }

  /**
   * Resolves when the answers that are running now have settled. A second call waits only for answers that began after
   * the first call.
   */
  async settled(): Promise<void> {
    const group = this.#group;
    this.#group = { open: 0 };
    if (group.open > 0) await new Promise<void>((settle) => group.settle = settle);
  }
}
