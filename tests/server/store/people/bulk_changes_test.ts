import assert from "node:assert/strict";
import { findSignUp } from "../../../../server/store/people/erasure.ts";
import { readOutboxCounts } from "../../../../server/store/outbox/counts.ts";
import {
  countPeople,
  erasePeople,
  markUndeliverable,
  type PersonOutcome,
  remindPeople,
} from "../../../../server/store/people/bulk_changes.ts";
import { INVITING, nth, storeWaiting } from "../../../support/invitations.ts";
import { assertListsAgree } from "../../../support/lists.ts";
import {
  everyEntry,
  storeAddresses,
  storedCounters,
  storedSignUps,
} from "../../../support/records.ts";
import { assertCountersEqualRecount } from "../../../support/recounts.ts";
import { START } from "../../../support/service.ts";
import { test } from "../../../support/memory_kv.ts";

const DAY = 24 * 3_600_000;

const at = (days: number) => new Date(START + days * DAY).toISOString();

/** A day after the first confirmation letters. */
const NEXT_DAY = START + DAY;

async function outcomesOf<T>(work: AsyncGenerator<PersonOutcome<T>[]>) {
  const people = (await Array.fromAsync(work)).flat();
  return people.map(({ email, outcome }) => [email, outcome]);
}

async function sumOf(work: AsyncGenerator<number>): Promise<number> {
  return (await Array.fromAsync(work)).reduce((sum, count) => sum + count, 0);
}

test("remindPeople() reminds each unconfirmed person at most once in 24 hours, and gives an outcome for each address", async (kv) => {
  const emails = ["a@example.com", "b@example.com"];
  await storeAddresses(kv, emails, at(0));
  await storeWaiting(kv, 1);
  const asked = [...emails, nth(0), "nobody@example.com"];
  const remind = (now: number, some?: string[]) =>
    outcomesOf(remindPeople({ ...INVITING, kv, now }, some));
  const rest = [[nth(0), "confirmed"], ["nobody@example.com", "unknown"]];
  assert.deepEqual(await remind(NEXT_DAY - 1, asked), [
    ...emails.map((email) => [email, "asked"]),
    ...rest,
  ]);
  assert.deepEqual(await remind(NEXT_DAY, asked.slice(1)), [[emails[1], "reminded"], ...rest]);
  assert.deepEqual(await remind(NEXT_DAY + 1), [[emails[0], "reminded"], [emails[1], "asked"]]);
  // Each person has a first letter, an event and another letter.
  assert.equal((await readOutboxCounts(kv, "2026-11-21")).due, 6);
});

test("markUndeliverable() marks each person once, and reports unknown addresses", async (kv) => {
  await storeWaiting(kv, 60);
  const emails = [...Array.from({ length: 60 }, (_, n) => nth(n)), "nobody@example.com"];
  const mark = (days: number) =>
    outcomesOf(markUndeliverable({ ...INVITING, kv, now: START + days * DAY }, emails));
  const outcomes = await mark(1);
  assert.deepEqual(outcomes.at(-1), ["nobody@example.com", "unknown"]);
  assert.ok(outcomes.slice(0, -1).every(([, outcome]) => outcome === "marked"));
  assert.deepEqual(await mark(2), outcomes);
  const records = Object.values(await storedSignUps(kv));
  assert.deepEqual(
    new Set(records.map(({ undeliverableAt }) => undeliverableAt)),
    new Set([at(1)]),
  );
});

test("erasePeople() erases exactly the people whom countPeople() counts, leaves erasure marks and lowers the counters", async (kv) => {
  // Every other person has not confirmed. Each signed up at another minute before the test's start.
  await storeWaiting(kv, 300, (n) => n % 2 === 0 ? { state: "unconfirmed" } : {});
  const before = new Date(START - 50 * 60_000).toISOString();
  const selection = { state: "unconfirmed" as const, before };
  const entries = await everyEntry(kv);
  assert.equal(await sumOf(countPeople(kv, selection)), 125);
  assert.deepEqual(await everyEntry(kv), entries);

  const options = { ...INVITING, kv, now: START };
  assert.equal(await sumOf(erasePeople(options, selection)), 125);
  assert.equal(await sumOf(erasePeople(options, selection)), 0);
  const counters = await storedCounters(kv);
  assert.deepEqual([counters["byState/unconfirmed"], counters["byState/waiting"]], [25, 150]);
  await assertCountersEqualRecount(kv);
  await assertListsAgree(kv);
  assert.deepEqual(await findSignUp(kv, nth(0)), { erasedAt: at(0) });
  assert.ok("record" in (await findSignUp(kv, nth(250)))!);
  assert.equal((await readOutboxCounts(kv, "2026-11-21")).due, 125, "an event each");
});
