/** Backups: a copy of everything that is kept, and its restore into an empty store. @module */
import { createHash } from "node:crypto";
import { BACKUP_COUNTED, BACKUP_FORMAT, BACKUP_VERSION } from "../../../shared/backup_lines.ts";
import { type LineOf, noCounts } from "../../../shared/backup_lines.ts";
import type {
  AuditEntry,
  BackupLine,
  RequestedRestore,
  Restore,
  UnreadableRecord,
} from "../../../shared/operator_schemas.ts";
import { toNdjson } from "../../http/mod.ts";
import type { Config } from "../../config/mod.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { isBeginning, Recount } from "../../waitlist/mod.ts";
import { noteDone, readAuditLog } from "../audit/mod.ts";
import { readClientBatches, type StoredLinkKey } from "../credentials/mod.ts";
import { readInvitees, readWaves } from "../invitations/mod.ts";
import {
  readConsentTexts,
  readErasureMarks,
  readLetterLimits,
  readSignUpPages,
} from "../people/mod.ts";
import {
  type CallKv,
  type EntryBatch,
  type Key,
  type Kv,
  readMany,
  SCHEMA,
  SELF_SERVICE_KEYS,
  type StoredSchema,
  VALUE_FAULT,
  withinDeadline,
} from "../kv/mod.ts";
import {
  beginRestore,
  type BegunRestore,
  claimStore,
  endRestore,
  findRestore,
  restoreLines,
  type StoredLines,
  type StoredRestore,
} from "./restores.ts";
import { readBackups, type ShownBackups, startScheduledBackups } from "./scheduled/mod.ts";
export { readBackups } from "./scheduled/mod.ts";
export { isRestoring, type RestoreConflict } from "./restores.ts";

/** What the operator's operations do with backups. */
export interface BackupStore {
  /** Makes a backup, NDJSON, some lines at a time. */
  backUp: () => AsyncGenerator<string>;
  /** Reads the last backups that the service made by itself; `undefined` without `BACKUP_URL`. */
  readBackups: () => Promise<ShownBackups | undefined>;
  /** Finds the restore that is under way. */
  findRestore: () => Promise<StoredRestore | undefined>;
  /** Begins a restore into an empty store, or resumes it. */
  beginRestore: (restore: RequestedRestore, audit: AuditEntry) => Promise<BegunRestore>;
  /** Gives the store to the backup whose restore has begun; `false` where that restore is no longer there. */
  claimStore: (checksum: string, audit: AuditEntry) => Promise<boolean>;
  /** Stores lines of a backup, and says which line was refused first. */
  restoreLines: (lines: BackupLine[], audit: AuditEntry) => Promise<StoredLines>;
  /** Ends a restore, and leaves a later restore as it is. */
  endRestore: (
    restore: Pick<Restore, "checksum" | "startedAt">,
    audit: AuditEntry,
  ) => Promise<void>;
}

export interface BackupStoreOptions extends CallKv, Pick<Runtime, "now" | "random"> {
  /** Resolves once this process knows a client that was restored. */
  credentialsChanged: () => Promise<void>;
  backup?: Config["backup"];
}

export function createBackupStore(
  { kv, longKv, now, random, credentialsChanged, backup }: BackupStoreOptions,
): BackupStore {
  return {
    async *backUp() {
      yield* backUp(kv, now());
      await noteDone("backup", { kv, now });
    },
    readBackups: async () => backup && await readBackups(kv, backup),
    findRestore: () => findRestore(kv),
    beginRestore: (restore, audit) => beginRestore(kv, restore, now(), audit),
    claimStore: (checksum, audit) => claimStore(kv, checksum, audit),
    async restoreLines(lines, audit) {
      // Each part of a body has a deadline of its own.
      const restored = await withinDeadline(longKv, (kv) => {
        return restoreLines({ kv, random }, lines, { now: now(), audit });
      });
      if (lines.some(({ kind }) => kind === "client")) await credentialsChanged();
      return restored;
    },
    endRestore: (restore, audit) => endRestore(kv, restore, audit),
  };
}

/** Starts the backups that happen by themselves. @throws {Error} where a recipient is not a public key of age */
export function startBackups(
  backup: NonNullable<Config["backup"]>,
  { kv, runtime, metrics }: Omit<Parameters<typeof startScheduledBackups>[1], "backUp">,
) {
  return startScheduledBackups(backup, { kv, runtime, metrics, backUp: (now) => backUp(kv, now) });
}

