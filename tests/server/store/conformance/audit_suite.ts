/** The audit log on each engine: an entry is stored with its change, and kept for its time. @module */
import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { newClient } from "../../../../server/oauth/clients.ts";
import { AUDIT_MS, type AuditSelection } from "../../../../server/store/audit/mod.ts";
import { readAuditLog, readNewestAuditEntries } from "../../../../server/store/audit/mod.ts";
import { restoreAuditLog, writeAuditEntry } from "../../../../server/store/audit/mod.ts";
import { storeBulkSignUps } from "../../../../server/store/people/bulk_sign_ups.ts";
import { changeClient, createClient } from "../../../../server/store/credentials/clients.ts";
import { eraseSignUp } from "../../../../server/store/people/erasure.ts";
import { repairCounters } from "../../../../server/store/people/repair_counters.ts";
import * as backup from "../../../../server/store/backup/restore.ts";
import { restoreLines } from "../../../../server/store/backup/restore_lines.ts";
import { rotateRootKey } from "../../../../server/store/credentials/root_keys.ts";
import type { OpenKv } from "../../../../server/store/kv/engine.ts";
import type { AuditEntry, BackupLine } from "../../../../shared/operator_schemas.ts";
import { bulkSignUp } from "../../../support/bulk_sign_ups.ts";
import { everyEntry, random, storeSignUp } from "../../../support/records.ts";
import { EARLIER, finish, spoil } from "../../../support/recounts.ts";
import { START } from "../../../support/service.ts";
import type { Suite } from "./engines.ts";
import type { StoredSchema } from "../../../../server/store/kv/schema.ts";
import { Commit, type Kv } from "../../../../server/store/kv/engine.ts";

const now = () => START;
const NOW = new Date(START).toISOString();
const ADA = "ada@example.com";

function entryAt(ms: number, further: Partial<AuditEntry> = {}): AuditEntry {
  return { at: new Date(ms).toISOString(), id: "one", action: "createClient", ...further };
}

async function readLog(kv: Kv, since?: string, at = START): Promise<AuditEntry[]> {
  const batches = await Array.fromAsync(readAuditLog(kv, { since, now: at }));
  return batches.flatMap(({ entries }) => entries.map(({ value }) => value));
}

const { client } = newClient({ name: "Test", scopes: [] }, { now: START, random });
const counts = { signUps: 0, clients: 0, erasures: 0, auditEntries: 0 };
const restore = { checksum: "c".repeat(64), counts };

/** A change of which each commit has an audit entry, and what must be stored before the change. */
export interface Change {
  prepare?: (kv: Kv) => Promise<unknown>;
  make: (store: OpenKv, audit: AuditEntry) => Promise<unknown>;
}

function restoring(line: BackupLine): Change {
  return {
    make: (store, audit) => restoreLines({ ...store, random }, [line], { now: START, audit }),
  };
}

export const CHANGES: Record<string, Change> = {
  createClient: { make: ({ kv }, audit) => createClient(kv, client, audit) },
  changeClient: {
    prepare: (kv) => createClient(kv, client),
    make: ({ kv }, audit) =>
      changeClient(kv, client.clientId, (before) => ({ ...before, disabled: true }), audit),
  },
  rotateRootKey: { make: ({ kv }, audit) => rotateRootKey(kv, START, random, audit) },
  eraseSignUp: {
    prepare: (kv) => storeSignUp(kv, { email: ADA }, EARLIER),
    make: ({ kv }, audit) => eraseSignUp(kv, ADA, { now: START, random, audit }),
  },
  storeBulkSignUps: {
    make: ({ kv }, audit) => storeBulkSignUps(kv, [bulkSignUp("ada")], { audit }),
  },
  repairCounters: {
    prepare: (kv) => spoil(kv, { total: 2 }),
    make: ({ kv }, audit) => finish(repairCounters(kv, { now }, audit)),
  },
  beginRestore: { make: ({ kv }, audit) => backup.beginRestore(kv, restore, START, audit) },
  claimStore: {
    prepare: (kv) => backup.beginRestore(kv, restore, START),
    make: ({ kv }, audit) => backup.claimStore(kv, restore.checksum, audit),
  },
  endRestore: {
    prepare: (kv) => backup.beginRestore(kv, restore, START),
    make: ({ kv }, audit) => backup.endRestore(kv, { ...restore, startedAt: NOW }, audit),
  },
  "restoreLines of a client": restoring({ kind: "client", client }),
  "restoreLines of an erasure": restoring({ kind: "erased", mark: "m".repeat(43), erasedAt: NOW }),
  "restoreLines of the erasure key": restoring({ kind: "erasure_key", key: "k".repeat(43) }),
  "restoreLines of a sign-up": restoring({
    kind: "sign_up",
    signUp: { email: ADA, createdAt: NOW, consentedAt: NOW, updatedAt: NOW, lang: "en" },
  }),
  "restoreLines of an audit entry": restoring({ kind: "audit", entry: entryAt(START - 1) }),
};

/** The keys that a change may write beside its own entry and the number of a recount. */
async function contents(kv: Kv, own: AuditEntry) {
  const entries = await everyEntry(kv);
  return entries.flatMap((entry) => {
    const [table, position] = entry.key;
    if (table === "audit" && String(position).endsWith(` ${own.id}`)) return [];
    if (table !== "schema") return [entry];
    const { recounts: _, ...schema } = entry.value as StoredSchema;
    return [{ ...entry, value: schema, version: "" }];
  });
}

