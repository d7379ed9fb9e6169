/** The letters of people who sign up together share an entry until one of them is read. */
import assert from "node:assert/strict";
import { createOutboxChanges, type OutboxEntry } from "../../../../server/store/outbox/changes.ts";
import {
  findItems,
  findItemsByEmail,
  listOutbox,
  readFirstDue,
  readFirstItems,
} from "../../../../server/store/outbox/reads.ts";
import { eraseSignUp } from "../../../../server/store/people/erasure.ts";
import { createOutboxStore, retryItems } from "../../../../server/store/people/outbox_commits.ts";
import { Commit, type Kv } from "../../../../server/store/kv/engine.ts";
import { faultyKv, racingKv } from "../../../support/faulty_kv.ts";
import { assertListsAgree, listItems } from "../../../support/lists.ts";
import { listAll, openMemoryKv, type TestKv } from "../../../support/memory_kv.ts";
import { counts } from "../../../support/outbox.ts";
import { OUTBOX, random, recordOf, storeAddresses } from "../../../support/records.ts";
import { START } from "../../../support/service.ts";
import { testWith } from "../../../support/test_with.ts";

const LETTERS = { ...OUTBOX, sendsEvents: false };
const ADA = "ada@example.com";
const BO = "bo@example.com";
const CY = "cy@example.com";
const DAN = "dan@example.com";
const EVE = "eve@example.com";

/** The number of shared entries, and the number of items. */
async function sizes(kv: Kv): Promise<[entries: number, items: number]> {
  const prefixes = ["new_letters", "outbox"];
  const lists = await Promise.all(prefixes.map((part) => listAll(kv, { prefix: [part] })));
  return lists.map(({ length }) => length) as [number, number];
}

const join = (kv: Kv, emails: string[], at: number) =>
  storeAddresses(kv, emails, new Date(at).toISOString(), { outbox: LETTERS });

/** A store with people who signed up together. */
async function openTogether(): Promise<TestKv> {
  const kv = await openMemoryKv();
  await join(kv, [ADA, BO, CY], START);
  return kv;
}

const test = testWith(openTogether);

const emailsOf = (items: { item: { email: string } }[]) => items.map(({ item }) => item.email);

test("storeSignUps() stores several letters of a commit in one entry of KV, and a single letter as an item of the outbox", async (kv) => {
  assert.deepEqual(await sizes(kv), [1, 0]);
  assert.deepEqual(await counts(kv), [3, 0, 0]);
  await join(kv, [DAN], START);
  assert.deepEqual(await sizes(kv), [1, 1]);
  await assertListsAgree(kv);
});

Deno.test("createOutboxChanges() puts at most 100 letters into one entry of KV, even if all letters have the longest addresses", async () => {
  using kv = await openMemoryKv();
  const commit = new Commit();
  const changes = createOutboxChanges(commit, LETTERS);
  const ids = Array.from({ length: 201 }, (_, n) =>
    changes.put({
      email: `${n}@example.com`.padStart(254, "a"),
      recordId: "r".repeat(22),
      message: { letter: "confirmation" },
      at: START + n,
    }));
  changes.finish();
  await kv.commit(commit);
  assert.deepEqual(await sizes(kv), [2, 1]);
  const items = await listItems(kv);
  assert.deepEqual(items.map(({ id }) => id).toSorted(), ids.toSorted());
  assert.equal(new Set(ids).size, 201);
  const due = await readFirstItems(kv, "letters", { limit: 300 });
  assert.deepEqual(due.map(({ id }) => id), ids);
});

test("readDue() returns, as items, the letters of the oldest KV entry with several letters, and does not change the later entries", async (kv) => {
  await join(kv, [DAN, EVE], START - 5);
  assert.equal(await readFirstDue(kv, ["letters"]), START - 5);
  assert.equal(await readFirstDue(kv, ["held", "invitations"]), Infinity);
  const due = await createOutboxStore(kv).readDue("letters", { dueBy: START, limit: 2 });
  assert.deepEqual(emailsOf(due).toSorted(), [DAN, EVE]);
  assert.deepEqual(await sizes(kv), [1, 2]);
  assert.deepEqual(await counts(kv), [5, 0, 0]);
  await assertListsAgree(kv);
});

