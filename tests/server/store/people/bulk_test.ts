import assert from "node:assert/strict";
import { storeBulkSignUps } from "../../../../server/store/people/bulk.ts";
import { eraseSignUp } from "../../../../server/store/people/erasure.ts";
import { LOCAL_ENGINE, REMOTE_ENGINE } from "../../../../server/store/kv/open.ts";
import { bulkSignUp, bulkSignUps, NOW } from "../../../support/bulk_sign_ups.ts";
import { faultyKv, racingKv } from "../../../support/faulty_kv.ts";
import {
  assertNothingStored,
  random,
  storedCounters,
  storedSignUps,
  storeSignUp,
} from "../../../support/records.ts";
import { assertCountersEqualRecount } from "../../../support/recounts.ts";
import { START } from "../../../support/service.ts";

// The same with the batches of a file is in the suite of all engines.
Deno.test("storeBulkSignUps() stores all and tells each one's outcome in the small batches of a server", async () => {
  using kv = await Deno.openKv(":memory:");
  await storeSignUp(kv, { email: "visitor7@example.com" }, NOW);
  const many = [...bulkSignUps(250, { role: "engineer" }), bulkSignUp("visitor3", { lang: "de" })];
  const outcomes = await storeBulkSignUps({ kv, engine: REMOTE_ENGINE }, many);
  assert.deepEqual(outcomes, many.map((_, n) => n === 7 || n === 250 ? "merged" : "new"));
  assert.equal(Object.keys(await storedSignUps(kv)).length, 250);
  await assertCountersEqualRecount(kv);
});

Deno.test("storeBulkSignUps() moves the day's counter when createdAt becomes earlier", async () => {
  using kv = await Deno.openKv(":memory:");
  await storeSignUp(kv, { email: "a@example.com" }, NOW);
  await storeBulkSignUps({ kv, engine: LOCAL_ENGINE }, [bulkSignUp("a")]);
  assert.deepEqual(await storedCounters(kv), {
    "added/2026-11-20": 1,
    "added/2026-11-21": 0,
    "byLang/en": 1,
    "byState/waiting": 1,
    "total": 1,
  });
});

Deno.test("storeBulkSignUps() merges anew when a sign-up wins the race", async () => {
  using kv = await Deno.openKv(":memory:");
  const signUp = { email: "a@example.com", source: "cta" } as const;
  const racing = racingKv(kv, () => storeSignUp(kv, signUp, NOW));
  const outcomes = await storeBulkSignUps({ kv: racing, engine: LOCAL_ENGINE }, [bulkSignUp("a")]);
  assert.deepEqual(outcomes, ["merged"]);
  assert.equal((await storedSignUps(kv))["a@example.com"]?.source, "cta");
  await assertCountersEqualRecount(kv);
});

Deno.test("storeBulkSignUps() rejects and stores nothing when the engine keeps failing", async () => {
  using kv = await Deno.openKv(":memory:");
  const faulty = faultyKv(kv, () => Promise.reject(new Error("The disk is full")));
  const storing = storeBulkSignUps({ kv: faulty, engine: LOCAL_ENGINE }, bulkSignUps(3));
  await assert.rejects(storing, /disk is full/);
  await assertNothingStored(kv);
});

Deno.test("storeBulkSignUps() rejects only once nothing is stored any more when one batch fails", async () => {
  using kv = await Deno.openKv(":memory:");
  const held = Promise.withResolvers<void>();
  let commits = 0;
  let underWay = 0;
  const faulty = faultyKv(kv, async (commit) => {
    underWay++;
    try {
      // The first batch is held up until the other one has failed, and its outcome was asked for five times.
      if (++commits === 1) await held.promise;
      else if (commits <= 7) {
        if (commits === 7) setTimeout(held.resolve);
        throw new Error("The disk is full");
      }
      return await commit();
    } finally {
      underWay--;
    }
  });
  const oneByOne = { checksPerCommit: 4, commitsInFlight: 2 };
  const storing = storeBulkSignUps({ kv: faulty, engine: oneByOne }, bulkSignUps(6));
  await assert.rejects(storing, /disk is full/);
  assert.equal(underWay, 0);
  assert.equal(Object.keys(await storedSignUps(kv)).length, 1);
});

// Without a record before and after, a check on the record alone would not tell.
Deno.test("storeBulkSignUps() passes over an address that signs up and is erased before the commit", async () => {
  using kv = await Deno.openKv(":memory:");
  const email = "visitor0@example.com";
  await storeBulkSignUps({ kv, engine: LOCAL_ENGINE }, [bulkSignUp("other")]);
  await eraseSignUp(kv, "other@example.com", { now: START, random });
  const racing = racingKv(kv, async () => {
    await storeSignUp(kv, { email }, NOW);
    await eraseSignUp(kv, email, { now: START, random });
  });
  const outcomes = await storeBulkSignUps({ kv: racing, engine: LOCAL_ENGINE }, bulkSignUps(2));
  assert.deepEqual(outcomes, ["erased", "new"]);
  await assertCountersEqualRecount(kv);
});
