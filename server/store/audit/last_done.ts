/** Stores when regular work, such as a backup, was last done, and reports this to the metrics. @module */
import type { Metrics } from "../../observe/mod.ts";
import { refreshEachMinute, type Repeating, type Runtime } from "../../runtime/mod.ts";
import { Commit, type Kv, lastDoneKey, nameOf, readAll } from "../kv/mod.ts";

/**
 * The kinds of regular work, by their names in the overview. The store has the moment at which each kind was last done.
 * `verify` is a recount that found no fault, `difference` a recount that found a difference, `backup` a complete
 * backup, and `repair` a repair of the counters.
 */
const WORK_KINDS = ["verify", "backup", "difference", "repair"] as const;

type WorkKind = typeof WORK_KINDS[number];

/**
 * Reads the date-times at which each kind of work was last done, and at which the last import began. Work that was never
 * done has no date-time. `setAuditEntry()` stores the moment of an import.
 */
export async function readLastDone(
  kv: Kv,
): Promise<Partial<Record<WorkKind | "import", string>>> {
  const keys = [...WORK_KINDS, "import"].map(lastDoneKey);
  const entries = await readAll<string>(kv, keys);
  return Object.fromEntries(
    entries.flatMap(({ key, value }) => value ? [[nameOf(key), value]] : []),
  );
}

/** Stores that work is done now. The promise does not reject if KV fails, because the work itself has succeeded. */
export async function noteDone(
  kind: WorkKind,
  { kv, now }: Pick<Runtime, "now"> & { kv: Kv },
): Promise<void> {
  const at = new Date(now()).toISOString();
  await kv.commit(new Commit().set(lastDoneKey(kind), at)).catch(() => {});
}

/** What the ages in the metrics need. */
interface AgesOptions {
  kv: Kv;
  runtime: Pick<Runtime, "now" | "repeat">;
  /** When the signing key began to sign, in milliseconds since 1970. */
  keyRing: { signsSince: number };
  metrics: Pick<Metrics, "reportAges"> | undefined;
}

/**
 * Adds ages to the metrics, in seconds: how long ago the signing key began to sign, and how long ago a verification of
 * the counters and a backup last succeeded. Does nothing without metrics.
 */
export async function reportAges(
  { kv, runtime: { now, repeat }, metrics, keyRing }: AgesOptions,
): Promise<Repeating | undefined> {
  if (!metrics) return undefined;
  const lastDone = await refreshEachMinute(() => readLastDone(kv), { initial: {}, repeat });
  metrics.reportAges((name) => {
    if (name === "signing_key") return (now() - keyRing.signsSince) / 1000;
    const doneAt = lastDone.get()[name];
    return doneAt === undefined ? undefined : (now() - Date.parse(doneAt)) / 1000;
  });
  return lastDone;
}
