/**
 * Listens for connections, and listens again where the runtime gives up: `Deno.serve` stops accepting
 * for good after one connection that it could not accept, as at the limit of open files. The connections
 * that it has stay open, and those that are idle would keep the limit used up, so all are closed first.
 * (Deno before 2.8 tells of it only once the last of them has ended.)
 *
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "../log.ts";

/** How long requests under way may take to end before connections are closed, in milliseconds. */
const PAUSE_MS = 1_000;

/** A server that goes on listening. */
export interface Listener {
  /** Where it listens; the port stays the same. */
  addr: Deno.NetAddr;
  /** Refuses connections; resolves once the requests under way have ended. */
  shutdown: () => Promise<void>;
}

/** What a listener is made with. */
export interface ListenerOptions {
  /** Begins to serve, on a port where one is given; the signal closes its connections at once. */
  serve: (signal: AbortSignal, port?: number) => Deno.HttpServer<Deno.NetAddr>;
  log: Log;
  /** Is called where it cannot listen again, as when another process has taken the port. */
  onEnd: () => void;
}

/** Listens until it is shut down. @throws what `serve` throws at first */
export function keepListening({ serve, log, onEnd }: ListenerOptions): Listener {
  let closed = false;

  function start(port?: number): Deno.HttpServer<Deno.NetAddr> {
    const connections = new AbortController();
    const server = serve(connections.signal, port);
    server.finished.catch((error) => listenAgain(error, server, connections));
    return server;
  }

  async function listenAgain(
    error: Error,
    failed: Deno.HttpServer<Deno.NetAddr>,
    connections: AbortController,
  ): Promise<void> {
    log.error("cannot accept connections; closing all to listen again", describe(error));
    await delay(PAUSE_MS);
    connections.abort();
    try {
      await failed.shutdown();
      if (closed) return;
      server = start(failed.addr.port);
      log.info("listening again", { port: server.addr.port });
    } catch (error) {
      log.error("cannot listen again", describe(error as Error));
      onEnd();
    }
  }

  let server = start();
  return {
    addr: server.addr,
    async shutdown() {
      closed = true;
      await server.shutdown();
    },
  };
}

/** The fields that say what is wrong, and what helps where that is known. */
function describe({ message }: Error): Record<string, string> {
  if (!/too many open files/i.test(message)) return { error: message };
  const advice = "Raise the limit of open files (LimitNOFILE), and bound connections in a proxy.";
  return { error: message, advice };
}

/** Answers that are waited for together. */
interface Group {
  /** How many are still under way. */
  open: number;
  /** Called when none is any more. */
  settle?: () => void;
}

/**
 * Knows of answers that are under way, so that a service that stops can let their requests arrive whole.
 *
 * They are counted, not kept: a set of their promises leaves a trail of old tables, with which V8's quick
 * collections keep a kilobyte for each request that waited for KV.
 */
export class InFlight {
  #group: Group = { open: 0 };

  /** Passes an answer on, and counts it until it is there. */
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
   * Resolves when the answers that are under way now are there; later ones are not waited for. It is
   * called once: a second call would wait for those since the first.
   */
  async settled(): Promise<void> {
    const group = this.#group;
    this.#group = { open: 0 };
    if (group.open > 0) await new Promise<void>((settle) => group.settle = settle);
  }
}
