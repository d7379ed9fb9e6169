/**
 * What the token endpoint and the statistics need of KV: all OAuth clients and root keys, held in memory.
 * Every change of one of them writes one key ({@linkcode CREDENTIALS}), which each process watches; a slow
 * poll stands behind a watch that died unnoticed (decisions, "Tokens").
 *
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "../log.ts";
import type { Client, RandomBytes } from "../oauth/clients.ts";
import { KeyRing } from "../oauth/key_ring.ts";
import { Batcher } from "./batcher.ts";
import { readClients } from "./clients.ts";
import { DEADLINE_MS } from "./deadline.ts";
import { CREDENTIALS } from "./keys.ts";
import { openRootKeys, readRootKeys } from "./root_keys.ts";

/** How often clients and keys are read whatever the watch says, in milliseconds; a read may take 5 s more. */
const POLL_MS = 15_000;

/** How long a look holds before the next one, in milliseconds. */
const LOOK_MS = 1_000;

/** The pause before a watch that ended begins again, in milliseconds. */
const REWATCH_MS = 500;

/** The clients and keys, as this process knows them. */
export interface Credentials {
  keyRing: KeyRing;
  findClient: (clientId: string) => Client | undefined;
  /**
   * Reads clients and keys again before something unknown is refused, at most once a second: calls in
   * the second after a look share its end. Rejects where KV gives no answer.
   */
  lookAgain: () => Promise<void>;
  /** Resolves once memory has what this process has changed, or has forgotten all clients. */
  changed: () => Promise<void>;
  /** Ends the watch and the poll. */
  close: () => Promise<void>;
}

/** What the credentials are opened with. */
export interface CredentialsOptions {
  /** The clock, in milliseconds since 1970. */
  now: () => number;
  /** A clock that never steps, in milliseconds. */
  monotonic: () => number;
  random: RandomBytes;
  repeat: Repeat;
  log: Log;
}

/** Reads the clients and keys, the first key made where there is none, and keeps them up to date. */
export async function openCredentials(
  kv: Deno.Kv,
  { now, monotonic, random, repeat, log }: CredentialsOptions,
): Promise<Credentials> {
  const keyRing = new KeyRing(await openRootKeys(kv, random), now);
  let clients: ReadonlyMap<string, Client> = new Map();
  const reader = new Batcher<void, void>({
    async run(_callers, signal) {
      const [read, roots] = await Promise.all([readClients(kv), readRootKeys(kv)]);
      // A later read has begun since, and knows more.
      if (signal.aborted) return;
      clients = new Map(read.map((client) => [client.clientId, client]));
      keyRing.replace(roots);
    },
    maxBatch: Infinity,
    maxRunning: 1,
    maxWaiting: Infinity,
    deadlineMs: DEADLINE_MS,
    monotonic,
  });
  const read = () => reader.add() as Promise<void>;
  await read();

  let isAway = false;
  const readOrWarn = async () => {
    try {
      await read();
      isAway = false;
    } catch (error) {
      // Once an outage.
      if (!isAway) {
        const { message } = error as Error;
        log.warn("clients and keys stay as they are, as KV did not answer", { error: message });
      }
      isAway = true;
    }
  };
  const poll = repeat(POLL_MS, readOrWarn);
  const watch = watchCredentials(kv, readOrWarn);

  let look = { at: -Infinity, done: Promise.resolve() };
  return {
    keyRing,
    findClient: (clientId) => clients.get(clientId),
    lookAgain() {
      if (monotonic() - look.at >= LOOK_MS) look = { at: monotonic(), done: read() };
      return look.done;
    },
    async changed() {
      try {
        await read();
      } catch {
        // An unknown client leads to another look, so that no client that was disabled gets a token.
        clients = new Map();
      }
    },
    async close() {
      await Promise.all([poll.stop(), watch.stop()]);
      await reader.flush();
    },
  };
}

/** Calls `onChange` as the watch begins, and for each change that it sees. A watch that ends begins again. */
function watchCredentials(kv: Deno.Kv, onChange: () => void) {
  const stopping = new AbortController();
  let reader: ReadableStreamDefaultReader | undefined;
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      try {
        // Raw, as the KV Connect client loses an error of its watch otherwise, and the process with it.
        reader = kv.watch([CREDENTIALS], { raw: true }).getReader();
        while (!(await reader.read()).done) onChange();
      } catch {
        // KV is away, which a read says in the log.
      }
      await delay(REWATCH_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await reader?.cancel().catch(() => {});
      await watching;
    },
  };
}

/** Work that is done again and again. */
export interface Repeating {
  /** Ends it; resolves once none of it is under way. */
  stop: () => Promise<void>;
}

/** Does work every so many milliseconds. The work sees to its own errors. */
export type Repeat = (ms: number, work: () => Promise<void>) => Repeating;

/** Repeats by the runtime's timers. Work that takes longer than the interval delays the next one. */
export const repeat: Repeat = (ms, work) => {
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= work().finally(() => running = undefined);
  }, ms);
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
};
