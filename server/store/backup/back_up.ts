/**
 * Makes backups.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { base64url } from "jose";
import { BACKUP_FORMAT, BACKUP_VERSION, type LineOf } from "../../../shared/backup_lines.ts";
import type {
  BackupCounts,
  BackupLine,
  UnreadableRecord,
} from "../../../shared/operator_schemas.ts";
import { toNdjson } from "../../http/mod.ts";
import { Recount } from "../../waitlist/mod.ts";
import { readAuditLog } from "../audit/mod.ts";
import { readClientBatches, readSelfServiceKeys } from "../credentials/mod.ts";
import { readConsentTexts, readMarks, readSignUpPages, toMark } from "../people/mod.ts";
import {
  isUnreadable,
  readSchema,
  SCHEMA,
  SELF_SERVICE_KEYS,
  VALUE_FAULT,
  withKvDeadline,
} from "../kv/mod.ts";

/**
 * Makes a backup: NDJSON, some lines at a time, in constant memory. Its counters are what its own sign-ups
 * add up to, whatever is written meanwhile. Erasures are read after the sign-ups: people who are erased while
 * the backup is made have a mark in it, and a restore leaves them out. Records that cannot be read are named
 * before the counters.
 *
 * @param now milliseconds since 1970
 */
export async function* backUp(kv: Deno.Kv, now: number): AsyncGenerator<string> {
  const hash = createHash("sha256");
  const counts = { signUps: 0, clients: 0, erasures: 0, auditEntries: 0 };
  for await (const lines of contents(kv, now, counts)) {
    const text = toNdjson(lines);
    hash.update(text);
    yield text;
  }
  yield toNdjson([{ kind: "end", counts, sha256: hash.digest("hex") } satisfies LineOf<"end">]);
}

/** Gives the lines before the last one, and counts them by their kinds. */
async function* contents(
  kv: Deno.Kv,
  now: number,
  counts: Required<BackupCounts>,
): AsyncGenerator<BackupLine[]> {
  const createdAt = new Date(now).toISOString();
  yield [{ kind: "header", format: BACKUP_FORMAT, version: BACKUP_VERSION, createdAt }];

  const unreadable: UnreadableRecord[] = [];
  const recount = new Recount();
  for await (const page of readSignUpPages(kv)) {
    counts.signUps += page.records.length;
    for (const { record } of page.records) recount.add(record, "unchanged");
    yield page.records.map(({ email, record: { outbox: _, ...record } }) => {
      return { kind: "sign_up", signUp: { email, ...record } };
    });
    unreadable.push(...page.unreadable);
  }

  for await (const { entries, unreadable: missing } of readClientBatches(kv)) {
    counts.clients += entries.length;
    yield entries.map(({ value }) => ({ kind: "client", client: value }));
    unreadable.push(...missing);
  }

  for await (const { entries, unreadable: missing } of readMarks(kv)) {
    counts.erasures += entries.length;
    yield entries.map(({ key, value }) => {
      return { kind: "erased", mark: String(key[1]), ...toMark(value) };
    });
    unreadable.push(...missing);
  }
  // After the marks, so that no mark is without its key.
  const schema = await readUnlessDamaged(kv, SCHEMA, () => readSchema(kv));
  if (!schema) unreadable.push({ key: SCHEMA.map(String), reason: VALUE_FAULT });
  else if (schema.erasureKeys) {
    yield [{ kind: "erasure_key", key: base64url.encode(schema.erasureKeys) }];
  }

  for await (const { entries, unreadable: missing } of readAuditLog(kv, { now })) {
    counts.auditEntries += entries.length;
    yield entries.map(({ value }) => ({ kind: "audit", entry: value }));
    unreadable.push(...missing);
  }
  // After the sign-ups, so that no proof is without its wording.
  for await (const { entries, unreadable: missing } of readConsentTexts(kv)) {
    yield entries.map(({ key, value }) => ({ kind: "consent_text", id: String(key[1]), ...value }));
    unreadable.push(...missing);
  }
  const keys = await readUnlessDamaged(kv, SELF_SERVICE_KEYS, () => readSelfServiceKeys(kv));
  if (!keys) unreadable.push({ key: SELF_SERVICE_KEYS.map(String), reason: VALUE_FAULT });
  else yield keys.map((key) => ({ kind: "place_key", key }));

  yield unreadable.map((record) => ({ kind: "unreadable", unreadable: record }));

  yield recount.counters().map(({ counter, count }) => {
    return { kind: "counter", counter: counter.join("/"), count };
  });
}

/** Reads an entry; `undefined` where KV cannot read its value. */
async function readUnlessDamaged<T>(
  kv: Deno.Kv,
  key: Deno.KvKey,
  read: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await withKvDeadline(kv, read);
  } catch (error) {
    if (!await isUnreadable(kv, key)) throw error;
  }
}
