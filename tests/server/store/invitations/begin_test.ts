/** The begin of a wave that names its people: other begins, erasures and a killed process come between. */
import assert from "node:assert/strict";
import { backUp } from "../../../../server/store/backup/back_up.ts";
import { findValue } from "../../../../server/store/kv/calls.ts";
import { REMOTE_TRAITS } from "../../../../server/store/kv/deno_kv.ts";
import { Commit } from "../../../../server/store/kv/engine.ts";
import { eraseSignUp } from "../../../../server/store/people/erasure.ts";
import type { Wave } from "../../../../server/waitlist/waves.ts";
import { faultyKv, racingKv } from "../../../support/faulty_kv.ts";
import { beginNamed, INVITING, membersOf, namedOf, nth } from "../../../support/invitations.ts";
import { storeWaiting, wavesOf, waveStoreOf } from "../../../support/invitations.ts";
import { openMemoryKv } from "../../../support/memory_kv.ts";
import { everyEntry } from "../../../support/records.ts";
import { START } from "../../../support/service.ts";

const AUDIT = { at: new Date(START).toISOString(), id: "audit", action: "resumeWave" };

Deno.test("beginWave() names nobody who is erased meanwhile", async () => {
  using kv = await openMemoryKv();
  await storeWaiting(kv, 3);
  const erase = () => eraseSignUp(kv, nth(1), { now: START, random: INVITING.random });
  // The first commit is that of the wave.
  await beginNamed(racingKv(kv, erase, 2), "first", [0, 1, 2].map(nth));
  const text = JSON.stringify(await everyEntry(kv), (_, value) => {
    return typeof value === "bigint" ? String(value) : value;
  });
  assert.ok(!text.includes(nth(1)));
  await wavesOf(kv).run();
  assert.deepEqual(await membersOf(kv), [nth(0), nth(2)]);
});

Deno.test("beginWave() invites nobody of a wave that another one with its id came before", async () => {
  using kv = await openMemoryKv();
  await storeWaiting(kv, 3);
  const begun = await Promise.all([0, 1].map((n) => beginNamed(kv, "first", [nth(n)])));
  assert.equal(begun.filter((each) => "conflict" in each).length, 1);
  await wavesOf(kv).run();
  assert.equal((await membersOf(kv)).length, 1);
  assert.deepEqual(await namedOf(kv), []);
});

Deno.test("beginWave() goes on where a process was killed while it named people", async () => {
  using kv = await openMemoryKv();
  await storeWaiting(kv, 3);
  await beginNamed(kv, "first", [nth(0), nth(1)]);
  const { state: _, ...cut } = await findValue<Wave>(kv, ["wave", "first"]) as Wave;
  const commit = new Commit().set(["wave", "first"], cut).delete(["open_wave", "first"]);
  await kv.commit(commit.delete(["wave_named", nth(1)]));
  await wavesOf(kv).run();
  assert.deepEqual(await membersOf(kv), []);
  const backup = (await Array.fromAsync(backUp(kv, START))).join("");
  assert.doesNotMatch(backup, /"kind":"(?:wave|named)"/);
  const resumed = await waveStoreOf(kv).changeWave("first", "resume", AUDIT);
  assert.deepEqual(resumed, { refusedAs: "paused" }, "not all people are known");
  assert.ok("conflict" in await beginNamed(kv, "first", [nth(2)]));
  await beginNamed(kv, "first", [nth(0), nth(1)]);
  await wavesOf(kv).run();
  assert.deepEqual(await membersOf(kv), [nth(0), nth(1)]);
});

Deno.test("beginWave() names people in several commits at a time when a commit takes few checks", async () => {
  using kv = await openMemoryKv({ traits: REMOTE_TRAITS });
  await storeWaiting(kv, 60);
  let [running, most] = [0, 0];
  const counting = faultyKv(kv, (commit) => {
    most = Math.max(most, ++running);
    return commit().finally(() => running--);
  });
  const all = Array.from({ length: 60 }, (_, n) => nth(n));
  await beginNamed(counting, "first", all);
  assert.ok(most > 1);
  assert.deepEqual(await namedOf(kv), all.toSorted().map((email) => [email, "first"]));
});

Deno.test("beginWave() names nobody of a wave that the same begin has meanwhile brought to its end", async () => {
  using kv = await openMemoryKv();
  await storeWaiting(kv, 3, (n) => n === 0 ? { state: "unconfirmed" } : {});
  const emails = [0, 1, 2].map(nth);
  const begun = await beginNamed(
    racingKv(kv, async () => {
      await beginNamed(kv, "first", emails);
      await wavesOf(kv).run();
    }, 2),
    "first",
    emails,
  );
  assert.deepEqual(begun, { notInvited: [{ email: nth(0), reason: "unconfirmed" }] });
  assert.deepEqual(await membersOf(kv), [nth(1), nth(2)]);
  assert.deepEqual(await namedOf(kv), []);
});
