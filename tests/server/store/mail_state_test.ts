import assert from "node:assert/strict";
import { createMailState, permitsOf } from "../../../server/store/mail_state.ts";
import { uncertainKv } from "../../support/faulty_kv.ts";
import { START } from "../../support/service.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const ALL = { perMinute: 90, wanted: 90 };

Deno.test("permitsOf() gives the seconds of a minute even shares that add up to the limit", () => {
  for (const perMinute of [1, 7, 59, 60, 90, 300, 1_000_000]) {
    const shares = Array.from({ length: 60 }, (_, second) => permitsOf(second, perMinute));
    assert.equal(shares.reduce((sum, share) => sum + share, 0), perMinute);
    assert.ok(Math.max(...shares) - Math.min(...shares) <= 1, String(perMinute));
  }
});

Deno.test("takePermits() never gives more of a second, whoever asks and whatever answers are lost", async () => {
  using kv = await Deno.openKv(":memory:");
  const sure = createMailState(kv);
  const unsure = createMailState(uncertainKv(kv, { commits: 1, goThrough: true }));
  const taken = await Promise.all(
    [sure, unsure, sure, unsure].map((state) => state.takePermits({ at: START, ...ALL })),
  );
  const granted = taken.reduce((sum, { granted }) => sum + granted, 0);
  assert.ok(granted <= permitsOf(START / 1_000, 90), String(granted));
});

Deno.test("takePermits() gives none of a second that is over for another process", async () => {
  using kv = await Deno.openKv(":memory:");
  const { takePermits } = createMailState(kv);
  assert.notEqual((await takePermits({ at: START + 1_000, ...ALL })).granted, 0);
  assert.equal((await takePermits({ at: START, ...ALL })).granted, 0);
});

Deno.test("takePermits() goes on when the clock was ahead and is set back", async () => {
  using kv = await Deno.openKv(":memory:");
  const { takePermits, pause } = createMailState(kv);
  await takePermits({ at: START + DAY, ...ALL });
  await pause({ at: START + DAY, reason: "421 busy", delayOf: () => MINUTE });
  const { granted, hasPause } = await takePermits({ at: START, ...ALL });
  assert.notEqual(granted, 0);
  assert.ok(hasPause, "one letter finds out");
});

Deno.test("pause() lasts until its end, and is one pause however many letters are refused", async () => {
  using kv = await Deno.openKv(":memory:");
  const { takePermits, pause, read, resume } = createMailState(kv);
  const delayOf = (count: number) => count * MINUTE;
  for (let times = 0; times < 3; times++) await pause({ at: START, reason: "421 busy", delayOf });
  assert.deepEqual((await read())?.pause, {
    since: START,
    until: START + MINUTE,
    count: 1,
    reason: "421 busy",
  });
  assert.equal((await takePermits({ at: START + MINUTE - 1, ...ALL })).granted, 0);
  assert.notEqual((await takePermits({ at: START + MINUTE, ...ALL })).granted, 0);
  await pause({ at: START + MINUTE, reason: "421 busy", delayOf });
  assert.equal((await read())?.pause?.until, START + 3 * MINUTE);
  await resume();
  assert.equal((await read())?.pause, undefined);
});
