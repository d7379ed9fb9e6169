import assert from "node:assert/strict";
import { createOutboxChanges, type OutboxEntry } from "../../../../server/store/outbox/changes.ts";
import { readOutboxCounts } from "../../../../server/store/outbox/counts.ts";
import { findItems, readFirstDue, readFirstItems } from "../../../../server/store/outbox/reads.ts";
import { eraseSignUp } from "../../../../server/store/people/erasure.ts";
import { createOutboxStore } from "../../../../server/store/people/outbox_commits.ts";
import type { Message, Queue } from "../../../../server/waitlist/outbox_item.ts";
import { faultyKv, racingKv } from "../../../support/faulty_kv.ts";
import { assertListsAgree } from "../../../support/lists.ts";
import { counts, join, onlyItem } from "../../../support/outbox.ts";
import {
  changeRecord,
  OUTBOX,
  random,
  recordOf,
  storeAddresses,
  storedSignUps,
} from "../../../support/records.ts";
import { START } from "../../../support/service.ts";
import { Commit, type EngineTraits, type Kv } from "../../../../server/store/kv/engine.ts";
import { readOne } from "../../../../server/store/kv/calls.ts";
import { openMemoryKv, test } from "../../../support/memory_kv.ts";
import { askForLink } from "../../../../server/waitlist/transitions.ts";

const ADA = "ada@example.com", BOB = "bob@example.com";
const ONLY_LETTERS = { ...OUTBOX, sendsEvents: false };
const CONFIRMATION: Message = { letter: "confirmation" };
const LEFT: Message = { event: "signup.left", person: { email: ADA, reason: "operator" } };

/** Puts a message into the outbox that belongs to no record. */
async function put(kv: Kv, message: Message, at: number): Promise<string> {
  const commit = new Commit();
  const changes = createOutboxChanges(commit, OUTBOX);
  const id = changes.put({ email: ADA, recordId: "1", message, at });
  changes.finish();
  assert.ok(await kv.commit(commit));
  return id;
}

test(
  "createOutboxChanges() puts each message into the queue of its kind, and makes the message due at once",
  async (kv, t) => {
    const cases = [
      ["letters", CONFIRMATION],
      ["letters", { letter: "link" }],
      ["invitations", { letter: "invitation", invitationUrl: "https://example.com/?c=1" }],
      ["events", LEFT],
    ] as const;
    const ids = new Set<string>();
    for (const [queue, message] of cases) {
      await t.step(`the message is ${JSON.stringify(message)}`, async () => {
        const id = await put(kv, message, START);
        ids.add(id);
        const { value } = await readOne(kv, ["outbox", id]);
        const times = { putAt: START, dueAt: START, tries: 0 };
        assert.deepEqual(value, { email: ADA, recordId: "1", message, queue, ...times });
      });
    }
    assert.equal(ids.size, cases.length);
    assert.deepEqual(await counts(kv), [4, 0, 0]);
    await assertListsAgree(kv);
  },
);

test("readFirstItems() returns the due items of one queue, the oldest first", async (kv) => {
  for (const offset of [7, 2, -5, 3, 10_000]) await put(kv, CONFIRMATION, START + offset);
  await put(kv, { letter: "invitation" }, START + 1);
  const due = async (options: { dueBy?: number; limit: number }) =>
    (await readFirstItems(kv, "letters", options)).map(({ item }) => item.dueAt - START);
  assert.deepEqual(await due({ dueBy: START + 3, limit: 10 }), [-5, 2, 3], "3 is due at 3");
  assert.deepEqual(await due({ dueBy: START + 3, limit: 2 }), [-5, 2]);
  assert.deepEqual(await due({ limit: 10 }), [-5, 2, 3, 7, 10_000]);
  assert.deepEqual(await due({ dueBy: START - 6, limit: 10 }), []);
  assert.equal(await readFirstDue(kv, ["letters"]), START - 5);
  assert.equal(await readFirstDue(kv, ["invitations"]), START + 1);
  assert.equal(await readFirstDue(kv, ["events"]), Infinity);
});

