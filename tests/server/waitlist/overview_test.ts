import assert from "node:assert/strict";
import { firstDayOfOverview, summarizePeople } from "../../../server/waitlist/statistics.ts";
import type { Counter } from "../../../server/waitlist/statistics.ts";

const NOW = Date.parse("2026-11-21T12:00:20.000Z");

Deno.test("summarizePeople() has every state, and 90 days up to today", () => {
  const counters: [Counter, number][] = [
    [["added", "2026-08-24"], 3],
    [["added", "2026-11-01"], 2],
    [["added", "2026-11-21"], 1],
    [["byState", "waiting"], 5],
    [["byState", "invited"], 1],
    [["byLang", "de"], 6],
    [["total"], 6],
  ];
  const { days, ...rest } = summarizePeople(
    counters.map(([counter, count]) => ({ counter, count })),
    NOW,
  );
  assert.deepEqual(rest, {
    total: 6,
    states: { unconfirmed: 0, waiting: 5, invited: 1 },
    last7Days: 1,
    last30Days: 3,
    byLang: { de: 6 },
    byRole: {},
    byBuilding: {},
    bySource: {},
  });
  assert.equal(days.length, 90);
  assert.deepEqual(days[0], { day: firstDayOfOverview(NOW), added: 3 });
  assert.deepEqual(days.at(-1), { day: "2026-11-21", added: 1 });
  assert.equal(days.reduce((sum, { added }) => sum + added, 0), 6);
});
