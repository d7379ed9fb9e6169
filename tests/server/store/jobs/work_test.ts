import assert from "node:assert/strict";
import { cancelOldJobs } from "../../../../server/store/jobs/entries.ts";
import { confirmSignUp } from "../../../../server/waitlist/transitions.ts";
import type { AuditEntry } from "../../../../shared/operator_schemas.ts";
import { INVITING, nth, storeWaiting } from "../../../support/invitations.ts";
import { begin, jobOf, jobsOf } from "../../../support/jobs.ts";
import { assertListsAgree } from "../../../support/lists.ts";
import { recordLog } from "../../../support/log.ts";
import { listAll, openMemoryKv } from "../../../support/memory_kv.ts";
import { giveReferrals } from "../../../support/many_referrers.ts";
import { changeRecord, recordOf, storeAddresses, storedSignUps } from "../../../support/records.ts";
import { assertCountersEqualRecount } from "../../../support/recounts.ts";
import { START } from "../../../support/service.ts";
import { readOne } from "../../../../server/store/kv/calls.ts";
import { Commit, type Kv } from "../../../../server/store/kv/engine.ts";

const DAY = 24 * 3_600_000;

const at = (now: number) => new Date(now).toISOString();

const emailsOf = async (kv: Kv) => Object.keys(await storedSignUps(kv));

/** The audit entries of people on whom a job has acted. */
async function entriesOf(kv: Kv, job: string): Promise<AuditEntry[]> {
  const entries = await listAll<AuditEntry>(kv, { prefix: ["audit"] });
  return entries.map(({ value }) => value)
    .filter(({ action, details }) => action !== "startJob" && details?.job === job);
}

const timesAsked = async (kv: Kv) =>
  Object.values(await storedSignUps(kv)).map(({ confirmations }) => confirmations?.count);

Deno.test("jobs.run() erases the people of a job, with an audit entry and an erasure mark for each person", async () => {
  using kv = await openMemoryKv();
  await storeWaiting(kv, 300, (n) => n % 2 === 0 ? { lang: "de" } : {});
  await begin(kv, "germans", { act: "erase", selection: { lang: "de" }, most: 150 });
  await jobsOf(kv).run();
  assert.deepEqual(
    (await emailsOf(kv)).toSorted(),
    Array.from({ length: 150 }, (_, n) => nth(2 * n + 1)).toSorted(),
  );
  const { state, done, endedAt, audit } = await jobOf(kv, "germans");
  assert.deepEqual([state, done, endedAt], ["done", 150, at(START)]);
  assert.deepEqual(audit.details, undefined, "the entry in the audit log has the numbers");
  const entries = await entriesOf(kv, "germans");
  assert.equal(new Set(entries.map(({ address }) => address)).size, 150);
  assert.deepEqual(new Set(entries.map(({ action }) => action)), new Set(["eraseSignup"]));
  assert.deepEqual(new Set(entries.map(({ operator }) => operator)), new Set(["ada"]));
  assert.equal((await listAll(kv, { prefix: ["erased"] })).length, 150);
  const [start] = (await listAll<AuditEntry>(kv, { prefix: ["audit"] }))
    .filter(({ value }) => value.action === "startJob");
  assert.deepEqual(start?.value.details, { done: 150, complete: true });
  assert.deepEqual(await listAll(kv, { prefix: ["open_job"] }), []);
  await assertCountersEqualRecount(kv);
  await assertListsAgree(kv);
});

Deno.test("jobs.run() erases the first 50 people of the list when the job is limited to 50 people", async () => {
  using kv = await openMemoryKv();
  await storeWaiting(kv, 120);
  await begin(kv, "some", { act: "erase", selection: {}, most: 50 });
  await jobsOf(kv).run();
  assert.deepEqual(
    (await emailsOf(kv)).toSorted(),
    Array.from({ length: 70 }, (_, n) => nth(n + 50)).toSorted(),
  );
  assert.equal((await jobOf(kv, "some")).done, 50);
});

Deno.test("jobs.run() goes on with a job whose process was killed between two commits, and counts no person twice", async () => {
  using kv = await openMemoryKv();
  await storeWaiting(kv, 200);
  await begin(kv, "killed", { act: "erase", selection: {}, most: 150 });
  const isKilled = Promise.withResolvers<void>();
  // The first process stops for good after its first commit.
  const first = jobsOf(kv, {
    async yieldToCalls() {
      if ((await jobOf(kv, "killed")).done === 0) return;
      isKilled.resolve();
      await new Promise(() => {});
    },
  });
  first.wake();
  await isKilled.promise;
  const { done } = await jobOf(kv, "killed");
  assert.ok(done > 0 && done < 150, `${done}`);

  let now = START + 59_000;
  const second = jobsOf(kv, { now: () => now });
  await second.run();
  assert.equal((await jobOf(kv, "killed")).done, done, "the lease of the first process holds");
  now = START + 60_000;
  await second.run();
  const job = await jobOf(kv, "killed");
  assert.deepEqual([job.state, job.done], ["done", 150]);
  assert.equal((await emailsOf(kv)).length, 50);
  assert.equal(new Set((await entriesOf(kv, "killed")).map(({ address }) => address)).size, 150);
  await assertCountersEqualRecount(kv);
});

