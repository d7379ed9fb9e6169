import assert from "node:assert/strict";
import { PEOPLE_IN_COMMIT } from "../../../../server/store/people/commit_size.ts";
import {
  type BulkOptions,
  type DryRun,
  storeBulkSignUps,
} from "../../../../server/store/people/bulk_sign_ups.ts";
import { eraseSignUp } from "../../../../server/store/people/erasure.ts";
import { bulkSignUp, bulkSignUps, NOW } from "../../../support/bulk_sign_ups.ts";
import { faultyKv, racingKv } from "../../../support/faulty_kv.ts";
import {
  everyEntry,
  random,
  readCounts,
  storedCounters,
  storedSignUps,
  storeSignUp,
} from "../../../support/records.ts";
import { assertCountersEqualRecount } from "../../../support/recounts.ts";
import { START } from "../../../support/service.ts";
import { openMemoryKv, test } from "../../../support/memory_kv.ts";
import { REMOTE_TRAITS } from "../../../../server/store/kv/deno_kv.ts";
import type { BulkSignUp } from "../../../../server/waitlist/bulk_sign_ups.ts";
import type { Kv } from "../../../../server/store/kv/engine.ts";

// The suite of all engines has the same with the batches of a file.
Deno.test("storeBulkSignUps() stores all sign-ups and returns their outcomes when the engine allows few checks in a commit", async () => {
  using kv = await openMemoryKv({ traits: REMOTE_TRAITS });
  await storeSignUp(kv, { email: "visitor7@example.com" }, NOW);
  const many = [...bulkSignUps(250, { role: "engineer" }), bulkSignUp("visitor3", { lang: "de" })];
  const outcomes = await storeBulkSignUps(kv, many);
  assert.deepEqual(outcomes, many.map((_, n) => n === 7 || n === 250 ? "merged" : "new"));
  assert.equal(Object.keys(await storedSignUps(kv)).length, 250);
  await assertCountersEqualRecount(kv);
});

test("storeBulkSignUps() stores people with close dates of consent in the same commit", async (kv) => {
  // Two and a half commits for each day.
  const people = Array.from({ length: 5 * PEOPLE_IN_COMMIT }, (_, n) => {
    return bulkSignUp(`visitor${n}`, { consentedAt: `2026-11-0${n % 2 + 1}T08:00:00.000Z` });
  });
  const daysOfCommits: number[] = [];
  const watched: Kv = {
    ...kv,
    commit(commit) {
      const days = commit.writes.filter(({ key }) => key[1] === "added").map(({ key }) => key[2]);
      if (days.length > 0) daysOfCommits.push(new Set(days).size);
      return kv.commit(commit);
    },
  };
  await storeBulkSignUps(watched, people);
  // Only one of the commits has people of both days. The order is not compared, because several commits run at a time.
  assert.deepEqual(daysOfCommits.toSorted(), [1, 1, 1, 1, 2]);
});

test("storeBulkSignUps() counts a person on the earlier day when an import makes createdAt earlier", async (kv) => {
  await storeSignUp(kv, { email: "a@example.com" }, NOW);
  await storeBulkSignUps(kv, [bulkSignUp("a")]);
  assert.deepEqual(await storedCounters(kv), {
    "added/2026-11-20": 1,
    "added/2026-11-21": 0,
    "byLang/en": 1,
    "byState/waiting": 1,
    "total": 1,
    "withAnswers/2026-11-20/en/": 1,
    "withAnswers/2026-11-21/en/": 0,
  });
});

test("storeBulkSignUps() merges a bulk sign-up into the stored record when a sign-up of the same address is committed first", async (kv) => {
  const signUp = { email: "a@example.com", source: "cta" } as const;
  const racing = racingKv(kv, () => storeSignUp(kv, signUp, NOW));
  const outcomes = await storeBulkSignUps(racing, [bulkSignUp("a")]);
  assert.deepEqual(outcomes, ["merged"]);
  assert.equal((await storedSignUps(kv))["a@example.com"]?.source, "cta");
  await assertCountersEqualRecount(kv);
});

