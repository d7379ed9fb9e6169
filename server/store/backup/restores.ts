/**
 * Restores a backup into an empty store, which belongs to that backup from its first line to its end, by a key with
 * its checksum. A restore that was cut goes on when its lines are sent again. @module
 */
import { base64url } from "jose";
import type { LineOf } from "../../../shared/backup_lines.ts";
import type { AuditEntry, BackupLine, RequestedRestore } from "../../../shared/operator_schemas.ts";
import type { Restore, RestoredLines } from "../../../shared/operator_schemas.ts";
import type { BulkSignUp } from "../../waitlist/mod.ts";
import { joinErasureKeys, mergeRestored, RECORD_ID_LENGTH, stateOf } from "../../waitlist/mod.ts";
import { createRandomIds, type RandomBytes } from "../../runtime/mod.ts";
import { restoreAuditLog, setAuditEntry } from "../audit/mod.ts";
import { addConsentText, storeBulkSignUps } from "../people/mod.ts";
import { addClient, addSelfServiceKey } from "../credentials/mod.ts";
import { changeEntry, CLIENTS, Commit, commitChange, erasedKey, type Key } from "../kv/mod.ts";
import { type Kv, readEntries, readOne, readSchema, RESTORE, setSchema } from "../kv/mod.ts";
import { SIGN_UPS } from "../kv/mod.ts";

export type RestoreConflict =
  /** There are sign-ups or clients, and no restore has begun. */
  | "not_empty"
  /** The store holds a part of this backup, or of another one. */
  | "begun"
  | "other"
  | "not_begun";

type Begun = { restore: Restore } | { conflict: RestoreConflict };

/** While it is pending, no line has been stored, and another backup may take the store. */
interface StoredRestore extends Restore {
  pending?: true;
}

/**
 * Begins to restore a backup, or goes on with it if asked to. The store belongs to the backup once {@linkcode
 * claimStore} is called for its first line, so a file whose lines are all refused leaves the store free.
 */
export async function beginRestore(
  kv: Kv,
  { checksum, counts, resume = false }: RequestedRestore,
  now: number,
  audit?: AuditEntry,
): Promise<Begun> {
  const restore = { checksum, counts, startedAt: new Date(now).toISOString() };
  const begun: StoredRestore = { ...restore, pending: true };
  return await changeEntry<StoredRestore, Begun>(kv, RESTORE, async (known) => {
    if (known) {
      const { pending, ...stored } = known;
      const isSame = stored.checksum === checksum;
      if (isSame && resume) return { result: { restore: stored } };
      if (!pending) return { result: { conflict: isSame ? "begun" : "other" } };
    }
    for (const selector of [SIGN_UPS, CLIENTS]) {
      if (await hasEntries(kv, selector)) return { result: { conflict: "not_empty" } };
    }
    return { to: begun, result: { restore } };
  }, (commit) => setAuditEntry(commit, audit));
}

/** The first of the entries may be unreadable. */
export async function hasEntries(kv: Kv, list: { prefix: Key }): Promise<boolean> {
  return !(await readEntries(kv, { ...list, batchSize: 1 }).next()).done;
}

/** Gives the store to the backup whose restore has begun; false where that restore is no longer there. */
export function claimStore(kv: Kv, checksum: string, audit?: AuditEntry): Promise<boolean> {
  return changeEntry<StoredRestore, boolean>(kv, RESTORE, (known) => {
    if (known?.checksum !== checksum) return { result: false };
    const { pending, ...restore } = known;
    return { to: pending ? restore : undefined, result: true };
  }, (commit) => setAuditEntry(commit, audit));
}

export async function findRestore(kv: Kv): Promise<StoredRestore | undefined> {
  const { value } = await readOne<StoredRestore>(kv, RESTORE);
  return value ?? undefined;
}