/**
 * Makes a backup: NDJSON, some lines at a time, in constant memory. Its counters are what its own sign-ups add up to,
 * whatever is written meanwhile. Erasures are read after the sign-ups: who is erased while the backup is made has a
 * mark in it, and a restore leaves them out. Unreadable records are named before the counters.
 */
export async function* backUp(kv: Kv, now: number): AsyncGenerator<string> {
  const hash = createHash("sha256");
  const counts = noCounts();
  for await (const lines of contents(kv, now)) {
    for (const { kind } of lines) {
      const counted = BACKUP_COUNTED[kind];
      if (counted) counts[counted]++;
    }
    const text = toNdjson(lines);
    hash.update(text);
    yield text;
  }
  yield toNdjson([{ kind: "end", counts, sha256: hash.digest("hex") } satisfies LineOf<"end">]);
}

async function* contents(kv: Kv, now: number): AsyncGenerator<BackupLine[]> {
  const createdAt = new Date(now).toISOString();
  yield [{ kind: "header", format: BACKUP_FORMAT, version: BACKUP_VERSION, createdAt }];

  const unreadable: UnreadableRecord[] = [];
  async function* linesOf<T>(
    batches: AsyncGenerator<EntryBatch<T>>,
    toLine: (value: T, key: string) => BackupLine | BackupLine[],
  ): AsyncGenerator<BackupLine[]> {
    for await (const batch of batches) {
      unreadable.push(...batch.unreadable);
      yield batch.entries.flatMap(({ key, value }) => toLine(value, String(key[1])));
    }
  }

  async function readSingle<T>(key: Key): Promise<T | undefined> {
    const [entry] = await readMany<T>(kv, [key]);
    if (!entry) unreadable.push({ key: key.map(String), reason: VALUE_FAULT });
    return entry?.value ?? undefined;
  }

  const known = new Set<string>();
  for await (const { entries } of readWaves(kv)) {
    for (const { value } of entries) if (!isBeginning(value.wave)) known.add(value.id);
  }
  // Who is invited meanwhile is then named and invited, and not passed over.
  yield* linesOf(readInvitees(kv), (waves, email) => {
    return waves.filter((id) => known.has(id)).map((wave) => ({ kind: "named", email, wave }));
  });
  const recount = new Recount();
  for await (const page of readSignUpPages(kv)) {
    for (const { record } of page.records) recount.add(record, "unchanged");
    yield page.records.map(({ email, record: { outbox: _, recount: _recount, ...record } }) => {
      return { kind: "sign_up", signUp: { email, ...record } };
    });
    unreadable.push(...page.unreadable);
  }
  yield* linesOf(readClientBatches(kv), (client) => ({ kind: "client", client }));
  yield* linesOf(readErasureMarks(kv), (erasedAt, mark) => ({ kind: "erased", mark, erasedAt }));
  yield* linesOf(
    readLetterLimits(kv),
    (letterLimit, mailbox) => ({ kind: "brake", mailbox, ...letterLimit }),
  );
  // After the marks and the letter limits, so that none is without its key.
  const { erasureKeys } = await readSingle<StoredSchema>(SCHEMA) ?? {};
  if (erasureKeys) yield [{ kind: "erasure_key", key: erasureKeys }];
  yield* linesOf(readAuditLog(kv, { now }), (entry) => ({ kind: "audit", entry }));
  // After the sign-ups, so that no proof is without its wording.
  yield* linesOf(readConsentTexts(kv), (text, id) => ({ kind: "consent_text", id, ...text }));
  const keys = await readSingle<StoredLinkKey[]>(SELF_SERVICE_KEYS) ?? [];
  yield keys.map((key) => ({ kind: "place_key", ...typeof key === "string" ? { key } : key }));

  // After the sign-ups, so that no wave invites more people than it was begun for.
  yield* linesOf(readWaves(kv), ({ wave, counts }, id) => {
    // The names of a wave that has begun since are not in the backup, so neither is the wave.
    if (wave.named !== undefined && !known.has(id)) return [];
    return { kind: "wave", id, wave, counts };
  });

  yield unreadable.map((record) => ({ kind: "unreadable", unreadable: record }));
  yield recount.counters().map(({ counter, count }) => {
    return { kind: "counter", counter: counter.join("/"), count };
  });
}
