/**
 * The audit log: what the operators have done, and when regular work was last done well. The entry of a change is
 * written in the commit of the change, so that there is never one without the other; a further try of that commit
 * writes the same entry. @module
 */
import { base64url } from "jose";
import { keptAuditEntrySchema, type LineOf } from "../../../shared/backup_lines.ts";
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import type { Metrics } from "../../observe/mod.ts";
import { DAY, DeadlineError, keepView, type Runtime } from "../../runtime/mod.ts";
import type { SignUpRecord } from "../../waitlist/mod.ts";
import {
  AUDIT_LOG,
  auditKey,
  auditOfKey,
  auditSelector,
  Commit,
  lastDoneKey,
  pages,
} from "../kv/mod.ts";
import { readAll, readEntries, readMany, retry, validate } from "../kv/mod.ts";
import type { EntryBatch, Key, Kv } from "../kv/mod.ts";
import { readAuditLogOf } from "./history.ts";

export { readAuditLogOf };

/** How long an entry is kept, in milliseconds. */
export const AUDIT_MS = 400 * DAY;

/** Makes an entry, to which its maker adds who did what. */
export function newAuditEntry(action: string, { now, random }: Pick<Runtime, "now" | "random">) {
  return { at: new Date(now()).toISOString(), id: base64url.encode(random(9)), action };
}

/** The keys by which the addresses that an entry is about find it. */
export const indexKeysOf = (entry: AuditEntry): Key[] =>
  [entry.address, entry.details?.formerAddress]
    .flatMap((address) => typeof address === "string" ? [auditOfKey(address, entry)] : []);

/** Adds an audit entry to a commit; nothing where no operator made the change. */
export function setAuditEntry(commit: Commit, entry: AuditEntry | undefined): Commit {
  if (!entry) return commit;
  for (const key of indexKeysOf(entry)) commit.set(key, true);
  return commit.set(auditKey(entry), entry);
}

/** Writes an entry alone; a repetition writes the same one. */
export async function writeAuditEntry(kv: Kv, entry: AuditEntry): Promise<void> {
  const commit = setAuditEntry(new Commit(), entry);
  await retry(() => kv.commit(commit));
}

const ENTRIES_AT_ONCE = 200;

/** Stores the entries of a backup that are new here and not too old, with the restore's own; gives how many. */
export async function restoreAuditLog(
  kv: Kv,
  lines: LineOf<"audit">[],
  { now, audit }: { now: number; audit: AuditEntry | undefined },
): Promise<number> {
  let stored = 0;
  for (let from = 0; from < lines.length; from += ENTRIES_AT_ONCE) {
    const entries = lines.slice(from, from + ENTRIES_AT_ONCE).map(({ entry }) => entry);
    const known = await retry(() => readMany(kv, entries.map(auditKey)));
    const absent = entries.filter(({ at }, index) => {
      return known[index]?.version === null && Date.parse(at) > now - AUDIT_MS;
    });
    if (absent.length === 0) continue;
    const commit = setAuditEntry(new Commit(), audit);
    for (const entry of absent) setAuditEntry(commit, entry);
    await retry(() => kv.commit(commit));
    stored += absent.length;
  }
  return stored;
}

const VALIDATION = { schema: keptAuditEntrySchema };

export interface AuditSelection {
  /** A date-time in UTC. */
  since?: string | undefined;
  /** A date-time in UTC, or the position of an entry: its moment, a space and its id. Only earlier ones are read. */
  before?: string | undefined;
}

/** Sorts behind every date-time. */
const END = "~";

/** Reads the entries that are not too old, the oldest first, and names those that cannot be read. */
export async function* readAuditLog(
  kv: Kv,
  { since, before = END, now }: AuditSelection & { now: number },
): AsyncGenerator<EntryBatch<AuditEntry>> {
  const selector = { ...AUDIT_LOG, after: startOf(since, now), form: VALIDATION };
  for await (const batch of readEntries<AuditEntry>(kv, selector)) {
    const entries = batch.entries.filter(({ key }) => String(key[1]) < before);
    yield { ...batch, entries };
    if (entries.length < batch.entries.length) return;
  }
}

function startOf(since = "", now: number): string {
  const oldest = new Date(now - AUDIT_MS).toISOString();
  return since > oldest ? since : oldest;
}

/**
 * Reads the same entries, the newest first. Where KV cannot read one of them, it goes through the rest of the log from
 * the beginning, which names the faulty entry.
 * @param selection.most how many entries the caller takes at the most
 */
export async function* readNewestAuditEntries(
  kv: Kv,
  { since, before = END, now, most }: AuditSelection & { now: number; most: number },
): AsyncGenerator<EntryBatch<AuditEntry>> {
  const first = startOf(since, now);
  // KV refuses a range that ends before it begins.
  if (before <= first) return;
  let position = before;
  let left = most;
  try {
    const range = auditSelector(first, before);
    for await (const page of pages<AuditEntry>(kv, range, { reverse: true })) {
      yield validate(page.slice(0, left), VALIDATION);
      left -= page.length;
      if (left <= 0) return;
      position = String(page.at(-1)!.key[1]);
    }
  } catch (error) {
    if (error instanceof DeadlineError) throw error;
    const rest: EntryBatch<AuditEntry> = { entries: [], unreadable: [] };
    for await (const batch of readAuditLog(kv, { since, before: position, now })) {
      rest.entries = [...rest.entries, ...batch.entries].slice(-left);
      rest.unreadable.push(...batch.unreadable);
    }
    yield { ...rest, entries: rest.entries.reverse() };
  }
}

/** What the operator's operations do with the audit log. */
export interface AuditStore {
  /** Writes an entry alone. A repetition writes the same entry. */
  writeAuditEntry: (entry: AuditEntry) => Promise<void>;
  /** Reads the latest entries about one person, the newest first; see `history.ts`. */
  readAuditLogOf: (
    email: string,
    record: Pick<SignUpRecord, "createdAt" | "corrections">,
  ) => Promise<AuditEntry[]>;
  /** Reads the entries of the last 400 days, the oldest first. */
  readAuditLog: (selection: AuditSelection) => AsyncGenerator<EntryBatch<AuditEntry>>;
  /** Reads the same entries, the newest first. @param selection.most the most entries that the caller takes */
  readNewestAuditEntries: (
    selection: AuditSelection & { most: number },
  ) => AsyncGenerator<EntryBatch<AuditEntry>>;
}

export function createAuditStore({ kv, now }: Pick<Runtime, "now"> & { kv: Kv }): AuditStore {
  return {
    writeAuditEntry: (entry) => writeAuditEntry(kv, entry),
    readAuditLogOf: (email, record) => readAuditLogOf(kv, email, record),
    readAuditLog: ({ since, before }) => readAuditLog(kv, { since, before, now: now() }),
    readNewestAuditEntries: ({ since, before, most }) =>
      readNewestAuditEntries(kv, { since, before, most, now: now() }),
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
  { kv, runtime: { now, repeat }, metrics, keyRing }: {
    kv: Kv;
    runtime: Pick<Runtime, "now" | "repeat">;
    keyRing: { signsSince: number };
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
