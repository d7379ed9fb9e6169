/**
 * What the operator does with the whole list, tried on each engine: erasing, importing, reading page by
 * page, recounting, backing up and restoring. @module
 */
import assert from "node:assert/strict";
import { createLog } from "../../../../server/runtime/mod.ts";
import { newClient } from "../../../../server/oauth/clients.ts";
import { storeBulkSignUps } from "../../../../server/store/people/bulk_sign_ups.ts";
import { backUp } from "../../../../server/store/backup/back_up.ts";
import { createClient, readClients } from "../../../../server/store/credentials/clients.ts";
import { readClientUses, recordClientUses } from "../../../../server/store/credentials/clients.ts";
import { eraseSignUp, findSignUp } from "../../../../server/store/people/erasure.ts";
import { findErasureMoments } from "../../../../server/store/people/erasure_marks.ts";
import { recountRecords } from "../../../../server/store/people/recount.ts";
import { repairCounters } from "../../../../server/store/people/repair_counters.ts";
import { beginRestore, endRestore, findRestore } from "../../../../server/store/backup/restore.ts";
import { restoreLines } from "../../../../server/store/backup/restore_lines.ts";
import { readSignUpPages } from "../../../../server/store/people/records.ts";
import { readSchema } from "../../../../server/store/kv/schema.ts";
import type { BulkSignUp } from "../../../../server/waitlist/bulk_sign_ups.ts";
import type { ImportedSignUp } from "../../../../server/waitlist/import_line.ts";
import { mergeImported } from "../../../../server/waitlist/merge_records.ts";
import { type LineOf, readBackupLine } from "../../../../shared/backup_lines.ts";
import { everyEntry, random, recordId, storedCounters } from "../../../support/records.ts";
import { storedIds, storedSignUps, storeSignUp } from "../../../support/records.ts";
import { assertCountersEqualRecount, EARLIER, finish } from "../../../support/recounts.ts";
import { interrupted, LATER, spoil } from "../../../support/recounts.ts";
import { START } from "../../../support/service.ts";
import type { Suite } from "./engines.ts";
import type { Kv } from "../../../../server/store/kv/engine.ts";

const NOW = new Date(START).toISOString();
const now = () => START;

/** An address with a number that sorts as text does. */
function address(n: number): string {
  return `visitor${String(n).padStart(3, "0")}@example.com`;
}

function bulkSignUps(count: number, answers: Partial<ImportedSignUp> = {}): BulkSignUp[] {
  return Array.from({ length: count }, (_, n) => {
    const imported = { email: address(n), consentedAt: EARLIER, ...answers };
    return {
      email: imported.email,
      answers: imported,
      consentedAt: imported.consentedAt,
      merge: (record) => mergeImported(record, imported, { at: NOW, id: recordId() }),
    };
  });
}

async function erasedAmong(kv: Kv, emails: string[]): Promise<string[]> {
  const erased = await findErasureMoments(kv, await readSchema(kv), emails);
  return emails.filter((email) => erased.has(email));
}

