import assert from "node:assert/strict";
import { PEOPLE_IN_COMMIT } from "../../../../server/store/people/commit_size.ts";
import { eraseSignUp } from "../../../../server/store/people/erasure.ts";
import { readOutboxCounts } from "../../../../server/store/outbox/counts.ts";
import { readPeople } from "../../../../server/store/people/people_lists.ts";
import { workOnWave } from "../../../../server/store/invitations/invite.ts";
import { planWave } from "../../../../server/store/invitations/plan.ts";
import { findWave } from "../../../../server/store/invitations/waves.ts";
import type { OutboxItem } from "../../../../server/waitlist/outbox_item.ts";
import { racingKv } from "../../../support/faulty_kv.ts";
import {
  inviteAll,
  INVITING,
  LINK,
  membersOf,
  nth,
  storeWaiting,
  wavesOf,
} from "../../../support/invitations.ts";
import { assertListsAgree } from "../../../support/lists.ts";
import { countingKv, giveReferrals, storeManyReferrers } from "../../../support/many_referrers.ts";
import { everyEntry, storedCounters, storedSignUps } from "../../../support/records.ts";
import { START } from "../../../support/service.ts";
import { Commit, type Kv } from "../../../../server/store/kv/engine.ts";
import { listAll, openMemoryKv, test } from "../../../support/memory_kv.ts";
import { LOCAL_TRAITS, REMOTE_TRAITS } from "../../../../server/store/kv/deno_kv.ts";

const AT = new Date(START).toISOString();

const PLANNING = { monotonic: () => 0, yieldToCalls: () => Promise.resolve() };

/** The first people, in their order. */
const first = (count: number) => Array.from({ length: count }, (_, n) => nth(n));

async function letters(kv: Kv): Promise<Map<string, string | undefined>> {
  const found = new Map<string, string | undefined>();
  for (
    const { value: { email, message } } of await listAll<OutboxItem>(kv, { prefix: ["outbox"] })
  ) {
    if (!("letter" in message)) continue;
    assert.equal(message.letter, "invitation");
    assert.ok(!found.has(email), "one letter a person");
    found.set(email, message.invitationUrl);
  }
  return found;
}

/** Asserts that exactly these people are invited, each once, in records, lists, counters and outbox. */
async function assertInvited(kv: Kv, emails: string[], of: number): Promise<void> {
  const records = Object.entries(await storedSignUps(kv));
  const invited = records.filter(([, { state }]) => state === "invited");
  assert.deepEqual(invited.map(([email]) => email).toSorted(), emails.toSorted());
  assert.deepEqual(await membersOf(kv), emails);
  const lists = await Promise.all((["waiting", "invited"] as const).map((state) => {
    return Array.fromAsync(readPeople(kv, { list: state, limit: 3 }));
  }));
  assert.deepEqual(lists.map((pages) => pages.flat().length), [of - emails.length, emails.length]);
  const { "byState/waiting": waiting, "byState/invited": counted = 0 } = await storedCounters(kv);
  assert.deepEqual([waiting, counted], [of - emails.length, emails.length]);
  const urls = await letters(kv);
  assert.equal(urls.size, emails.length);
  for (const [email, { invitationCode, invitedAt, wave, updatedAt }] of invited) {
    assert.match(invitationCode ?? "", /^[0-9a-f]{32}$/);
    assert.deepEqual({ invitedAt, wave, updatedAt }, {
      invitedAt: AT,
      wave: "first",
      updatedAt: AT,
    });
    assert.equal(urls.get(email), LINK.replace("{code}", invitationCode!));
  }
  await assertListsAgree(kv);
  // Each person has a letter and an event.
  assert.equal((await readOutboxCounts(kv, "2026-11-21")).due, 2 * emails.length);
}

for (const [name, traits] of Object.entries({ many: LOCAL_TRAITS, few: REMOTE_TRAITS })) {
  Deno.test(`workOnWave() invites the waiting people with the earliest sign-ups when the engine allows ${name} checks in a commit`, async () => {
    using kv = await openMemoryKv({ traits });
    await storeWaiting(kv, 450);
    assert.deepEqual(await inviteAll(kv, { next: 250 }), { invited: 250, state: "done" });
    await assertInvited(kv, first(250), 450);
  });
}

