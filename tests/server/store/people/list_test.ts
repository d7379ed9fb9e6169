import assert from "node:assert/strict";
import { createPriority } from "../../../../server/runtime/priority.ts";
import { eraseSignUp } from "../../../../server/store/people/erasure.ts";
import {
  countSelection,
  listPeople,
  type PeopleQuery,
} from "../../../../server/store/people/list.ts";
import { Commit, type Kv } from "../../../../server/store/kv/engine.ts";
import { bulkSignUp, storeBulk } from "../../../support/bulk_sign_ups.ts";
import { INVITING, nth, storeWaiting } from "../../../support/invitations.ts";
import { openMemoryKv, test, type TestKv } from "../../../support/memory_kv.ts";
import { countingKv, giveReferrals, storeManyReferrers } from "../../../support/many_referrers.ts";
import { changeRecord, storeAddresses, storeSignUp } from "../../../support/records.ts";
import { START } from "../../../support/service.ts";

const AT = new Date(START).toISOString();

const { yieldToCalls } = createPriority();

const STATES = ["waiting", "unconfirmed", "invited"] as const;

/** A store in which every third person is in the same state. */
async function openMixed(count: number): Promise<TestKv> {
  const kv = await openMemoryKv();
  await storeWaiting(kv, count, (n) => ({ state: STATES[n % 3]! }));
  return kv;
}

const list = (kv: Kv, query: PeopleQuery = {}) => listPeople({ kv, yieldToCalls }, query);

/** Lists page after page; gives the addresses and the number of pages. */
async function listAll(kv: Kv, query: PeopleQuery = {}) {
  const emails: string[] = [];
  let pages = 0;
  let after: PeopleQuery["after"];
  for (;;) {
    const { people, next } = await list(kv, { ...query, ...after && { after } });
    emails.push(...people.map(({ email }) => email));
    pages++;
    if (!next) return { emails, pages };
    after = next;
  }
}

const all = (count: number) => Array.from({ length: count }, (_, n) => nth(n));

for (const count of [0, 1, 50, 200, 600]) {
  Deno.test(`listPeople() lists each person once, oldest or newest first, and gives the number of people (people in the store: ${count})`, async () => {
    using kv = await openMixed(count);
    assert.deepEqual((await listAll(kv)).emails, all(count));
    const newest = await listAll(kv, { order: "newest" });
    const pages = Math.max(1, Math.ceil(count / 50));
    assert.deepEqual(newest, { emails: all(count).toReversed(), pages });
    const page = await list(kv);
    assert.equal(page.count, count);
    assert.equal(page.searched, undefined);
  });
}

test(
  "listPeople() lists the people of one state, all undeliverable people or all complaining people, and gives their number",
  async (kv, t) => {
    await storeWaiting(kv, 120, (n) => ({
      state: STATES[n % 3]!,
      ...n % 4 === 1 && { undeliverableAt: AT },
      ...n % 30 === 2 && { complainedAt: AT },
    }));
    const every = (fits: (n: number) => boolean) => all(120).filter((_, n) => fits(n));
    const lists: [PeopleQuery, (n: number) => boolean][] = [
      [{ state: "invited" }, (n) => n % 3 === 2],
      [{ state: "accepted" }, () => false],
      [{ mark: "undeliverable" }, (n) => n % 4 === 1],
      [{ mark: "complained" }, (n) => n % 30 === 2],
    ];
    for (const [query, fits] of lists) {
      await t.step(`the query is ${JSON.stringify(query)}`, async () => {
        assert.deepEqual((await listAll(kv, { ...query, limit: 7 })).emails, every(fits));
        const { count, searched } = await list(kv, query);
        assert.deepEqual([count, searched], [every(fits).length, undefined]);
      });
    }
    const both = await list(kv, { mark: "undeliverable", state: "waiting" });
    assert.deepEqual(both.people.map(({ email }) => email), every((n) => n % 12 === 9));
    assert.deepEqual(both.searched?.hits, 10);
    assert.equal(both.count, undefined);
  },
);

