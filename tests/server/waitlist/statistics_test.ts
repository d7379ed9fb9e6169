import assert from "node:assert/strict";
import type { Counter } from "../../../shared/counters.ts";
import { addUpStatistics } from "../../../server/waitlist/statistics.ts";
import { countersWith } from "../../support/records.ts";

const NOW = Date.parse("2026-03-01T00:00:00.000Z");

// Today and the six, or 29, UTC days before it.
Deno.test("addUpStatistics() adds up the last 7 UTC days as last7Days, and the last 30 UTC days as last30Days", async (t) => {
  const cases: [day: string, last7Days: number, last30Days: number][] = [
    ["2026-03-02", 0, 0],
    ["2026-03-01", 1, 1],
    ["2026-02-23", 1, 1],
    ["2026-02-22", 0, 1],
    ["2026-01-31", 0, 1],
    ["2026-01-30", 0, 0],
  ];
  for (const [day, last7Days, last30Days] of cases) {
    await t.step(`today is 2026-03-01, and the day is ${day}`, () => {
      const counts = addUpStatistics(countersWith([["added", day], 1]), NOW);
      assert.equal(counts.last7Days, last7Days);
      assert.equal(counts.last30Days, last30Days);
    });
  }
});

Deno.test("addUpStatistics() counts a role whose name is a member of Object.prototype", () => {
  const slugs = ["__proto__", "constructor", "-"];
  const counts = slugs.map((slug): [Counter, number] => [["byRole", slug], 2]);
  const { byRole } = addUpStatistics(countersWith(...counts), NOW);
  assert.equal(JSON.stringify(byRole), '{"__proto__":2,"constructor":2,"-":2}');
});

Deno.test("addUpStatistics() fills byLang, byRole, byBuilding and bySource, and leaves out values whose count is zero", () => {
  const counters = countersWith(
    [["total"], 3],
    [["byLang", "de"], 0],
    [["byLang", "en"], 3],
    [["byRole", "engineer"], 1],
    [["byRole", "operator"], 0],
    [["byBuilding", "office"], 2],
    [["bySource", "cta"], 0],
  );
  assert.deepEqual(addUpStatistics(counters, NOW), {
    total: 3,
    last7Days: 0,
    last30Days: 0,
    byLang: { en: 3 },
    byRole: { engineer: 1 },
    byBuilding: { office: 2 },
    bySource: {},
  });
});
