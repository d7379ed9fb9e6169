import assert from "node:assert/strict";
import { readOutboxCounts } from "../../../../server/store/outbox/counts.ts";
import { listDeliveries, listOutbox } from "../../../../server/store/outbox/reads.ts";
import { createOutboxStore, retryItems } from "../../../../server/store/people/outbox_commits.ts";
import { createMailState } from "../../../../server/store/outbox/mail_state.ts";
import { markUndeliverable } from "../../../../server/store/people/bulk_changes.ts";
import { readOverview } from "../../../../server/store/people/overview.ts";
import type { AuditEntry } from "../../../../shared/operator_schemas.ts";
import type { Queue } from "../../../../server/waitlist/outbox_item.ts";
import { inviteAll, INVITING, nth, storeWaiting } from "../../../support/invitations.ts";
import { assertListsAgree } from "../../../support/lists.ts";
import { storedSignUps } from "../../../support/records.ts";
import { START } from "../../../support/service.ts";
import { Commit, type Kv } from "../../../../server/store/kv/engine.ts";
import { dueKey, outboxKey } from "../../../../server/store/kv/keys.ts";
import { listAll, openMemoryKv, test, type TestKv } from "../../../support/memory_kv.ts";

const LEASE_MS = 300_000;
const HOUR = 3_600_000;

/** A store with so many invited people, and a letter and an event for each of them. */
async function openInvited(count: number): Promise<TestKv> {
  const kv = await openMemoryKv();
  await storeWaiting(kv, count);
  await inviteAll(kv, { next: count });
  return kv;
}

/** Refuses the due items of a queue. */
async function refuse(kv: Kv, queue: Queue): Promise<void> {
  const store = createOutboxStore(kv);
  for (const entry of await store.readDue(queue, { dueBy: START, limit: 1_000 })) {
    if (queue === "invitations") {
      await store.refuseRecipient(entry, { at: START, reason: "550 no such user" });
    } else {
      await store.postpone(entry, { ...entry.item, queue: "refused", dueAt: START, reason: "500" });
    }
  }
}

async function retryAll(kv: Kv, ids?: string[]) {
  const sums = { retried: 0, unchanged: 0 };
  for await (
    const { retried, unchanged } of retryItems(kv, {
      which: ids ? { ids } : "refused",
      now: () => START,
      leaseMs: LEASE_MS,
    })
  ) {
    sums.retried += retried;
    sums.unchanged += unchanged;
  }
  return sums;
}

Deno.test("listOutbox() passes over positions of a queue that have no item", async () => {
  using kv = await openInvited(1);
  const commit = new Commit();
  for (const id of ["a", "b"]) commit.set(dueKey("events", START - HOUR, id), true);
  await kv.commit(commit);
  const [first] = await listOutbox(kv, { refused: false, limit: 10 });
  assert.deepEqual(await listOutbox(kv, { refused: false, limit: 1 }), [first]);
});

Deno.test("retryItems() makes all refused items due, and marks their addressees as deliverable again", async () => {
  using kv = await openInvited(130);
  await refuse(kv, "invitations");
  await refuse(kv, "events");
  assert.deepEqual(await retryAll(kv), { retried: 260, unchanged: 0 });
  assert.deepEqual(await listOutbox(kv, { refused: true, limit: 10 }), []);
  const due = await listOutbox(kv, { refused: false, limit: 1_000 });
  const letters = due.filter(({ item }) => item.queue === "invitations");
  assert.equal(letters.length, 130);
  for (const { item: { dueAt, tries, reason } } of due) {
    assert.deepEqual({ dueAt, tries, reason }, { dueAt: START, tries: 0, reason: undefined });
  }
  const records = Object.values(await storedSignUps(kv));
  assert.ok(records.every(({ undeliverableAt }) => undeliverableAt === undefined));
  const { due: counted, refused } = await readOutboxCounts(kv, "2026-11-21");
  assert.deepEqual([counted, refused], [260, 0]);
  await assertListsAgree(kv);
});

