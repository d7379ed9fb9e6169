/**
 * The watches of keys, on one connection of their own. When the connection is lost, each key counts as changed.
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import { withDeadline } from "../../../runtime/mod.ts";
import type { Key } from "../engine.ts";
import type { Connections } from "./connections.ts";
import { encodeKey } from "./rows.ts";

/** The time between two checks of the connection, and the longest time for the answer to a check, in milliseconds. */
const CHECK_MS = 5_000;

/** The time between the end of a connection and the next connection, in milliseconds. */
const AGAIN_MS = 500;

export class Watches {
  readonly #connections: Connections;
  /** The function of each watch, and the key that it watches. */
  readonly #watched = new Map<() => void, string>();
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #isListening = false;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  /** Begins a watch; see `Kv.watch()`. */
  add(key: Key, onChange: () => void): { close: () => Promise<void> } {
    // A function of its own for each watch, because a caller may give the same function twice.
    const changed = () => onChange();
    this.#watched.set(changed, encodeKey(key).toString("hex"));
    if (this.#isListening) changed();
    this.#running ??= this.#run();
    return { close: () => Promise.resolve(void this.#watched.delete(changed)) };
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.#listen(signal).catch(() => {
        // The error is dropped: the watches are stopping, or the server does not answer, which other calls report.
      });
      this.#isListening = false;
      await delay(AGAIN_MS, undefined, { signal }).catch(() => {});
    }
  }

  async #listen(signal: AbortSignal): Promise<void> {
    const bounded = <T>(work: (late: AbortSignal) => Promise<T>) => withDeadline(CHECK_MS, work);
    const connection = await bounded((late) => this.#connections.lend(late));
    const ended = new AbortController();
    try {
      connection.onEnd(() => ended.abort());
      connection.onNotification((payload) => {
        const keys = payload.split(" ");
        for (const [changed, key] of this.#watched) if (keys.includes(key)) changed();
      });
      await bounded(() => connection.query("listen waitlist"));
      this.#isListening = true;
      for (const changed of this.#watched.keys()) changed();
      for (;;) {
        await delay(CHECK_MS, undefined, { signal: AbortSignal.any([signal, ended.signal]) });
        await bounded(() => connection.query(""));
      }
    } finally {
      this.#connections.drop(connection);
    }
  }

  close(): void {
    this.#stopping.abort();
  }
}
