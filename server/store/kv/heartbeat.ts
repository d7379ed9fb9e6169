/**
 * The heartbeat reads the schema's entry at intervals, and makes a trial write after a commit has failed. From this,
 * the process knows whether KV answers, whether another program has upgraded the store, whether the store has
 * vanished, and whether KV takes writes. The log says when each of these troubles begins and ends. @module
 */
import { type Log, type Runtime, withDeadline } from "../../runtime/mod.ts";
import { readOne } from "./calls.ts";
import {
  Commit,
  type Key,
  type Kv,
  type ListOptions,
  type OpenKv,
  type Selector,
} from "./engine.ts";
import { SCHEMA, WRITE_PROBE } from "./keys.ts";
import { SCHEMA_VANISHED, SchemaError, schemaFault, type StoredSchema } from "./schema.ts";

/** The milliseconds between two reads. */
const INTERVAL_MS = 2_000;

/**
 * The age of KV's last answer from which on KV counts as not answering, in milliseconds: a read and a trial write may
 * take 5 s each.
 */
const MAX_AGE_MS = 12_000;

/**
 * The size of a trial write, in bytes. It is this large so that it fails on a full disk; a small one may still fit
 * into room that a larger commit has left in SQLite's log.
 */
const PROBE_BYTES = 60_000;

const FILE_VANISHED =
  "The KV file was removed, or another file has its name, so nothing is stored any more. " +
  "Put the file back; if it is lost, stop the service, and restore a backup into a new one";

export interface HeartbeatOptions {
  store: OpenKv;
  runtime: Pick<Runtime, "monotonic" | "log" | "repeat">;
  /** Is called once, with a sentence for the log, when another version of the program has upgraded the store. */
  onSchemaFault: (fault: string) => void;
  /** Is called after each call of KV. */
  onCall?: OnKvCall | undefined;
}

export interface Heartbeat {
  /** The KV for all work of the service: it refuses commits once the store has vanished. */
  kv: Kv;
  /**
   * Gives the trouble from memory: `kv` does not answer, the `schema` is that of another version of the program, the
   * `store` has vanished, or `writes` are not taken. Gives `undefined` where all is well.
   */
  fault: () => "kv" | "schema" | "store" | "writes" | undefined;
  /** Gives the trouble that an operator should know of though the service works, as a sentence. */
  warning: () => string | undefined;
  close: () => Promise<void>;
}

/** Starts the heartbeat; resolves after its first read, whether KV answered or not. */
export async function startHeartbeat(options: HeartbeatOptions): Promise<Heartbeat> {
  const { store: { isThere, health }, onSchemaFault, onCall } = options;
  const { monotonic, repeat, log } = options.runtime;
  const state: StoreState = { hasSchema: false, failedCommit: false };
  const kv = guardKv(options.store.kv, state, { onCall, monotonic });
  let answeredAt = -Infinity;
  let knownFault: string | undefined;
  const away = noteTrouble(log, "KV does not answer", "KV answers again");
  const vanished = noteTrouble(log, "the store has vanished", "the store is there again");
  const refused = noteTrouble(log, "KV takes no writes", "KV takes writes again");
  const warned = noteTrouble(log, "KV needs attention", "KV needs no attention any more");

  async function readState(): Promise<void> {
    // Reads from the KV below `guardKv()`, because the guard rejects a read of a schema that is gone.
    const { value } = await readOne<StoredSchema>(options.store.kv, SCHEMA);
    answeredAt = monotonic();
    const fault = schemaFault(value);
    if (fault && !knownFault) onSchemaFault(fault);
    knownFault = fault;
    state.refusal = await vanished.during(async () => {
      if (await isThere?.() === false) throw new Error(FILE_VANISHED);
      if (state.hasSchema && !value) throw new Error(SCHEMA_VANISHED);
      state.hasSchema = value !== null;
    });
  }

  async function tryToWrite(): Promise<void> {
    await kv.commit(new Commit().set(WRITE_PROBE, new Uint8Array(PROBE_BYTES)));
    await kv.commit(new Commit().delete(WRITE_PROBE));
  }

  async function check(): Promise<void> {
    const reading = readState();
    await reading.catch(() => {});
    const { vanished: gone, refusal, warning } = health?.() ?? {};
    await warned.during(() => failWith(warning));
    if (gone) {
      // The trouble itself counts as an answer: the server has said that it has no store.
      answeredAt = monotonic();
      state.refusal = await vanished.during(() => failWith(gone));
      return;
    }
    if (await away.during(() => reading)) answeredAt = -Infinity;
    else if (refusal) await refused.during(() => failWith(refusal));
    else if (!state.refusal && (state.failedCommit || refused.error)) {
      state.failedCommit = false;
      await refused.during(() => withDeadline(kv.deadlineMs, tryToWrite));
    }
  }
  await check();
  const repeated = repeat(INTERVAL_MS, check);
  return {
    kv,
    fault() {
      if (knownFault) return "schema";
      if (monotonic() - answeredAt > MAX_AGE_MS) return "kv";
      return state.refusal ? "store" : refused.error ? "writes" : undefined;
    },
    warning: () => warned.error?.message,
    close: repeated.close,
  };
}