Deno.test("jobs.run() passes over a person who no longer matches the job's selection at the time of the commit", async () => {
  using kv = await openMemoryKv();
  await storeWaiting(kv, 3, () => ({ role: "founder" }));
  await begin(kv, "founders", { act: "erase", selection: { role: "founder" }, most: 3 });
  let hasChanged = false;
  // The list is read before the first call of this function, and the commit is made after it.
  const jobs = jobsOf(kv, {
    async yieldToCalls() {
      if (hasChanged) return;
      hasChanged = true;
      await changeRecord(kv, nth(1), (record) => ({ record: { ...record, role: "engineer" } }));
    },
  });
  await jobs.run();
  assert.deepEqual(await emailsOf(kv), [nth(1)]);
  const { state, done } = await jobOf(kv, "founders");
  assert.deepEqual([state, done], ["done", 2]);
});

Deno.test("jobs.run() passes over a person who no longer has enough referrals at the time of the commit", async () => {
  using kv = await openMemoryKv();
  await storeWaiting(kv, 3);
  await giveReferrals(kv, { [nth(0)]: 2, [nth(1)]: 2, [nth(2)]: 2 });
  await begin(kv, "referring", { act: "erase", selection: { referrals: 2 }, most: 3 });
  const { id } = await recordOf(kv, nth(1));
  const jobs = jobsOf(kv, {
    // The list is read before the first call of this function, and the commit is made after it.
    yieldToCalls: () => changeReferrals(kv, id, { from: 2, to: 1 }),
  });
  await jobs.run();
  assert.deepEqual(await emailsOf(kv), [nth(1)]);
  const { state, done } = await jobOf(kv, "referring");
  assert.deepEqual([state, done], ["done", 2]);
});

Deno.test("jobs.run() passes over a person who loses referrals after jobs.run() has read the person and before jobs.run() commits", async () => {
  using kv = await openMemoryKv();
  const emails = ["a@example.com", "b@example.com", "c@example.com"];
  await storeAddresses(kv, emails, at(START - 2 * DAY));
  await giveReferrals(kv, Object.fromEntries(emails.map((email) => [email, 2])));
  await begin(kv, "referring", { act: "remind", selection: { referrals: 2 }, most: 3 });
  const { id } = await recordOf(kv, emails[1]!);
  let hasChanged = false;
  const racing: Kv = {
    ...kv,
    async commit(commit) {
      const isOfJob = commit.writes.some(({ key }) => key[0] === "job");
      if (isOfJob && !hasChanged) {
        hasChanged = true;
        await changeReferrals(kv, id, { from: 2, to: 1 });
      }
      return await kv.commit(commit);
    },
  };
  await jobsOf(racing).run();
  const records = await storedSignUps(kv);
  assert.deepEqual(emails.map((email) => records[email]?.confirmations?.count), [2, 1, 2]);
  const { state, done } = await jobOf(kv, "referring");
  assert.deepEqual([hasChanged, state, done], [true, "done", 2]);
});

/** Changes the stored number of a person's referrals. @param id the id of the person's record */
async function changeReferrals(
  kv: Kv,
  id: string,
  { from, to }: { from: number; to: number },
): Promise<void> {
  await kv.commit(
    new Commit().set(["referrer", id], { referrals: to }).delete(["by_referrals", from, id])
      .set(["by_referrals", to, id], true),
  );
}

Deno.test("cancelOldJobs() cancels only jobs that have been open for more than 7 days, and writes an audit entry", async () => {
  using kv = await openMemoryKv();
  const remind = { act: "remind", selection: { search: "ada@example.com" }, most: 1 } as const;
  await begin(kv, "old", remind, START - 7 * DAY - 1);
  await begin(kv, "new", remind, START - 7 * DAY);
  await cancelOldJobs(kv, { now: () => START, random: INVITING.random });
  const { state, endedAt, selection, searched } = await jobOf(kv, "old");
  assert.deepEqual([state, endedAt, selection, searched], ["cancelled", at(START), {}, true]);
  assert.equal((await jobOf(kv, "new")).state, "running");
  const open = await listAll(kv, { prefix: ["open_job"] });
  assert.deepEqual(open.map(({ key }) => key), [["open_job", "new"]]);
  const entries = await listAll<AuditEntry>(kv, { prefix: ["audit"] });
  const cancelled = entries.map(({ value }) => value).filter(({ action }) =>
    action === "cancelJob"
  );
  assert.deepEqual(cancelled.map(({ id: _, ...entry }) => entry), [
    { at: at(START), action: "cancelJob", details: { job: "old", afterDays: 7 } },
  ]);
});

