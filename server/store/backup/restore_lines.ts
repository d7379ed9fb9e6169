/** Stores the lines of a backup. `restore.ts` begins and ends restores, and `back_up.ts` makes the lines. @module */
import { base64url } from "jose";
import type { LineOf } from "../../../shared/backup_lines.ts";
import type { AuditEntry, BackupLine, RestoredLines } from "../../../shared/operator_schemas.ts";
import type { RandomBytes } from "../../runtime/mod.ts";
import {
  type BulkSignUp,
  createRecordIds,
  joinErasureKeys,
  joinLetterLimits,
  type LetterLimit,
  mergeRestored,
  stateOf,
} from "../../waitlist/mod.ts";
import { restoreAuditLog, setAuditEntry } from "../audit/mod.ts";
import { addClient, addSelfServiceKey } from "../credentials/mod.ts";
import { addInvitees, addSchedule, addWave } from "../invitations/mod.ts";
import {
  checksFor,
  Commit,
  commitChange,
  erasureMarkKey,
  type Key,
  type Kv,
  letterLimitKey,
  readMany,
  readOne,
  readSchema,
  RESTORE,
  setSchema,
} from "../kv/mod.ts";
import { addConsentText, restoreLetterLog, storeBulkSignUps } from "../people/mod.ts";

/** A line that was refused. */
export interface RefusedLine {
  /** The index of the line among the lines of the call. */
  index: number;
  reason: string;
}

/** What became of some lines: the number of lines with each outcome, and the first line that was refused. */
export interface StoredLines extends RestoredLines {
  refused?: RefusedLine;
}

/**
 * Stores lines of a backup. The header, the end, the counters, and the lines about unreadable records are not stored. A
 * refused line does not stop the other lines from being stored. The kinds `named`, `brake` and `place_key` are
 * invitees, letter limits and self-service keys.
 * @param options.now the present moment, in milliseconds since 1970
 */
export async function restoreLines(
  { kv, random }: { kv: Kv; random: RandomBytes },
  lines: BackupLine[],
  { now, audit }: { now: number; audit?: AuditEntry },
): Promise<StoredLines> {
  const storedLines: StoredLines = { restored: 0, unchanged: 0, erased: 0 };
  /** Counts lines, of which `restored` lines (by default, all) were stored. The other lines have changed nothing. */
  const countLines = (total: number, restored = total) => {
    storedLines.restored += restored;
    storedLines.unchanged += total - restored;
  };

  for (const line of lines) {
    const isNew = await restoreAlone(kv, line, { random, audit });
    if (isNew !== undefined) countLines(1, isNew ? 1 : 0);
  }
  // Erasure marks are stored before the sign-ups, so that sign-ups that were erased later are left out.
  const erasureMarks = lines.filter((line) => line.kind === "erased");
  await restoreErasureMarks(kv, erasureMarks, audit);
  countLines(erasureMarks.length);

  const letterLimits = lines.filter((line) => line.kind === "brake");
  await restoreLetterLimits(kv, letterLimits, audit);
  countLines(letterLimits.length);

  const auditEntries = lines.filter((line) => line.kind === "audit");
  const restoredEntries = await restoreAuditLog(kv, auditEntries, { now, audit });
  countLines(auditEntries.length, restoredEntries);

  const signUps = lines.filter((line) => line.kind === "sign_up");
  const outcomes = await storeBulkSignUps(kv, toBulkSignUps(signUps, random), { audit });
  for (const [index, outcome] of outcomes.entries()) {
    if (typeof outcome === "object") {
      storedLines.refused ??= { index: lines.indexOf(signUps[index]!), reason: outcome.refused };
    } else if (outcome === "staysErased") storedLines.erased++;
    else countLines(1, outcome === "unchanged" ? 0 : 1);
  }
  // Letters are stored after the sign-ups, because only people who are on the list have a log.
  const letters = lines.filter((line) => line.kind === "letter");
  const restoredLetters = await restoreLetterLog(kv, letters, { now, audit });
  countLines(letters.length, restoredLetters);

  // Invitees are stored after the sign-ups, because only people who are on the list and not invited are stored as
  // invitees.
  const invitees = lines.filter((line) => line.kind === "named");
  await restoreInvitees(kv, invitees, audit);
  countLines(invitees.length);
  return storedLines;
}

/** Stores erasure marks. A mark that is already stored gets the moment of the line. */
function restoreErasureMarks(kv: Kv, lines: LineOf<"erased">[], audit?: AuditEntry): Promise<void> {
  const keyOf = ({ mark }: LineOf<"erased">) => erasureMarkKey(mark);
  return storeLines(kv, lines, { keyOf, audit }, ({ erasedAt }) => erasedAt);
}

