import assert from "node:assert/strict";
import { growthChart, ticksOf } from "../../../../server/console/overview/chart.ts";
import { markup, readConsoleTexts } from "../../../../server/content/mod.ts";

Deno.test("growthChart() shows each date once when the range has one day or two days", async () => {
  const { en } = await readConsoleTexts();
  const datesOf = (days: string[]) => {
    const rows = days.map((day) => {
      return { since: day, until: day, added: 1, people: 1, byLang: {}, bySource: {} };
    });
    const [, dates = ""] = /<p class="dates"[^>]*>(.*?)<\/p>/s.exec(
      growthChart(rows, { texts: en, foldedTable: markup`` }).text,
    ) ??
      [];
    return Array.from(dates.matchAll(/<span>(.*?)<\/span>/gs), ([, date]) => date);
  };
  assert.deepEqual(datesOf(["2026-11-20"]), ["20 Nov 2026"]);
  assert.deepEqual(datesOf(["2026-11-20", "2026-11-21"]), ["20 Nov 2026", "21 Nov 2026"]);
  assert.deepEqual(datesOf(["2026-11-19", "2026-11-20", "2026-11-21"]), [
    "19 Nov 2026",
    "20 Nov 2026",
    "21 Nov 2026",
  ]);
});

Deno.test("ticksOf() returns equidistant whole numbers from zero to a round number that is not below the largest value", async (t) => {
  const cases = [
    [0, [4, 3, 2, 1, 0]],
    [4, [4, 3, 2, 1, 0]],
    [5, [8, 6, 4, 2, 0]],
    [9, [12, 9, 6, 3, 0]],
    [100, [100, 75, 50, 25, 0]],
    [1_000_001, [1_200_000, 900_000, 600_000, 300_000, 0]],
  ] as const;
  for (const [largest, expected] of cases) {
    await t.step(String(largest), () => {
      assert.deepEqual(ticksOf(largest), expected);
    });
  }
  for (let largest = 1; largest < 1e9; largest = Math.ceil(largest * 1.37)) {
    const [first = 0] = ticksOf(largest);
    assert.ok(first >= largest && first <= Math.max(4, largest * 1.7), String(largest));
    assert.ok(ticksOf(largest).every(Number.isInteger));
  }
});