test("listPeople() finds the people whose last e-mail was rejected, alone or with a state or a wave", async (kv) => {
  await storeWaiting(kv, 120, (n) => ({
    state: STATES[n % 3]!,
    ...n % 3 === 2 && { wave: n < 60 ? "first" : "second" },
    ...n % 4 === 1 && {
      lastLetters: { [n % 3 === 2 ? "invitation" : "confirmation"]: { putAt: AT, refusedAt: AT } },
    },
  }));
  const every = (fits: (n: number) => boolean) => all(120).filter((_, n) => fits(n));
  const lists: [PeopleQuery, (n: number) => boolean][] = [
    // A person who waits has confirmed, and needs the confirmation e-mail no more.
    [{}, (n) => n % 3 > 0],
    [{ state: "unconfirmed", order: "newest" }, (n) => n % 3 === 1],
    [{ wave: "first" }, (n) => n % 3 === 2 && n < 60],
    [{ search: nth(5) }, (n) => n === 5],
  ];
  for (const [query, fits] of lists) {
    const { emails } = await listAll(kv, { ...query, refusedLetter: true, limit: 7 });
    const expected = every((n) => n % 4 === 1 && fits(n));
    assert.deepEqual(query.order ? emails.toReversed() : emails, expected, JSON.stringify(query));
  }
  const page = await list(kv, { refusedLetter: true });
  assert.deepEqual([page.searched?.hits, page.count], [20, undefined]);
});

Deno.test("listPeople() leaves out the number of people when the counter of the state is below zero", async () => {
  using kv = await openMixed(2);
  await kv.commit(new Commit().add(["statistics", "byState", "waiting"], -5));
  assert.equal((await list(kv, { state: "waiting" })).count, undefined);
});

test("listPeople() reads at most 3,500 people for one page, and the next page goes on after the last person read", async (kv) => {
  const emails = Array.from(
    { length: 3_700 },
    (_, n) => `${String(n).padStart(4, "0")}@example.com`,
  );
  await storeAddresses(kv, emails, AT, {});
  const counting = countingKv(kv);
  const first = await list(counting, { search: "3677@" });
  assert.deepEqual(first, {
    people: [],
    searched: { hits: 0, until: AT },
    next: { createdAt: AT, email: emails[3_499], hits: 0 },
  });
  assert.ok(counting.read <= 3_600, String(counting.read));
  const second = await list(kv, { search: "3677@", after: first.next! });
  assert.deepEqual(second.people.map(({ email }) => email), ["3677@example.com"]);
  assert.deepEqual(second.searched, { hits: 1, until: AT });
  assert.equal(second.next, undefined);
  assert.deepEqual(await listAll(kv, { lang: "de" }), { emails: [], pages: 2 });
});

test(
  "listPeople() reads at most 3,500 entries for one page when a filter needs several entries for each person",
  async (kv, t) => {
    const emails = Array.from({ length: 1_900 }, (_, n) => `p${n}@example.com`);
    await storeAddresses(kv, emails, AT, {});
    // More than 700 people have referrals, so the index of these people does not answer the query.
    await storeManyReferrers(kv);
    for (
      const [query, people] of [[{ reached: "confirmed" }, 1_750], [
        { refusedLetter: true },
        1_750,
      ], [
        { referrals: 1 },
        1_166,
      ]] as const
    ) {
      await t.step(`the query is ${JSON.stringify(query)}`, async () => {
        const page = await list(kv, query);
        assert.deepEqual(page.next, {
          createdAt: AT,
          email: emails.toSorted()[people - 1],
          hits: 0,
        });
        assert.deepEqual(await listAll(kv, query), { emails: [], pages: 2 });
      });
    }
  },
);

Deno.test("listPeople() finds the same people by their number of referrals, whether few or many other people have referrals", async (t) => {
  using kv = await openMixed(600);
  const referrals = Object.fromEntries(
    all(600).filter((_, n) => n % 9 < 2).map((email, n) => {
      return [email, 1 + n % 3];
    }),
  );
  await giveReferrals(kv, referrals);
  const since = new Date(START - 500 * 60_000).toISOString();
  const before = new Date(START - 100 * 60_000).toISOString();
  const queries: PeopleQuery[] = [
    { referrals: 2 },
    { referrals: 2, order: "newest" },
    { referrals: 1, state: "invited", since },
    { referrals: 1, state: "waiting", before, order: "newest" },
    { referrals: 3, since, before, search: "visitor3" },
    { referrals: 2, reached: "invited" },
    { referrals: 4 },
  ];
  const few = new Map<PeopleQuery, string[]>();
  for (const query of queries) {
    await t.step(
      `few people have referrals, and the query is ${JSON.stringify(query)}`,
      async () => {
        const { emails, pages } = await listAll(kv, { ...query, limit: 500 });
        assert.equal(pages, 1);
        assert.deepEqual((await listAll(kv, { ...query, limit: 7 })).emails, emails);
        few.set(query, emails);
      },
    );
  }
  assert.deepEqual(few.get(queries[0]!), all(600).filter((email) => referrals[email]! >= 2));
  assert.deepEqual(few.get(queries.at(-1)!), []);
  await storeManyReferrers(kv);
  for (const [query, emails] of few) {
    await t.step(
      `many people have referrals, and the query is ${JSON.stringify(query)}`,
      async () => {
        assert.deepEqual((await listAll(kv, query)).emails, emails);
      },
    );
  }
});

