import assert from "node:assert/strict";
import fc from "fast-check";
import {
  childPeriodsOf,
  LINE_LEVELS,
  lineCountersOf,
  parentPeriodOf,
  periodsBefore,
  secondOf,
} from "../../../server/waitlist/place_in_line.ts";

/** Counts the people before a moment by the counters, and the people of the moment's second one by one. */
function countBefore(people: string[], createdAt: string): number {
  const counters = people.flatMap((each) => lineCountersOf({ createdAt: each, state: "waiting" }));
  const ofSecond = people.filter((each) => {
    return secondOf(each) === secondOf(createdAt) && each < createdAt;
  });
  return periodsBefore(createdAt).reduce((sum, { level, first = -Infinity, end }) => {
    const counted = counters.filter((each) =>
      each.level === level && each.period >= first && each.period < end
    );
    return sum + counted.length;
  }, ofSecond.length);
}

Deno.test("periodsBefore() returns periods that cover exactly the time before the second of a given time", async (t) => {
  // Up to six years, so that the people are in several periods of the longest level.
  const moment = fc.integer({ min: 0, max: 200_000_000_000 })
    .map((ms) => new Date(Date.parse("2026-11-27") + ms).toISOString());
  // Neighbours share most of their periods.
  const near = fc.integer({ min: 0, max: 1_005 }).map((ms) => new Date(ms).toISOString());
  for (const moments of [moment, near]) {
    await t.step(
      moments === near ? "the times lie close together" : "the times spread over six years",
      () => {
        fc.assert(fc.property(fc.array(moments), moments, (people, createdAt) => {
          const earlier = people.filter((each) => each < createdAt).length;
          assert.equal(countBefore(people, createdAt), earlier);
        }));
      },
    );
  }
});

Deno.test("periodsBefore() returns all earlier periods of the longest length, and at most 59 periods of each shorter length", () => {
  const moments = fc.date({ min: new Date(0), max: new Date("2100-01-01"), noInvalidDate: true });
  fc.assert(fc.property(moments, (moment) => {
    for (const { level, first, end } of periodsBefore(moment.toISOString())) {
      if (level === LINE_LEVELS.length - 1) assert.equal(first, undefined);
      else assert.ok(end - first! < 60);
    }
  }));
});

Deno.test("childPeriodsOf() divides a period into periods of the next shorter length", () => {
  const level = fc.integer({ min: 1, max: LINE_LEVELS.length - 1 });
  fc.assert(fc.property(level, fc.integer({ min: -40, max: 2_000_000_000 }), (level, period) => {
    const { level: below, first, end } = childPeriodsOf({ level, period });
    assert.equal(below, level - 1);
    assert.equal(first * LINE_LEVELS[below]!, period * LINE_LEVELS[level]!);
    assert.equal(end * LINE_LEVELS[below]!, (period + 1) * LINE_LEVELS[level]!);
    for (const each of [first, end - 1]) {
      assert.equal(parentPeriodOf({ level: below, period: each }), period);
    }
  }));
});

Deno.test("lineCountersOf() returns counters for a waiting person, and none for a person in another state", async (t) => {
  const createdAt = "2026-11-27T09:30:00.000Z";
  assert.equal(lineCountersOf({ createdAt, state: "waiting" }).length, LINE_LEVELS.length);
  for (const state of ["unconfirmed", "invited", "accepted"] as const) {
    await t.step(`the state is ${state}`, () => {
      assert.deepEqual(lineCountersOf({ createdAt, state }), []);
    });
  }
  assert.deepEqual(lineCountersOf({ createdAt: "no time", state: "waiting" }), []);
});
