import assert from "node:assert/strict";
import fc from "fast-check";
import { Commit, type Kv } from "../../../../server/store/kv/engine.ts";
import { signUpKey } from "../../../../server/store/kv/keys.ts";
import { correctAddress } from "../../../../server/store/people/correct.ts";
import { listTopReferrers, readReferrals } from "../../../../server/store/people/referrals.ts";
import { checkReferrals } from "../../../../server/store/people/referral_check.ts";
import { changeRecords } from "../../../../server/store/people/change_records.ts";
import { createSignUpQueue, storeSignUps } from "../../../../server/store/people/sign_ups.ts";
import { readOverview } from "../../../../server/store/people/overview.ts";
import { MAX_REFERRALS_A_DAY, newReferralCode } from "../../../../server/waitlist/referrals.ts";
import { mailboxOf } from "../../../../server/waitlist/letter_limit.ts";
import type { SignUpRecord } from "../../../../server/waitlist/record.ts";
import { confirmSignUp, type Leave, type Step } from "../../../../server/waitlist/transitions.ts";
import { faultyKv, racingKv } from "../../../support/faulty_kv.ts";
import { assertListsAgree } from "../../../support/lists.ts";
import { listAll, openMemoryKv } from "../../../support/memory_kv.ts";
import { assertReferralsEqualRecount, finish } from "../../../support/recounts.ts";
import { changeRecord, OUTBOX, random, recordId, recordOf } from "../../../support/records.ts";
import { testWith } from "../../../support/test_with.ts";

const NOW = Date.parse("2026-11-27T09:30:00.000Z");
const AT = new Date(NOW).toISOString();
const ADA = "ada@example.com";

/** Stores a sign-up by a person's link, or by none. */
async function join(kv: Kv, email: string, referralCode?: string): Promise<void> {
  const timed = { signUp: { email }, at: AT, id: recordId(), referralCode };
  await storeSignUps(kv, [timed], { outbox: OUTBOX });
}

const confirmed = (record: SignUpRecord, at = AT): Step =>
  confirmSignUp(record, { at, consentText: "c", referralCode: newReferralCode(random) });

const confirm = (kv: Kv, email: string, at = AT): Promise<void> =>
  changeRecord(kv, email, (record) => confirmed(record, at));

const leave = (kv: Kv, email: string, leaves: Leave["leaves"] = "person"): Promise<void> =>
  changeRecord(kv, email, () => ({ leaves, at: NOW }));

/** A store with a person who has confirmed, and the person's code. */
async function withAda() {
  const kv = await openMemoryKv();
  await join(kv, ADA);
  await confirm(kv, ADA);
  const { referralCode } = await recordOf(kv, ADA);
  return { kv, code: referralCode!, [Symbol.dispose]: () => kv.close() };
}

const test = testWith(withAda);

async function referralsOf(kv: Kv, email: string): Promise<number | undefined> {
  const [shown] = await readReferrals(kv, [await recordOf(kv, email)]);
  return shown!.referrals;
}

async function topReferrers(kv: Kv): Promise<[email: string, referrals: number][]> {
  return (await listTopReferrers(kv, 10)).map(({ email, referrals }) => [email, referrals]);
}

/** Reads the counters of the people whose referral counts, by their names. Counters of 0 are left out. */
async function referralCounters(kv: Kv): Promise<Record<string, number>> {
  const entries = await listAll<number>(kv, { prefix: ["statistics", "withReferral"] });
  return Object.fromEntries(
    entries.filter(({ value }) => value !== 0).map(({ key, value }) => [String(key[2]), value]),
  );
}

test("storeSignUps() stores the referring person of a new address, and adds no referring person to a known address", async ({ kv, code }) => {
  const { id } = await recordOf(kv, ADA);
  await join(kv, "bob@example.com", code);
  assert.equal((await recordOf(kv, "bob@example.com")).referrerId, id);
  await join(kv, "eve@example.com");
  await join(kv, "eve@example.com", code);
  assert.equal((await recordOf(kv, "eve@example.com")).referrerId, undefined);
  await join(kv, "joe@example.com", "unknown123");
  assert.equal((await recordOf(kv, "joe@example.com")).referrerId, undefined);
});

