/**
 * Keeps the server listening. Deno stops listening after one connection that it cannot accept, for example at the limit
 * of open files. This file then closes all connections, because idle connections use up that limit, and listens again.
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Runtime, Server } from "../runtime/mod.ts";

/** How much time the running requests get after the server failed, in milliseconds. Then the connections are closed. */
const PAUSE_MS = 1_000;

export interface ListenOptions extends Pick<Runtime, "log"> {
  /** Starts a server, on `port` if it is given. The signal closes the connections at once. */
  serve: (signal: AbortSignal, port?: number) => Promise<Server>;
  /** Is called when the server cannot listen again, for example because another process uses the port. */
  onEnd: () => void;
}

export interface Listener {
  /** The address on which the first server listens. */
  addr: Server["addr"];
  /** Refuses new connections, and resolves when the running requests have ended. */
  shutdown: () => Promise<void>;
}

/** Listens until it is shut down. @throws the error of the first call of `serve` */
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

/** Counts the running answers, so that a stop can wait for them. It keeps no promises, to save a kilobyte for each. */
export class InFlight {
  #group: { open: number; settle?: () => void } = { open: 0 };

  /** Counts an answer until it settles, and returns it. */
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