test("listOutbox() returns each letter exactly once over all pages when several letters share an entry of KV", async (kv) => {
  await join(kv, [DAN, EVE], START + 5);
  const listed: OutboxEntry[] = [];
  for (;;) {
    const last = listed.at(-1);
    const after = last && { at: last.item.dueAt, id: last.id };
    const page = await listOutbox(kv, { refused: false, limit: 1, after });
    if (page.length === 0) break;
    listed.push(...page);
  }
  const emails = emailsOf(listed);
  assert.deepEqual(emails.slice(0, 3).toSorted(), [ADA, BO, CY]);
  assert.deepEqual(emails.slice(3).toSorted(), [DAN, EVE]);
});

test("eraseSignUp() removes only the person's own letter from an entry of KV that holds several people's letters", async (kv) => {
  await eraseSignUp(kv, BO, { now: START, random, outbox: LETTERS });
  assert.deepEqual(emailsOf(await listItems(kv)).toSorted(), [ADA, CY]);
  assert.deepEqual(await counts(kv), [2, 0, 0]);
  await assertListsAgree(kv);
});

test("findItemsByEmail() finds a person's letter in the entry of KV that holds all letters of a commit, even if the person's record cannot be read", async (kv) => {
  await join(kv, [DAN, EVE], START + 5);
  assert.deepEqual(emailsOf(await findItemsByEmail(kv, BO)), [BO]);
  assert.deepEqual(await sizes(kv), [1, 3], "the others are left");
});

test("retryItems() finds a letter by id in an entry of KV that holds several letters, and counts the letter as unchanged when it is already due", async (kv) => {
  const { outbox: ids = [] } = await recordOf(kv, BO);
  const steps = await Array.fromAsync(
    retryItems(kv, { which: { ids }, now: () => START, leaseMs: 1 }),
  );
  assert.deepEqual(steps, [{ retried: 0, unchanged: 1, removed: 0, liftedMarks: 0 }]);
  assert.deepEqual(await sizes(kv), [0, 3]);
  await assertListsAgree(kv);
});

test("findItems() finds a person's letter in an outbox entry with letters of several people, even if another process splits the entry at the same time", async (kv) => {
  const racing = racingKv(kv, async () => void await readFirstItems(kv, "letters", { limit: 1 }));
  const [entry, ...others] = await findItems(racing, (await recordOf(kv, CY)).outbox);
  assert.deepEqual([entry?.item.email, others], [CY, []]);
  assert.deepEqual(await counts(kv), [3, 0, 0]);
  await assertListsAgree(kv);
});

test("findItems() does not bring back an erased person's letter when the erasure happens while findItems() splits an entry of KV with several letters", async (kv) => {
  const erase = () => eraseSignUp(kv, BO, { now: START, random, outbox: LETTERS });
  await findItems(racingKv(kv, erase), (await recordOf(kv, ADA)).outbox);
  assert.deepEqual(emailsOf(await listItems(kv)).toSorted(), [ADA, CY]);
  await assertListsAgree(kv);
});

test("readFirstDue() finds the letters in an entry of KV with several letters when another process splits the entry into items at the same time", async (kv) => {
  let reads = 0;
  const racing = faultyKv(kv, (commit) => commit(), async (read) => {
    const result = await read();
    if (reads++ === 0) await readFirstItems(kv, "letters", { limit: 1 });
    return result;
  });
  assert.equal(await readFirstDue(racing, ["letters"]), START);
});

test("readDue() leaves out letters whose entry of KV is unreadable, and eraseSignUp() removes a person together with this entry", async (kv) => {
  const [entry] = await listAll(kv, { prefix: ["new_letters"] });
  await kv.raw.set([...entry!.key], new TextEncoder().encode("[["));
  assert.equal(await readFirstDue(kv, ["letters"]), Infinity);
  await join(kv, [DAN, EVE], START + 5);
  assert.equal(await readFirstDue(kv, ["letters"]), START + 5);
  const due = await createOutboxStore(kv).readDue("letters", { dueBy: START + 5, limit: 9 });
  assert.deepEqual(emailsOf(due).toSorted(), [DAN, EVE]);
  await eraseSignUp(kv, BO, { now: START, random, outbox: LETTERS });
  assert.deepEqual(await sizes(kv), [0, 2]);
});
