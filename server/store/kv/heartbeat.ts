/**
 * Reads the schema's entry at intervals: so the process knows whether KV answers without asking it for each
 * probe, logs when an outage begins and ends, and learns when another program has upgraded the store
 * (decisions, "Readiness, schema"). It also finds that the store has vanished, and that KV takes no writes, as
 * on a full disk.
 *
 * @module
 */
import type { Log, Runtime } from "../../runtime/mod.ts";
import { type BoundedKv, withKvDeadline } from "./retry.ts";
import { guardCommits } from "./guard_commits.ts";
import { SCHEMA, WRITE_PROBE } from "./keys.ts";
import type { OpenKv } from "./open.ts";
import { SCHEMA_VANISHED, schemaFault, type StoredSchema } from "./schema.ts";

/** The time between two reads, in milliseconds. */
const BEAT_MS = 2_000;

/** How old the last answer may be, in milliseconds: a probe and a read may take 5 s each, with 2 s between them. */
const MAX_AGE_MS = 12_000;

/** The bytes of a probe; a small one may fit into room that a larger commit has left in SQLite's log. */
const PROBE_BYTES = 60_000;

/** Why the store cannot be worked with: KV does not answer, the schema has another version, the store has
 * vanished, or KV takes no writes. */
export type StoreFault = "kv" | "schema" | "store" | "writes";

/** What the process knows of its store. */
export interface Heartbeat {
  /** The KV for all work of the service: once the store has vanished, its commits are refused. */
  kv: BoundedKv;
  /** What is wrong with the store; `undefined` where nothing is. It reads only memory. */
  fault: () => StoreFault | undefined;
  /** Ends the reads. */
  close: () => Promise<void>;
}

/** What {@linkcode startHeartbeat} needs besides KV. */
export interface HeartbeatOptions
  extends Pick<OpenKv, "isThere">, Pick<Runtime, "monotonic" | "log" | "repeat"> {
  /** Is called once, with a sentence, when the store has got another version than this program's. */
  onSchemaFault: (fault: string) => void;
}

/** Starts the reads; resolves after the first one, whether KV answered or not. */
export async function startHeartbeat(
  kv: BoundedKv,
  { isThere, monotonic, repeat, log, onSchemaFault }: HeartbeatOptions,
): Promise<Heartbeat> {
  let answeredAt = -Infinity;
  let knownFault: string | undefined;
  let hasSchema = false;
  let failedCommit = false;
  const away = trouble(log, "KV does not answer", "KV answers again");
  const vanished = trouble(log, "the store has vanished", "the store is there again");
  const refused = trouble(log, "KV takes no writes", "KV takes writes again");
  const guarded = guardCommits(kv, {
    hasSchema: () => hasSchema,
    refusal: vanished.now,
    onFailure: () => failedCommit = true,
  });

  async function beat(): Promise<void> {
    await away.during(async () => {
      const { value } = await withKvDeadline(kv, () => kv.get<StoredSchema>(SCHEMA));
      answeredAt = monotonic();
      const fault = schemaFault(value);
      if (fault && !knownFault) onSchemaFault(fault);
      knownFault = fault;
      await vanished.during(async () => {
        if (await isThere?.() === false) throw new Error(FILE_VANISHED);
        if (hasSchema && !value) throw new Error(SCHEMA_VANISHED);
        hasSchema = value !== null;
      });
    });
    if (away.now()) answeredAt = -Infinity;
    else if (!vanished.now() && (failedCommit || refused.now())) {
      failedCommit = false;
      await refused.during(() => withKvDeadline(kv, () => probeWrites(kv)));
    }
  }
  await beat();
  const beats = repeat(BEAT_MS, beat);
  return {
    kv: guarded,
    fault() {
      if (knownFault) return "schema";
      if (monotonic() - answeredAt > MAX_AGE_MS) return "kv";
      return vanished.now() ? "store" : refused.now() ? "writes" : undefined;
    },
    close: beats.close,
  };
}

const FILE_VANISHED =
  "The KV file was removed, or another file has its name, so nothing is stored any more. " +
  "Put the file back; if it is lost, stop the service, and restore a backup into a new one";

async function probeWrites(kv: Deno.Kv): Promise<void> {
  await kv.set(WRITE_PROBE, new Uint8Array(PROBE_BYTES));
  await kv.delete(WRITE_PROBE);
}

/** A trouble that lasts: it has a line in the log when it begins, and one when it ends. */
function trouble(log: Log, begins: string, ends: string) {
  let error: Error | undefined;
  return {
    /** The error, while there is one. */
    now: () => error,
    /** Does work which fails while there is the trouble. */
    async during(work: () => Promise<void>): Promise<void> {
      const before = error;
      error = await work().then(() => undefined, (fault: Error) => fault);
      if (error && !before) log.warn(begins, { error: error.message });
      if (before && !error) log.info(ends);
    },
  };
}
