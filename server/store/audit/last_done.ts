/** Stores when regular work, such as a backup, last succeeded, and reports this to the metrics. @module */
import type { Metrics } from "../../observe/mod.ts";
import { refreshEachMinute, type Repeating, type Runtime } from "../../runtime/mod.ts";
import { Commit, type Kv, lastDoneKey, nameOf, readAll } from "../kv/mod.ts";

/**
 * The kinds of regular work. The service stores the moment at which each kind last succeeded. `verify` is a recount
 * that found no fault, `difference` a recount that found a difference, `backup` a complete backup, and `repair` a
 * repair of the counters.
 */
const REGULAR_WORK = ["verify", "backup", "difference", "repair"] as const;

type RegularWork = typeof REGULAR_WORK[number];

/** Reads the date-times at which regular work last succeeded. Work that never succeeded has no date-time. */
export async function readLastDone(kv: Kv): Promise<Partial<Record<RegularWork, string>>> {
  const keys = REGULAR_WORK.map(lastDoneKey);
  const entries = await readAll<string>(kv, keys);
  return Object.fromEntries(
    entries.flatMap(({ key, value }) => value ? [[nameOf(key), value]] : []),
  );
}

/**
 * Stores that regular work has succeeded now. The promise does not reject if KV fails, because the work itself has
 * succeeded.
 */
export async function noteDone(
  work: RegularWork,
  { kv, now }: Pick<Runtime, "now"> & { kv: Kv },
): Promise<void> {
  const at = new Date(now()).toISOString();
  await kv.commit(new Commit().set(lastDoneKey(work), at)).catch(() => {});
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
 * the counters and a backup last succeeded. Without metrics, it does nothing.
 */
export async function reportAges(
  { kv, runtime: { now, repeat }, metrics, keyRing }: AgesOptions,
): Promise<Repeating | undefined> {
  if (!metrics) return undefined;
  const view = await refreshEachMinute(() => readLastDone(kv), { initial: {}, repeat });
  metrics.reportAges((name) => {
    if (name === "signing_key") return (now() - keyRing.signsSince) / 1000;
    const doneAt = view.get()[name];
    return doneAt === undefined ? undefined : (now() - Date.parse(doneAt)) / 1000;
  });
  return view;
}
