/**
 * Bounds what a KV server that does not answer can cost. Deno's client repeats a failed call a few times a second and
 * without end, and nothing can cancel it: a call that was given up stays in flight, and may still go through.
 *
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import { DeadlineError, inTime } from "../../runtime/mod.ts";
import { SCHEMA } from "./keys.ts";
import { KV_IS_LATE } from "./calls.ts";

export interface ReconnectOptions {
  /** The milliseconds after which the caller of a call is told that it failed. */
  callMs: number;
  /** Opens another client; rejects where the server does not answer. */
  openAnother: (signal: AbortSignal) => Promise<Deno.Kv>;
}

/** How many calls of one client may hang before further calls are refused. */
const MAX_HANGING = 64;

/** How many calls of all clients may hang before no further client is opened. */
const MAX_HANGING_IN_ALL = 4 * MAX_HANGING;

/** The pause between two attempts to open another client, in milliseconds. */
const PAUSE_MS = 1_000;

interface Client {
  kv: Deno.Kv;
  hanging: number;
}

/**
 * Gives a KV whose calls end in time. Once no call has been answered while one was waited for in vain, further calls
 * are refused at once, and another client is tried every second: all calls of a client share one connection, which may
 * be dead although the server is well. Watches end where another client takes over.
 */
export function reconnectingKv(
  first: Deno.Kv,
  { callMs, openAnother }: ReconnectOptions,
): Deno.Kv {
  const closing = new AbortController();
  const { signal } = closing;
  let client: Client = { kv: first, hanging: 0 };
  let answers = 0;
  let isStuck = false;
  let hangingInAll = 0;
  let isRecovering = false;

  const refuses = () => isStuck || client.hanging >= MAX_HANGING;

  async function around<T>(start: () => Promise<T>, kv: Deno.Kv): Promise<T> {
    if (refuses()) throw new Error("KV does not answer; calls are refused until it does");
    // Another client may have replaced that of the call.
    const caller = kv === client.kv ? client : { kv, hanging: 0 };
    const answersBefore = answers;
    const call = start();
    const answered = () => {
      if (caller !== client) return;
      answers++;
      isStuck = false;
    };
    call.then(answered, answered);
    try {
      return await inTime(callMs, call, KV_IS_LATE);
    } catch (error) {
      if (error instanceof DeadlineError) {
        hang(caller, call);
        if (caller === client) isStuck ||= answers === answersBefore;
        if (refuses() && !isRecovering) recover();
      }
      throw error;
    }
  }

  function hang(caller: Client, call: Promise<unknown>): void {
    const count = (by: 1 | -1) => {
      caller.hanging += by;
      hangingInAll += by;
    };
    count(1);
    const ended = () => count(-1);
    call.then(ended, ended);
  }

  /** Opens another client, unless the calls that hang are answered before. */
  async function recover(): Promise<void> {
    isRecovering = true;
    while (refuses() && !signal.aborted) {
      try {
        if (hangingInAll < MAX_HANGING_IN_ALL) await replaceBy(await openAnother(signal));
      } catch {
        // The server does not answer yet.
      }
      await delay(PAUSE_MS, undefined, { signal }).catch(() => {});
    }
    isRecovering = false;
  }

  /** Goes on with another client once it has answered a call. */
  async function replaceBy(kv: Deno.Kv): Promise<void> {
    const other = { kv, hanging: 0 };
    const call = kv.get(SCHEMA);
    try {
      await inTime(callMs, call);
    } catch (error) {
      if (error instanceof DeadlineError) hang(other, call);
      return kv.close();
    }
    if (signal.aborted || !refuses()) return kv.close();
    client.kv.close();
    client = other;
    isStuck = false;
  }

  /** What hangs is left to itself. */
  function close() {
    closing.abort();
    client.kv.close();
  }
  return wrapKv(() => client.kv, around, { close, [Symbol.dispose]: close });
}

/** Makes a call of a client, or does not; each step of a list is a call. */
type AroundCall = <T>(
  call: () => Promise<T>,
  client: Deno.Kv,
) => Promise<T>;

/**
 * Gives a KV whose calls go through a function. The client of a call is also that of the atomics and lists that it
 * makes.
 *
 * @param own what the KV has of its own
 */
function wrapKv(
  clientOf: () => Deno.Kv,
  around: AroundCall,
  own: object,
): Deno.Kv {
  return new Proxy(clientOf(), {
    get(_first, name) {
      if (name in own) return Reflect.get(own, name);
      const client = clientOf();
      const value = Reflect.get(client, name);
      if (typeof value !== "function") return value;
      const method = value.bind(client);
      switch (name) {
        case "get":
        case "getMany":
        case "set":
        case "delete":
          return (...args: unknown[]) => around(() => method(...args), client);
        case "list":
          return (...args: unknown[]) => {
            const list: Deno.KvListIterator<unknown> = method(...args);
            const next = list.next.bind(list);
            list.next = () => around(next, client);
            return list;
          };
        case "atomic":
          return () => {
            const atomic: Deno.AtomicOperation = method();
            const commit = atomic.commit.bind(atomic);
            atomic.commit = () => around(commit, client);
            return atomic;
          };
      }
      return method;
    },
  });
}
