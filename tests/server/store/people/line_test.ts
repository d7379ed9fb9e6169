import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { Commit, type Key, type Kv } from "../../../../server/store/kv/engine.ts";
import { readOne } from "../../../../server/store/kv/calls.ts";
import { lineKey } from "../../../../server/store/kv/keys.ts";
import { storeBulkSignUps } from "../../../../server/store/people/bulk_sign_ups.ts";
import { readPlace } from "../../../../server/store/people/line.ts";
import { checkLine, type LineDifference } from "../../../../server/store/people/line_check.ts";
import { LINE_LEVELS, lineCountersOf } from "../../../../server/waitlist/place_in_line.ts";
import type { SignUpRecord } from "../../../../server/waitlist/record.ts";
import { bulkSignUp } from "../../../support/bulk_sign_ups.ts";
import { listAll, openMemoryKv } from "../../../support/memory_kv.ts";
import { changeRecord, recordOf } from "../../../support/records.ts";
import { finish } from "../../../support/recounts.ts";
import { inviteSignUp } from "../../../../server/waitlist/transitions.ts";

const MOMENT = Date.parse("2026-11-27T09:30:00.000Z");
const dateTime = (ms: number) => new Date(MOMENT + ms).toISOString();

/** Stores people who wait, each with a `createdAt`. */
const storeWaiting = (kv: Kv, moments: number[]) =>
  storeBulkSignUps(
    kv,
    moments.map((ms, n) => bulkSignUp(`person${n}`, { createdAt: dateTime(ms) })),
  );

/** Reads the counters of the line, by their level and period. */
async function readCounters(kv: Kv): Promise<Record<string, number>> {
  const entries = await listAll<number>(kv, { prefix: ["line"] });
  return Object.fromEntries(entries.map(({ key, value }) => [`${key[1]} ${key[2]}`, value]));
}

const byName = (one: { name: string }, other: { name: string }) => one.name < other.name ? -1 : 1;

const check = (kv: Kv, repairs = false): Promise<LineDifference[]> =>
  finish(checkLine(kv, { repairs, progress: 0 }));

Deno.test("readPlace() returns the number of earlier waiting people plus one, and gives people with the same createdAt the same place", async () => {
  using kv = await openMemoryKv();
  await storeWaiting(kv, [0, 5, 5, 5, 3_000, 2_000_000, 5_000_000_000]);
  const places = [];
  for (let n = 0; n < 7; n++) {
    places.push(await readPlace(kv, await recordOf(kv, `person${n}@example.com`)));
  }
  assert.deepEqual(places, [1, 2, 2, 2, 5, 6, 7]);
});

Deno.test("readPlace() agrees with a count of the earlier waiting people after random sign-ups, invitations and departures", async () => {
  const step = fc.record({
    what: fc.constantFrom("join" as const, "invite" as const, "leave" as const),
    person: fc.integer({ min: 0, max: 9 }),
    // Equal moments, moments of one period, and moments of up to three years.
    ms: fc.oneof(
      fc.integer({ min: 0, max: 3 }),
      fc.integer({ min: 0, max: 40_000 }),
      fc.integer({ min: 0, max: 100_000_000_000 }),
    ),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      using kv = await openMemoryKv();
      const model = new Map<string, SignUpRecord>();
      for (const { what, person, ms } of steps) {
        const email = `person${person}@example.com`;
        if (what === "join") {
          await storeBulkSignUps(kv, [bulkSignUp(`person${person}`, { createdAt: dateTime(ms) })]);
        } else {
          await changeRecord(kv, email, (record) =>
            what === "leave"
              // An erasure mark would keep the address from being imported again.
              ? { leaves: "expired", at: MOMENT }
              : inviteSignUp(record, { at: dateTime(0), invitationCode: "c", wave: "w" }));
          if (what === "leave") {
            model.delete(email);
            continue;
          }
        }
        if (what === "join" || model.has(email)) model.set(email, await recordOf(kv, email));
      }
      for (const record of model.values()) {
        const earlier = [...model.values()].filter((each) =>
          each.state === "waiting" && each.createdAt < record.createdAt
        );
        const expected = record.state === "waiting" ? earlier.length + 1 : undefined;
        assert.equal(await readPlace(kv, record), expected);
      }
      assert.deepEqual(await check(kv), []);
    }),
    { numRuns: 60 },
  );
});

Deno.test("storeBulkSignUps() writes the counter of a second again when createdAt moves within this second", async () => {
  using kv = await openMemoryKv();
  await storeWaiting(kv, [5]);
  const { createdAt } = await recordOf(kv, "person0@example.com");
  const key = lineKey(lineCountersOf({ createdAt, state: "waiting" })[0]!);
  const before = await readOne<number>(kv, key);
  await storeWaiting(kv, [3]);
  const after = await readOne<number>(kv, key);
  assert.equal((await recordOf(kv, "person0@example.com")).createdAt, dateTime(3));
  assert.equal(after.value, 1);
  assert.notEqual(after.version, before.version);
});

Deno.test("checkLine() reports wrong counters of places in line, and repairs the counters", async () => {
  using kv = await openMemoryKv();
  await storeWaiting(kv, [0, 5, 3_000]);
  const { createdAt } = await recordOf(kv, "person1@example.com");
  const [second] = lineCountersOf({ createdAt, state: "waiting" });
  const nobody = { level: 1, period: 7 };
  await kv.commit(new Commit().add(lineKey(second!), 3).add(lineKey(nobody), 2));
  const differences: LineDifference[] = [
    { counter: second!, storedCount: 5, recounted: 2 },
    { counter: nobody, storedCount: 2, recounted: 0 },
  ];
  assert.deepEqual(await check(kv), differences);
  assert.deepEqual(await check(kv, true), differences);
  assert.deepEqual(await check(kv), []);
  assert.equal(await readPlace(kv, await recordOf(kv, "person2@example.com")), 3);
});