Deno.test("workOnWave() and planWave() choose people by their number of referrals, and need few reads when few people have referrals", async (t) => {
  using kv = await openMemoryKv();
  await storeWaiting(
    kv,
    600,
    (n) => n === 100 ? { state: "invited" } : { lang: n < 300 ? "de" : "en" },
  );
  const referrals = Object.fromEntries([100, 200, 300, 400, 500].map((n) => [nth(n), n / 100]));
  await giveReferrals(kv, referrals);
  const filter = { referrals: 1, lang: "en" } as const;
  const plan = async (options: { kv: Kv }) =>
    await planWave({ ...filter, link: LINK }, undefined, { ...options, ...PLANNING });
  const counting = countingKv(kv);
  const few = await plan({ kv: counting });
  assert.deepEqual(few.people.map(({ email }) => email), [300, 400, 500].map(nth));
  assert.deepEqual([few.wouldInvite, few.passedOver.invited], [3, 1]);
  assert.ok(counting.read < 20, `${counting.read}`);
  assert.equal((await inviteAll(counting, { ...filter, next: 1 })).invited, 1);
  assert.deepEqual(await membersOf(kv), [nth(300)]);
  assert.ok(counting.read < 60, `${counting.read}`);
  await t.step("many people have referrals", async () => {
    await storeManyReferrers(kv);
    const { people } = await plan({ kv });
    assert.deepEqual(people.map(({ email }) => email), [400, 500].map(nth));
    assert.equal((await inviteAll(kv, { wave: "second", ...filter, next: 10 })).invited, 2);
    assert.deepEqual(await membersOf(kv, "second"), [nth(400), nth(500)]);
  });
});

test("workOnWave() invites only people whose answers match the filter", async (kv) => {
  await storeWaiting(kv, 300, (n) => n % 100 === 0 ? { lang: "de", role: "engineer" } : {});
  assert.equal((await inviteAll(kv, { next: 2, lang: "de", role: "engineer" })).invited, 2);
  await assertInvited(kv, [nth(0), nth(100)], 300);
  assert.equal((await inviteAll(kv, { wave: "second", next: 2, lang: "de" })).invited, 1);
  assert.deepEqual(await membersOf(kv, "second"), [nth(200)]);
});

test("workOnWave() goes on with a wave whose process was killed, and invites no more people than the wave asks for", async (kv) => {
  await storeWaiting(kv, 450);
  assert.deepEqual(await inviteAll(kv, { next: 250 }, { commits: 1 }), {
    invited: PEOPLE_IN_COMMIT,
    state: "running",
  });
  // Another process leaves the wave alone until the claim of this process is over.
  assert.equal((await inviteAll(kv, { next: 250 })).invited, PEOPLE_IN_COMMIT);
  const later = wavesOf(kv, { now: () => START + 30_000 });
  await later.run();
  const { wave } = (await findWave(kv, "first"))!;
  assert.deepEqual([wave.invited, wave.state], [250, "done"]);
  assert.deepEqual(await membersOf(kv), first(250));
});

test("workOnWave() does not invite people who sign up after the wave is done", async (kv) => {
  await storeWaiting(kv, 3);
  assert.equal((await inviteAll(kv, { next: 250 })).invited, 3);
  await storeWaiting(kv, 5);
  assert.equal((await inviteAll(kv, { next: 250 })).invited, 3);
  await assertInvited(kv, first(3), 5);
});

test("workOnWave() invites no more people than the wave asks for when four processes work on the wave", async (kv) => {
  await storeWaiting(kv, 450);
  await inviteAll(kv, { next: 250 }, { commits: 0 });
  const options = { ...INVITING, kv };
  await Promise.all(
    ["a", "b", "c", "d"].map((by) => Array.fromAsync(workOnWave(options, "first", by))),
  );
  await assertInvited(kv, first(250), 450);
});

