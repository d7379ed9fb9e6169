/**
 * Reads the schema's entry at intervals, so that the process knows whether KV answers, logs when an outage begins and
 * ends, and learns that another program has upgraded the store, that the store has vanished, or that KV takes no
 * writes (decisions, "Readiness, schema"). @module
 */
import { type Log, type Runtime, withDeadline } from "../../runtime/mod.ts";
import { SCHEMA, WRITE_PROBE } from "./keys.ts";
import { readOne } from "./calls.ts";
import {
  Commit,
  type Key,
  type Kv,
  type ListOptions,
  type OpenKv,
  type Selector,
} from "./engine.ts";
import { SCHEMA_VANISHED, SchemaError, schemaFault, type StoredSchema } from "./schema.ts";

/** In milliseconds: between two reads, and how old the last answer may be: a probe and a read may take 5 s each. */
const BEAT_MS = 2_000, MAX_AGE_MS = 12_000;

/** The bytes of a probe; a small one may fit into room that a larger commit has left in SQLite's log. */
const PROBE_BYTES = 60_000;

const FILE_VANISHED =
  "The KV file was removed, or another file has its name, so nothing is stored any more. " +
  "Put the file back; if it is lost, stop the service, and restore a backup into a new one";

export interface HeartbeatOptions {
  store: OpenKv;
  runtime: Pick<Runtime, "monotonic" | "log" | "repeat">;
  /** Is called once, with a sentence, when another program has upgraded the store. */
  onSchemaFault: (fault: string) => void;
  onCall?: OnKvCall | undefined;
}

export interface Heartbeat {
  /** For all work of the service: its commits are refused once the store has vanished. */
  kv: Kv;
  /** Says from memory what is wrong: KV does not answer, another schema, a store that vanished, no writes. */
  fault: () => "kv" | "schema" | "store" | "writes" | undefined;
  /** Says what is wrong with the store though the service can work. */
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
    // Not by `kv`, which rejects where the entry is gone.
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

  async function probeWrites(): Promise<void> {
    await kv.commit(new Commit().set(WRITE_PROBE, new Uint8Array(PROBE_BYTES)));
    await kv.commit(new Commit().delete(WRITE_PROBE));
  }

  async function beat(): Promise<void> {
    const reading = readState();
    await reading.catch(() => {});
    const { vanished: gone, refusal, warning } = health?.() ?? {};
    await warned.during(() => failWith(warning));
    if (gone) {
      // The server has answered; it has no store.
      answeredAt = monotonic();
      state.refusal = await vanished.during(() => failWith(gone));
      return;
    }
    if (await away.during(() => reading)) answeredAt = -Infinity;
    else if (refusal) await refused.during(() => failWith(refusal));
    else if (!state.refusal && (state.failedCommit || refused.error)) {
      state.failedCommit = false;
      await refused.during(() => withDeadline(kv.deadlineMs, probeWrites));
    }
  }
  await beat();
  const beats = repeat(BEAT_MS, beat);
  return {
    kv,
    fault() {
      if (knownFault) return "schema";
      if (monotonic() - answeredAt > MAX_AGE_MS) return "kv";
      return state.refusal ? "store" : refused.error ? "writes" : undefined;
    },
    warning: () => warned.error?.message,
    close: beats.close,
  };
}

const failWith = (sentence: string | undefined): Promise<void> =>
  sentence === undefined ? Promise.resolve() : Promise.reject(new Error(sentence));

/** A trouble that lasts: it has a line in the log when it begins, and one when it ends. */
export function noteTrouble(log: Log, begins: string, ends: string) {
  const known = {
    error: undefined as Error | undefined,
    /** Does work that fails while there is the trouble; gives its error. */
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

/** Is called after a call of KV with its name and its milliseconds, and with its error's name if it failed. */
export type OnKvCall = (operation: "get" | "list" | "commit", ms: number, fault?: string) => void;

export interface StoreState {
  /** Whether the store is known to have the entry of the schema. */
  hasSchema: boolean;
  refusal?: Error | undefined;
  /** Whether KV has failed a commit or given no answer; a failed check does not count. */
  failedCommit: boolean;
}

/**
 * Gives a KV whose commits are refused where the state of the store says so, and which notes there when one fails. A
 * read of the schema fails where its entry is gone.
 * @param onCall gets the time of each call; a watch is none, as it has no end
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