/** The store, and the number of times that a code was looked up in it. */
function countLookUps(kv: Kv) {
  const lookUps = { count: 0 };
  const counting: Kv = {
    ...kv,
    list(selector, options) {
      if (selector.prefix[0] === "referral_code") lookUps.count++;
      return kv.list(selector, options);
    },
  };
  return { counting, lookUps };
}

/** A queue whose process remembers Ada's code, and the number of times that the process has looked a code up. */
async function queueThatRemembers(kv: Kv, code: string) {
  const { counting, lookUps } = countLookUps(kv);
  const now = () => NOW;
  const options = { outbox: OUTBOX, takesReferrals: true, now, monotonic: now, nextId: recordId };
  const queue = createSignUpQueue(counting, options);
  const joinBy = async (email: string, referralCode = code) =>
    void await queue({ email }, { referralCode });
  await joinBy("first@example.com");
  return { joinBy, lookUps };
}

test("createSignUpQueue() keeps a valid referral code in memory until some person leaves, and looks up an unknown code at each sign-up", async ({ kv, code }) => {
  const { id } = await recordOf(kv, ADA);
  const { joinBy, lookUps } = await queueThatRemembers(kv, code);
  await joinBy("second@example.com");
  assert.equal((await recordOf(kv, "second@example.com")).referrerId, id);
  assert.equal(lookUps.count, 1);
  await joinBy("third@example.com", "unknown123");
  await joinBy("fourth@example.com", "unknown123");
  assert.equal(lookUps.count, 3);
  await leave(kv, "third@example.com");
  await joinBy("fifth@example.com");
  assert.equal((await recordOf(kv, "fifth@example.com")).referrerId, id);
  assert.equal(lookUps.count, 4);
});

Deno.test("storeSignUps() looks up an unknown referral code once for all tries of a commit, and again when a person leaves between two tries", async (t) => {
  for (const leaves of [false, true]) {
    await t.step(`${leaves ? "a person" : "nobody"} leaves before the commit`, async () => {
      const { kv } = await withAda();
      using _ = kv;
      const racing = racingKv(kv, async () => {
        await join(kv, "bob@example.com");
        if (leaves) await leave(kv, ADA);
      });
      const { counting, lookUps } = countLookUps(racing);
      const signUps = ["bob@example.com", "eve@example.com", "joe@example.com"].map((email) => {
        return { signUp: { email }, at: AT, id: recordId(), referralCode: "unknown123" };
      });
      await storeSignUps(counting, signUps, { outbox: OUTBOX });
      assert.equal(lookUps.count, leaves ? 2 : 1);
      for (const { signUp: { email } } of signUps) assert.ok((await recordOf(kv, email)).id);
    });
  }
});

Deno.test("createSignUpQueue() does not use a remembered referral code when the referring person has left", async (t) => {
  for (const leaves of ["before", "meanwhile"]) {
    await t.step(
      `the person leaves ${leaves === "before" ? "before the sign-up" : "before the commit"}`,
      async () => {
        const { kv, code } = await withAda();
        using _ = kv;
        let isLeaving = false;
        const leaving = faultyKv(kv, async (commit) => {
          if (isLeaving) await leave(kv, ADA);
          isLeaving = false;
          return await commit();
        });
        const { joinBy } = await queueThatRemembers(leaving, code);
        if (leaves === "before") await leave(kv, ADA);
        else isLeaving = true;
        await joinBy("bob@example.com");
        assert.equal((await recordOf(kv, "bob@example.com")).referrerId, undefined);
      },
    );
  }
});

test("changeRecords() counts a referral from the confirmation of the new person until the new person leaves", async ({ kv, code }) => {
  await join(kv, "bob@example.com", code);
  assert.equal(await referralsOf(kv, ADA), 0);
  await confirm(kv, "bob@example.com");
  assert.equal(await referralsOf(kv, ADA), 1);
  assert.equal((await recordOf(kv, "bob@example.com")).referralCounts, true);
  assert.deepEqual(await topReferrers(kv), [[ADA, 1]]);
  assert.deepEqual(await referralCounters(kv), { all: 1, "2026-11-27": 1 });
  await leave(kv, "bob@example.com");
  assert.deepEqual(await referralCounters(kv), {});
  assert.equal(await referralsOf(kv, ADA), 0);
  assert.deepEqual(await topReferrers(kv), []);
});

