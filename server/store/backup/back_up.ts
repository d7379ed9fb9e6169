/**
 * Makes a backup: a copy of people, waves, schedules, clients, logs and some keys, as lines of NDJSON. `restore.ts` and
 * `restore_lines.ts` restore these lines. @module
 */
import { createHash } from "node:crypto";
import {
  BACKUP_COUNTED,
  BACKUP_FORMAT,
  BACKUP_VERSION,
  emptyBackupCounts,
  type LineOf,
} from "../../../shared/backup_lines.ts";
import type { BackupLine, UnreadableRecord } from "../../../shared/operator_schemas.ts";
import { toNdjson } from "../../http/mod.ts";
import { lacksListedAddresses, Recount } from "../../waitlist/mod.ts";
import { readAuditLog } from "../audit/mod.ts";
import { fromStoredKey, readClientBatches, type StoredSelfServiceKey } from "../credentials/mod.ts";
import { readInvitees, readSchedules, readWaves } from "../invitations/mod.ts";
import {
  type EntryBatch,
  type Key,
  type Kv,
  nameOf,
  readMany,
  SCHEMA,
  SELF_SERVICE_KEYS,
  type StoredSchema,
  VALUE_FAULT,
  withPausesForRequests,
} from "../kv/mod.ts";
import {
  type AddressedRecord,
  readConsentTexts,
  readErasureMarks,
  readLetterLimits,
  readLetterLog,
  readSignUpPages,
  toLetterLine,
} from "../people/mod.ts";

/**
 * Makes a backup, some lines at a time, in constant memory. The counters in the backup count the sign-ups in the
 * backup, whatever is written to the store meanwhile. In the backup, the lines about unreadable records stand before
 * the counters.
 * @param now the present moment, in milliseconds since 1970
 */
export async function* backUp(kv: Kv, now: number): AsyncGenerator<string> {
  const hash = createHash("sha256");
  const counts = emptyBackupCounts();
  for await (const lines of readLines(kv, now)) {
    for (const { kind } of lines) {
      const countName = BACKUP_COUNTED[kind];
      if (countName) counts[countName]++;
    }
    const text = toNdjson(lines);
    hash.update(text);
    yield text;
  }
  yield toNdjson([{ kind: "end", counts, sha256: hash.digest("hex") } satisfies LineOf<"end">]);
}

/**
 * Reads the lines of a backup. The order in which lists are read matters, because the service changes the store
 * meanwhile. The kinds `named`, `brake` and `place_key` are invitees, letter limits and self-service keys.
 */
