import assert from "node:assert/strict";
import { eraseSignUp } from "../../../../server/store/people/erasure.ts";
import { readOutboxCounts } from "../../../../server/store/outbox/reads.ts";
import { readPeople } from "../../../../server/store/people/records.ts";
import { beginWave } from "../../../../server/store/invitations/mod.ts";
import type { OutboxItem } from "../../../../server/waitlist/outbox_item.ts";
import { racingKv } from "../../../support/faulty_kv.ts";
import {
  inviteAll,
  INVITING,
  LINK,
  membersOf,
  nth,
  storeWaiting,
} from "../../../support/invitations.ts";
import { assertListsAgree } from "../../../support/lists.ts";
import { everyEntry, storedCounters, storedSignUps } from "../../../support/records.ts";
import { START } from "../../../support/service.ts";
import { Commit, type Kv } from "../../../../server/store/kv/engine.ts";
import { listAll, openMemoryKv } from "../../../support/memory_kv.ts";
import { LOCAL_TRAITS, REMOTE_TRAITS } from "../../../../server/store/kv/deno_kv.ts";

const AT = new Date(START).toISOString();

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
    return Array.fromAsync(readPeople(kv, { state, limit: 3 }));
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
  // A letter and an event each.
  assert.equal((await readOutboxCounts(kv, "2026-11-21")).due, 2 * emails.length);
}

for (const [name, traits] of Object.entries({ LOCAL_TRAITS, REMOTE_TRAITS })) {
  Deno.test(`inviteWave() invites those who signed up first on ${name}`, async () => {
    using kv = await openMemoryKv({ traits });
    await storeWaiting(kv, 450);
    const { invited, notInvited } = await inviteAll(kv, { next: 250 });
    assert.deepEqual({ invited, notInvited }, { invited: 250, notInvited: [] });
    await assertInvited(kv, first(250), 450);
  });
}

Deno.test("inviteWave() invites only people who have the answers of the filter", async () => {
  using kv = await openMemoryKv();
  await storeWaiting(kv, 300, (n) => n % 100 === 0 ? { lang: "de", role: "engineer" } : {});
  assert.equal((await inviteAll(kv, { next: 2, lang: "de", role: "engineer" })).invited, 2);
  await assertInvited(kv, [nth(0), nth(100)], 300);
  assert.equal((await inviteAll(kv, { wave: "second", next: 2, lang: "de" })).invited, 1);
  assert.deepEqual(await membersOf(kv, "second"), [nth(200)]);
});

Deno.test("inviteWave() goes on and never invites more when a wave is cut and asked for again", async () => {
  using kv = await openMemoryKv();
  await storeWaiting(kv, 450);
  assert.equal((await inviteAll(kv, { next: 250 }, { cutAfter: 1 })).invited, 48);
  assert.equal((await inviteAll(kv, { next: 250 }, { cutAfter: 0 })).invited, 48);
  assert.equal((await inviteAll(kv, { next: 250 })).invited, 250);
  assert.equal((await inviteAll(kv, { next: 250 })).invited, 250);
  await assertInvited(kv, first(250), 450);
});

Deno.test("inviteWave() leaves people alone who wait only after the wave is done", async () => {
  using kv = await openMemoryKv();
  await storeWaiting(kv, 3);
  assert.equal((await inviteAll(kv, { next: 250 })).invited, 3);
  await storeWaiting(kv, 5);
  assert.equal((await inviteAll(kv, { next: 250 })).invited, 3);
  await assertInvited(kv, first(3), 5);
});

Deno.test("inviteWave() never invites more when the wave is asked for twice at once", async () => {
  using kv = await openMemoryKv();
  await storeWaiting(kv, 450);
  const both = await Promise.all([1, 2].map(() => inviteAll(kv, { next: 250 })));
  assert.deepEqual(both.map(({ invited }) => invited), [250, 250]);
  await assertInvited(kv, first(250), 450);
});

Deno.test("inviteWave() passes over a person who is erased before the commit, and leaves no trace", async () => {
  using kv = await openMemoryKv();
  await storeWaiting(kv, 5);
  const { random } = INVITING;
  // The first commit begins the wave.
  const racing = racingKv(kv, () => eraseSignUp(kv, nth(1), { now: START, random }), 2);
  assert.equal((await inviteAll(racing, { next: 3 })).invited, 3);
  assert.deepEqual(await membersOf(kv), [nth(0), nth(2), nth(3)]);
  await eraseSignUp(kv, nth(2), { now: START, random });
  assert.deepEqual(await membersOf(kv), [nth(0), nth(3)]);
  assert.equal((await inviteAll(kv, { next: 3 })).invited, 3, "an erased person still counts");
  const text = JSON.stringify(await everyEntry(kv), (_, value) => {
    return typeof value === "bigint" ? String(value) : value;
  });
  for (const email of [nth(1), nth(2)]) assert.ok(!text.includes(email));
});

