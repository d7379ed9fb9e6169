/**
 * The audit log: what operators and mail providers have done, refused calls, and some work of the service itself, such
 * as a daily backup. The entry of a change is written in the commit of the change, so that both are stored or neither
 * is. If the commit is tried again, it writes the same entry. This folder also stores when regular work, such as a
 * backup, last succeeded. `history.ts` has the entries about one person. @module
 */
import { base64url } from "jose";
import { type LineOf, storedAuditEntrySchema } from "../../../shared/backup_lines.ts";
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import type { Metrics } from "../../observe/mod.ts";
import {
  DAY,
  DeadlineError,
  digestSha256,
  refreshEachMinute,
  type Repeating,
  type Runtime,
} from "../../runtime/mod.ts";
import type { SignUpRecord } from "../../waitlist/mod.ts";
import {
  AUDIT_LOG,
  auditKey,
  auditOfKey,
  auditSelector,
  Commit,
  type EntryBatch,
  type Key,
  type Kv,
  lastDoneKey,
  nameOf,
  pages,
  readAll,
  readEntries,
  readMany,
  retry,
  separateUnreadable,
} from "../kv/mod.ts";
import { readAuditLogOf } from "./history.ts";
export { readAuditLogOf } from "./history.ts";

/** How long an entry is kept, in milliseconds. */
export const AUDIT_MS = 400 * DAY;

/** Makes an entry of an action. The caller adds the operator and the details. */
export function newAuditEntry(
  action: string,
  { now, random }: Pick<Runtime, "now" | "random">,
): AuditEntry {
  return { at: new Date(now()).toISOString(), id: base64url.encode(random(9)), action };
}

/** How many characters the id of an entry has. */
const ID_LENGTH = 12;

/**
 * Makes the entry about one person from the entry of a call about several people. The id of the new entry depends only
 * on the two arguments, so that a further try of the commit writes the same entry.
 * @param address the keyed hash of the address
 */
export function entryAbout(address: string, entry: AuditEntry): AuditEntry {
  const id = digestSha256(`${entry.id} ${address}`).toString("base64url").slice(0, ID_LENGTH);
  return { ...entry, id, address };
}

/** Gives the keys of an entry in the index by addresses, one key for each address that the entry is about. */
export const indexKeysOf = (entry: AuditEntry): Key[] =>
  [entry.address, entry.details?.formerAddress]
    .flatMap((address) => typeof address === "string" ? [auditOfKey(address, entry)] : []);

/** Adds an audit entry to a commit. Adds nothing if `entry` is absent, as for a change that no operator has made. */
export function setAuditEntry(commit: Commit, entry: AuditEntry | undefined): Commit {
  if (!entry) return commit;
  for (const key of indexKeysOf(entry)) commit.set(key, true);
  return commit.set(auditKey(entry), entry);
}

/** Writes an entry in a commit of its own. A repeated call writes the same entry again, and adds no second entry. */
export async function writeAuditEntry(kv: Kv, entry: AuditEntry): Promise<void> {
  const commit = setAuditEntry(new Commit(), entry);
  await retry(() => kv.commit(commit));
}

/**
 * Marks the audit entry of a long change as complete, by writing the entry again. Each commit of the change has already
 * written this entry, with the counts so far.
 */
export function writeCompletion(
  writeAuditEntry: AuditStore["writeAuditEntry"],
  audit: AuditEntry,
): Promise<void> {
  return writeAuditEntry({ ...audit, details: { ...audit.details, complete: true } });
}

/** How many entries of a backup one commit stores at most. */
const ENTRIES_AT_ONCE = 200;

/**
 * Stores the entries of a backup that are new in this store and not too old. Each commit also writes the audit entry of
 * the restore itself.
 * @param options.now the present moment, in milliseconds since 1970
 * @param options.audit the audit entry of the restore
 * @returns the number of entries of the backup that were stored
 */
export async function restoreAuditLog(
  kv: Kv,
  lines: LineOf<"audit">[],
  { now, audit }: { now: number; audit: AuditEntry | undefined },
): Promise<number> {
  let stored = 0;
  for (let from = 0; from < lines.length; from += ENTRIES_AT_ONCE) {
    const entries = lines.slice(from, from + ENTRIES_AT_ONCE).map(({ entry }) => entry);
    const existing = await retry(() => readMany(kv, entries.map(auditKey)));
    const added = entries.filter(({ at }, index) => {
      return existing[index]?.version === null && Date.parse(at) > now - AUDIT_MS;
    });
    if (added.length === 0) continue;
    const commit = setAuditEntry(new Commit(), audit);
    for (const entry of added) setAuditEntry(commit, entry);
    await retry(() => kv.commit(commit));
    stored += added.length;
  }
  return stored;
}

const VALIDATION = { schema: storedAuditEntrySchema };

