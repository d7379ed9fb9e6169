import assert from "node:assert/strict";
import { advanceJob, type Job } from "../../../server/waitlist/jobs.ts";

const AT = "2026-11-20T08:00:00.000Z";

const JOB: Job = {
  act: "remind",
  selection: { search: "ada@example.com" },
  most: 3,
  state: "running",
  done: 1,
  startedAt: AT,
  audit: { at: AT, id: "0123456789ab", action: "startJob" },
};

Deno.test("advanceJob() counts the people, and ends the job when nobody else fits or `most` people are done", () => {
  assert.deepEqual(advanceJob(JOB, { people: 1, isLast: false, at: AT }), { ...JOB, done: 2 });
  const ended = { ...JOB, selection: {}, searched: true, state: "done", endedAt: AT };
  assert.deepEqual(advanceJob(JOB, { people: 0, isLast: true, at: AT }), { ...ended, done: 1 });
  assert.deepEqual(advanceJob(JOB, { people: 2, isLast: false, at: AT }), { ...ended, done: 3 });
});
