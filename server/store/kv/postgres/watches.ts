/**
 * Watches keys with LISTEN and NOTIFY of PostgreSQL, on a connection that has no other use. A commit that writes
 * watched keys sends a notification (`packCommit()`, and `commit_2` in `create_table.ts`). After the connection was
 * lost, each watched key counts as changed. @module
 */
import { setTimeout as delay } from "node:timers/promises";
import { withDeadline } from "../../../runtime/mod.ts";
import type { Key } from "../engine.ts";
import type { Connections } from "./connections.ts";
import { encodeKey } from "./encoded_keys.ts";
import { LISTEN } from "./table.ts";

/** The time between two checks of the connection, and the longest time for the answer to a check, in milliseconds. */
const CHECK_MS = 5_000;

/** The time from the end of a connection to the try to open the next one, in milliseconds. */
const RECONNECT_MS = 500;

interface Watch {
  /** The key in hex, as notifications name it. */
  key: string;
  onChange: () => void;
}

/** The watches of a process. The first watch opens the connection, which stays open until `close()`. */
export class Watches {
  readonly #connections: Connections;
  readonly #watches = new Set<Watch>();
  readonly #stopping = new AbortController();
  /**
   * Whether `#run()` has begun. `#run()` opens the connection, and opens a new one each time the connection is lost.
   */
  #isStarted = false;
  /** Whether notifications arrive now. If so, a new watch counts its key as changed at once. */
  #isListening = false;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  /** Begins a watch; see `Kv.watch()`. */
  add(key: Key, onChange: () => void): { close: () => Promise<void> } {
    const watch = { key: encodeKey(key).toString("hex"), onChange };
    this.#watches.add(watch);
    if (this.#isListening) onChange();
    if (!this.#isStarted) void this.#run();
    this.#isStarted = true;
    return {
      close: () => {
        this.#watches.delete(watch);
        return Promise.resolve();
      },
    };
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.#listen(signal).catch(() => {
        // The error is dropped: the watches are stopping, or the server does not answer, which other calls report.
      });
      this.#isListening = false;
      await delay(RECONNECT_MS, undefined, { signal }).catch(() => {});
    }
  }

  /**
   * Opens a new connection, listens on it for notifications, and reports the changes to the watches. Rejects when the
   * connection is lost, or when the watches are closed.
   */
  async #listen(signal: AbortSignal): Promise<void> {
    const withinCheckTime = <T>(work: (signal: AbortSignal) => Promise<T>) =>
      withDeadline(CHECK_MS, work);
    const connection = await withinCheckTime((deadlineSignal) =>
      this.#connections.openOutside(deadlineSignal)
    );
    const connectionEnd = new AbortController();
    try {
      connection.onEnd(() => connectionEnd.abort());
      // The payload is the keys in hex, separated by spaces. It stays shorter than PostgreSQL's limit of 8,000 bytes,
      // because few keys are watched (`isWatched()`).
      connection.onNotification((payload) => {
        const changedKeys = payload.split(" ");
        for (const { key, onChange } of this.#watches) if (changedKeys.includes(key)) onChange();
      });
      await withinCheckTime(() => connection.query(LISTEN));
      this.#isListening = true;
      // The keys may have changed while there was no connection.
      for (const { onChange } of this.#watches) onChange();
      for (;;) {
        await delay(CHECK_MS, undefined, {
          signal: AbortSignal.any([signal, connectionEnd.signal]),
        });
        // An empty query finds out that a connection is dead, which TCP alone does not report.
        await withinCheckTime(() => connection.query(""));
      }
    } finally {
      this.#connections.drop(connection);
    }
  }

  /** Ends all watches and their connection. */
  close(): void {
    this.#stopping.abort();
  }
}