/** Selects the entries that are read. */
export interface AuditSelection {
  /** The earliest moment of the entries, a date-time in UTC. */
  since?: string | undefined;
  /** A date-time in UTC, or the position of an entry: its moment, a space and its id. Only earlier entries are read. */
  before?: string | undefined;
}

/** A position after the positions of all entries. */
const END = "~";

/**
 * Reads the entries that are not too old, the oldest first. For an entry that cannot be read, it gives the key.
 * @param selection.now the present moment, in milliseconds since 1970
 */
export async function* readAuditLog(
  kv: Kv,
  { since, before = END, now }: AuditSelection & { now: number },
): AsyncGenerator<EntryBatch<AuditEntry>> {
  const selector = { ...AUDIT_LOG, after: firstMomentOf(since, now), form: VALIDATION };
  for await (const batch of readEntries<AuditEntry>(kv, selector)) {
    const isEarlier = ({ key }: { key: Key }) => nameOf(key) < before;
    const entries = batch.entries.filter(isEarlier);
    const unreadable = batch.unreadable.filter(isEarlier);
    yield { entries, unreadable };
    if (entries.length < batch.entries.length || unreadable.length < batch.unreadable.length) {
      return;
    }
  }
}

/** Gives the moment at which reading begins, a date-time: `since`, but not earlier than entries are kept. */
function firstMomentOf(since = "", now: number): string {
  const oldest = new Date(now - AUDIT_MS).toISOString();
  return since > oldest ? since : oldest;
}

/**
 * Reads the entries of `readAuditLog()`, the newest first. If KV rejects a page because of an unreadable entry, the
 * rest of the log is read by `readAuditLog()`, because only that function gives the key of such an entry.
 * @param selection.most how many entries the caller takes at most
 */
export async function* readNewestAuditEntries(
  kv: Kv,
  { since, before = END, now, most }: AuditSelection & { now: number; most: number },
): AsyncGenerator<EntryBatch<AuditEntry>> {
  const first = firstMomentOf(since, now);
  // KV rejects a range that ends before it begins, so such a range is not read.
  if (before <= first) return;
  let position = before;
  let remaining = most;
  try {
    const range = auditSelector(first, before);
    for await (const page of pages<AuditEntry>(kv, range, { reverse: true })) {
      yield separateUnreadable(page.slice(0, remaining), VALIDATION);
      remaining -= page.length;
      if (remaining <= 0) return;
      position = nameOf(page.at(-1)!.key);
    }
  } catch (error) {
    if (error instanceof DeadlineError) throw error;
    const rest: EntryBatch<AuditEntry> = { entries: [], unreadable: [] };
    for await (const batch of readAuditLog(kv, { since, before: position, now })) {
      rest.entries = [...rest.entries, ...batch.entries].slice(-remaining);
      rest.unreadable.push(...batch.unreadable);
    }
    yield { ...rest, entries: rest.entries.reverse() };
  }
}

/** What the operator's operations do with the audit log. */
export interface AuditStore {
  /** Writes an entry in a commit of its own. A repeated call writes the same entry again, and adds no second entry. */
  writeAuditEntry: (entry: AuditEntry) => Promise<void>;
  /** Reads the latest entries about one person, the newest first; see `history.ts`. */
  readAuditLogOf: (
    email: string,
    record: Pick<SignUpRecord, "createdAt" | "corrections">,
  ) => Promise<AuditEntry[]>;
  /** Reads the entries of the last 400 days, the oldest first. */
  readAuditLog: (selection: AuditSelection) => AsyncGenerator<EntryBatch<AuditEntry>>;
  /**
   * Reads the entries of the last 400 days, the newest first.
   * @param selection.most how many entries the caller takes at most
   */
  readNewestAuditEntries: (
    selection: AuditSelection & { most: number },
  ) => AsyncGenerator<EntryBatch<AuditEntry>>;
}

/** Makes the store for one call of an operator. All reads and commits of the store end at the deadline of this call. */
export function createAuditStore({ kv, now }: Pick<Runtime, "now"> & { kv: Kv }): AuditStore {
  return {
    writeAuditEntry: (entry) => writeAuditEntry(kv, entry),
    readAuditLogOf: (email, record) => readAuditLogOf(kv, email, record),
    readAuditLog: ({ since, before }) => readAuditLog(kv, { since, before, now: now() }),
    readNewestAuditEntries: ({ since, before, most }) =>
      readNewestAuditEntries(kv, { since, before, most, now: now() }),
  };
}

/**
 * The names of the regular work for which the service stores when it last succeeded. `verify` is a recount that found
 * no fault, `difference` a recount that found a difference, `backup` a complete backup, `repair` a repair of the
 * counters.
 */
const REGULAR_WORK = ["verify", "backup", "difference", "repair"] as const;

type RegularWork = typeof REGULAR_WORK[number];

/** Reads the date-times at which regular work last succeeded; absent for work that never succeeded. */
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
