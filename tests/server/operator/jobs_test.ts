import assert from "node:assert/strict";
import type { JobReport } from "../../../shared/operator_schemas.ts";
import { nth, storeWaiting } from "../../support/invitations.ts";
import { assertRefused, call, readAudit, refusalOf, test } from "../../support/operator.ts";
import { storedSignUps } from "../../support/records.ts";
import { Commit } from "../../../server/store/kv/engine.ts";

const JOBS = "/jobs";

test("countSignups counts the people who fit a filter", async (service) => {
  await storeWaiting(service.kv, 700, (n) => n % 7 === 0 ? { role: "founder", lang: "de" } : {});
  const count = (body: object) => call(service, "/signups/count", body);
  assert.deepEqual(await count({}), { count: 700 });
  assert.deepEqual(await count({ role: "founder" }), { count: 100 });
  assert.deepEqual(await count({ role: "founder", lang: "en" }), { count: 0 });
  assert.deepEqual(await count({ search: nth(699) }), { count: 1 });
  const since = "2026-11-21T12:00:00.000Z";
  assert.deepEqual(await count({ since: "2026-11-20", before: since }), { count: 700 });
  assert.deepEqual(await count({ since }), { count: 0 });
  const after = { createdAt: "2026-11-21T11:58:20.000Z", email: nth(698), hits: 99 };
  assert.deepEqual(await count({ lang: "en", after }), { count: 100 });
});

test("startJob erases everybody who fits the filter, and getJob and listJobs show the finished job", async (service) => {
  const { kv } = service;
  await storeWaiting(kv, 90, (n) => n % 3 === 0 ? { role: "founder" } : {});
  const request = { job: "founders", act: "erase", selection: { role: "founder" }, most: 30 };
  const started = await call<JobReport>(service, JOBS, request);
  assert.equal(started.startedAt, "2026-11-21T12:00:20.000Z");
  assert.equal(started.operator, "operator");
  await service.workOutbox();
  const job = await call<JobReport>(service, `${JOBS}/founders`);
  assert.deepEqual(job, {
    ...request,
    state: "done",
    done: 30,
    startedAt: started.startedAt,
    endedAt: "2026-11-21T12:00:20.000Z",
    operator: "operator",
  });
  assert.equal(Object.keys(await storedSignUps(kv)).length, 60);
  assert.deepEqual(await call(service, JOBS), { jobs: [job] });
  // The same call again is the same job, and another selection is another job.
  assert.deepEqual(await call(service, JOBS, request), job);
  const refused = await refusalOf(service.operate(JOBS, { ...request, selection: {} }));
  assert.match(refused, /^409 conflict: The job 'founders' was started with other parameters;/);
  const actions = (await readAudit(service)).map(({ action }) => action);
  assert.equal(actions.filter((action) => action === "eraseSignup").length, 30);
  assert.equal(actions.length, 31);
});

test("startJob returns the finished job when the same call is repeated, although the job no longer stores the searched text", async (service) => {
  await storeWaiting(service.kv, 3);
  const request = { job: "one", act: "erase", selection: { search: nth(2) }, most: 1 };
  await call(service, JOBS, request);
  await service.workOutbox();
  const job = await call<JobReport>(service, JOBS, request);
  assert.deepEqual([job.selection, job.searched, job.done], [{}, true, 1]);
});

test("startJob refuses reminders when MAIL_URL is not set, and refuses a body with a wrong or missing member", async (service) => {
  const remind = { act: "remind", selection: {}, most: 1 };
  const message = await refusalOf(service.operate(JOBS, remind));
  assert.match(message, /^409 conflict: The service sends no e-mails, as MAIL_URL is not set;/);
  await assertRefused(service, JOBS, [
    [
      { ...remind, selection: { state: "waiting" } },
      /^Field 'selection\.state' is 'waiting'; leave/,
    ],
    [{ act: "erase", selection: {} }, /^Field 'most' is absent; give the number of people/],
    [
      { act: "invite", selection: {}, most: 1 },
      /^Field 'act' is 'invite'; give 'remind' or 'erase'/,
    ],
    [
      { act: "erase", selection: { role: "X" }, most: 1 },
      /^Field 'selection\.role' is 'X'; give a/,
    ],
    [{ act: "erase", selection: {}, most: 1, job: "a b" }, /^Field 'job' is 'a b'; give 1 to 64/],
  ]);
  assert.deepEqual(await call(service, JOBS), { jobs: [] });
});

test("cancelJob ends a running job, and refuses to cancel a finished job", async (service, t) => {
  const job = {
    act: "erase",
    selection: { search: "ada@example.com" },
    most: 9,
    state: "running",
    done: 4,
    startedAt: "2026-11-21T12:00:00.000Z",
    audit: { at: "2026-11-21T12:00:00.000Z", id: "a", action: "startJob", operator: "eve" },
  };
  const commit = new Commit().set(["job", "first"], job).set(["open_job", "first"], true);
  await service.kv.commit(commit.set(["job", "done"], { ...job, state: "done" }));
  const cancelled = await call<JobReport>(service, `${JOBS}/first/cancel`, undefined, "POST");
  assert.deepEqual(
    [cancelled.state, cancelled.done, cancelled.selection, cancelled.operator],
    ["cancelled", 4, {}, "eve"],
  );
  await service.workOutbox();
  assert.deepEqual(await call(service, `${JOBS}/first/cancel`, undefined, "POST"), cancelled);
  const post = { method: "POST" };
  const refused = await refusalOf(service.operate(`${JOBS}/done/cancel`, undefined, post));
  assert.equal(refused, "409 conflict: The job 'done' is done already.");
  for (const path of [`${JOBS}/none`, `${JOBS}/a%20b`]) {
    await t.step(path, async () => {
      assert.match(await refusalOf(service.operate(path)), /^404 not_found: There is no job/);
    });
  }
  assert.match(
    await refusalOf(service.operate(`${JOBS}/none/cancel`, undefined, post)),
    /^404 not_found: There is no job 'none'; see the list of jobs\.$/,
  );
});