Deno.test("inviteWave() invites people by name, and says why it passes over others", async () => {
  using kv = await openMemoryKv();
  await storeWaiting(kv, 5, (n) => {
    if (n === 1) return { state: "unconfirmed" };
    return n === 2 ? { undeliverableAt: AT } : {};
  });
  await inviteAll(kv, { wave: "earlier", emails: [nth(3)] });
  const emails = [nth(0), nth(1), nth(2), nth(3), "nobody@example.com", nth(0)];
  const asked = await inviteAll(kv, { emails });
  assert.deepEqual(asked, {
    invited: 1,
    notInvited: [
      { email: nth(1), reason: "unconfirmed" },
      { email: nth(2), reason: "undeliverable" },
      { email: nth(3), reason: "invited" },
      { email: "nobody@example.com", reason: "unknown" },
    ],
    wouldInvite: [],
  });
  assert.deepEqual(await inviteAll(kv, { emails }), asked);
  assert.deepEqual(await membersOf(kv), [nth(0)]);
});

Deno.test("inviteWave() passes over an entry whose record is missing", async () => {
  using kv = await openMemoryKv();
  await storeWaiting(kv, 3);
  await kv.commit(new Commit().delete(["sign_up", nth(0)]));
  const { invited, notInvited } = await inviteAll(kv, { next: 1 });
  assert.deepEqual(notInvited, [{ email: nth(0), reason: "unknown" }]);
  assert.equal(invited, 1);
  assert.deepEqual(await membersOf(kv), [nth(1)]);
});

Deno.test("inviteWave() counts the same people and changes nothing when it is a dry run", async () => {
  using kv = await openMemoryKv();
  await storeWaiting(kv, 300, (n) => n === 0 ? { undeliverableAt: AT } : {});
  const before = await everyEntry(kv);
  const { invited, notInvited, wouldInvite } = await inviteAll(kv, { next: 250, dryRun: true });
  assert.deepEqual({ invited, notInvited: notInvited.length }, { invited: 250, notInvited: 1 });
  assert.deepEqual(wouldInvite.map(({ email }) => email), first(251).slice(1));
  assert.deepEqual(await everyEntry(kv), before);
  await inviteAll(kv, { next: 250 }, { cutAfter: 1 });
  assert.equal((await inviteAll(kv, { next: 250, dryRun: true })).invited, 250);
});

Deno.test("inviteWave() puts no letter into the outbox when the letters go by other means", async () => {
  using kv = await openMemoryKv();
  await storeWaiting(kv, 3);
  assert.equal((await inviteAll(kv, { next: 2, letters: false })).invited, 2);
  assert.equal((await letters(kv)).size, 0);
  assert.equal((await readOutboxCounts(kv, "2026-11-21")).due, 2, "the events");
});

Deno.test("beginWave() refuses other parameters, and letters where there are none", async () => {
  using kv = await openMemoryKv();
  const options = { ...INVITING, now: START };
  const request = { wave: "first", next: 2, link: LINK, letters: true };
  const wave = await beginWave(kv, request, options);
  assert.deepEqual(await beginWave(kv, request, options), wave);
  for (
    const other of [{ next: 3 }, { lang: "de" as const }, { link: `${LINK}x` }, { letters: false }]
  ) {
    const refused = await beginWave(kv, { ...request, ...other }, options);
    assert.equal("conflict" in refused && refused.conflict, "other_parameters");
  }
  const outbox = { ...options.outbox, letters: false };
  const refused = await beginWave(kv, { ...request, wave: "second" }, { ...options, outbox });
  assert.deepEqual(refused, { conflict: "no_letters" });
});

Deno.test("beginWave() counts the people of a wave that a restored backup brought", async () => {
  using kv = await openMemoryKv();
  await storeWaiting(kv, 250, (n) => n < 210 ? { state: "invited", wave: "first" } : {});
  assert.equal((await inviteAll(kv, { next: 220 })).invited, 220);
  assert.deepEqual(await membersOf(kv), first(220));
});