Deno.test("retryItems() says in the audit entry of each person that the mark is lifted, also if an event of the person is retried", async () => {
  using kv = await openInvited(20);
  await refuse(kv, "invitations");
  await refuse(kv, "events");
  const at = new Date(START).toISOString();
  const audit: AuditEntry = { at, id: "call", action: "retryOutbox", operator: "ada" };
  const random = (size: number) => new Uint8Array(size);
  const pages = await Array.fromAsync(
    retryItems(kv, {
      which: "refused",
      now: () => START,
      leaseMs: LEASE_MS,
      audits: { audit, random },
    }),
  );
  assert.equal(pages.reduce((sum, { liftedMarks }) => sum + liftedMarks, 0), 20);
  const entries = await listAll<AuditEntry>(kv, { prefix: ["audit"] });
  const ofPeople = entries.map(({ value }) => value).filter(({ address }) => address !== undefined);
  assert.equal(ofPeople.length, 20);
  for (const { details } of ofPeople) assert.deepEqual(details, { liftedMarks: 1 });
});

Deno.test("retryItems() makes a postponed item due, and leaves claimed, due and unknown items unchanged", async () => {
  using kv = await openInvited(3);
  const store = createOutboxStore(kv);
  const [claimed, postponed, due] = await store.readDue("events", { dueBy: START, limit: 3 });
  await store.claim(claimed!, { at: START, until: START + LEASE_MS });
  await store.postpone(postponed!, { ...postponed!.item, dueAt: START + HOUR, tries: 3 });
  const ids = [claimed, postponed, due].map((entry) => entry!.id);
  assert.deepEqual(await retryAll(kv, [...ids, "unknown"]), { retried: 1, unchanged: 3 });
  const again = await store.readDue("events", { dueBy: START, limit: 3 });
  assert.deepEqual(again.map(({ id }) => id).toSorted(), [due!.id, postponed!.id].toSorted());
});

Deno.test("retryItems() makes a waiting item due only if the item's last try failed and no process has claimed the item", async () => {
  using kv = await openInvited(3);
  const store = createOutboxStore(kv);
  const [letter, claimed] = await store.readDue("invitations", { dueBy: START, limit: 3 });
  const [event, ahead] = await store.readDue("events", { dueBy: START, limit: 3 });
  for (const entry of [letter!, event!]) {
    await store.postpone(entry, { ...entry.item, dueAt: START + HOUR, tries: 3 });
  }
  await store.claim(claimed!, { at: START, until: START + LEASE_MS });
  // A letter that a limit holds back has not been tried.
  await store.postpone(ahead!, { ...ahead!.item, dueAt: START + HOUR, tries: 0 });
  const steps = retryItems(kv, { which: "waiting", now: () => START, leaseMs: LEASE_MS });
  let retried = 0;
  for await (const step of steps) retried += step.retried;
  assert.equal(retried, 2);
  const due = [
    ...await store.readDue("invitations", { dueBy: START, limit: 3 }),
    ...await store.readDue("events", { dueBy: START, limit: 3 }),
  ];
  const again = due.filter(({ id }) => [letter!.id, event!.id].includes(id));
  assert.deepEqual(again.map(({ item: { tries } }) => tries), [0, 0]);
  assert.ok(due.every(({ id }) => ![claimed!.id, ahead!.id].includes(id)));
});

Deno.test("retryItems() counts no waiting item that another process may be sending", async () => {
  using kv = await openInvited(1);
  const store = createOutboxStore(kv);
  const [event] = await store.readDue("events", { dueBy: START, limit: 1 });
  const dueAt = START + LEASE_MS + 30_000;
  await store.postpone(event!, { ...event!.item, dueAt, tries: 3 });
  const steps = retryItems(kv, { which: "waiting", now: () => START, leaseMs: LEASE_MS });
  const counts = { retried: 0, unchanged: 0 };
  for await (const { retried, unchanged } of steps) {
    counts.retried += retried;
    counts.unchanged += unchanged;
  }
  assert.deepEqual(counts, { retried: 0, unchanged: 0 });
});

