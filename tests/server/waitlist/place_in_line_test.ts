import assert from "node:assert/strict";
import fc from "fast-check";
import {
  LINE_LEVELS,
  lineCountersOf,
  periodsBefore,
  roundPeople,
} from "../../../server/waitlist/place_in_line.ts";

/** Counts the people before a moment by the counters alone. */
function countBefore(people: string[], createdAt: string): number {
  const counters = people.flatMap((each) => lineCountersOf({ createdAt: each, state: "waiting" }));
  return periodsBefore(createdAt).reduce((sum, { level, first = -Infinity, end }) => {
    const counted = counters.filter((each) =>
      each.level === level && each.period >= first && each.period < end
    );
    return sum + counted.length;
  }, 0);
}

Deno.test("periodsBefore() covers exactly the time before a moment", async (t) => {
  const moment = fc.integer({ min: 0, max: 3_000_000_000 })
    .map((ms) => new Date(Date.parse("2026-11-27") + ms).toISOString());
  // Neighbours share most of their periods.
  const near = fc.integer({ min: 0, max: 5 }).map((ms) => new Date(ms).toISOString());
  for (const moments of [moment, near]) {
    await t.step(JSON.stringify(moments), () => {
      fc.assert(fc.property(fc.array(moments), moments, (people, createdAt) => {
        const earlier = people.filter((each) => each < createdAt).length;
        assert.equal(countBefore(people, createdAt), earlier);
      }));
    });
  }
});

Deno.test("periodsBefore() returns at most 1,000 periods of each level except the longest", () => {
  for (const { level, first, end } of periodsBefore("2026-11-27T09:30:00.999Z")) {
    if (level === LINE_LEVELS.length - 1) assert.equal(first, undefined);
    else assert.ok(end - first! < 1_000);
  }
});

Deno.test("lineCountersOf() counts waiting people alone", async (t) => {
  const createdAt = "2026-11-27T09:30:00.000Z";
  assert.equal(lineCountersOf({ createdAt, state: "waiting" }).length, LINE_LEVELS.length);
  for (const state of ["unconfirmed", "invited", "accepted"] as const) {
    await t.step(JSON.stringify(state), () => {
      assert.deepEqual(lineCountersOf({ createdAt, state }), []);
    });
  }
  assert.deepEqual(lineCountersOf({ createdAt: "no time", state: "waiting" }), []);
});

Deno.test("roundPeople() keeps two digits of a number from 100 on", () => {
  const rounded = [1, 99, 100, 101, 119, 999, 1_000, 3_456, 99_999, 1_234_567].map(roundPeople);
  assert.deepEqual(
    rounded.map(({ count, isAbout }) => isAbout ? `about ${count}` : `${count}`),
    [
      "1",
      "99",
      "about 100",
      "about 100",
      "about 110",
      "about 990",
      "about 1000",
      "about 3400",
      "about 99000",
      "about 1200000",
    ],
  );
});
