import assert from "node:assert/strict";
import { join } from "node:path";
import { readAuditLog } from "../../../../server/store/audit/mod.ts";
import { readNewestAuditEntries } from "../../../../server/store/audit/mod.ts";
import { writeAuditEntry } from "../../../../server/store/audit/mod.ts";
import { hashAddress } from "../../../../server/store/people/erasure_marks.ts";
import { readSchema } from "../../../../server/store/kv/schema.ts";
import { erasureMarks } from "../../../../server/waitlist/erasure.ts";
import { damageEntry } from "../../../support/damage.ts";
import { INVITING } from "../../../support/invitations.ts";
import { makeTestFolder } from "../../../support/process.ts";
import { START } from "../../../support/service.ts";
import { Commit } from "../../../../server/store/kv/engine.ts";
import { openFileKv, openMemoryKv } from "../../../support/memory_kv.ts";

const ADA = "ada@example.com";
const { random } = INVITING;

/** A date-time some seconds after the start. */
const after = (seconds: number) => new Date(START + 1_000 * seconds).toISOString();

const entryOf = (id: string, at: string, address?: string) => ({
  at,
  id,
  action: "markUndeliverable",
  operator: "operator",
  ...address && { address },
});

Deno.test("hashAddress() makes one key when it is asked for several addresses at once", async () => {
  using kv = await openMemoryKv();
  const emails = [ADA, "bo@example.com", ADA];
  const hashes = await Promise.all(emails.map((email) => hashAddress(kv, email, random)));
  const { erasureKeys } = await readSchema(kv);
  assert.deepEqual(hashes, emails.map((email) => erasureMarks(erasureKeys!, email)[0]));
  assert.equal(hashes[0], hashes[2]);
});

Deno.test("readAuditLog() and readNewestAuditEntries() name unreadable entries and read all others", async () => {
  await using folder = await makeTestFolder();
  const path = join(folder.path, "kv.sqlite3");
  {
    using kv = await openFileKv(path);
    for (const id of ["a", "damaged", "e"]) await writeAuditEntry(kv, entryOf(id, after(0)));
    await kv.commit(
      new Commit().set(["audit", `${entryOf("d", after(0)).at} d`], { at: "yesterday" }),
    );
  }
  damageEntry(path, `${entryOf("damaged", after(0)).at} damaged`);
  using kv = await openFileKv(path);
  for (
    const [log, expected] of [
      [readAuditLog(kv, { now: START }), ["a", "e"]],
      [readNewestAuditEntries(kv, { now: START, most: 10 }), ["e", "a"]],
    ] as const
  ) {
    const batches = await Array.fromAsync(log);
    const ids = batches.flatMap(({ entries }) => entries.map(({ value }) => value.id));
    assert.deepEqual(ids, expected);
    const named = batches.flatMap(({ unreadable }) => unreadable.map(({ key }) => key.at(-1)));
    assert.deepEqual(
      named.toSorted(),
      ["d", "damaged"].map((id) => `${entryOf(id, after(0)).at} ${id}`),
    );
  }
});