test("createOutboxStore().readDue() removes a position from a queue when the position's item does not exist or is at another position", async (kv) => {
  const id = await put(kv, CONFIRMATION, START);
  await kv.commit(new Commit().set(["due", "letters", START - 2, id], true));
  await kv.commit(new Commit().set(["due", "letters", START - 1, "gone"], true));
  await kv.commit(new Commit().set(["due", "events", START, id], true));
  const store = createOutboxStore(kv);
  const read = { dueBy: START, limit: 10 };
  for (const readItems of [(queue: Queue) => readFirstItems(kv, queue, read), store.readDue]) {
    const due = await readItems("letters", read);
    assert.deepEqual(due.map((entry) => [entry.id, entry.item.dueAt]), [[id, START]]);
    assert.deepEqual(await readItems("events", read), []);
    // Only the worker's read removes positions.
    assert.equal(
      await readFirstDue(kv, ["letters"]),
      readItems === store.readDue ? START : START - 2,
    );
  }
  await assertListsAgree(kv);
});

test("createOutboxStore() moves an item to a later time or to the refused items, and removes a sent item", async (kv) => {
  const store = createOutboxStore(kv);
  await join(kv, [ADA], ONLY_LETTERS);
  const { id, item } = await onlyItem(kv, ADA);
  const steps: [change: (entry: OutboxEntry) => Promise<unknown>, expected: object][] = [
    [
      (entry) => store.claim(entry, { at: START + 8, until: START + 9 }),
      { placedAt: START + 8, dueAt: START + 9, tries: 1 },
    ],
    [(entry) => store.claim(entry, { at: START + 8, until: START + 9 }), { tries: 2 }],
    [(entry) => store.postpone(entry, { ...entry.item, dueAt: START }), { dueAt: START }],
    [
      (entry) => store.refuseRecipient(entry, { at: START + 10, reason: "No" }),
      { queue: "refused", dueAt: START + 10, reason: "No" },
    ],
    [(entry) => store.postpone(entry, { ...entry.item, queue: "letters" }), { queue: "letters" }],
  ];
  const iso = (ms: number) => new Date(START + ms).toISOString();
  let expected = item;
  for (const [change, changes] of steps) {
    await change(await onlyItem(kv, ADA));
    expected = { ...expected, ...changes };
    const [found, ...others] = await readFirstItems(kv, expected.queue, { limit: 10 });
    assert.deepEqual([found!.item, found!.id, others], [expected, id, []]);
    assert.deepEqual(await counts(kv), expected.queue === "refused" ? [0, 1, 0] : [1, 0, 0]);
    await assertListsAgree(kv);
    const { lastLetters } = await recordOf(kv, ADA);
    assert.equal(
      lastLetters?.confirmation?.refusedAt,
      expected.queue === "refused" ? iso(10) : undefined,
    );
  }
  const retried = await recordOf(kv, ADA);
  assert.equal(retried.undeliverableAt, iso(10));
  const putAt = retried.confirmations!.lastAt;

  const said = { answer: "250 OK", messageId: "<1@waitlist.test>" };
  await store.complete(await onlyItem(kv, ADA), START + 20, { mailAnswer: said });
  assert.deepEqual(await counts(kv), [0, 0, 1]);
  assert.equal((await readOutboxCounts(kv, "2026-11-20")).sent, 0);
  const { outbox, confirmations, lastLetters } = await recordOf(kv, ADA);
  assert.equal(outbox, undefined);
  assert.equal(confirmations?.takenAt, iso(20));
  assert.deepEqual(lastLetters, { confirmation: { putAt, takenAt: iso(20), ...said } });
  await assertListsAgree(kv);
});

test("createOutboxStore() does not change an item that another process has changed since the read", async (kv) => {
  const store = createOutboxStore(kv);
  await join(kv, [ADA], ONLY_LETTERS);
  const read = await onlyItem(kv, ADA);
  const claimed = await store.claim(read, { at: START, until: START + 1 });
  assert.equal(await store.claim(read, { at: START, until: START + 2 }), undefined);
  await Promise.all([store.drop(read), store.complete(read, START)]);
  assert.deepEqual(await onlyItem(kv, ADA), claimed);
  assert.deepEqual(await counts(kv), [1, 0, 0]);
});

