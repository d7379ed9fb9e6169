import assert from "node:assert/strict";
import { createPriority } from "../../../../server/runtime/waiting.ts";
import { eraseSignUp } from "../../../../server/store/people/erasure.ts";
import { listPeople, type PeopleQuery } from "../../../../server/store/people/list.ts";
import { storeSignUps } from "../../../../server/store/people/sign_ups.ts";
import { INVITING, nth, storeWaiting } from "../../../support/invitations.ts";
import { recordId, storeSignUp } from "../../../support/records.ts";
import { START } from "../../../support/service.ts";
import type { Kv } from "../../../../server/store/kv/engine.ts";
import { openMemoryKv, type TestKv } from "../../../support/memory_kv.ts";

const AT = new Date(START).toISOString();

const { yieldToCalls } = createPriority();

const STATES = ["waiting", "unconfirmed", "invited"] as const;

/** A store in which every third person is in the same state. */
async function openMixed(count: number): Promise<TestKv> {
  const kv = await openMemoryKv();
  await storeWaiting(kv, count, (n) => ({ state: STATES[n % 3]! }));
  return kv;
}

/** Lists page after page; gives the addresses, and how many pages there were. */
async function listAll(kv: Kv, query: Partial<PeopleQuery> = {}) {
  const emails: string[] = [];
  let pages = 0;
  let after: PeopleQuery["after"];
  for (;;) {
    const { people, next } = await listPeople(
      kv,
      { filter: {}, limit: 50, ...query, after },
      yieldToCalls,
    );
    emails.push(...people.map(({ email }) => email));
    pages++;
    if (!next) return { emails, pages };
    after = next;
  }
}

const all = (count: number) => Array.from({ length: count }, (_, n) => nth(n));

for (const count of [0, 1, 200, 250, 600]) {
  Deno.test(`listPeople() lists ${count} people of all states once each, in their order`, async () => {
    using kv = await openMixed(count);
    assert.deepEqual((await listAll(kv)).emails, all(count));
    const newest = await listAll(kv, { newest: true });
    assert.deepEqual(newest.emails, all(count).toReversed());
  });
}

Deno.test("listPeople() lists only people in the state and with the answers", async () => {
  using kv = await openMemoryKv();
  await storeWaiting(kv, 300, (n) => ({
    state: STATES[n % 3]!,
    ...n % 2 === 0 && { lang: "de", role: "engineer" },
  }));
  const waiting = await listAll(kv, { state: "waiting" });
  assert.deepEqual(waiting.emails, all(300).filter((_, n) => n % 3 === 0));
  const some = await listAll(kv, { state: "invited", filter: { lang: "de", role: "engineer" } });
  assert.deepEqual(some.emails, all(300).filter((_, n) => n % 3 === 2 && n % 2 === 0));
  assert.deepEqual((await listAll(kv, { filter: { source: "cta" } })).emails, []);
});

Deno.test("listPeople() gives a page when it has read much and found nobody", async () => {
  using kv = await openMemoryKv();
  const signUps = Array.from({ length: 2_100 }, (_, n) => ({
    signUp: { email: `visitor${n}@example.com` },
    at: new Date(START + n).toISOString(),
    id: recordId(),
  }));
  for (let from = 0; from < signUps.length; from += 99) {
    await storeSignUps(kv, signUps.slice(from, from + 99));
  }
  const filter = { lang: "de" };
  const page = await listPeople(kv, { filter, limit: 50 }, yieldToCalls);
  assert.deepEqual(page, {
    people: [],
    next: { createdAt: new Date(START + 1_999).toISOString(), email: "visitor1999@example.com" },
  });
  assert.deepEqual(await listAll(kv, { filter }), { emails: [], pages: 2 });
  const found = await listAll(kv, { filter, search: "visitor" });
  assert.deepEqual(found, { emails: [], pages: 2 });
});

Deno.test("listPeople() finds the addresses that begin with a text, in their order", async () => {
  using kv = await openMemoryKv();
  const emails = ["ad@example.com", "ada@example.com", "ada@example.com.au", "adb@example.com"];
  for (const email of emails) await storeSignUp(kv, { email, lang: "de" }, AT);
  assert.deepEqual((await listAll(kv, { search: "ada", limit: 1 })).emails, emails.slice(1, 3));
  assert.deepEqual((await listAll(kv, { search: emails[1]! })).emails, emails.slice(1, 3));
  assert.deepEqual((await listAll(kv, { search: "a" })).emails, emails);
  assert.deepEqual((await listAll(kv, { search: "a", filter: { lang: "en" } })).emails, []);
  assert.deepEqual((await listAll(kv, { search: "a", state: "invited" })).emails, []);
  assert.deepEqual((await listAll(kv, { search: "b" })).emails, []);
});

Deno.test("listPeople() goes on behind a person who has been erased", async () => {
  using kv = await openMixed(9);
  const { next } = await listPeople(kv, { filter: {}, limit: 4 }, yieldToCalls);
  await eraseSignUp(kv, next!.email, { now: START, random: INVITING.random });
  const rest = await listPeople(kv, { filter: {}, limit: 50, after: next }, yieldToCalls);
  assert.deepEqual(rest.people.map(({ email }) => email), all(9).slice(4));
});

Deno.test("listPeople() reads the entries of all states once, and few where nobody is passed over", async () => {
  using kv = await openMixed(1_500);
  let read = 0;
  const counting: Kv = {
    ...kv,
    async list<T>(...args: Parameters<Kv["list"]>) {
      const entries = await kv.list<T>(...args);
      read += entries.length;
      return entries;
    },
  };
  const pauses: number[] = [];
  await listPeople(counting, { filter: { lang: "de" }, limit: 50 }, () => {
    pauses.push(read);
    return yieldToCalls();
  });
  assert.equal(read, 1_500);
  // The lists of three states are read by 100 entries each.
  for (const [index, at] of pauses.entries()) assert.ok(at - (pauses[index - 1] ?? 0) <= 300);
  assert.equal(pauses.at(-1), 1_500);
  read = 0;
  await listPeople(counting, { filter: {}, limit: 50, newest: true }, yieldToCalls);
  assert.equal(read, 3 * 51);
});

Deno.test("listPeople() reads many entries at once when a search passes people over", async () => {
  using kv = await openMixed(1_500);
  let waits = 0;
  const query = { search: nth(0).slice(0, 1), filter: { lang: "de" }, limit: 1 } as const;
  const { people } = await listPeople(kv, query, () => {
    waits++;
    return yieldToCalls();
  });
  assert.deepEqual(people, []);
  assert.equal(waits, 15);
});