const failWith = (sentence: string | undefined): Promise<void> =>
  sentence === undefined ? Promise.resolve() : Promise.reject(new Error(sentence));

/**
 * Follows a trouble that can last, and logs when it begins and when it ends.
 * @param begins the message of the log line at the beginning
 * @param ends the message of the log line at the end
 */
export function noteTrouble(log: Log, begins: string, ends: string) {
  const known = {
    /** The error of the trouble; `undefined` while there is no trouble. */
    error: undefined as Error | undefined,
    /** Does work that fails while the trouble lasts. @returns the error of the work */
    async during(work: () => Promise<void>): Promise<Error | undefined> {
      const before = known.error;
      known.error = await work().then(() => undefined, (fault: Error) => fault);
      if (known.error && !before) log.warn(begins, { error: known.error.message });
      if (before && !known.error) log.info(ends);
      return known.error;
    },
  };
  return known;
}

/**
 * A function that gets the name of a call of KV, its time in milliseconds, and the name of its error if the call
 * failed.
 */
export type OnKvCall = (operation: "get" | "list" | "commit", ms: number, fault?: string) => void;

/** What the heartbeat and the guard know of the store. */
export interface StoreState {
  /** Whether the store is known to have the entry of the schema. */
  hasSchema: boolean;
  /** Why commits are refused, if they are. */
  refusal?: Error | undefined;
  /** Whether a commit has failed or had no answer since the last trial write. A conflict does not count. */
  failedCommit: boolean;
}

/**
 * Gives a KV that refuses commits where the state of the store says so, and that notes in the state when a commit
 * fails. A read of the schema fails where its entry is gone.
 * @param onCall is called after each read and commit; a watch has no end, so it is not timed
 */
export function guardKv(
  kv: Kv,
  state: StoreState,
  { onCall, monotonic }: { onCall?: OnKvCall | undefined } & Pick<Runtime, "monotonic">,
): Kv {
  async function timed<T>(operation: Parameters<OnKvCall>[0], call: () => Promise<T>): Promise<T> {
    const began = monotonic();
    try {
      const result = await call();
      onCall?.(operation, monotonic() - began);
      return result;
    } catch (error) {
      if (operation === "commit") state.failedCommit = true;
      onCall?.(operation, monotonic() - began, (error as Error).name);
      throw error;
    }
  }

  return {
    ...kv,
    async get<T>(keys: readonly Key[]) {
      const entries = await timed("get", () => kv.get<T>(keys));
      const schema = entries[keys.indexOf(SCHEMA)];
      if (schema && !("fault" in schema) && schema.version === null && state.hasSchema) {
        throw new SchemaError(SCHEMA_VANISHED);
      }
      return entries;
    },
    list: <T>(selector: Selector, options: ListOptions) =>
      timed("list", () => kv.list<T>(selector, options)),
    async commit(commit: Commit) {
      if (state.refusal) throw state.refusal;
      return await timed("commit", () => kv.commit(commit));
    },
  };
}
