/** Restores a backup into an empty store, which is then the backup's to the end; one that was cut can go on. @module */
import { base64url } from "jose";
import type { LineOf } from "../../../shared/backup_lines.ts";
import type { AuditEntry, BackupLine, RequestedRestore } from "../../../shared/operator_schemas.ts";
import type { Restore, RestoredLines } from "../../../shared/operator_schemas.ts";
import {
  type BulkSignUp,
  joinErasureKeys,
  joinLetterLimits,
  type LetterLimit,
} from "../../waitlist/mod.ts";
import { createRecordIds, mergeRestored, stateOf } from "../../waitlist/mod.ts";
import type { RandomBytes } from "../../runtime/mod.ts";
import { restoreAuditLog, setAuditEntry } from "../audit/mod.ts";
import { addInvitees, addWave } from "../invitations/mod.ts";
import { addConsentText, storeBulkSignUps } from "../people/mod.ts";
import { addClient, addSelfServiceKey } from "../credentials/mod.ts";
import {
  changeEntry,
  checksFor,
  CLIENTS,
  Commit,
  commitChange,
  letterLimitKey,
} from "../kv/mod.ts";
import { readOne, readSchema, RESTORE, setSchema, SIGN_UPS } from "../kv/mod.ts";
import { erasedKey, findValue, type Key, type Kv, readEntries, readMany } from "../kv/mod.ts";

export type RestoreConflict =
  /** There are sign-ups or clients, and no restore has begun. */
  | "not_empty"
  /** The store holds a part of this backup, or of another one. */
  | "begun"
  | "other"
  | "not_begun";

/** The restore that has begun or goes on, or why none has begun. */
export type BegunRestore = { restore: Restore } | { conflict: RestoreConflict };

/** While it is pending, no line has been stored, and another backup may take the store. */
export interface StoredRestore extends Restore {
  pending?: true;
}

/** Begins or resumes a restore. The store is the backup's from its first good line on; see {@linkcode claimStore}. */
export async function beginRestore(
  kv: Kv,
  { checksum, counts, resume = false }: RequestedRestore,
  now: number,
  audit?: AuditEntry,
): Promise<BegunRestore> {
  const restore = { checksum, counts, startedAt: new Date(now).toISOString() };
  const begun: StoredRestore = { ...restore, pending: true };
  return await changeEntry<StoredRestore, BegunRestore>(kv, RESTORE, async (known) => {
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

export const findRestore = (kv: Kv) => findValue<StoredRestore>(kv, RESTORE);

/** Whether lines are being restored. A restore that has stored none, as all of a file were refused, may never end. */
export async function isRestoring(kv: Kv): Promise<boolean> {
  const restore = await findRestore(kv);
  return restore !== undefined && !restore.pending;
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

/** A line of those to restore that is not stored, by its place among them, and the reason. */
export interface RefusedLine {
  index: number;
  reason: string;
}

/** What became of lines: their numbers, and the first line that was refused. */
export interface StoredLines extends RestoredLines {
  refused?: RefusedLine;
}

/** Header, counters and end have nothing to store. The first line that is refused is named; others are stored. */
export async function restoreLines(
  { kv, random }: { kv: Kv; random: RandomBytes },
  lines: BackupLine[],
  { now, audit }: { now: number; audit?: AuditEntry },
): Promise<StoredLines> {
  // A record that a fault has damaged may have no id, or no state.
  const nextId = createRecordIds(random);
  const result: StoredLines = { restored: 0, unchanged: 0, erased: 0 };
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
    if (line.kind === "wave") tally(await addWave(kv, line, audit));
  }
  const marks = lines.filter((line) => line.kind === "erased");
  const markKeyOf = ({ mark }: LineOf<"erased">) => erasedKey(mark);
  await storeLines(kv, marks, { keyOf: markKeyOf, audit }, ({ erasedAt }) => erasedAt);
  const letterLimits = lines.filter((line) => line.kind === "brake");
  const keyOf = ({ mailbox }: LineOf<"brake">) => letterLimitKey(mailbox);
  await storeLines(kv, letterLimits, { keyOf, audit }, (line, known: LetterLimit | null) => {
    const { kind: _, mailbox: _mailbox, ...letterLimit } = line;
    return joinLetterLimits(known ? [known, letterLimit] : [letterLimit]);
  });
  const entries = lines.filter((line) => line.kind === "audit");
  const stored = await restoreAuditLog(kv, entries, { now, audit });
  result.restored += stored;
  result.unchanged += entries.length - stored;

  const signUps = lines.filter((line) => line.kind === "sign_up");
  const bulkSignUps = signUps.map(({ signUp }) => {
    const own = { id: signUp.id ?? nextId(), state: stateOf(signUp), recount: undefined };
    const { email, recount: _, ...record } = { ...own, ...signUp };
    return {
      email,
      answers: { role: record.role, building: record.building },
      consentedAt: record.consentedAt,
      merge: (existing) => mergeRestored(existing, record),
    } satisfies BulkSignUp;
  });
  const outcomes = await storeBulkSignUps(kv, bulkSignUps, { audit });
  for (const [at, outcome] of outcomes.entries()) {
    if (typeof outcome === "object") {
      result.refused ??= { index: lines.indexOf(signUps[at]!), reason: outcome.refused };
    } else if (outcome === "erased") result.erased++;
    else tally(outcome !== "unchanged");
  }
  // After the sign-ups: whoever is not on the list, or is invited, leaves no key.
  const named = lines.filter((line) => line.kind === "named");
  await addInvitees(kv, named, async (commit) => {
    setAuditEntry(commit.check(await readOne(kv, RESTORE)), audit);
    return true;
  });
  result.restored += marks.length + letterLimits.length + named.length;
  return result;
}

/** Stores what `valueOf` makes of lines, some in a commit; it is told what is under the key. */
async function storeLines<Line, Known>(
  kv: Kv,
  lines: Line[],
  { keyOf, audit }: { keyOf: (line: Line) => Key; audit: AuditEntry | undefined },
  valueOf: (line: Line, known: Known | null) => unknown,
) {
  const size = checksFor(kv, 1);
  for (let from = 0; from < lines.length; from += size) {
    await commitChange(kv, async () => {
      const part = lines.slice(from, from + size);
      const known = await readMany<Known>(kv, part.map(keyOf));
      // The check of the restore keeps a commit whose outcome is unknown from coming after it.
      const commit = new Commit().check(await readOne(kv, RESTORE));
      for (const [at, line] of part.entries()) {
        const entry = known[at];
        // The line takes the place of an entry that cannot be read.
        if (entry) commit.check(entry);
        commit.set(keyOf(line), valueOf(line, entry?.value ?? null));
      }
      return { commit: setAuditEntry(commit, audit), result: () => {} };
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