/** A later restore is left as it is. */
export async function endRestore(
  kv: Kv,
  { checksum, startedAt }: Pick<Restore, "checksum" | "startedAt">,
  audit?: AuditEntry,
): Promise<void> {
  await changeEntry<StoredRestore, void>(kv, RESTORE, (known) => {
    const isThis = known?.checksum === checksum && known.startedAt === startedAt;
    return { to: isThis ? null : undefined, result: undefined };
  }, (commit) => setAuditEntry(commit, audit));
}

/** Header, counters and end have nothing to store. */
export async function restoreLines(
  { kv, random }: { kv: Kv; random: RandomBytes },
  lines: BackupLine[],
  { now, audit }: { now: number; audit?: AuditEntry },
): Promise<RestoredLines> {
  // A record that a fault has damaged may have no id, or no state.
  const nextId = createRandomIds({ length: RECORD_ID_LENGTH, random });
  const result: RestoredLines = { restored: 0, unchanged: 0, erased: 0 };
  const tally = (isNew: boolean) => isNew ? result.restored++ : result.unchanged++;

  for (const line of lines) {
    if (line.kind === "erasure_key") tally(await restoreErasureKey(kv, line, audit));
    if (line.kind === "place_key") {
      const { key, opensUntil } = line;
      const added = opensUntil === undefined ? key : { key, opensUntil };
      tally(await addSelfServiceKey(kv, added, { random, audit }));
    }
    if (line.kind === "consent_text") tally(await addConsentText(kv, line, audit));
    // Processes that serve the store learn of the client, as of each new one.
    if (line.kind === "client") tally(await addClient(kv, line.client, audit));
  }
  const marks = lines.filter((line) => line.kind === "erased");
  await restoreErasures(kv, marks, audit);
  result.restored += marks.length;
  const entries = lines.filter((line) => line.kind === "audit");
  const stored = await restoreAuditLog(kv, entries, { now, audit });
  result.restored += stored;
  result.unchanged += entries.length - stored;

  const bulkSignUps = lines.filter((line) => line.kind === "sign_up").map(({ signUp }) => {
    const own = { id: signUp.id ?? nextId(), state: stateOf(signUp), recount: undefined };
    const { email, recount: _, ...record } = { ...own, ...signUp };
    return {
      email,
      answers: { role: record.role, building: record.building },
      consentedAt: record.consentedAt,
      merge: (existing) => mergeRestored(existing, record),
    } satisfies BulkSignUp;
  });
  for (const outcome of await storeBulkSignUps(kv, bulkSignUps, { audit })) {
    if (typeof outcome === "object") throw new Error(outcome.refused);
    if (outcome === "erased") result.erased++;
    else tally(outcome !== "unchanged");
  }
  return result;
}

/** One commit takes 900 writes. */
const MARKS_IN_COMMIT = 500;

async function restoreErasures(kv: Kv, lines: LineOf<"erased">[], audit?: AuditEntry) {
  for (let from = 0; from < lines.length; from += MARKS_IN_COMMIT) {
    await commitChange(kv, async () => {
      // The check keeps a commit whose outcome is unknown from coming after the restore.
      const commit = setAuditEntry(new Commit().check(await readOne(kv, RESTORE)), audit);
      for (const { mark, erasedAt } of lines.slice(from, from + MARKS_IN_COMMIT)) {
        commit.set(erasedKey(mark), erasedAt);
      }
      return { commit, result: () => {} };
    });
  }
}

/** Adds the backup's key behind that of the store's own marks. */
function restoreErasureKey(kv: Kv, line: LineOf<"erasure_key">, audit?: AuditEntry) {
  return commitChange<boolean>(kv, async () => {
    const schema = await readSchema(kv);
    const own = schema.erasureKeys ?? new Uint8Array();
    const keys = joinErasureKeys(own, base64url.decode(line.key));
    if (keys.length === own.length) return { result: () => false };
    const commit = setAuditEntry(new Commit().check(schema.entry), audit);
    setSchema(commit, { ...schema, erasureKeys: keys });
    return { commit, result: () => true };
  });
}