// The worker sends only the letter whose moment is that of the record, and drops others.
test("storeSignUps() stores the same time in a confirmation letter and in the record of its addressee", async (kv) => {
  await join(kv, [ADA, BOB, "zoe@example.com"]);
  for (const { item } of await readFirstItems(kv, "letters", { limit: 10 })) {
    const { confirmations } = await recordOf(kv, item.email);
    assert.equal(new Date(item.putAt).toISOString(), confirmations!.lastAt, item.email);
  }
});

test("eraseSignUp() removes the person's items from the outbox, and puts in an event 'signup.left' that holds only the address", async (kv) => {
  await join(kv, [ADA, BOB]);
  const items = await findItems(kv, (await recordOf(kv, ADA)).outbox);
  const letter = items.find(({ item }) => item.queue === "letters")!;
  await createOutboxStore(kv).refuseRecipient(letter, { at: START, reason: "No" });
  assert.deepEqual(await counts(kv), [3, 1, 0]);

  await eraseSignUp(kv, ADA, { now: START + 9, random, outbox: OUTBOX });
  assert.equal((await findItems(kv, (await recordOf(kv, BOB)).outbox)).length, 2);
  const left = (await readFirstItems(kv, "events", { limit: 10 })).filter(({ item }) =>
    item.email === ADA
  );
  assert.deepEqual(left.map(({ item }) => item.message), [LEFT]);
  assert.deepEqual(await counts(kv), [3, 0, 0]);
  await assertListsAgree(kv);

  await eraseSignUp(kv, BOB, { now: START + 9, random });
  assert.deepEqual(await counts(kv), [1, 0, 0], "without a webhook, no event");
});

for (const change of ["complete", "refuseRecipient", "postpone"] as const) {
  test(`eraseSignUp() keeps the counts of the outbox right when a call of ${change}() for the person's letter is committed first`, async (kv) => {
    await join(kv, [ADA], ONLY_LETTERS);
    const store = createOutboxStore(kv);
    const letter = await onlyItem(kv, ADA);
    const changes = {
      complete: () => store.complete(letter, START),
      postpone: () => store.postpone(letter, { ...letter.item, dueAt: 1 }),
      refuseRecipient: () => store.refuseRecipient(letter, { at: START, reason: "No" }),
    };
    const racing = racingKv(kv, changes[change]);
    await eraseSignUp(racing, ADA, { now: START + 9, random });
    assert.deepEqual(await store.readDue("letters", { limit: 10 }), []);
    assert.deepEqual(await counts(kv), [0, 0, change === "complete" ? 1 : 0]);
    await assertListsAgree(kv);
  });
}

const OUTBOX_WITHOUT_EVENTS = { sendsLetters: true, sendsEvents: false, random };
const TODAY = "2026-11-21";
const AT = new Date(START).toISOString();
const EMAILS = Array.from({ length: 12 }, (_, n) => `visitor${n}@example.com`);

/** A store with one confirmation letter for each address, which counts its later commits. */
async function openOutbox(traits: EngineTraits) {
  const kv = await openMemoryKv({ traits });
  await storeAddresses(kv, EMAILS, AT, { outbox: OUTBOX_WITHOUT_EVENTS });
  let commits = 0;
  const counting = faultyKv(kv, (commit) => (commits++, commit()));
  const store = createOutboxStore(counting, { monotonic: () => performance.now() });
  return { kv, store, commits: () => commits, [Symbol.dispose]: () => kv.close() };
}

function claimAll(
  { store }: Awaited<ReturnType<typeof openOutbox>>,
  entries: OutboxEntry[],
): Promise<(OutboxEntry | undefined)[]> {
  return Promise.all(
    entries.map((entry) => store.claim(entry, { at: START, until: START + 300_000 })),
  );
}