Deno.test("storeBulkSignUps() waits for the end of all batches before it rejects because one batch has failed", async () => {
  using kv = await openMemoryKv({ traits: { checksPerCommit: 3, commitsInFlight: 2 } });
  const held = Promise.withResolvers<void>();
  let commits = 0;
  let underWay = 0;
  const faulty = faultyKv(kv, async (commit) => {
    underWay++;
    try {
      // The first batch waits until the other one has failed, and its outcome was read five times.
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
  const storing = storeBulkSignUps(faulty, bulkSignUps(6));
  await assert.rejects(storing, /disk is full/);
  assert.equal(underWay, 0);
  assert.equal(Object.keys(await storedSignUps(kv)).length, 1);
});

// There is no record before and after, so that a check of the record alone would not notice.
test("storeBulkSignUps() passes over an address that signs up and is erased before the commit", async (kv) => {
  const email = "visitor0@example.com";
  await storeBulkSignUps(kv, [bulkSignUp("other")]);
  await eraseSignUp(kv, "other@example.com", { now: START, random });
  const racing = racingKv(kv, async () => {
    await storeSignUp(kv, { email }, NOW);
    await eraseSignUp(kv, email, { now: START, random });
  });
  const outcomes = await storeBulkSignUps(racing, bulkSignUps(2));
  assert.deepEqual(outcomes, ["staysErased", "new"]);
  await assertCountersEqualRecount(kv);
});

const importAll = (kv: Kv, people: BulkSignUp[], options?: BulkOptions) =>
  storeBulkSignUps(kv, people, options);

/** People with a role each. */
const withRoles = (count: number) =>
  Array.from({ length: count }, (_, n) => bulkSignUp(`a${n}`, { role: `role${n}` }));

Deno.test("storeBulkSignUps() stores exactly 64 different values of 'building' when four calls import 100 different values at the same time", async () => {
  using kv = await openMemoryKv({ traits: { checksPerCommit: 4, commitsInFlight: 4 } });
  const outcomes = await Promise.all(
    Array.from({ length: 4 }, (_, process) => {
      const mine = Array.from({ length: 25 }, (_, n) => {
        return bulkSignUp(`p${process}.${n}`, { building: `building-${process}-${n}` });
      });
      return storeBulkSignUps(kv, mine);
    }),
  );
  assert.equal(outcomes.flat().filter((outcome) => outcome === "new").length, 64);
  assert.equal(Object.keys((await readCounts(kv, START)).byBuilding).length, 64);
  await assertCountersEqualRecount(kv);
});

test("storeBulkSignUps() replaces an unused value of 'role' by a new value when 64 different values are stored", async (kv) => {
  const all = withRoles(64);
  await importAll(kv, all);
  assert.deepEqual(await importAll(kv, [bulkSignUp("a0", { role: "role1" })]), ["merged"]);
  assert.deepEqual(await importAll(kv, [bulkSignUp("b", { role: "new" })]), ["new"]);
  const [outcome] = await importAll(kv, [bulkSignUp("c", { role: "role0" })]);
  assert.ok(typeof outcome === "object", "role0 has lost its place");
  const counted = Object.keys(await storedCounters(kv)).filter((name) =>
    name.startsWith("byRole/")
  );
  assert.equal(counted.length, 64, "and its counter is gone");
  assert.ok(!counted.includes("byRole/role0"));
  await assertCountersEqualRecount(kv);
});

// Such a slug has no counter, because it came and went in one commit.
test("storeBulkSignUps() replaces a value of 'role' that nobody has any more, even if a person had the value only inside one batch", async (kv) => {
  const all = withRoles(63);
  await importAll(kv, [bulkSignUp("a0", { role: "brief" }), ...all]);
  assert.deepEqual(await importAll(kv, [bulkSignUp("b", { role: "new" })]), ["new"]);
  await assertCountersEqualRecount(kv);
});

test("storeBulkSignUps() in a dry run writes nothing, and counts the different values of 'role' across all calls of the dry run", async (kv) => {
  await importAll(kv, [bulkSignUp("known")]);
  const before = await everyEntry(kv);
  const dryRun: DryRun = {};
  const first = withRoles(64);
  assert.deepEqual(await importAll(kv, first, { dryRun }), Array(64).fill("new"));
  const outcomes = await importAll(
    kv,
    [
      bulkSignUp("known", { role: "role3" }),
      bulkSignUp("known"),
      bulkSignUp("b", { role: "role64" }),
    ],
    { dryRun },
  );
  assert.deepEqual(outcomes, ["merged", "unchanged", {
    refused: "The field role is 'role64', and there is no room for it: " +
      "the list has 64 different values of this field already, which is the most.",
  }]);
  assert.deepEqual(await everyEntry(kv), before);
});

test("storeBulkSignUps() in a dry run refuses the 65th value of 'role' when the first 64 values came in two batches whose reads ended at the same time", async (kv) => {
  let ended: (() => void)[] = [];
  const lockstep = faultyKv(kv, (commit) => commit(), async (read) => {
    const entries = await read();
    // All reads that have ended in one turn of the event loop answer together in a later turn.
    await new Promise<void>((answer) => {
      if (ended.push(answer) > 1) return;
      setTimeout(() => {
        const answers = ended;
        ended = [];
        for (const answer of answers) answer();
      });
    });
    return entries;
  });
  const people = withRoles(64);
  const dryRun: DryRun = {};
  await storeBulkSignUps(lockstep, people, { dryRun });
  const [outcome] = await storeBulkSignUps(kv, [bulkSignUp("b", { role: "role64" })], { dryRun });
  assert.ok(typeof outcome === "object", "the 64 values have all places");
});

test("storeBulkSignUps() in a dry run returns the outcomes of the real import, and does not remove an unused value of 'role'", async (kv) => {
  const all = withRoles(64);
  await importAll(kv, [...all, bulkSignUp("a0", { role: "role1" })]);
  const before = await everyEntry(kv);
  const dryRun: DryRun = {};
  const brought = [bulkSignUp("b", { role: "new" }), bulkSignUp("c", { role: "newer" })];
  const outcomes = await importAll(kv, brought, { dryRun });
  assert.deepEqual(await everyEntry(kv), before);
  assert.deepEqual(outcomes, await importAll(kv, brought));
  assert.deepEqual(outcomes.map((outcome) => typeof outcome), ["string", "object"]);
});