Deno.test("readPlace() returns undefined when a counter of the line cannot be read", async () => {
  using kv = await openMemoryKv();
  await storeWaiting(kv, [0, 3_000]);
  const { createdAt } = await recordOf(kv, "person0@example.com");
  const [second] = lineCountersOf({ createdAt, state: "waiting" });
  await kv.raw.set(lineKey(second!), new TextEncoder().encode("{"));
  assert.equal(await readPlace(kv, await recordOf(kv, "person1@example.com")), undefined);
});

Deno.test("After random faults, checkLine() reports and repairs every wrong counter of places in line, and reports no other counter", async () => {
  const moments = fc.array(fc.integer({ min: 0, max: 100_000_000_000 }), {
    minLength: 1,
    maxLength: 8,
  });
  const fault = fc.record({
    person: fc.nat(),
    level: fc.integer({ min: 0, max: LINE_LEVELS.length - 1 }),
    by: fc.integer({ min: -1, max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(moments, fc.array(fault, { maxLength: 6 }), async (moments, faults) => {
      using kv = await openMemoryKv();
      await storeWaiting(kv, moments);
      const right = await readCounters(kv);
      for (const { person, level, by } of faults) {
        const createdAt = dateTime(moments[person % moments.length]!);
        const key = lineKey(lineCountersOf({ createdAt, state: "waiting" })[level]!);
        const kept = (await readOne<number>(kv, key)).value ?? 0;
        const commit = new Commit();
        // Some counters vanish, and others are moved.
        if (kept + by <= 0) commit.delete(key);
        else commit.add(key, by);
        await kv.commit(commit);
      }
      const wrong = await readCounters(kv);
      const expected = Object.entries(right)
        .map(([name, recounted]) => ({ name, storedCount: wrong[name] ?? 0, recounted }))
        .filter(({ storedCount, recounted }) => storedCount !== recounted)
        .toSorted(byName);
      const named = (differences: LineDifference[]) =>
        differences.map(({ counter: { level, period }, storedCount, recounted }) => {
          return { name: `${level} ${period}`, storedCount, recounted };
        }).toSorted(byName);
      assert.deepEqual(named(await check(kv)), expected);
      assert.deepEqual(named(await check(kv, true)), expected);
      assert.deepEqual(await readCounters(kv), right);
      assert.deepEqual(await check(kv), []);
    }),
    { numRuns: 60 },
  );
});

Deno.test("checkLine() reads the list of waiting people once when people sign up during the check", async () => {
  using kv = await openMemoryKv();
  await storeWaiting(kv, Array.from({ length: 450 }, (_, n) => n * 60_000));
  let pagesOfList = 0;
  let joined = 0;
  const moving: Kv = {
    ...kv,
    async list(selector, options) {
      const page = await kv.list(selector, options);
      const isCounter = selector.prefix[0] === "line";
      if (!isCounter) pagesOfList += page.length > 1 ? 1 : 0;
      // A person joins while the counters of a higher level are read, so that these counters differ from those below.
      else if (selector.prefix[1] !== 0 && joined < 5) {
        const createdAt = dateTime(500 * 60_000 + joined);
        await storeBulkSignUps(kv, [bulkSignUp(`late${joined++}`, { createdAt })]);
      }
      return page as never;
    },
  };
  assert.deepEqual(await check(moving), []);
  assert.equal(joined, 5);
  assert.equal(pagesOfList, 3);
});

Deno.test("checkLine() reports no fault when a person signs up during the check", async () => {
  using kv = await openMemoryKv();
  await storeWaiting(kv, [0, 5, 3_000]);
  const moving: Kv = {
    ...kv,
    async list(selector, options) {
      const page = await kv.list(selector, options);
      if (selector.prefix[0] === "person") {
        await storeBulkSignUps(kv, [bulkSignUp("late", { createdAt: dateTime(1) })]);
      }
      return page as never;
    },
  };
  assert.deepEqual(await check(moving), []);
});

Deno.test("checkLine() does not change a damaged counter when another process repairs the counter during the check", async () => {
  using kv = await openMemoryKv();
  await storeWaiting(kv, [0, 5, 3_000]);
  const { createdAt } = await recordOf(kv, "person0@example.com");
  const key = lineKey(lineCountersOf({ createdAt, state: "waiting" })[0]!);
  let isDamaged = true;
  const damage = <E extends { key: Key }>(entry: E) =>
    isDamaged && isDeepStrictEqual(entry.key, key) ? { key, fault: "damaged" } : entry;
  const repaired: Kv = {
    ...kv,
    async get(keys) {
      return (await kv.get(keys)).map(damage) as never;
    },
    async list(selector, options) {
      const page = await kv.list(selector, options);
      // Only the count of one period has a start.
      if (isDamaged && selector.prefix[0] === "person" && selector.start) {
        isDamaged = false;
        await storeBulkSignUps(kv, [bulkSignUp("late", { createdAt })]);
      }
      return page.map(damage) as never;
    },
  };
  assert.deepEqual(await check(repaired, true), []);
  assert.deepEqual(await check(kv), []);
});