test("changeRecords() counts a referral even if the record of the referring person cannot be read", async ({ kv, code }) => {
  await join(kv, "bob@example.com", code);
  const { raw } = kv;
  const { value: record } = await raw.get(signUpKey(ADA));
  await raw.set(signUpKey(ADA), new TextEncoder().encode("{"));
  await confirm(kv, "bob@example.com");
  await raw.set(signUpKey(ADA), record);
  assert.equal((await recordOf(kv, "bob@example.com")).referralCounts, true);
  assert.equal(await referralsOf(kv, ADA), 1);
});

test("changeRecords() does not count the referral of an alias or of a second address of a mailbox", async ({ kv, code }) => {
  const emails = ["bob+1@example.com", "b.ob@gmail.com", "bob@gmail.com", "ada+x@example.com"];
  for (const email of emails) {
    await join(kv, email, code);
    await confirm(kv, email);
  }
  const counts = await Promise.all(emails.map(async (email) => {
    return (await recordOf(kv, email)).referralCounts;
  }));
  assert.deepEqual(counts, [false, true, false, false]);
  assert.equal(await referralsOf(kv, ADA), 1);
});

Deno.test("changeRecords() counts one referral when two addresses of one mailbox confirm at the same time", async (t) => {
  for (const together of [true, false]) {
    await t.step(
      `the two addresses confirm in ${together ? "one commit" : "two commits"}`,
      async () => {
        const { kv, code } = await withAda();
        using _ = kv;
        const emails = ["b.ob@gmail.com", "bob@gmail.com"];
        for (const email of emails) await join(kv, email, code);
        const decide = (record?: SignUpRecord) => record ? confirmed(record) : "unchanged" as const;
        const decisions = emails.map((email) => ({ email, decide }));
        if (together) await changeRecords(kv, decisions, { outbox: OUTBOX });
        else {
          await Promise.all(decisions.map((each) => changeRecords(kv, [each], { outbox: OUTBOX })));
        }
        assert.equal(await referralsOf(kv, ADA), 1);
      },
    );
  }
});

test("changeRecords() counts at most 50 referrals of one person on a UTC day", async ({ kv, code }) => {
  const emails = Array.from({ length: MAX_REFERRALS_A_DAY + 2 }, (_, n) => `p${n}@example.com`);
  for (const email of emails) await join(kv, email, code);
  for (const email of emails.slice(0, -1)) await confirm(kv, email);
  assert.equal(await referralsOf(kv, ADA), MAX_REFERRALS_A_DAY);
  // A person who leaves makes no room on the same day.
  await leave(kv, "p0@example.com");
  await confirm(kv, emails.at(-1)!);
  assert.equal(await referralsOf(kv, ADA), MAX_REFERRALS_A_DAY - 1);
  await join(kv, "late@example.com", code);
  await confirm(kv, "late@example.com", "2026-11-28T00:00:00.000Z");
  assert.equal(await referralsOf(kv, ADA), MAX_REFERRALS_A_DAY);
});

test("changeRecords() removes the referral code and the number of referrals of a person who is erased", async ({ kv, code }) => {
  for (const email of ["bob@example.com", "eve@example.com"]) await join(kv, email, code);
  await confirm(kv, "bob@example.com");
  await leave(kv, ADA, "operator");
  const [shown] = await readReferrals(kv, [await recordOf(kv, "bob@example.com")]);
  assert.deepEqual(shown, { referrals: 0, referredBy: "" });
  for (const prefix of [["referrer"], ["by_referrals"], ["referral_code", code]]) {
    assert.deepEqual(await listAll(kv, { prefix }), []);
  }
  await confirm(kv, "eve@example.com");
  assert.equal((await recordOf(kv, "eve@example.com")).referralCounts, false);
  await leave(kv, "bob@example.com");
  assert.deepEqual(await listAll(kv, { prefix: ["referrer"] }), []);
});