Deno.test("createOutboxStore() puts simultaneous claims into shared commits, and simultaneous completions into shared commits", async (t) => {
  for (const [checksPerCommit, claims, notes] of [[99, 1, 1], [9, 2, 3]] as const) {
    await t.step(`a commit takes ${checksPerCommit} checks`, async () => {
      using outbox = await openOutbox({ checksPerCommit, commitsInFlight: 16 });
      const { kv, store, commits } = outbox;
      const claimed = await claimAll(outbox, await readFirstItems(kv, "letters", { limit: 99 }));
      assert.deepEqual(claimed.map((entry) => entry?.item.email).sort(), EMAILS.toSorted());
      assert.equal(commits(), claims);
      await Promise.all(claimed.map((entry) => store.complete(entry!, START)));
      assert.equal(commits() - claims, notes);
      assert.deepEqual(await readOutboxCounts(kv, TODAY), {
        due: 0,
        held: 0,
        refused: 0,
        sent: 12,
      });
      for (const { confirmations, outbox } of Object.values(await storedSignUps(kv))) {
        assert.deepEqual([confirmations?.takenAt, outbox], [AT, undefined]);
      }
    });
  }
});

Deno.test("claimLetter() makes one call to KV to read the records for all simultaneous claims", async () => {
  using outbox = await openOutbox({ checksPerCommit: 100, commitsInFlight: 2 });
  const { kv } = outbox;
  let reads = 0;
  const counting: Kv = { ...kv, get: (keys) => (reads++, kv.get(keys)) };
  const store = createOutboxStore(counting, { monotonic: () => performance.now() });
  const due = await readFirstItems(kv, "letters", { limit: 99 });
  const lease = { at: START, until: START + 300_000 };
  const claimed = await Promise.all(due.map((entry) => store.claimLetter(entry, lease)));
  const records = await Promise.all(due.map(({ item }) => recordOf(kv, item.email)));
  assert.deepEqual(claimed.map((letter) => letter?.record), records);
  assert.equal(reads, 1);
});

Deno.test("claim() claims the remaining items in one further commit when another process has claimed some items", async () => {
  using outbox = await openOutbox({ checksPerCommit: 100, commitsInFlight: 2 });
  const due = await readFirstItems(outbox.kv, "letters", { limit: 99 });
  const isOfOther = (n: number) => n === 3 || n === 7;
  const other = createOutboxStore(outbox.kv);
  for (const entry of due.filter((_, n) => isOfOther(n))) {
    assert.ok(await other.claim(entry, { at: START, until: START + 1 }));
  }
  const claimed = await claimAll(outbox, due);
  assert.deepEqual(claimed.map((entry) => entry !== undefined), due.map((_, n) => !isOfOther(n)));
  assert.equal(outbox.commits(), 2);
});

Deno.test("claim() claims nothing when another process has already claimed all items that share the commit", async () => {
  using outbox = await openOutbox({ checksPerCommit: 100, commitsInFlight: 2 });
  const due = await readFirstItems(outbox.kv, "letters", { limit: 99 });
  const other = createOutboxStore(outbox.kv);
  for (const entry of due) assert.ok(await other.claim(entry, { at: START, until: START + 1 }));
  assert.deepEqual(await claimAll(outbox, due), due.map(() => undefined));
  assert.equal(outbox.commits(), 1);
});

Deno.test("complete() and refuseRecipient() store the outcomes of many letters, even if two of the letters belong to one person and another letter belongs to an erased person", async () => {
  using outbox = await openOutbox({ checksPerCommit: 100, commitsInFlight: 2 });
  const { kv, store } = outbox;
  const [ada = "", grace = "", joan = ""] = EMAILS;
  await changeRecord(kv, ada, (record) => askForLink(record, AT, { letters: [] }));
  const due = await readFirstItems(kv, "letters", { limit: 99 });
  const claimed = await claimAll(outbox, due);
  await eraseSignUp(kv, grace, { now: START, random, outbox: OUTBOX_WITHOUT_EVENTS });
  await Promise.all(
    claimed.map((entry) =>
      entry?.item.email === joan
        ? store.refuseRecipient(entry, { at: START, reason: "550 unknown" })
        : store.complete(entry!, START)
    ),
  );
  const stored = await storedSignUps(kv);
  assert.deepEqual(Object.keys(stored).sort(), EMAILS.filter((email) => email !== grace).sort());
  assert.equal(stored[joan]?.undeliverableAt, AT);
  assert.equal(stored[joan]?.outbox?.length, 1);
  assert.equal(stored[ada]?.confirmations?.takenAt, AT);
  assert.equal(stored[ada]?.linkAt, AT);
  assert.deepEqual(await readOutboxCounts(kv, TODAY), { due: 0, held: 0, refused: 1, sent: 11 });
});
