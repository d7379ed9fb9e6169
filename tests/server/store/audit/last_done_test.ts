import assert from "node:assert/strict";
import {
  createAuditStore,
  readLastDone,
  reportAges,
  restoreAuditLog,
  setAuditEntry,
} from "../../../../server/store/audit/mod.ts";
import { createBackupStore } from "../../../../server/store/backup/mod.ts";
import { createPeopleStore } from "../../../../server/store/people/mod.ts";
import { faultyKv } from "../../../support/faulty_kv.ts";
import { storeSignUp } from "../../../support/records.ts";
import { START } from "../../../support/service.ts";
import { NO_OUTBOX } from "../../../../server/store/outbox/changes.ts";
import { Commit, type Kv } from "../../../../server/store/kv/engine.ts";
import { test } from "../../../support/memory_kv.ts";

const AT = new Date(START).toISOString();

function createTestStore(kv: Kv) {
  const clock = { now: START };
  const now = () => clock.now;
  const random = (length: number) => new Uint8Array(length);
  const people = createPeopleStore({
    kv,
    longKv: kv,
    now,
    monotonic: now,
    random,
    outbox: NO_OUTBOX,
    yieldToCalls: () => Promise.resolve(),
    findInvitationUrl: () => Promise.resolve(undefined),
  });
  const learnCredentials = () => Promise.resolve();
  const backups = createBackupStore({ kv, longKv: kv, now, random, learnCredentials });
  const audit = createAuditStore({ kv, now });
  return { store: { ...people, ...backups, ...audit }, clock };
}

/** An entry of the audit log about an import that began some milliseconds after `AT`. */
const entryOfImport = (id: string, ms: number) => ({
  at: new Date(START + ms).toISOString(),
  id,
  action: "importSignups",
});

test("readLastDone() returns when the last import began, by the entries of this store and of a restored backup", async (kv) => {
  const lastImport = async () => (await readLastDone(kv)).import;
  await kv.commit(setAuditEntry(new Commit(), { ...entryOfImport("other", 0), action: "backUp" }));
  assert.equal(await lastImport(), undefined);
  const now = START + 10_000;
  const restore = (ids: [string, number][]) =>
    restoreAuditLog(
      kv,
      ids.map(([id, ms]) => ({ kind: "audit", entry: entryOfImport(id, ms) })),
      { now, audit: undefined },
    );
  await restore([["second", 2_000], ["first", 1_000]]);
  assert.equal(await lastImport(), entryOfImport("second", 2_000).at);
  await kv.commit(setAuditEntry(new Commit(), entryOfImport("third", 3_000)));
  assert.equal(await lastImport(), entryOfImport("third", 3_000).at);
  await restore([["older", 2_500]]);
  assert.equal(await lastImport(), entryOfImport("third", 3_000).at, "a backup is older");
});

test("readLastDone() returns the times of the last complete backup and of the last verification that found no difference", async (kv) => {
  await storeSignUp(kv, { email: "ada@example.com" }, AT);
  const { store, clock } = createTestStore(kv);
  assert.deepEqual(await readLastDone(kv), {});
  await Array.fromAsync(store.recount());
  assert.deepEqual(await readLastDone(kv), { verify: AT });
  clock.now += 1_000;
  await Array.fromAsync(store.backUp());
  const later = new Date(START + 1_000).toISOString();
  assert.deepEqual(await readLastDone(kv), { verify: AT, backup: later });
  await Array.fromAsync(store.recount());
  assert.deepEqual(await readLastDone(kv), { verify: later, backup: later });
});

test("readLastDone() returns no `verify` after a verification that found a fault, and no `backup` after a backup that was cut off", async (kv) => {
  await storeSignUp(kv, { email: "ada@example.com" }, AT);
  const { store } = createTestStore(kv);
  for await (const _ of store.backUp()) break;
  await kv.commit(new Commit().delete(["statistics", "total"]).add(["statistics", "total"], 2));
  await Array.fromAsync(store.recount());
  assert.deepEqual(await readLastDone(kv), { difference: AT }, "a counter that differs");
  await kv.commit(new Commit().delete(["statistics", "total"]).add(["statistics", "total"], 1));
  await kv.commit(new Commit().set(["sign_up", "bob@example.com"], "no record"));
  await Array.fromAsync(store.recount());
  const lastDone = await readLastDone(kv);
  assert.deepEqual(lastDone, { difference: AT }, "a record that cannot be read");
});

test("noteDone() does not make a backup fail when KV cannot store the time of the backup", async (memory) => {
  const kv: Kv = {
    ...memory,
    commit(commit) {
      const isNote = commit.writes.some(({ key }) => key[0] === "last_done");
      return isNote ? Promise.reject(new Error("KV is full")) : memory.commit(commit);
    },
  };
  const { store } = createTestStore(kv);
  const lines = (await Array.fromAsync(store.backUp())).join("");
  assert.match(lines, /"kind":"end"/);
  assert.deepEqual(await readLastDone(kv), {});
});

test("reportAges() regularly reads the time of the last backup, and goes on with the time that was read last while KV fails", async (memory) => {
  let isAway = false;
  const kv = faultyKv(memory, (commit) => commit(), async (read) => {
    if (isAway) throw new Error("KV is away");
    return await read();
  });
  let beat = () => Promise.resolve();
  let backupAge = (): number | undefined => 0;
  await reportAges({
    kv,
    keyRing: { signsSince: START },
    metrics: { reportAges: (ageOf) => backupAge = () => ageOf("backup") },
    runtime: {
      now: () => START + 5_000,
      repeat(_ms, work) {
        beat = work;
        return { close: () => Promise.resolve() };
      },
    },
  });
  assert.equal(backupAge(), undefined);
  await memory.commit(new Commit().set(["last_done", "backup"], AT));
  await beat();
  assert.equal(backupAge(), 5);
  isAway = true;
  await beat();
  assert.equal(backupAge(), 5);
});