async function empty(kv: Kv): Promise<void> {
  for (const { key } of await everyEntry(kv)) await kv.commit(new Commit().delete(key));
}

export const AUDIT_SUITE: Suite = {
  async "setAuditEntry() puts the audit entry of each kind of change into the commit of the change"(
    { kv },
  ) {
    for (const [name, { prepare, make }] of Object.entries(CHANGES)) {
      await empty(kv);
      await prepare?.(kv);
      const own = entryAt(START, { id: "own", action: "theChange", operator: "ada" });
      let commits = 0;
      const commit = async (given: Commit) => {
        const before = await contents(kv, own);
        const result = await kv.commit(given);
        const after = await contents(kv, own);
        const [entry] = (await readLog(kv)).filter(({ id }) => id === own.id);
        // This commit writes the number of a recount, which is no change.
        if (!entry && isDeepStrictEqual(after, before)) return result;
        assert.notDeepEqual(after, before, `${name} changes something`);
        assert.equal(entry?.action, own.action, `${name} is in the log`);
        commits++;
        return result;
      };
      await make({ kv: { ...kv, commit } }, own);
      assert.equal(commits, 1, name);
    }
  },

  async "setAuditEntry() makes one audit entry for each kind of change when a commit loses its answer"(
    { kv, loseAnswer },
  ) {
    for (const [name, { prepare, make }] of Object.entries(CHANGES)) {
      await empty(kv);
      await prepare?.(kv);
      const own = entryAt(START, { id: "own", action: "theChange" });
      loseAnswer("done");
      await make({ kv }, own);
      const logged = (await readLog(kv)).filter(({ id }) => id === own.id);
      assert.equal(logged.length, 1, name);
    }
  },

  async "readAuditLog() gives entries in the order of time, from a given time on, and none older than 400 days"(
    { kv },
  ) {
    const moments = [START, START - 5, START - AUDIT_MS, START - 10, START - AUDIT_MS - 1];
    for (const ms of moments) await writeAuditEntry(kv, entryAt(ms));
    await writeAuditEntry(kv, entryAt(START - 5, { id: "another", details: { count: 7 } }));
    const read = async (since?: number, at?: number) => {
      const from = since === undefined ? undefined : new Date(since).toISOString();
      return (await readLog(kv, from, at)).map((entry) => Date.parse(entry.at) - START);
    };
    assert.deepEqual(await read(), [-AUDIT_MS, -10, -5, -5, 0]);
    assert.deepEqual(await read(START - 5), [-5, -5, 0]);
    assert.deepEqual(await read(START - 4), [0]);
    assert.deepEqual(await read(START + 1), []);
    assert.deepEqual(await read(undefined, START + AUDIT_MS), [0]);
    assert.deepEqual((await readLog(kv))[2], {
      ...entryAt(START - 5),
      id: "another",
      details: { count: 7 },
    });
  },

  async "readNewestAuditEntries() gives entries between two positions, the newest first, and none older than 400 days"(
    { kv },
  ) {
    const moments = [-AUDIT_MS - 1, -AUDIT_MS, ...Array.from({ length: 450 }, (_, n) => n - 450)];
    for (const ms of moments) await writeAuditEntry(kv, entryAt(START + ms));
    const read = async (selection: AuditSelection, most = 1_000) => {
      const options = { ...selection, most, now: START };
      const batches = await Array.fromAsync(readNewestAuditEntries(kv, options));
      return batches.flatMap(({ entries }) =>
        entries.map(({ value }) => Date.parse(value.at) - START)
      );
    };
    assert.deepEqual(await read({}), moments.slice(1).reverse());
    assert.deepEqual(await read({}, 2), [-1, -2]);
    const at = (ms: number) => new Date(START + ms).toISOString();
    assert.deepEqual(await read({ since: at(-4), before: at(-1) }), [-2, -3, -4]);
    assert.deepEqual(await read({ since: at(-1), before: at(-4) }), []);
    assert.deepEqual(await read({ since: at(-4), before: `${at(-1)} one` }), [-2, -3, -4]);
    assert.deepEqual(await read({ since: at(-4), before: `${at(-1)} onf` }), [-1, -2, -3, -4]);
  },

  async "restoreAuditLog() does not overwrite stored entries, and stores no entry older than 400 days"(
    { kv },
  ) {
    await writeAuditEntry(kv, entryAt(START, { operator: "ada" }));
    const entries = [
      entryAt(START, { operator: "mallory" }),
      entryAt(START - 1),
      entryAt(START - AUDIT_MS),
      // There are more entries than one commit stores.
      ...Array.from({ length: 450 }, (_, n) => entryAt(START - 1_000 - n)),
    ];
    const lines = entries.map((entry) => ({ kind: "audit" as const, entry }));
    const options = { now: START, audit: undefined };
    assert.equal(await restoreAuditLog(kv, lines, options), 451);
    assert.equal(await restoreAuditLog(kv, lines, options), 0);
    const log = await readLog(kv);
    assert.equal(log.length, 452);
    assert.equal(log.at(-1)?.operator, "ada");
  },
};