Deno.test("workOnWave() passes over a person who is erased before the commit, and stores nothing about the person", async (t) => {
  using kv = await openMemoryKv();
  await storeWaiting(kv, 5);
  const { random } = INVITING;
  // The first commits begin and claim the wave.
  const racing = racingKv(kv, () => eraseSignUp(kv, nth(1), { now: START, random }), 3);
  assert.equal((await inviteAll(racing, { next: 3 })).invited, 3);
  assert.deepEqual(await membersOf(kv), [nth(0), nth(2), nth(3)]);
  await eraseSignUp(kv, nth(2), { now: START, random });
  assert.deepEqual(await membersOf(kv), [nth(0), nth(3)]);
  assert.equal((await inviteAll(kv, { next: 3 })).invited, 3, "an erased person still counts");
  const text = JSON.stringify(await everyEntry(kv), (_, value) => {
    return typeof value === "bigint" ? String(value) : value;
  });
  for (const email of [nth(1), nth(2)]) {
    await t.step(`nothing is stored about ${email}`, () => {
      assert.ok(!text.includes(email));
    });
  }
});

test("workOnWave() invites the people of a list of addresses, and gives a reason for each address that it passes over", async (kv) => {
  await storeWaiting(kv, 5, (n) => {
    if (n === 1) return { state: "unconfirmed" };
    return n === 2 ? { undeliverableAt: AT } : {};
  });
  await inviteAll(kv, { wave: "earlier", emails: [nth(3)] });
  const emails = [nth(0), nth(1), nth(2), nth(3), "nobody@example.com", nth(0)];
  const asked = await inviteAll(kv, { emails });
  assert.deepEqual(asked, {
    invited: 1,
    state: "done",
    notInvited: [
      { email: nth(1), reason: "unconfirmed" },
      { email: nth(2), reason: "undeliverable" },
      { email: nth(3), reason: "invited" },
      { email: "nobody@example.com", reason: "unknown" },
    ],
  });
  assert.deepEqual(await inviteAll(kv, { emails }), asked);
  assert.deepEqual(await membersOf(kv), [nth(0)]);
  assert.deepEqual(await listAll(kv, { prefix: ["wave_named"] }), []);
});

test("workOnWave() invites the people of a list of addresses, except a person who is erased while the wave is under way", async (kv) => {
  await storeWaiting(kv, 60);
  await inviteAll(kv, { emails: first(60) }, { commits: 1 });
  const [gone = ""] = (await listAll<string>(kv, { prefix: ["wave_named"] }))
    .map(({ key }) => String(key[1]));
  const { random } = INVITING;
  await eraseSignUp(kv, gone, { now: START, random });
  await wavesOf(kv, { now: () => START + 30_000 }).run();
  assert.deepEqual(await membersOf(kv), first(60).filter((email) => email !== gone));
  assert.deepEqual(await listAll(kv, { prefix: ["wave_named"] }), []);
});

test("workOnWave() passes over an entry of the waiting list whose record is missing", async (kv) => {
  await storeWaiting(kv, 3);
  await kv.commit(new Commit().delete(["sign_up", nth(0)]));
  assert.equal((await inviteAll(kv, { next: 1 })).invited, 1);
  assert.deepEqual(await membersOf(kv), [nth(1)]);
});

test("workOnWave() puts no letter into the outbox when the operator sends the letters", async (kv) => {
  await storeWaiting(kv, 3);
  assert.equal((await inviteAll(kv, { next: 2, letters: false })).invited, 2);
  assert.equal((await letters(kv)).size, 0);
  assert.equal((await readOutboxCounts(kv, "2026-11-21")).due, 2, "the events");
});

test("beginWave() counts the people whom a restored backup has already put into the wave", async (kv) => {
  await storeWaiting(kv, 250, (n) => n < 210 ? { state: "invited", wave: "first" } : {});
  assert.equal((await inviteAll(kv, { next: 220 })).invited, 220);
  assert.deepEqual(await membersOf(kv), first(220));
});
