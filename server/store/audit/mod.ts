/** The audit log: who changed, exported or backed up what, and when regular work was last done well. @module */
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import type { Metrics } from "../../observe/mod.ts";
import { keepView, type Runtime } from "../../runtime/mod.ts";
import { Commit, type Kv, lastDoneKey, type OpenKv, readAll } from "../kv/mod.ts";
import { type AuditSelection, readAuditLog, readAuditLogOf } from "./entries.ts";
import { readNewestAuditEntries, writeAuditEntry } from "./entries.ts";
export { AUDIT_MS, indexKeysOf, newAuditEntry, readAuditLog, readAuditLogOf } from "./entries.ts";
export { restoreAuditLog, setAuditEntry, writeAuditEntry } from "./entries.ts";

/** Gives what the operator's operations do with the audit log. */
export function createAuditStore({ kv, now }: Pick<OpenKv, "kv"> & Pick<Runtime, "now">) {
  return {
    writeAuditEntry: (entry: AuditEntry) => writeAuditEntry(kv, entry),
    readAuditLogOf: (email: string, since: string, former?: string[]) =>
      readAuditLogOf(kv, email, since, former),
    readAuditLog: (selection: AuditSelection) => readAuditLog(kv, { ...selection, now: now() }),
    readNewestAuditEntries: (selection: AuditSelection & { most: number }) =>
      readNewestAuditEntries(kv, { ...selection, now: now() }),
    readLastDone: () => readLastDone(kv),
  };
}

/** A verify without a difference, a backup sent to its end, a verify with a difference, a repair of the counters. */
const REGULAR_WORK = ["verify", "backup", "difference", "repair"] as const;
type RegularWork = typeof REGULAR_WORK[number];

/** Gives date-times; absent where work was never done. */
export async function readLastDone(kv: Kv): Promise<Partial<Record<RegularWork, string>>> {
  const keys = REGULAR_WORK.map(lastDoneKey);
  const entries = await readAll<string>(kv, keys);
  return Object.fromEntries(entries.flatMap(({ key, value }) => value ? [[key[1], value]] : []));
}

/** Notes that regular work was done. A note that KV does not take fails nothing. */
export async function noteDone(work: RegularWork, { kv, now }: Pick<Runtime, "now"> & { kv: Kv }) {
  const at = new Date(now()).toISOString();
  await kv.commit(new Commit().set(lastDoneKey(work), at)).catch(() => {});
}

/** Lets the metrics tell how long ago the signing key began to sign, and regular work was last done well. */
export async function reportAges(
  keyRing: { signsSince: number },
  { kv, metrics, now, repeat }: Pick<Runtime, "now" | "repeat"> & {
    kv: Kv;
    metrics: Pick<Metrics, "reportAges"> | undefined;
  },
) {
  if (!metrics) return undefined;
  const view = await keepView(() => readLastDone(kv), { first: {}, repeat });
  metrics.reportAges((thing) => {
    if (thing === "signing_key") return (now() - keyRing.signsSince) / 1000;
    const doneAt = view.get()[thing];
    return doneAt === undefined ? undefined : (now() - Date.parse(doneAt)) / 1000;
  });
  return view;
}
