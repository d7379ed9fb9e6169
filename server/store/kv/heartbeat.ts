/**
 * Reads the schema's entry at intervals, so that the process knows whether KV answers, logs when an outage begins and
 * ends, and learns that another program has upgraded the store, that the store has vanished, or that KV takes no
 * writes (decisions, "Readiness, schema").
 *
 * @module
 */
import type { Log, Runtime } from "../../runtime/mod.ts";
import { guardKv, type OnKvCall, type StoreState } from "./guarded_kv.ts";
import { SCHEMA, WRITE_PROBE } from "./keys.ts";
import type { OpenKv } from "./open.ts";
import { type BoundedKv, withKvDeadline } from "./calls.ts";
import { SCHEMA_VANISHED, schemaFault, type StoredSchema } from "./schema.ts";

const BEAT_MS = 2_000;

/** How old the last answer may be, in milliseconds: a probe and a read may take 5 s each, with 2 s between them. */
const MAX_AGE_MS = 12_000;

/** The bytes of a probe; a small one may fit into room that a larger commit has left in SQLite's log. */
const PROBE_BYTES = 60_000;

const FILE_VANISHED =
  "The KV file was removed, or another file has its name, so nothing is stored any more. " +
  "Put the file back; if it is lost, stop the service, and restore a backup into a new one";

/** KV does not answer; the schema has another version; the store has vanished; KV takes no writes. */
export type StoreFault = "kv" | "schema" | "store" | "writes";

export interface Heartbeat {
  /** The KV for all work of the service: once the store has vanished, its commits are refused. */
  kv: BoundedKv;
  /** What is wrong with the store, if anything; it reads only memory. */
  fault: () => StoreFault | undefined;
  close: () => Promise<void>;
}

export interface HeartbeatOptions
  extends Pick<OpenKv, "kv" | "isThere">, Pick<Runtime, "monotonic" | "log" | "repeat"> {
  /** Is called once, with a sentence, when another program has upgraded the store. */
  onSchemaFault: (fault: string) => void;
  onCall?: OnKvCall | undefined;
}

/** Starts the reads; resolves after the first one, whether KV answered or not. */
export async function startHeartbeat(options: HeartbeatOptions): Promise<Heartbeat> {
  const { isThere, monotonic, repeat, log, onSchemaFault } = options;
  const state: StoreState = { hasSchema: false, failedCommit: false };
  const kv = guardKv(options.kv, state, options);
  let answeredAt = -Infinity;
  let knownFault: string | undefined;
  const away = trouble(log, "KV does not answer", "KV answers again");
  const vanished = trouble(log, "the store has vanished", "the store is there again");
  const refused = trouble(log, "KV takes no writes", "KV takes writes again");

  async function readState(): Promise<void> {
    const { value } = await withKvDeadline(kv, () => kv.get<StoredSchema>(SCHEMA));
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
    await kv.set(WRITE_PROBE, new Uint8Array(PROBE_BYTES));
    await kv.delete(WRITE_PROBE);
  }

  async function beat(): Promise<void> {
    if (await away.during(readState)) answeredAt = -Infinity;
    else if (!state.refusal && (state.failedCommit || refused.error)) {
      state.failedCommit = false;
      await refused.during(() => withKvDeadline(kv, probeWrites));
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
    close: beats.close,
  };
}

/** A trouble that lasts: it has a line in the log when it begins, and one when it ends. */
function trouble(log: Log, begins: string, ends: string) {
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