test(
  "listPeople() reads few entries when the query selects people by referrals or invitations and few people match",
  async (kv, t) => {
    await storeWaiting(kv, 3_000, (n) => {
      return n % 1_000 === 500 ? { state: n === 500 ? "accepted" : "invited" } : {};
    });
    const rare = [nth(500), nth(1_500), nth(2_500)];
    await giveReferrals(kv, Object.fromEntries(rare.map((email) => [email, 3])));
    for (
      const [query, expected] of [
        [{ referrals: 3 }, rare],
        [{ reached: "invited" }, rare],
        [{ reached: "invited", order: "newest", limit: 2 }, [rare[2], rare[1]]],
        [{ reached: "accepted" }, rare.slice(0, 1)],
      ] as const
    ) {
      await t.step(`the query is ${JSON.stringify(query)}`, async () => {
        const counting = countingKv(kv);
        const { people } = await list(counting, query);
        assert.deepEqual(people.map(({ email }) => email), expected);
        assert.ok(counting.read < 20, `${JSON.stringify(query)} ${counting.read}`);
      });
    }
  },
);

Deno.test("listPeople() lists the people of several states once each, sorted by createdAt", async (t) => {
  for (const count of [0, 1, 50, 200, 600]) {
    await t.step(`the store has ${count} people`, async () => {
      using kv = await openMemoryKv();
      const states = ["waiting", "invited", "accepted"] as const;
      await storeWaiting(kv, count, (n) => ({ state: states[n % 7 % 3]! }));
      const expected = all(count).filter((_, n) => n % 7 % 3 > 0);
      for (const limit of [7, 100, 500]) {
        const query = { reached: "invited", limit } as const;
        assert.deepEqual((await listAll(kv, query)).emails, expected);
        const newest = await listAll(kv, { ...query, order: "newest" });
        assert.deepEqual(newest.emails, expected.toReversed());
      }
    });
  }
});

test("listPeople() lists a person only once when the person moves to the next state between the reads of two states", async (kv) => {
  await storeWaiting(kv, 2, () => ({ state: "invited", invitationCode: "abcdefghijklmnopqrst" }));
  let moved: Promise<void> | undefined;
  const moving = {
    ...kv,
    async list<T>(...args: Parameters<Kv["list"]>) {
      // The person moves after the first list and before the second list is read.
      await moved;
      const entries = await kv.list<T>(...args);
      moved ??= changeRecord(kv, nth(1), (record) => {
        return { record: { ...record, state: "accepted", acceptedAt: AT } };
      });
      await moved;
      return entries;
    },
  };
  const { people } = await list(moving, { reached: "invited" });
  assert.deepEqual(people.map(({ email }) => email), [nth(0), nth(1)]);
});

test("listPeople() finds all people whose addresses contain the searched text, lists each person once, and counts the people found", async (kv) => {
  const at = (n: number) => new Date(START + n).toISOString();
  for (let n = 0; n < 300; n++) {
    const email = n % 3 === 0 ? `a${n}.lovelace@example.com` : `b${n}@example.org`;
    await storeSignUp(kv, { email }, at(n));
  }
  const expected = Array.from({ length: 100 }, (_, n) => `a${n * 3}.lovelace@example.com`);
  const found = await listAll(kv, { search: "lovelace" });
  assert.deepEqual(found, { emails: expected, pages: 2 });
  const newest = await listAll(kv, { search: "lovelace@", order: "newest" });
  assert.deepEqual(newest.emails, expected.toReversed());
  const query = { limit: 40, search: "ace@" };
  const first = await list(kv, query);
  assert.deepEqual(first.searched, { hits: 40, until: at(119) });
  const second = await list(kv, { ...query, after: first.next! });
  assert.deepEqual(second.searched, { hits: 80, until: at(239) });
  const third = await list(kv, { ...query, after: second.next! });
  assert.deepEqual([third.searched, third.next], [{ hits: 100, until: at(299) }, undefined]);
  const none = await list(kv, { ...query, search: "zzz" });
  assert.deepEqual(none, { people: [], searched: { hits: 0, until: at(299) } });
});

