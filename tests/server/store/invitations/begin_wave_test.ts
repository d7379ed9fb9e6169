import assert from "node:assert/strict";
import { REMOTE_TRAITS } from "../../../../server/store/kv/deno_kv.ts";
import { Commit } from "../../../../server/store/kv/engine.ts";
import {
  beginByName,
  inviteesOf,
  INVITING,
  membersOf,
  nth,
  storeWaiting,
  wavesOf,
  waveStoreOf,
} from "../../../support/invitations.ts";
import { openMemoryKv, test } from "../../../support/memory_kv.ts";
import { START } from "../../../support/service.ts";
import { faultyKv, racingKv } from "../../../support/faulty_kv.ts";
import { backUp } from "../../../../server/store/backup/back_up.ts";
import { findValue } from "../../../../server/store/kv/calls.ts";
import { eraseSignUp } from "../../../../server/store/people/erasure.ts";
import type { Wave } from "../../../../server/waitlist/waves.ts";
import { everyEntry } from "../../../support/records.ts";

const AUDIT = { at: new Date(START).toISOString(), id: "audit", action: "resumeWave" };

test("beginWave() stores no invitee for a person who is erased during the call", async (kv) => {
  await storeWaiting(kv, 3);
  const erase = () => eraseSignUp(kv, nth(1), { now: START, random: INVITING.random });
  // The first commit is that of the wave.
  await beginByName(racingKv(kv, erase, 2), "first", [0, 1, 2].map(nth));
  const text = JSON.stringify(await everyEntry(kv), (_, value) => {
    return typeof value === "bigint" ? String(value) : value;
  });
  assert.ok(!text.includes(nth(1)));
  await wavesOf(kv).run();
  assert.deepEqual(await membersOf(kv), [nth(0), nth(2)]);
});

test("beginWave() stores no invitee when a wave with the same id began first", async (kv) => {
  await storeWaiting(kv, 3);
  const begun = await Promise.all([0, 1].map((n) => beginByName(kv, "first", [nth(n)])));
  assert.equal(begun.filter((each) => "conflict" in each).length, 1);
  await wavesOf(kv).run();
  assert.equal((await membersOf(kv)).length, 1);
  assert.deepEqual(await inviteesOf(kv), []);
});

test("beginWave() completes a wave when the call is repeated after the process was killed while storing invitees", async (kv) => {
  await storeWaiting(kv, 3);
  await beginByName(kv, "first", [nth(0), nth(1)]);
  const { state: _, ...cut } = await findValue<Wave>(kv, ["wave", "first"]) as Wave;
  const commit = new Commit().set(["wave", "first"], cut).delete(["open_wave", "first"]);
  await kv.commit(commit.delete(["wave_named", nth(1)]));
  await wavesOf(kv).run();
  assert.deepEqual(await membersOf(kv), []);
  const backup = (await Array.fromAsync(backUp(kv, START))).join("");
  assert.doesNotMatch(backup, /"kind":"(?:wave|named)"/);
  const resumed = await waveStoreOf(kv).changeWave("first", "resume", AUDIT);
  assert.deepEqual(resumed, { refusedAs: "paused" }, "not all people are known");
  assert.ok("conflict" in await beginByName(kv, "first", [nth(2)]));
  await beginByName(kv, "first", [nth(0), nth(1)]);
  await wavesOf(kv).run();
  assert.deepEqual(await membersOf(kv), [nth(0), nth(1)]);
});

Deno.test("beginWave() divides the invitees among several commits, which run at the same time, when the engine allows few checks in a commit", async () => {
  using kv = await openMemoryKv({ traits: REMOTE_TRAITS });
  await storeWaiting(kv, 60);
  let [running, most] = [0, 0];
  const counting = faultyKv(kv, (commit) => {
    most = Math.max(most, ++running);
    return commit().finally(() => running--);
  });
  const all = Array.from({ length: 60 }, (_, n) => nth(n));
  await beginByName(counting, "first", all);
  assert.ok(most > 1);
  assert.deepEqual(await inviteesOf(kv), all.toSorted().map((email) => [email, "first"]));
});

test("beginWave() stores no invitee when a second call completes the same wave during the first call", async (kv) => {
  await storeWaiting(kv, 3, (n) => n === 0 ? { state: "unconfirmed" } : {});
  const emails = [0, 1, 2].map(nth);
  const begun = await beginByName(
    racingKv(kv, async () => {
      await beginByName(kv, "first", emails);
      await wavesOf(kv).run();
    }, 2),
    "first",
    emails,
  );
  assert.deepEqual(begun, { notInvited: [{ email: nth(0), reason: "unconfirmed" }] });
  assert.deepEqual(await membersOf(kv), [nth(1), nth(2)]);
  assert.deepEqual(await inviteesOf(kv), []);
});