test("correctAddress() keeps a person's own referral code, the person's referrals, and the referral code with which the person signed up", async ({ kv, code }) => {
  await join(kv, "bob@example.com", code);
  await confirm(kv, "bob@example.com");
  const options = {
    kv,
    outbox: OUTBOX,
    random,
    now: NOW,
    findInvitationUrl: () => Promise.resolve(undefined),
  };
  await correctAddress({ email: ADA, newEmail: "ada2@example.com" }, options);
  await correctAddress({ email: "bob@example.com", newEmail: "bob2@example.com" }, options);
  assert.equal((await recordOf(kv, "ada2@example.com")).referralCode, code);
  assert.equal(await referralsOf(kv, "ada2@example.com"), 1);
  const [shown] = await readReferrals(kv, [await recordOf(kv, "bob2@example.com")]);
  assert.equal(shown!.referredBy, code);
  await assertListsAgree(kv);
});

Deno.test("readOverview() makes the same number of reads when few and when many people have referrals", async () => {
  using kv = await openMemoryKv();
  let reads = 0;
  const counting = faultyKv(kv, (commit) => commit(), (read) => (reads++, read()));
  async function refer(from: number, until: number): Promise<void> {
    for (let n = from; n < until; n++) {
      await join(kv, `p${n}@example.com`);
      await confirm(kv, `p${n}@example.com`);
      const { referralCode } = await recordOf(kv, `p${n}@example.com`);
      await join(kv, `q${n}@example.com`, referralCode);
      await confirm(kv, `q${n}@example.com`);
    }
  }
  async function readsOfOverview(): Promise<number> {
    reads = 0;
    const { referrals } = await readOverview(counting, NOW);
    assert.equal(referrals?.top.length, 10);
    return reads;
  }
  await refer(0, 10);
  const few = await readsOfOverview();
  await refer(10, 200);
  assert.equal(await readsOfOverview(), few);
});

test("checkReferrals() reports wrong numbers of referrals, and repairs the numbers", async ({ kv, code }) => {
  await join(kv, "bob@example.com", code);
  await confirm(kv, "bob@example.com");
  const { id } = await recordOf(kv, ADA);
  const commit = new Commit().set(["referrer", id], { referrals: 7 })
    .set(["by_referrals", 3, id], true)
    .set(["referrer", "nobody"], { referrals: 2 });
  await kv.commit(commit);
  const check = (repairs: boolean) => finish(checkReferrals(kv, { repairs, progress: 0 }));
  const differences = [
    { id, storedCount: 7, recounted: 1 },
    { id: "nobody", storedCount: 2, recounted: 0 },
  ];
  const byId = (a: { id: string }, b: { id: string }) => a.id < b.id ? -1 : 1;
  assert.deepEqual((await check(false)).toSorted(byId), differences.toSorted(byId));
  assert.deepEqual((await check(true)).toSorted(byId), differences.toSorted(byId));
  assert.deepEqual(await check(false), []);
  assert.deepEqual(await topReferrers(kv), [[ADA, 1]]);
});

test("checkReferrals() removes a person's surplus entries from the list that is sorted by the number of referrals", async ({ kv, code }) => {
  await join(kv, "bob@example.com", code);
  await confirm(kv, "bob@example.com");
  const { id } = await recordOf(kv, ADA);
  const commit = new Commit();
  for (const number of [3, 4, 5]) commit.set(["by_referrals", number, id], true);
  await kv.commit(commit);
  const check = (repairs: boolean) => finish(checkReferrals(kv, { repairs, progress: 0 }));
  const differences = [{ id, storedCount: 1, recounted: 1 }];
  assert.deepEqual(await check(false), differences);
  assert.deepEqual(await check(true), differences);
  assert.deepEqual(await topReferrers(kv), [[ADA, 1]]);
  await assertReferralsEqualRecount(kv);
});

test("checkReferrals() adds the missing entry of a person with one referral to the list that is sorted by the number of referrals", async ({ kv, code }) => {
  await join(kv, "bob@example.com", code);
  await confirm(kv, "bob@example.com");
  const { id } = await recordOf(kv, ADA);
  await kv.commit(new Commit().delete(["by_referrals", 1, id]));
  assert.deepEqual(await topReferrers(kv), []);
  const differences = [{ id, storedCount: 1, recounted: 1 }];
  assert.deepEqual(await finish(checkReferrals(kv, { repairs: true, progress: 0 })), differences);
  assert.deepEqual(await topReferrers(kv), [[ADA, 1]]);
});

