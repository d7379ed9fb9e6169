import assert from "node:assert/strict";
import { readHistory } from "../../../../server/store/audit/history.ts";
import { restoreAuditLog, writeAuditEntry } from "../../../../server/store/audit/mod.ts";
import { Commit } from "../../../../server/store/kv/engine.ts";
import { readSchema, setSchema } from "../../../../server/store/kv/schema.ts";
import { hashAddress } from "../../../../server/store/people/erasure_marks.ts";
import { erasureMarksOf, joinErasureKeys } from "../../../../server/waitlist/erasure.ts";
import { INVITING } from "../../../support/invitations.ts";
import { test } from "../../../support/memory_kv.ts";
import { START } from "../../../support/service.ts";

const ADA = "ada@example.com";
const { random } = INVITING;

/** A date-time some seconds after the start. */
const after = (seconds: number) => new Date(START + 1_000 * seconds).toISOString();

const entryOf = (id: string, at: string, address?: string) => ({
  ...{ at, id, action: "markUndeliverable", operator: "operator" },
  ...address && { address },
});

test("readHistory() returns the 100 latest readable entries about an address since the sign-up, the newest first", async (kv) => {
  assert.deepEqual(await readHistory(kv, ADA, { createdAt: after(0) }), []);
  const ada = await hashAddress(kv, ADA, random);
  const bo = await hashAddress(kv, "bo@example.com", random);
  for (let n = 0; n < 120; n++) await writeAuditEntry(kv, entryOf(`a${n}`, after(n), ada));
  await writeAuditEntry(kv, entryOf("b", after(121), bo));
  await writeAuditEntry(kv, entryOf("c", after(122)));
  const latest = await readHistory(kv, ADA, { createdAt: after(0) });
  assert.deepEqual(
    latest.map(({ id }) => id),
    Array.from({ length: 100 }, (_, n) => `a${119 - n}`),
  );
  const since = await readHistory(kv, ADA, { createdAt: after(118) });
  assert.deepEqual(since.map(({ id }) => id), ["a119", "a118"]);
  await kv.commit(new Commit().set(["audit", `${after(119)} a119`], { at: "yesterday" }));
  const left = await readHistory(kv, ADA, { createdAt: after(118) });
  assert.deepEqual(left.map(({ id }) => id), ["a118"], "one that cannot be read is left out");
});

test("readHistory() sorts entries of the same millisecond by id, in descending order", async (kv) => {
  const ada = await hashAddress(kv, ADA, random);
  for (const id of ["b", "d", "a", "c"]) await writeAuditEntry(kv, entryOf(id, after(1), ada));
  await writeAuditEntry(kv, entryOf("0", after(2), ada));
  const entries = await readHistory(kv, ADA, { createdAt: after(0) });
  assert.deepEqual(entries.map(({ id }) => id), ["0", "d", "c", "b", "a"]);
});

test("readHistory() returns entries about a former address only for the period in which the person had that address", async (kv) => {
  const [old = "", mid = "", now = ""] = await Promise.all(
    ["old@example.com", "mid@example.com", ADA].map((email) => hashAddress(kv, email, random)),
  );
  const correct = (id: string, at: number, from: string, to: string) => ({
    ...entryOf(id, after(at), to),
    action: "correctSignup",
    details: { formerAddress: from },
  });
  for (
    const entry of [
      // Another person had each address before.
      ...[old, mid, now].map((mark, n) => entryOf(`before-${n}`, after(-10), mark)),
      entryOf("1", after(1), old),
      correct("2", 10, old, mid),
      entryOf("stranger-1", after(11), old),
      entryOf("3", after(12), mid),
      correct("4", 20, mid, old),
      entryOf("stranger-2", after(21), mid),
      entryOf("5", after(22), old),
      correct("6", 30, old, mid),
      correct("7", 40, mid, now),
      ...[old, mid].map((mark, n) => entryOf(`stranger-${3 + n}`, after(41), mark)),
      entryOf("8", after(42), now),
    ]
  ) await writeAuditEntry(kv, entry);
  const corrections = [[10, old], [20, mid], [30, old], [40, mid]] as const;
  const entries = await readHistory(kv, ADA, {
    createdAt: after(0),
    corrections: corrections.map(([at, address]) => ({ at: after(at), address })),
  });
  assert.deepEqual(entries.map(({ id }) => id), ["8", "7", "6", "5", "4", "3", "2", "1"]);
});

test(
  "readHistory() leaves out entries about a previous record of the address, even if an imported createdAt is older than those entries",
  async (kv, t) => {
    const [ada = "", other = ""] = await Promise.all(
      [ADA, "new@example.com"].map((email) => hashAddress(kv, email, random)),
    );
    const correct = (id: string, at: number) => ({
      ...entryOf(id, after(at), other),
      action: "correctSignup",
      details: { formerAddress: ada },
    });
    const ends = [
      { ...entryOf("e", after(2), ada), action: "eraseSignup" },
      correct("c", 3),
    ];
    await writeAuditEntry(kv, entryOf("a", after(1), ada));
    for (const end of ends) {
      await t.step(`the previous record ends by ${end.action}`, async () => {
        await writeAuditEntry(kv, end);
        const at = Date.parse(end.at) + 100;
        await writeAuditEntry(kv, entryOf(`behind-${end.id}`, new Date(at).toISOString(), ada));
        const entries = await readHistory(kv, ADA, { createdAt: after(0) });
        assert.deepEqual(entries.map(({ id }) => id), [`behind-${end.id}`]);
      });
    }
    await writeAuditEntry(kv, correct("own", 9));
    const corrections = [{ at: after(9), address: ada }];
    const entries = await readHistory(kv, "new@example.com", {
      createdAt: after(0),
      corrections,
    });
    assert.deepEqual(entries.map(({ id }) => id), ["own", "behind-c"]);
  },
);

test("readHistory() finds an entry of a restored backup even when the entry's address hash was made with the backup's key", async (kv) => {
  const own = await hashAddress(kv, ADA, random);
  const key = random(32);
  const schema = await readSchema(kv);
  const commit = new Commit();
  setSchema(commit, { ...schema, erasureKeys: joinErasureKeys(schema.erasureKeys!, key) });
  await kv.commit(commit);
  const entry = entryOf("restored", after(1), erasureMarksOf(key, ADA)[0]!);
  const options = { now: START, audit: undefined };
  await restoreAuditLog(kv, [{ kind: "audit", entry }], options);
  await writeAuditEntry(kv, entryOf("own", after(2), own));
  const entries = await readHistory(kv, ADA, { createdAt: after(0) });
  assert.deepEqual(entries.map(({ id }) => id), ["own", "restored"]);
});
