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
const monotonic = () => 0;

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
    const options = { kv, yieldToCalls, monotonic };
    const { people, next } = await listPeople(options, { filter: {}, limit: 50, ...query, after });
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
  const page = await listPeople({ kv, yieldToCalls, monotonic }, { filter, limit: 50 });
  assert.deepEqual(page, {
    people: [],
    next: {
      createdAt: new Date(START + 1_999).toISOString(),
      email: "visitor1999@example.com",
      read: 2_000,
      hits: 0,
    },
    searched: { read: 2_000, hits: 0, complete: false },
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
  const options = { kv, yieldToCalls, monotonic };
  const { next } = await listPeople(options, { filter: {}, limit: 4 });
  await eraseSignUp(kv, next!.email, { now: START, random: INVITING.random });
  const rest = await listPeople(options, { filter: {}, limit: 50, after: next! });
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
  const pausing = () => {
    pauses.push(read);
    return yieldToCalls();
  };
  const options = { kv: counting, monotonic, yieldToCalls: pausing };
  await listPeople(options, { filter: { lang: "de" }, limit: 50 });
  assert.equal(read, 1_500);
  // The lists of three states are read by 100 entries each.
  for (const [index, at] of pauses.entries()) assert.ok(at - (pauses[index - 1] ?? 0) <= 300);
  assert.equal(pauses.at(-1), 1_500);
  read = 0;
  await listPeople(options, { filter: {}, limit: 50, newest: true });
  assert.equal(read, 3 * 51);
});

Deno.test("listPeople() reads many entries at once when a search passes people over", async () => {
  using kv = await openMixed(1_500);
  let waits = 0;
  const query = { search: nth(0).slice(0, 1), filter: { lang: "de" }, limit: 1 } as const;
  const options = {
    kv,
    monotonic,
    yieldToCalls() {
      waits++;
      return yieldToCalls();
    },
  };
  const { people } = await listPeople(options, query);
  assert.deepEqual(people, []);
  // The last wait is before the records of the page are read.
  assert.equal(waits, 16);
});

Deno.test("listPeople() finds a part of an address, in every page once, and counts the hits", async () => {
  using kv = await openMemoryKv();
  const at = (n: number) => new Date(START + n).toISOString();
  for (let n = 0; n < 300; n++) {
    const email = n % 3 === 0 ? `a${n}.lovelace@example.com` : `b${n}@example.org`;
    await storeSignUp(kv, { email }, at(n));
  }
  const expected = Array.from({ length: 100 }, (_, n) => `a${n * 3}.lovelace@example.com`);
  const found = await listAll(kv, { contains: "lovelace" });
  assert.deepEqual(found, { emails: expected, pages: 2 });
  const newest = await listAll(kv, { contains: "lovelace@", newest: true });
  assert.deepEqual(newest.emails, expected.toReversed());
  const options = { kv, yieldToCalls, monotonic };
  const query = { filter: {}, limit: 40, contains: "e@" };
  const first = await listPeople(options, query);
  assert.deepEqual(first.searched, { read: 300, hits: 100, complete: true });
  const second = await listPeople(options, { ...query, after: first.next });
  assert.deepEqual(second.searched, first.searched, "the count begins with the first page");
  const none = await listPeople(options, { ...query, contains: "zzz" });
  assert.deepEqual(none, { people: [], searched: { read: 300, hits: 0, complete: true } });
});

Deno.test("listPeople() looks inside addresses for a second, and goes on from there", async () => {
  using kv = await openMixed(2_600);
  let now = 0;
  // Each look at the clock takes a millisecond: one a person.
  const options = { kv, yieldToCalls, monotonic: () => now++ };
  const last = nth(2_599);
  const query = { filter: {}, limit: 50, contains: last };
  const seen: number[] = [];
  let page = await listPeople(options, query);
  for (; page.next; page = await listPeople(options, { ...query, after: page.next })) {
    assert.deepEqual(page.people, []);
    seen.push(page.searched!.read);
  }
  assert.deepEqual(seen, [999, 1_998]);
  assert.deepEqual(page.people.map(({ email }) => email), [last]);
  assert.deepEqual(page.searched, { read: 2_600, hits: 1, complete: true });
});

Deno.test("listPeople() lists people of some days, of a wave, and those without letters", async () => {
  using kv = await openMemoryKv();
  await storeWaiting(kv, 90, (n) => ({
    state: STATES[n % 3]!,
    ...n % 2 === 0 && { undeliverableAt: AT },
    ...n % 3 === 2 && { wave: n < 45 ? "first" : "second" },
  }));
  const every = (fits: (n: number) => boolean) => all(90).filter((_, n) => fits(n));
  const undeliverable = await listAll(kv, { undeliverable: true });
  assert.deepEqual(undeliverable.emails, every((n) => n % 2 === 0));
  const wave = await listAll(kv, { wave: "first", newest: true });
  assert.deepEqual(wave.emails, every((n) => n % 3 === 2 && n < 45).toReversed());
  const { people } = await listPeople({ kv, yieldToCalls, monotonic }, { filter: {}, limit: 90 });
  const [since, before] = [people[20]!.record.createdAt, people[50]!.record.createdAt];
  for (const newest of [false, true]) {
    const days = await listAll(kv, { since, before, newest, limit: 7 });
    const expected = every((n) => n >= 20 && n < 50);
    assert.deepEqual(days.emails, newest ? expected.toReversed() : expected);
  }
  const begun = await listAll(kv, { search: nth(0).slice(0, 3), since, before });
  assert.deepEqual(begun.emails.toSorted(), every((n) => n >= 20 && n < 50).toSorted());
  assert.deepEqual((await listAll(kv, { since: before, before: since })).emails, []);
});