/** Stores letter limits, each joined with the stored letter limit of the same mailbox. */
function restoreLetterLimits(kv: Kv, lines: LineOf<"brake">[], audit?: AuditEntry): Promise<void> {
  const keyOf = ({ mailbox }: LineOf<"brake">) => letterLimitKey(mailbox);
  return storeLines(kv, lines, { keyOf, audit }, (line, storedLimit: LetterLimit | null) => {
    const { kind: _, mailbox: _mailbox, ...letterLimit } = line;
    return joinLetterLimits(storedLimit ? [storedLimit, letterLimit] : [letterLimit]);
  });
}

/** Stores invitees. Each commit checks the restore's entry; see {@linkcode storeLines}. */
async function restoreInvitees(
  kv: Kv,
  lines: LineOf<"named">[],
  audit?: AuditEntry,
): Promise<void> {
  await addInvitees(kv, lines, async (commit) => {
    setAuditEntry(commit.check(await readOne(kv, RESTORE)), audit);
    return true;
  });
}

/**
 * Stores a line in a commit of its own, if a backup has only few lines of this kind.
 * @returns whether the line is new in the store; `undefined` for a line of another kind, which is not stored here
 */
async function restoreAlone(
  kv: Kv,
  line: BackupLine,
  { random, audit }: { random: RandomBytes; audit: AuditEntry | undefined },
): Promise<boolean | undefined> {
  switch (line.kind) {
    case "erasure_key":
      return await restoreErasureKey(kv, line, audit);
    case "place_key":
      return await addSelfServiceKey(kv, line, { random, audit });
    case "consent_text":
      return await addConsentText(kv, line, audit);
    case "client":
      // This commit also tells all processes of the store to read the clients again.
      return await addClient(kv, line.client, audit);
    case "wave":
      return await addWave(kv, line, audit);
    case "schedule":
      return await addSchedule(kv, line, audit);
    default:
      return undefined;
  }
}

/**
 * Turns the sign-up lines of a backup into bulk sign-ups. Adds ids and states that are missing in damaged records, or
 * in records of early versions.
 */
function toBulkSignUps(lines: LineOf<"sign_up">[], random: RandomBytes): BulkSignUp[] {
  const nextId = createRecordIds(random);
  return lines.map(({ signUp }) => {
    // Leaves out the number of a recount, because the number means nothing in this store. Only older backups have it.
    const { email, recount: _, ...fields }: typeof signUp & { recount?: number } = signUp;
    const record = { ...fields, id: signUp.id ?? nextId(), state: stateOf(signUp) };
    return {
      email,
      answers: { role: record.role, building: record.building },
      consentedAt: record.consentedAt,
      merge: (storedRecord) => mergeRestored(storedRecord, record),
    };
  });
}

/**
 * Stores an entry for each line, some entries in each commit.
 * @param toValue makes the new value from the line and from the value that is already stored
 */
async function storeLines<Line, Stored>(
  kv: Kv,
  lines: Line[],
  { keyOf, audit }: { keyOf: (line: Line) => Key; audit: AuditEntry | undefined },
  toValue: (line: Line, storedValue: Stored | null) => unknown,
): Promise<void> {
  const size = checksFor(kv, 1);
  for (let from = 0; from < lines.length; from += size) {
    await commitChange(kv, async () => {
      const batch = lines.slice(from, from + size);
      const entries = await readMany<Stored>(kv, batch.map(keyOf));
      // Checks the restore's entry, so that a late commit does not go through after the restore has ended.
      const commit = new Commit().check(await readOne(kv, RESTORE));
      for (const [index, line] of batch.entries()) {
        const entry = entries[index];
        // An entry that cannot be read is replaced without a check, because no commit can check it.
        if (entry) commit.check(entry);
        commit.set(keyOf(line), toValue(line, entry?.value ?? null));
      }
      return { commit: setAuditEntry(commit, audit), result: () => {} };
    });
  }
}

/**
 * Adds the erasure keys of a backup after the store's own key.
 * @returns whether one of the keys is new in this store
 */
function restoreErasureKey(
  kv: Kv,
  line: LineOf<"erasure_key">,
  audit?: AuditEntry,
): Promise<boolean> {
  return commitChange<boolean>(kv, async () => {
    const schema = await readSchema(kv);
    const storedKeys = schema.erasureKeys ?? new Uint8Array();
    const joinedKeys = joinErasureKeys(storedKeys, base64url.decode(line.key));
    if (joinedKeys.length === storedKeys.length) return { result: () => false };
    const commit = setAuditEntry(new Commit().check(schema.entry), audit);
    setSchema(commit, { ...schema, erasureKeys: joinedKeys });
    return { commit, result: () => true };
  });
}
