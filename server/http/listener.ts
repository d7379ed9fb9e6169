/**
 * Listens again after a failure. Deno stops for good after one connection that it cannot accept, as
 * at the limit of open files. Its idle connections keep the limit used up, so that all are closed before it
 * listens again. (Deno before 2.8 reports the failure only after the last of them has ended.) @module
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Runtime, Server } from "../runtime/mod.ts";

/** How long running requests may take before the connections are closed, in milliseconds. */
const PAUSE_MS = 1_000;

/** Listens until it is shut down. @throws an error of the first call of `serve` */
export async function keepListening({ serve, log, onEnd }: Pick<Runtime, "log"> & {
  /** Starts a server, on the port if one is given. The signal closes its connections at once. */
  serve: (signal: AbortSignal, port?: number) => Promise<Server>;
  /** Is called when it cannot listen again, as when another process has taken the port. */
  onEnd: () => void;
}) {
  let closed = false;

  async function start(port?: number): Promise<Server> {
    const connections = new AbortController();
    const server = await serve(connections.signal, port);
    server.finished.catch((error) => listenAgain(error, server, connections));
    return server;
  }

  async function listenAgain(error: Error, failed: Server, connections: AbortController) {
    log.error("cannot accept connections; closing all to listen again", describe(error));
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
    async shutdown(): Promise<void> {
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

/** Counts the running answers, so that a stop can wait for them; a `Set` of promises would take a kilobyte for each. */
export class InFlight {
  #group: { open: number; settle?: () => void } = { open: 0 };

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

  /** Resolves when the answers that run now are ready. Call it once: a second call does not wait for them. */
  async settled(): Promise<void> {
    const group = this.#group;
    this.#group = { open: 0 };
    if (group.open > 0) await new Promise<void>((settle) => group.settle = settle);
  }
}
