/**
 * Bounds what a KV server that does not answer can cost. Deno's client repeats a call that fails, a few times
 * a second and without end, and nothing can cancel it: a call that was given up stays in flight, and may
 * still go through.
 *
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import { DeadlineError, inTime } from "../../runtime/mod.ts";
import { KV_IS_LATE } from "./retry.ts";
import { SCHEMA } from "./keys.ts";

/** What {@linkcode GuardedKv} needs besides its first client. */
export interface GuardOptions {
  /** How long a call may take, in milliseconds, before its caller is told that it failed. */
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

/** A client, and how many of its calls have been given up and are still in flight. */
interface Client {
  kv: Deno.Kv;
  hanging: number;
}

/**
 * A KV whose calls end in time. Once the client is stuck, because no call has been answered while one was
 * waited for in vain, further calls are refused at once. Meanwhile, another client is tried every second: all
 * calls of a client share one connection, which may be dead although the server is well.
 */
export class GuardedKv implements Deno.Kv {
  readonly #options: GuardOptions;
  readonly #closing = new AbortController();
  #client: Client;
  /** How many calls the client has answered. */
  #answers = 0;
  #isStuck = false;
  #hangingInAll = 0;
  #isRecovering = false;

  constructor(kv: Deno.Kv, options: GuardOptions) {
    this.#client = { kv, hanging: 0 };
    this.#options = options;
  }

  get<T>(...args: Parameters<Deno.Kv["get"]>): Promise<Deno.KvEntryMaybe<T>> {
    return this.#call((kv) => kv.get<T>(...args));
  }

  getMany<T extends readonly unknown[]>(
    keys: readonly [...{ [K in keyof T]: Deno.KvKey }],
    options?: { consistency?: Deno.KvConsistencyLevel },
  ): Promise<{ [K in keyof T]: Deno.KvEntryMaybe<T[K]> }> {
    return this.#call((kv) => kv.getMany<T>(keys, options));
  }

  set(...args: Parameters<Deno.Kv["set"]>): Promise<Deno.KvCommitResult> {
    return this.#call((kv) => kv.set(...args));
  }

  delete(...args: Parameters<Deno.Kv["delete"]>): Promise<void> {
    return this.#call((kv) => kv.delete(...args));
  }

  list<T>(...args: Parameters<Deno.Kv["list"]>): Deno.KvListIterator<T> {
    const client = this.#client;
    const entries = client.kv.list<T>(...args);
    const next = entries.next.bind(entries);
    entries.next = () => this.#call(next, client);
    return entries;
  }

  atomic(): Deno.AtomicOperation {
    const client = this.#client;
    const operation = client.kv.atomic();
    const commit = operation.commit.bind(operation);
    operation.commit = () => this.#call(commit, client);
    return operation;
  }

  /** Watches keys; the stream ends where another client takes over. */
  watch<T extends readonly unknown[]>(
    keys: readonly [...{ [K in keyof T]: Deno.KvKey }],
    options?: { raw?: boolean },
  ): ReadableStream<{ [K in keyof T]: Deno.KvEntryMaybe<T[K]> }> {
    return this.#client.kv.watch<T>(keys, options);
  }

  enqueue(...args: Parameters<Deno.Kv["enqueue"]>): Promise<Deno.KvCommitResult> {
    return this.#client.kv.enqueue(...args);
  }

  listenQueue(...args: Parameters<Deno.Kv["listenQueue"]>): Promise<void> {
    return this.#client.kv.listenQueue(...args);
  }

  commitVersionstamp(): symbol {
    return this.#client.kv.commitVersionstamp();
  }

  /** Closes the client. What hangs is left to itself. */
  close(): void {
    this.#closing.abort();
    this.#client.kv.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** @param client the one that the call belongs to, which another one may have replaced since */
  async #call<T>(start: (kv: Deno.Kv) => Promise<T>, client = this.#client): Promise<T> {
    if (this.#refuses()) throw new Error("KV does not answer; calls are refused until it does");
    const answersBefore = this.#answers;
    const call = start(client.kv);
    const answered = () => {
      if (client !== this.#client) return;
      this.#answers++;
      this.#isStuck = false;
    };
    call.then(answered, answered);
    try {
      return await inTime(this.#options.callMs, call, KV_IS_LATE);
    } catch (error) {
      if (error instanceof DeadlineError) {
        this.#hang(client, call);
        if (client === this.#client) this.#isStuck ||= this.#answers === answersBefore;
        if (this.#refuses() && !this.#isRecovering) this.#recover();
      }
      throw error;
    }
  }

  #refuses(): boolean {
    return this.#isStuck || this.#client.hanging >= MAX_HANGING;
  }

  #hang(client: Client, call: Promise<unknown>): void {
    const count = (by: 1 | -1) => {
      client.hanging += by;
      this.#hangingInAll += by;
    };
    count(1);
    const ended = () => count(-1);
    call.then(ended, ended);
  }

  /** Opens another client, unless the calls that hang are answered before. */
  async #recover(): Promise<void> {
    this.#isRecovering = true;
    const { signal } = this.#closing;
    while (this.#refuses() && !signal.aborted) {
      try {
        if (this.#hangingInAll < MAX_HANGING_IN_ALL) {
          await this.#replace(await this.#options.openAnother(signal));
        }
      } catch {
        // The server does not answer yet.
      }
      await delay(PAUSE_MS, undefined, { signal }).catch(() => {});
    }
    this.#isRecovering = false;
  }

  /** Goes on with another client once it has answered a call. */
  async #replace(kv: Deno.Kv): Promise<void> {
    const client = { kv, hanging: 0 };
    const call = kv.get(SCHEMA);
    try {
      await inTime(this.#options.callMs, call);
    } catch (error) {
      if (error instanceof DeadlineError) this.#hang(client, call);
      return kv.close();
    }
    if (this.#closing.signal.aborted || !this.#refuses()) return kv.close();
    this.#client.kv.close();
    this.#client = client;
    this.#isStuck = false;
  }
}