Deno.test("retryItems() does not make a claimed letter due, even if the claim is made during the run or by a process whose clock is ahead", async () => {
  using kv = await openInvited(2);
  const store = createOutboxStore(kv);
  const [failed, ahead] = await store.readDue("invitations", { dueBy: START, limit: 2 });
  await store.postpone(failed!, { ...failed!.item, dueAt: START + HOUR, tries: 3 });
  await store.claim(ahead!, { at: START, until: START + LEASE_MS + 30_000 });
  let clock = START;
  const steps = retryItems(kv, { which: "waiting", now: () => clock, leaseMs: LEASE_MS });
  await Array.fromAsync(steps);
  const [due] = await store.readDue("invitations", { dueBy: START, limit: 2 });
  assert.equal(due?.id, failed!.id);
  const late = retryItems(kv, { which: "waiting", now: () => clock, leaseMs: LEASE_MS });
  await store.claim(due, { at: START, until: START + 2 * LEASE_MS });
  // The claim is made while the run reads.
  clock = START + LEASE_MS;
  await Array.fromAsync(late);
  assert.deepEqual(await store.readDue("invitations", { dueBy: clock, limit: 2 }), []);
});

Deno.test("retryItems() makes a waiting letter due, and keeps the addressee's mark 'undeliverable'", async () => {
  using kv = await openInvited(1);
  const store = createOutboxStore(kv);
  const [failed] = await store.readDue("invitations", { dueBy: START, limit: 1 });
  await store.postpone(failed!, { ...failed!.item, dueAt: START + HOUR, tries: 3 });
  await Array.fromAsync(markUndeliverable({ ...INVITING, kv, now: START }, [nth(0)]));
  await Array.fromAsync(retryItems(kv, { which: "waiting", now: () => START, leaseMs: LEASE_MS }));
  assert.equal((await store.readDue("invitations", { dueBy: START, limit: 1 })).length, 1);
  assert.ok((await storedSignUps(kv))[nth(0)]!.undeliverableAt);
});

Deno.test("readOverview() gives the number of due items, the oldest due time, the number of refused items and the reason of a pause", async () => {
  using kv = await openInvited(2);
  const quiet = await readOverview(kv, START);
  const at = new Date(START).toISOString();
  assert.deepEqual(quiet.outbox, { due: 4, oldestDue: at, held: 0, refused: 0, sentToday: 0 });
  assert.deepEqual(quiet.states, { unconfirmed: 0, waiting: 0, invited: 2, accepted: 0 });
  await refuse(kv, "events");
  const store = createOutboxStore(kv);
  for (const entry of await store.readDue("invitations", { dueBy: START, limit: 2 })) {
    await store.complete(entry, START);
  }
  await createMailState(kv).pause({
    at: START,
    reason: "535 wrong",
    causedBy: [],
    delayOf: () => HOUR,
  });
  const { outbox } = await readOverview(kv, START);
  const until = new Date(START + HOUR).toISOString();
  const pause = { since: at, until, reason: "535 wrong" };
  assert.deepEqual(outbox, { due: 0, held: 0, refused: 2, sentToday: 2, pause });
  assert.equal((await storedSignUps(kv))[nth(0)]?.state, "invited");
});

test("listDeliveries() gives the latest tries when the outbox has 1,200 refused letters and 1,200 waiting events", async (kv) => {
  const person = { email: "ada@example.com", reason: "person" } as const;
  const ends = [
    { message: { letter: "link" }, queue: "refused" },
    { message: { event: "signup.left", person }, queue: "events" },
  ] as const;
  const waiting = { email: person.email, recordId: "", putAt: START, tries: 0 };
  for (const { message, queue } of ends) {
    for (let n = 0; n < 1_200; n += 400) {
      const commit = new Commit();
      for (let id = n; id < n + 400; id++) {
        commit.set(outboxKey(`${queue}${id}`), { ...waiting, message, queue, dueAt: START })
          .set(dueKey(queue, START, `${queue}${id}`), true);
      }
      await kv.commit(commit);
    }
    const delivery = { at: START + 1, ms: 5, status: 500, answer: "" };
    const tried = { ...waiting, message: ends[1].message, queue, dueAt: START + 2, delivery };
    await kv.commit(
      new Commit().set(outboxKey(queue), tried).set(dueKey(queue, START + 2, queue), true),
    );
  }
  assert.deepEqual((await listDeliveries(kv)).map(({ id }) => id), ["events", "refused"]);
});