test("listPeople() finds the same people by a search with an umlaut and two words, whether or not it reads the records", async (kv) => {
  const names = ["j.mueller", "k.muller", "l.moeller"];
  await storeBulk(kv, names.map((name) => bulkSignUp(name, { state: "invited" })));
  for (const query of [{}, { reached: "invited" }] as const) {
    const search = async (text: string) => (await listAll(kv, { ...query, search: text })).emails;
    assert.deepEqual(await search("müller"), ["j.mueller@example.com", "k.muller@example.com"]);
    assert.deepEqual(await search("müller j."), ["j.mueller@example.com"]);
  }
});

Deno.test("listPeople() gives the next page when the last person of the previous page has been erased", async () => {
  using kv = await openMixed(9);
  const { next } = await list(kv, { limit: 4 });
  await eraseSignUp(kv, next!.email, { now: START, random: INVITING.random });
  const rest = await list(kv, { after: next! });
  assert.deepEqual(rest.people.map(({ email }) => email), all(9).slice(4));
});

Deno.test("listPeople() reads only one page of an unfiltered list, and lets API calls go first after every 51 entries of a filtered list", async () => {
  using kv = await openMixed(1_500);
  const counting = countingKv(kv);
  await list(counting, { order: "newest" });
  assert.equal(counting.read, 51);
  counting.read = 0;
  const pauses: number[] = [];
  const pausing = () => {
    pauses.push(counting.read);
    return yieldToCalls();
  };
  await listPeople({ kv: counting, yieldToCalls: pausing }, { reached: "confirmed" });
  assert.equal(counting.read, 1_500);
  // The records of these people are read as well.
  const everyPart = Array.from({ length: 30 }, (_, n) => Math.min((n + 1) * 51, 1_500));
  assert.deepEqual(pauses, everyPart);
  [counting.read, pauses.length] = [0, 0];
  await listPeople({ kv: counting, yieldToCalls: pausing }, { lang: "de" });
  assert.deepEqual(pauses, everyPart);
});

test("countSelection() reads nobody if there is a counter of the people", async (kv) => {
  await storeWaiting(kv, 60);
  const counting = countingKv(kv);
  const options = { kv: counting, yieldToCalls, monotonic: () => 0 };
  assert.deepEqual(await countSelection(options, { state: "waiting" }, undefined), { count: 60 });
  assert.equal(counting.read, 0);
});

test(
  "listPeople() filters people by a time span or by a wave, with or without a second filter",
  async (kv, t) => {
    await storeWaiting(kv, 90, (n) => ({
      state: STATES[n % 3]!,
      ...n % 2 === 0 && { undeliverableAt: AT },
      ...n % 4 === 0 && { role: "engineer" },
      ...n % 3 === 2 && { wave: n < 45 ? "first" : "second" },
    }));
    const every = (fits: (n: number) => boolean) => all(90).filter((_, n) => fits(n));
    const isFirst = (n: number) => n % 3 === 2 && n < 45;
    const wave = await listAll(kv, { wave: "first", order: "newest", limit: 4 });
    assert.deepEqual(wave.emails, every(isFirst).toReversed());
    assert.equal((await list(kv, { wave: "first" })).searched, undefined);
    for (const further of [{ mark: "undeliverable" }, { role: "engineer" }] as const) {
      await t.step(`the wave is filtered by ${JSON.stringify(further)}`, async () => {
        const step = "mark" in further ? 2 : 4;
        const some = await list(kv, { wave: "first", ...further });
        const expected = every((n) => isFirst(n) && n % step === 0);
        assert.deepEqual(some.people.map(({ email }) => email), expected);
        assert.equal(some.searched?.hits, expected.length);
      });
    }
    assert.deepEqual((await listAll(kv, { wave: "first", state: "accepted" })).emails, []);
    const { people } = await list(kv, { limit: 90 });
    const [since, before] = [people[20]!.record.createdAt, people[50]!.record.createdAt];
    for (const order of ["oldest", "newest"] as const) {
      await t.step(`the time span is listed ${order} first`, async () => {
        const days = await listAll(kv, { since, before, order, limit: 7 });
        const expected = every((n) => n >= 20 && n < 50);
        assert.deepEqual(days.emails, order === "newest" ? expected.toReversed() : expected);
      });
    }
    assert.deepEqual((await listAll(kv, { since: before, before: since })).emails, []);
  },
);
