/** A commit of KV takes 81,920 bytes of keys and 1,000 changes. Work on the longest addresses fits as well. */
import assert from "node:assert/strict";
import { base64url } from "jose";
import { createPeopleExpiry } from "../../../../server/store/expiry/expire_people.ts";
import { storeBulkSignUps } from "../../../../server/store/people/bulk_sign_ups.ts";
import type { BulkSignUp } from "../../../../server/waitlist/bulk_sign_ups.ts";
import type { ImportedSignUp } from "../../../../server/waitlist/import_line.ts";
import type { SignUpRecord } from "../../../../server/waitlist/record.ts";
import { mergeImported, mergeRestored } from "../../../../server/waitlist/merge_records.ts";
import { SCHEMA_VERSION } from "../../../../server/store/kv/schema.ts";
import { erasePeople, markUndeliverable } from "../../../../server/store/people/bulk_changes.ts";
import { createSignUpQueue } from "../../../../server/store/people/sign_ups.ts";
import { noteConfirmationTaken } from "../../../../server/waitlist/letter_outcomes.ts";
import { inviteAll } from "../../../support/invitations.ts";
import { assertListsAgree } from "../../../support/lists.ts";
import { changeRecord, OUTBOX, random, recordId, storedIds } from "../../../support/records.ts";
import { START } from "../../../support/service.ts";
import { Commit, type Kv } from "../../../../server/store/kv/engine.ts";
import { test } from "../../../support/memory_kv.ts";

const AT = new Date(START).toISOString();
const EMAILS = Array.from({ length: 300 }, (_, n) => `${n}@example.com`.padStart(254, "a"));

/** Signs all addresses up at the same time, in a store with `erasureKeys` erasure keys. */
async function joinAll(kv: Kv, erasureKeys: number): Promise<void> {
  const keys = base64url.encode(random(32 * erasureKeys));
  await kv.commit(
    new Commit().set(["schema"], {
      version: SCHEMA_VERSION,
      ...erasureKeys && { erasureKeys: keys },
    }),
  );
  const join = createSignUpQueue(kv, {
    outbox: OUTBOX,
    now: () => START,
    monotonic: () => performance.now(),
    nextId: recordId,
  });
  await Promise.all(EMAILS.map((email) => join({ email })));
  assert.equal(Object.keys(await storedIds(kv)).length, EMAILS.length);
}

// Each restored backup can bring an erasure key, and an address may have an erasure mark of each key.
for (const erasureKeys of [0, 1, 5]) {
  test(`createSignUpQueue() stores people with addresses of the maximum length, and also letters and events (erasure keys in the store: ${erasureKeys})`, async (kv) => {
    await joinAll(kv, erasureKeys);
    await assertListsAgree(kv);
  });
}

test("createPeopleExpiry() erases people with addresses of the maximum length", async (kv) => {
  await joinAll(kv, 0);
  for (const email of EMAILS) {
    await changeRecord(kv, email, (record) => ({ record: noteConfirmationTaken(record, AT) }));
  }
  const { signal } = new AbortController();
  const now = START + 15 * 24 * 60 * 60 * 1000;
  await createPeopleExpiry({ kv, outbox: OUTBOX, days: 14 })(now, signal);
  assert.deepEqual(await storedIds(kv), {});
  await assertListsAgree(kv);
});

test("erasePeople() erases people with addresses of the maximum length, and leaves an erasure mark for each address", async (kv) => {
  await joinAll(kv, 1);
  const options = { kv, outbox: OUTBOX, now: START };
  const marking = markUndeliverable(options, EMAILS);
  await Array.fromAsync(marking);
  await assertListsAgree(kv);
  const before = new Date(START + 1).toISOString();
  await Array.fromAsync(erasePeople(options, { state: "unconfirmed", before }));
  assert.deepEqual(await storedIds(kv), {});
  await assertListsAgree(kv);
});

/** The longest id of a wave. */
const WAVE = "w".repeat(100);

async function store(kv: Kv, merge: (email: string) => BulkSignUp["merge"]): Promise<void> {
  await kv.commit(
    new Commit().check({ key: ["schema"], version: null })
      .set(["schema"], { version: SCHEMA_VERSION }),
  );
  const bulkSignUps = EMAILS.map((email) => ({
    email,
    answers: {},
    consentedAt: AT,
    merge: merge(email),
  }));
  await storeBulkSignUps(kv, bulkSignUps);
  assert.equal(Object.keys(await storedIds(kv)).length, EMAILS.length);
  await assertListsAgree(kv);
}

/** Stores people who were asked to confirm and whose letters the mail server took. */
const restoreUnconfirmed = (): BulkSignUp["merge"] => {
  const restored: SignUpRecord = {
    id: recordId(),
    createdAt: AT,
    consentedAt: AT,
    updatedAt: AT,
    lang: "en",
    state: "unconfirmed",
    confirmations: { count: 1, lastAt: AT, takenAt: AT },
  };
  return (existing) => mergeRestored(existing, restored);
};

test("storeBulkSignUps() restores unconfirmed people with addresses of the maximum length", async (kv) => {
  await store(kv, restoreUnconfirmed);
});

test("storeBulkSignUps() imports invitations for unconfirmed people whose addresses have the maximum length", async (kv) => {
  await store(kv, restoreUnconfirmed);
  await store(kv, (email) => {
    const imported: ImportedSignUp = {
      email,
      consentedAt: AT,
      state: "invited",
      invitedAt: AT,
      invitationCode: "code",
      wave: WAVE,
    };
    return (existing) => mergeImported(existing, imported, { at: AT, id: recordId() });
  });
});

test("storeBulkSignUps() stores an earlier createdAt for undeliverable people who have complained and have addresses of the maximum length", async (kv) => {
  const marks = { undeliverableAt: AT, complainedAt: AT };
  const restore = (createdAt: string): BulkSignUp["merge"] => (existing) => {
    const times = { createdAt, consentedAt: AT, updatedAt: AT };
    const record = { id: recordId(), lang: "en", state: "waiting", ...times, ...marks } as const;
    return mergeRestored(existing && { ...existing, ...marks }, record);
  };
  await store(kv, () => restore(AT));
  await store(kv, () => restore(new Date(START - 1).toISOString()));
});

test("workOnWave() invites people with addresses of the maximum length, and stores letters and events", async (kv) => {
  await store(kv, (email) => {
    const imported: ImportedSignUp = { email, consentedAt: AT };
    return (existing) => mergeImported(existing, imported, { at: AT, id: recordId() });
  });
  const { invited } = await inviteAll(kv, { wave: "w".repeat(64), next: EMAILS.length });
  assert.equal(invited, EMAILS.length);
  await assertListsAgree(kv);
});

test("workOnWave() invites a list of people with addresses of the maximum length when their sign-ups are spread over years", async (kv) => {
  await store(kv, (email) => {
    const createdAt = new Date(START - EMAILS.indexOf(email) * 700_000_000).toISOString();
    const imported: ImportedSignUp = { email, consentedAt: AT, createdAt };
    return (existing) => mergeImported(existing, imported, { at: AT, id: recordId() });
  });
  const { invited } = await inviteAll(kv, { wave: "w".repeat(64), emails: EMAILS });
  assert.equal(invited, EMAILS.length);
  await assertListsAgree(kv);
});
