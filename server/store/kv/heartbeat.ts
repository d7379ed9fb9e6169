/**
 * The heartbeat reads the schema's entry at intervals, and makes a trial write after a commit has failed. By these
 * calls, the process finds out whether KV answers, whether the store has vanished, and whether KV accepts writes. The
 * log says when each of these troubles begins and ends. The heartbeat also finds out whether another version of the
 * program has upgraded the store, after which the service stops. `guard.ts` refuses commits while the heartbeat reports
 * that the store has vanished. @module
 */
import { type Runtime, withDeadline } from "../../runtime/mod.ts";
import { readOne } from "./calls.ts";
import { Commit, type Kv, type OpenKv } from "./engine.ts";
import { guardKv, type OnKvCall, type StoreState } from "./guard.ts";
import { SCHEMA, WRITE_PROBE } from "./keys.ts";
import { SCHEMA_VANISHED, schemaFault, type StoredSchema } from "./schema.ts";
import { errorOf, followTrouble } from "./trouble.ts";

/** The time between two reads, in milliseconds. */
const INTERVAL_MS = 2_000;

/**
 * After how many milliseconds without an answer KV counts as not answering. This is the time of an interval, a read and
 * a trial write together. The two calls may take 5 s each.
 */
const MAX_AGE_MS = 12_000;

/**
 * The size of a trial write, in bytes. The write is large so that it fails on a full disk. A small write might succeed
 * there, because SQLite's log may have some free space.
 */
const PROBE_BYTES = 60_000;

/** The trouble that the KV file is gone, and what to do about it. */
const FILE_VANISHED =
  "The KV file was removed, or another file has its name, so nothing is stored any more. " +
  "Put the file back. If the file is lost, stop the service, start the service with a new KV_PATH, and restore " +
  "a backup";

export interface HeartbeatOptions {
  store: OpenKv;
  runtime: Pick<Runtime, "monotonic" | "log" | "repeat">;
  /** Is called once, with a sentence for the log, when another version of the program has upgraded the store. */
  onSchemaFault: (fault: string) => void;
  /** Is called after each read and commit. */
  onCall?: OnKvCall | undefined;
}

export interface Heartbeat {
  /** The KV for all work of the service: it refuses commits while the store counts as vanished. */
  kv: Kv;
  /**
   * Gives the present trouble without a call of KV: `kv` if KV does not answer, `schema` if another version of the
   * program has upgraded the store, `store` if the store has vanished, `writes` if KV accepts no writes; `undefined` if
   * all is well.
   */
  fault: () => "kv" | "schema" | "store" | "writes" | undefined;
  /** Gives the trouble that an operator should know of although the service works, as a sentence. */
  warning: () => string | undefined;
  close: () => Promise<void>;
}

/** Starts the heartbeat; resolves after its first read, whether KV answered or not. */
export async function startHeartbeat(options: HeartbeatOptions): Promise<Heartbeat> {
  const { store: { isThere, health }, onSchemaFault, onCall } = options;
  const { monotonic, repeat, log } = options.runtime;
  const state: StoreState = { hasSchema: false, hasFailedCommit: false };
  const kv = guardKv(options.store.kv, state, { onCall, monotonic });
  /** When KV has answered last, on the monotonic clock; -Infinity after a read without an answer. */
  let answeredAt = -Infinity;
  /** Why this program cannot work with the schema of the store; `undefined` if it can. */
  let schemaTrouble: string | undefined;
  const outage = followTrouble(log, "KV does not answer", "KV answers again");
  const vanishedStore = followTrouble(log, "the store has vanished", "the store is there again");
  const writeStop = followTrouble(log, "KV takes no writes", "KV takes writes again");
  const minorTrouble = followTrouble(log, "KV needs attention", "KV needs no attention any more");

  /** Notes whether the store has vanished. @param reason why it counts as vanished; `undefined` if it is there */
  function reportVanished(reason: string | undefined): void {
    vanishedStore.report(toError(reason));
    state.refusal = vanishedStore.error;
  }

  /** Notes whether this program can work with a schema. */
  function reportSchema(schema: StoredSchema | null): void {
    const fault = schemaFault(schema);
    if (fault && !schemaTrouble) onSchemaFault(fault);
    schemaTrouble = fault;
  }

  /** Reads the entry of the schema, and notes what it shows about the store. */
  async function checkStore(): Promise<void> {
    // Reads from the KV that `guardKv()` wraps, because the guard itself fails if the entry of the schema is gone.
    const { value: schema } = await readOne<StoredSchema>(options.store.kv, SCHEMA);
    answeredAt = monotonic();
    reportSchema(schema);
    if (await isThere?.() === false) return reportVanished(FILE_VANISHED);
    if (state.hasSchema && !schema) return reportVanished(SCHEMA_VANISHED);
    state.hasSchema = schema !== null;
    reportVanished(undefined);
  }

  async function tryToWrite(): Promise<void> {
    await kv.commit(new Commit().set(WRITE_PROBE, new Uint8Array(PROBE_BYTES)));
    await kv.commit(new Commit().delete(WRITE_PROBE));
  }

  /**
   * Finds out whether KV accepts writes. Makes a trial write only after a failed commit, and then at each check until a
   * trial write succeeds.
   * @param refusal why the engine accepts no commits now; absent if it accepts them
   */
  async function checkWrites(refusal: string | undefined): Promise<void> {
    if (refusal) return writeStop.report(new Error(refusal));
    const isInDoubt = state.hasFailedCommit || writeStop.error !== undefined;
    if (state.refusal || !isInDoubt) return;
    state.hasFailedCommit = false;
    writeStop.report(await errorOf(withDeadline(kv.deadlineMs, tryToWrite)));
  }

  async function check(): Promise<void> {
    const readError = await errorOf(checkStore());
    const { vanished, refusal, warning } = health?.() ?? {};
    minorTrouble.report(toError(warning));
    if (vanished) {
      // The report that the store has vanished is an answer of a server, so KV counts as answering.
      answeredAt = monotonic();
      reportVanished(vanished);
      return;
    }
    outage.report(readError);
    if (readError) answeredAt = -Infinity;
    else await checkWrites(refusal);
  }

  await check();
  const timer = repeat(INTERVAL_MS, check);
  return {
    kv,
    fault() {
      if (schemaTrouble) return "schema";
      if (monotonic() - answeredAt > MAX_AGE_MS) return "kv";
      if (state.refusal) return "store";
      return writeStop.error ? "writes" : undefined;
    },
    warning: () => minorTrouble.error?.message,
    close: timer.close,
  };
}

const toError = (reason: string | undefined): Error | undefined =>
  reason === undefined ? undefined : new Error(reason);
