/**
 * Reads the schema's entry at intervals: so the process knows whether KV answers without asking it for each
 * probe, logs when an outage begins and ends, and learns when another program has upgraded the store
 * (decisions, "Readiness, schema").
 *
 * @module
 */
import type { Log } from "../log.ts";
import type { Repeat } from "./credentials.ts";
import { type BoundedKv, withKvDeadline } from "./deadline.ts";
import { SCHEMA } from "./keys.ts";
import { schemaFault, type StoredSchema } from "./schema.ts";

/** The time between two reads, in milliseconds. */
const BEAT_MS = 5_000;

/** How old the last answer may be, in milliseconds: a read may take 5 s, and begin 5 s after the one before. */
const MAX_AGE_MS = 12_000;

/** Why the store cannot be worked with: KV does not answer, or the schema has another version. */
export type StoreFault = "kv" | "schema";

/** What the process knows of its store. */
export interface Heartbeat {
  /** What is wrong with the store; `undefined` where nothing is. It reads only memory. */
  fault: () => StoreFault | undefined;
  /** Ends the reads. */
  close: () => Promise<void>;
}

/** What {@linkcode startHeartbeat} needs besides KV. */
export interface HeartbeatOptions {
  /** A clock that never steps, in milliseconds. */
  monotonic: () => number;
  repeat: Repeat;
  /** Gets a line when KV stops answering, and one when it answers again. */
  log: Log;
  /** Is called once, with a sentence, when the store has got another version than this program's. */
  onSchemaFault: (fault: string) => void;
}

/** Starts the reads; resolves after the first one, whether KV answered or not. */
export async function startHeartbeat(
  kv: BoundedKv,
  { monotonic, repeat, log, onSchemaFault }: HeartbeatOptions,
): Promise<Heartbeat> {
  let answeredAt = -Infinity;
  let isAway = false;
  let knownFault: string | undefined;
  async function beat(): Promise<void> {
    try {
      const { value } = await withKvDeadline(kv, () => kv.get<StoredSchema>(SCHEMA));
      answeredAt = monotonic();
      if (isAway) log.info("KV answers again");
      isAway = false;
      const fault = schemaFault(value);
      if (fault && !knownFault) onSchemaFault(fault);
      knownFault = fault;
    } catch (error) {
      answeredAt = -Infinity;
      if (!isAway) log.warn("KV does not answer", { error: (error as Error).message });
      isAway = true;
    }
  }
  await beat();
  const beats = repeat(BEAT_MS, beat);
  return {
    fault() {
      if (knownFault) return "schema";
      return monotonic() - answeredAt > MAX_AGE_MS ? "kv" : undefined;
    },
    close: () => beats.stop(),
  };
}
