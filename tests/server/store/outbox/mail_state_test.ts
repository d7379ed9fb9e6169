import assert from "node:assert/strict";
import { createMailState, permitsOf } from "../../../../server/store/outbox/mail_state.ts";
import { changeEntry, MAIL_STATE } from "../../../../server/store/kv/mod.ts";
import { uncertainKv } from "../../../support/faulty_kv.ts";
import { START } from "../../../support/service.ts";
import { test } from "../../../support/memory_kv.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const ALL = { perMinute: 90, wantedCount: 90 };

Deno.test("permitsOf() divides the letters of a minute evenly among its 60 seconds", async (t) => {
  for (const perMinute of [1, 7, 59, 60, 90, 300, 1_000_000]) {
    await t.step(`${perMinute} letters a minute`, () => {
      const shares = Array.from({ length: 60 }, (_, second) => permitsOf(second, perMinute));
      assert.equal(shares.reduce((sum, share) => sum + share, 0), perMinute);
      assert.ok(Math.max(...shares) - Math.min(...shares) <= 1);
    });
  }
});

test("takePermits() grants simultaneous callers together at most the permits of one second, even if KV's answer to a commit is lost", async (kv) => {
  const sure = createMailState(kv);
  const unsure = createMailState(uncertainKv(kv, { commits: 1, goThrough: true }));
  const taken = await Promise.all(
    [sure, unsure, sure, unsure].map((state) => state.takePermits({ at: START, ...ALL })),
  );
  const granted = taken.reduce((sum, { grantedCount }) => sum + grantedCount, 0);
  assert.ok(granted <= permitsOf(START / 1_000, 90), String(granted));
});

test("takePermits() grants no permit when another process has already taken permits for a later second", async (kv) => {
  const { takePermits } = createMailState(kv);
  assert.notEqual((await takePermits({ at: START + 1_000, ...ALL })).grantedCount, 0);
  assert.equal((await takePermits({ at: START, ...ALL })).grantedCount, 0);
});

test("takePermits() permits one letter during a pause that began when the clock was a day ahead", async (kv) => {
  const { takePermits, pause } = createMailState(kv);
  await takePermits({ at: START + DAY, ...ALL });
  await pause({ at: START + DAY, reason: "421 busy", causedBy: ["1"], delayOf: () => MINUTE });
  const { grantedCount, hasPause } = await takePermits({ at: START, ...ALL });
  assert.equal(grantedCount, 1, "one letter finds out");
  assert.ok(hasPause);
});

test("pause() counts one pause for several refused letters, and takePermits() grants nothing until the pause ends", async (kv) => {
  const { takePermits, pause, read, resume } = createMailState(kv);
  const [reason, causedBy] = ["421 busy", ["1"]];
  const delayOf = (count: number) => count * MINUTE;
  for (let times = 0; times < 3; times++) await pause({ at: START, reason, causedBy, delayOf });
  assert.deepEqual((await read())?.pause, {
    begunAt: START,
    since: START,
    until: START + MINUTE,
    count: 1,
    reason,
    metBy: causedBy,
  });
  assert.equal((await takePermits({ at: START + MINUTE - 1, ...ALL })).grantedCount, 0);
  assert.equal((await takePermits({ at: START + MINUTE, ...ALL })).grantedCount, 1);
  await pause({ at: START + MINUTE, reason, causedBy, delayOf });
  const { begunAt, until } = (await read())?.pause ?? {};
  assert.deepEqual([begunAt, until], [START, START + 3 * MINUTE]);
  await resume();
  assert.equal((await read())?.pause, undefined);
});

test("takePermits() grants one permit after a pause, and no second permit while the outcome of the first letter is awaited", async (kv) => {
  const { takePermits, pause, endWait } = createMailState(kv);
  const others = createMailState(kv);
  await pause({ at: START, reason: "535", causedBy: ["1"], delayOf: () => HOUR / 2 });
  await endWait(START + 1_000);
  const asked = await Promise.all([
    takePermits({ at: START + 1_000, ...ALL }),
    others.takePermits({ at: START + 1_000, ...ALL }),
  ]);
  assert.deepEqual(asked.map(({ grantedCount }) => grantedCount).sort(), [0, 1]);
  assert.equal((await takePermits({ at: START + 60_000, ...ALL })).grantedCount, 0);
  // The process was killed before the letter found out whether the pause is over.
  assert.equal((await takePermits({ at: START + 90_000, ...ALL })).grantedCount, 1);
});

test("endWait() keeps the beginning of a pause that an earlier version of the program stored without it", async (kv) => {
  const { takePermits, pause, endWait, read } = createMailState(kv);
  const old = { since: START, until: START + HOUR, count: 1, reason: "535" };
  await changeEntry(kv, MAIL_STATE, () => ({
    newValue: { second: 0, taken: 0, pause: old },
    result: undefined,
  }));
  await endWait(START + 1_000);
  await takePermits({ at: START + 1_000, ...ALL });
  await pause({ at: START + 2_000, reason: "535", causedBy: [], delayOf: () => HOUR });
  assert.equal((await read())?.pause?.begunAt, START);
});

test("noteRefused() returns the first three letters that were refused one after another, and counts from the beginning after resume()", async (kv) => {
  const { noteRefused, takePermits, resume } = createMailState(kv);
  for (const id of ["1", "2", "2", "3"]) await noteRefused(id);
  assert.deepEqual(await noteRefused("4"), ["1", "2", "3"]);
  assert.ok((await takePermits({ at: START, ...ALL })).hasRefusals);
  await resume();
  assert.deepEqual(await noteRefused("5"), ["5"]);
});
