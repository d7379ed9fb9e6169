import assert from "node:assert/strict";
import { eraseSignUp } from "../../../server/store/people/erasure.ts";
import { readFirstItems } from "../../../server/store/outbox/reads.ts";
import { storeSignUps } from "../../../server/store/people/sign_ups.ts";
import { OUTBOX, random, recordId, storedSignUps } from "../../support/records.ts";
import { START } from "../../support/service.ts";
import type { Kv } from "../../../server/store/kv/engine.ts";
import { openMemoryKv, test } from "../../support/memory_kv.ts";

const iso = (at: number) => new Date(at).toISOString();

async function join(kv: Kv, signUps: Record<string, number>) {
  const timed = Object.entries(signUps).map(([email, at]) => {
    return { signUp: { email }, at: iso(at), id: recordId() };
  });
  await storeSignUps(kv, timed, { outbox: OUTBOX });
}

/** The moments of the events about an address, in the order of their ids. */
async function eventsOf(kv: Kv, email: string) {
  const due = await readFirstItems(kv, "events", { limit: 100 });
  return due.filter(({ item }) => item.email === email).map(({ item }) => {
    return ["event" in item.message && item.message.event, item.putAt];
  });
}

test("storeSignUps() gives each event the time of the event's sign-up when several sign-ups share a commit", async (kv) => {
  await join(kv, { "ada@example.com": START, "bo@example.com": START + 339 });
  const { "bo@example.com": bo } = await storedSignUps(kv);
  assert.equal(bo?.createdAt, iso(START + 339));
  assert.deepEqual(await eventsOf(kv, "bo@example.com"), [["signup.joined", START + 339]]);
});

test("storeSignUps() gives a sign-up a later time than the erasure of its address when the erasure was committed first", async (kv) => {
  const email = "ada@example.com";
  await join(kv, { [email]: START });
  await eraseSignUp(kv, email, { now: START + 500, random, outbox: OUTBOX });
  // The sign-up arrived before the erasure, and waited for its commit.
  await join(kv, { [email]: START + 400 });
  assert.deepEqual(await eventsOf(kv, email), [
    ["signup.left", START + 500],
    ["signup.joined", START + 501],
  ]);
  assert.equal((await storedSignUps(kv))[email]?.createdAt, iso(START + 501));
});

Deno.test("eraseSignUp() dates the event no earlier than the sign-up, unless the sign-up's date is over a minute ahead of the clock", async (t) => {
  for (const [ahead, dated] of [[10, 10], [61_000, 0], [2 * 60 * 60_000, 0]] as const) {
    await t.step(`the sign-up's date is ${ahead} ms ahead of the clock`, async () => {
      using kv = await openMemoryKv();
      const email = "ada@example.com";
      await join(kv, { [email]: START + ahead });
      await eraseSignUp(kv, email, { now: START, random, outbox: OUTBOX });
      assert.deepEqual(await eventsOf(kv, email), [["signup.left", START + dated]]);
    });
  }
});