export const LIST_SUITE: Suite = {
  async "eraseSignUp() leaves one erasure mark for each address when each erasure is called twice at the same time"(
    { kv },
  ) {
    const emails = Array.from({ length: 12 }, (_, n) => address(n));
    for (const email of emails) await storeSignUp(kv, { email, lang: "de" }, EARLIER);
    const gone = emails.slice(0, 11);
    await Promise.all(gone.flatMap((email) => [
      eraseSignUp(kv, email, { now: START, random }),
      eraseSignUp(kv, email, { now: START, random }),
    ]));
    assert.deepEqual(Object.keys(await storedSignUps(kv)), [address(11)]);
    assert.deepEqual(await erasedAmong(kv, emails), gone);
    await storeSignUp(kv, { email: address(0) }, LATER);
    assert.deepEqual(await erasedAmong(kv, emails), gone.slice(1));
    assert.deepEqual(await findSignUp(kv, address(1)), { erasedAt: NOW });
    await assertCountersEqualRecount(kv);
  },

  async "storeBulkSignUps() returns an outcome for each sign-up, and writes nothing when it is called again"(
    { kv },
  ) {
    await storeSignUp(kv, { email: address(0) }, NOW);
    await storeSignUp(kv, { email: address(1) }, NOW);
    await eraseSignUp(kv, address(1), { now: START, random });
    const imported = bulkSignUps(250, { role: "engineer", building: "office" });
    const outcomes = await storeBulkSignUps(kv, imported);
    assert.deepEqual(outcomes, ["merged", "staysErased", ...Array(248).fill("new")]);
    assert.equal((await storedCounters(kv))["byRole/engineer"], 249);
    await assertCountersEqualRecount(kv);

    const before = await everyEntry(kv);
    const again = await storeBulkSignUps(kv, imported);
    assert.deepEqual(again, ["unchanged", "staysErased", ...Array(248).fill("unchanged")]);
    assert.deepEqual(await everyEntry(kv), before);
  },

  async "readSignUpPages() gives each record once in the order of addresses, and begins after a given address"(
    { kv },
  ) {
    await storeBulkSignUps(kv, bulkSignUps(450));
    // This address begins with the one before it, so that it comes right behind it.
    await storeSignUp(kv, { email: `${address(200)}.au` }, NOW);
    const pages = async (after?: string) => {
      const read = await Array.fromAsync(readSignUpPages(kv, { after }));
      return read.flatMap(({ records }) => records.map(({ email }) => email));
    };
    const all = Object.keys(await storedSignUps(kv));
    assert.equal(all.length, 451);
    assert.deepEqual(await pages(), all);
    assert.deepEqual((await pages(address(200))).slice(0, 2), [`${address(200)}.au`, address(201)]);
    assert.deepEqual(await pages("visitor"), all);
    assert.deepEqual(await pages(address(449)), []);
  },

  async "recountRecords() counts the records of its beginning, and reports records that change during the recount"(
    { kv },
  ) {
    await storeBulkSignUps(kv, bulkSignUps(10));
    await spoil(kv, { "total": 2, "byLang/de": -5 });
    const meanwhile = async () => {
      await storeSignUp(kv, { email: address(1), lang: "de" }, LATER);
      await storeSignUp(kv, { email: address(99), lang: "de" }, LATER);
    };
    const { report } = await finish(recountRecords(interrupted(kv, 5, meanwhile), { now }));
    assert.deepEqual(report, {
      records: 10,
      changed: 1,
      exact: true,
      agrees: false,
      differences: [
        { counter: ["byLang", "de"], storedCount: -5, recounted: 0 },
        { counter: ["total"], storedCount: 12, recounted: 10 },
      ],
      unreadable: [],
      lists: { missing: 0, surplus: 0 },
      line: [],
      referrals: [],
    });
  },

  async "repairCounters() corrects the counters once when another repair and a sign-up come during the recount"(
    { kv },
  ) {
    await storeBulkSignUps(kv, bulkSignUps(10));
    await spoil(kv, { "total": 2, "byLang/de": -5 });
    let raced = false;
    const meanwhile = async () => {
      if (raced) return;
      raced = true;
      await finish(repairCounters(kv, { now }));
      await storeSignUp(kv, { email: address(99) }, LATER);
    };
    const { repaired } = await finish(repairCounters(interrupted(kv, 5, meanwhile), { now }));
    assert.ok(repaired && raced);
    assert.equal((await storedCounters(kv)).total, 11);
    await assertCountersEqualRecount(kv);
  },

  async "restoreLines() stores the same sign-ups, clients and erasures as the store of the backup"(
    { kv },
    open,
  ) {
    // The number of the recount in a record belongs to its own store.
    await finish(recountRecords(kv, { now }));
    await storeBulkSignUps(kv, bulkSignUps(250, { role: "engineer", source: "cta" }));
    await eraseSignUp(kv, address(3), { now: START, random });
    const { client } = newClient({ name: "Über uns", scopes: [] }, { now: START, random });
    await createClient(kv, client);
    const text = (await Array.fromAsync(backUp(kv, START))).join("");
    assert.doesNotMatch(text, /"recount"/);
    const lines = text.trimEnd().split("\n").map((line) => readBackupLine(line)!);
    const { sha256: checksum, counts } = lines.at(-1) as LineOf<"end">;
    assert.deepEqual(counts, {
      ...{ signUps: 249, clients: 1, erasures: 1, auditEntries: 0 },
      ...{ waves: 0, named: 0, brakes: 0, schedules: 0, letters: 0 },
    });

    await using other = await open();
    const begun = await beginRestore(other.kv, { checksum, counts }, START);
    assert.ok("restore" in begun);
    const restored = await restoreLines({ ...other, random }, lines, { now: START });
    assert.deepEqual(restored, { restored: 252, unchanged: 0, erased: 0 });
    await endRestore(other.kv, begun.restore);
    assert.equal(await findRestore(other.kv), undefined);
    assert.deepEqual(await storedSignUps(other.kv), await storedSignUps(kv));
    assert.deepEqual(await storedIds(other.kv), await storedIds(kv));
    assert.deepEqual(await readClients(other.kv), [client]);
    assert.deepEqual(await findSignUp(other.kv, address(3)), { erasedAt: NOW });
    await assertCountersEqualRecount(other.kv);
  },

  async "recordClientUses() stores the last day of use of each client"({ kv }) {
    const clock = { now: START };
    const log = createLog({ level: "warn", now, write: assert.fail });
    const uses = recordClientUses({ kv, now: () => clock.now, log });
    const clients = Array.from({ length: 50 }, (_, n) => `client${n}`);
    const { client } = newClient({ name: "Test", scopes: [] }, { now: START, random });
    for (const clientId of clients) {
      await createClient(kv, { ...client, clientId });
      uses.note(clientId);
    }
    await uses.flush();
    clock.now += 24 * 60 * 60 * 1000;
    uses.note("client7");
    await uses.flush();
    const expected = clients.map((id) => [id, id === "client7" ? "2026-11-22" : "2026-11-21"]);
    assert.deepEqual(await readClientUses(kv), new Map(expected as [string, string][]));
  },
};