async function* readLines(kv: Kv, now: number): AsyncGenerator<BackupLine[]> {
  const createdAt = new Date(now).toISOString();
  yield [{ kind: "header", format: BACKUP_FORMAT, version: BACKUP_VERSION, createdAt }];

  const unreadable: UnreadableRecord[] = [];
  /** Gives the lines for the entries of a list, and notes the entries that cannot be read. */
  async function* linesOf<T>(
    batches: AsyncGenerator<EntryBatch<T>>,
    toLine: (value: T, name: string, key: Key) => BackupLine | BackupLine[],
  ): AsyncGenerator<BackupLine[]> {
    for await (const batch of withPausesForRequests(batches)) {
      unreadable.push(...batch.unreadable);
      yield batch.entries.flatMap(({ key, value }) => toLine(value, nameOf(key), key));
    }
  }

  /** Reads an entry that is not in a list. */
  async function readSingle<T>(key: Key): Promise<T | undefined> {
    const [entry] = await readMany<T>(kv, [key]);
    if (!entry) unreadable.push({ key: key.map(String), reason: VALUE_FAULT });
    return entry?.value ?? undefined;
  }

  const completeWaves = await readCompleteWaves(kv);
  // Invitees are read before the sign-ups, so that a person who is invited meanwhile is in the backup twice, as an
  // invitee and as an invited person. In the other order, the person would be missing in both places.
  yield* linesOf(readInvitees(kv), (waveIds, email) => {
    const restorableIds = waveIds.filter((id) => completeWaves.has(id));
    return restorableIds.map((wave) => ({ kind: "named", email, wave }));
  });
  /** Counts the sign-ups in the backup. */
  const recount = new Recount();
  for await (const page of withPausesForRequests(readSignUpPages(kv))) {
    for (const { record } of page.records) recount.add(record, "unchanged");
    yield page.records.map(toSignUpLine);
    unreadable.push(...page.unreadable);
  }
  yield* linesOf(readClientBatches(kv), (client) => ({ kind: "client", client }));
  // Erasure marks are read after the sign-ups, so that a restore leaves out a person who is erased meanwhile.
  yield* linesOf(readErasureMarks(kv), (erasedAt, mark) => ({ kind: "erased", mark, erasedAt }));
  yield* linesOf(
    readLetterLimits(kv),
    (letterLimit, mailbox) => ({ kind: "brake", mailbox, ...letterLimit }),
  );
  // The erasure keys are read after the erasure marks and the letter limits, so that the backup has the key of each
  // mark and of each letter limit.
  const { erasureKeys } = await readSingle<StoredSchema>(SCHEMA) ?? {};
  if (erasureKeys) yield [{ kind: "erasure_key", key: erasureKeys }];
  yield* linesOf(readAuditLog(kv, { now }), (entry) => ({ kind: "audit", entry }));
  // The wordings of consent are read after the sign-ups, so that no proof lacks its wording.
  yield* linesOf(readConsentTexts(kv), (text, id) => ({ kind: "consent_text", id, ...text }));
  const selfServiceKeys = await readSingle<StoredSelfServiceKey[]>(SELF_SERVICE_KEYS) ?? [];
  yield selfServiceKeys.map((storedKey) => ({ kind: "place_key", ...fromStoredKey(storedKey) }));
  // Waves are read after the sign-ups, so that a restored wave invites no more people than it was begun for.
  yield* linesOf(readWaves(kv), ({ wave, counts }, id) => {
    // A wave for listed addresses is left out if not all of its invitees were stored before the invitees were read,
    // because the backup then lacks invitees of the wave.
    if (wave.named !== undefined && !completeWaves.has(id)) return [];
    return { kind: "wave", id, wave, counts };
  });
  // Schedules are read after the waves. The backup may then lack a wave that a schedule starts in between, but the
  // schedule has counted this wave, so that the restored schedule starts no more waves than `times` allows.
  yield* linesOf(readSchedules(kv), (schedule, id) => ({ kind: "schedule", id, schedule }));
  // Letters stand after the sign-ups in the backup, because a restore stores only letters to people who are already on
  // the list.
  yield* linesOf(readLetterLog(kv), (letter, _recordId, key) => toLetterLine(key, letter));

  yield unreadable.map((record) => ({ kind: "unreadable", unreadable: record }));
  yield recount.counters().map(({ counter, count }) => {
    return { kind: "counter", counter: counter.join("/"), count };
  });
}

/**
 * Makes the line of a sign-up. Leaves out the ids of items in the outbox and the number of a recount, because they mean
 * nothing in another store.
 */
function toSignUpLine(
  { email, record: { outbox: _, recount: _recount, ...signUp } }: AddressedRecord,
): LineOf<"sign_up"> {
  return { kind: "sign_up", signUp: { email, ...signUp } };
}

/** Reads the ids of the waves that do not lack any of their invitees; see `lacksListedAddresses()`. */
async function readCompleteWaves(kv: Kv): Promise<ReadonlySet<string>> {
  const completeWaves = new Set<string>();
  for await (const { entries } of readWaves(kv)) {
    for (const { value: { id, wave } } of entries) {
      if (!lacksListedAddresses(wave)) completeWaves.add(id);
    }
  }
  return completeWaves;
}