test("checkReferrals() removes a surplus entry of a person who has no referrals, and stores no number of referrals for the person", async ({ kv }) => {
  const { id } = await recordOf(kv, ADA);
  await kv.commit(new Commit().set(["by_referrals", 3, id], true));
  const differences = [{ id, storedCount: 0, recounted: 0 }];
  assert.deepEqual(await finish(checkReferrals(kv, { repairs: true, progress: 0 })), differences);
  assert.deepEqual(await listAll(kv, { prefix: ["referrer"] }), []);
  await assertReferralsEqualRecount(kv);
});

test("checkReferrals() reads the entries under 'by_referrals' only once, even if it repairs many wrong numbers of referrals", async ({ kv }) => {
  const commit = new Commit();
  for (let n = 0; n < 50; n++) commit.set(["referrer", `nobody${n}`], { referrals: 2 });
  await kv.commit(commit);
  let listed = 0;
  const counting: Kv = {
    ...kv,
    list(selector, options) {
      if (selector.prefix[0] === "by_referrals") listed++;
      return kv.list(selector, options);
    },
  };
  const differences = await finish(checkReferrals(counting, { repairs: true, progress: 0 }));
  assert.equal(differences.length, 50);
  assert.equal(listed, 1);
});

Deno.test("readReferrals() equals a recount after random sign-ups, confirmations, departures and corrections", async () => {
  const person = fc.integer({ min: 0, max: 5 });
  const step = fc.oneof(
    fc.record({ join: person, by: fc.option(person) }),
    // These people confirm in one commit.
    fc.record({ confirm: fc.uniqueArray(person, { minLength: 1, maxLength: 3 }) }),
    fc.record({
      leave: person,
      leaves: fc.constantFrom("person" as const, "operator" as const, "expired" as const),
    }),
    fc.record({ correct: person, to: person }),
  );
  const emailOf = (n: number) =>
    ["a@x.de", "b@gmail.com", "b.@gmail.com", "c+1@x.de", "d@x.de", "e@x.de"][n]!;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      using kv = await openMemoryKv();
      const find = async (n: number) => {
        const [entry] = await kv.get<SignUpRecord>([["sign_up", emailOf(n)]]);
        return "fault" in entry! ? undefined : entry!.value ?? undefined;
      };
      for (const each of steps) {
        if ("join" in each) {
          const by = each.by === null ? undefined : await find(each.by);
          await join(kv, emailOf(each.join), by?.referralCode);
        } else if ("confirm" in each) {
          const decide = (record?: SignUpRecord) => record ? confirmed(record) : "unchanged";
          const decisions = each.confirm.map((n) => ({ email: emailOf(n), decide }));
          await changeRecords(kv, decisions, { outbox: OUTBOX });
        } else if ("leave" in each) await leave(kv, emailOf(each.leave), each.leaves);
        else {
          await correctAddress({ email: emailOf(each.correct), newEmail: emailOf(each.to) }, {
            kv,
            outbox: OUTBOX,
            random,
            now: NOW,
            findInvitationUrl: () => Promise.resolve(undefined),
          });
        }
      }
      const records = await listAll<SignUpRecord>(kv, { prefix: ["sign_up"] });
      const counting = records.filter(({ value }) => value.referralCounts).length;
      assert.deepEqual(
        await referralCounters(kv),
        counting > 0 ? { all: counting, [AT.slice(0, 10)]: counting } : {},
      );
      // Of the addresses of a mailbox, one counts for a person at most.
      const mailboxes = records.filter(({ value }) => value.referralCounts)
        .map(({ key, value }) => `${value.referrerId} ${mailboxOf(String(key[1]))}`);
      assert.equal(new Set(mailboxes).size, mailboxes.length);
      await assertListsAgree(kv);
      await assertReferralsEqualRecount(kv);
    }),
    { numRuns: 100 },
  );
});