Deno.test("jobs.run() keeps to the letter limits in a job that reminds people, and reminds no person twice", async () => {
  using kv = await openMemoryKv();
  const emails = Array.from({ length: 60 }, (_, n) => `p${n}@example.com`);
  await storeAddresses(kv, emails, at(START));
  // Two addresses of one mailbox share its limit.
  await storeAddresses(kv, ["two+a@example.com", "two+b@example.com"], at(START - 2 * DAY));
  await changeRecord(
    kv,
    "p0@example.com",
    (record) => confirmSignUp(record, { at: at(START), consentText: "text" }),
  );
  await begin(kv, "early", { act: "remind", selection: {}, most: 61 });
  await jobsOf(kv).run();
  assert.equal((await jobOf(kv, "early")).done, 1, "the others were asked within 24 hours");

  const nextDay = START + DAY;
  const later = { act: "remind", selection: { since: at(START) }, most: 60 } as const;
  await begin(kv, "later", later, nextDay);
  await jobsOf(kv, { now: () => nextDay }).run();
  assert.equal((await jobOf(kv, "later")).done, 59);
  assert.deepEqual((await entriesOf(kv, "later")).length, 59);
  assert.ok((await timesAsked(kv)).every((count) => count === undefined || count <= 2));

  // The job is running again, as if its process had been killed before the end, and goes on two days later.
  const job = await jobOf(kv, "later");
  const { endedAt: _, ...running } = { ...job, state: "running" };
  await kv.commit(new Commit().set(["job", "later"], running).set(["open_job", "later"], true));
  await jobsOf(kv, { now: () => nextDay + 2 * DAY }).run();
  assert.equal((await jobOf(kv, "later")).done, 59);
});

Deno.test("jobs.run() does not end a reminder job while letters are off, and does other jobs meanwhile", async () => {
  using kv = await openMemoryKv();
  await storeAddresses(kv, ["a@example.com"], at(START - 2 * DAY));
  await storeWaiting(kv, 1);
  await begin(kv, "a-reminder", { act: "remind", selection: {}, most: 1 });
  await begin(kv, "erasure", { act: "erase", selection: { state: "waiting" }, most: 1 });
  const outbox = {
    sendsLetters: false,
    sendsEvents: false,
    random: (length: number) => new Uint8Array(length),
  };
  await jobsOf(kv, { outbox }).run();
  assert.equal((await jobOf(kv, "a-reminder")).state, "running");
  const { version } = await readOne(kv, ["job_work"]);
  await jobsOf(kv, { outbox }).run();
  assert.equal((await readOne(kv, ["job_work"])).version, version, "nothing is written");
  assert.equal((await jobOf(kv, "erasure")).state, "done");
  await jobsOf(kv).run();
  assert.deepEqual((await jobOf(kv, "a-reminder")).done, 1);
});

Deno.test("jobs.run() does other jobs when the work on one job fails, and logs the failure", async () => {
  using kv = await openMemoryKv();
  await storeWaiting(kv, 1);
  await begin(kv, "a-damaged", { act: "erase", selection: {}, most: 1 });
  const broken = { ...await jobOf(kv, "a-damaged"), selection: null };
  await kv.commit(new Commit().set(["job", "a-damaged"], broken));
  await begin(kv, "good", { act: "erase", selection: {}, most: 1 });
  const { log, lines } = recordLog("warn");
  await jobsOf(kv, { log }).run();
  assert.equal((await jobOf(kv, "good")).done, 1);
  assert.equal(lines.length, 1);
  assert.equal(lines[0]?.event, "work on a job failed; will continue the job later");
});

Deno.test("jobs.run() removes the search text from a job's selection at the end of the job", async () => {
  using kv = await openMemoryKv();
  await storeWaiting(kv, 2);
  const selection = { search: nth(1), lang: "en" } as const;
  await begin(kv, "one", { act: "erase", selection, most: 1 });
  await jobsOf(kv).run();
  const job = await jobOf(kv, "one");
  assert.deepEqual([job.selection, job.searched, job.done], [{ lang: "en" }, true, 1]);
  assert.ok(!JSON.stringify(await listAll(kv, { prefix: ["job"] })).includes("@"));
});
