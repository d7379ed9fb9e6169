import assert from "node:assert/strict";
import {
  type CountRow,
  formatBars,
  formatCsv,
  formatStats,
} from "../../../../cli/commands/stats/format_stats.ts";
import { createStyle } from "../../../../cli/print.ts";
import type { WaitlistStats } from "../../../../shared/schemas.ts";

const style = createStyle({ write() {}, isTerminal: false, columns: () => 80 }, {});

const rows: CountRow[] = [
  { label: "en", count: 1200, change: 3 },
  { label: "de", count: 1, change: -1 },
  { label: "none", count: 0, change: 0 },
];

Deno.test("formatBars() aligns the counts in one column, and draws the longest bar for the largest count, when the terminal is wide", () => {
  assert.equal(
    formatBars(rows, { style, columns: 80 }),
    [
      `  en    1,200  +3  ${"█".repeat(40)}`,
      "  de        1  −1  █",
      "  none      0",
      "",
    ].join("\n"),
  );
});

Deno.test("formatBars() shows no bars when the terminal is too narrow, and no differences when no count has changed", async (t) => {
  for (const columns of [undefined, 20]) {
    await t.step(String(columns), () => {
      const unchanged = rows.map((row) => ({ ...row, change: 0 }));
      assert.equal(
        formatBars(unchanged, { style, columns }),
        "  en    1,200\n  de        1\n  none      0\n",
      );
    });
  }
});

Deno.test("formatBars() writes no line that is longer than the terminal is wide", () => {
  for (let columns = 1; columns <= 120; columns++) {
    const lines = formatBars(rows, { style, columns }).split("\n");
    assert(lines.every((line) => line.length <= Math.max(columns, 17)), String(columns));
  }
});

const stats: WaitlistStats = {
  total: 3,
  last7Days: 2,
  last30Days: 2,
  byLang: { en: 3 },
  byRole: { "=1+1": 1, 'a,"b"': 2 },
  byBuilding: {},
  bySource: {},
  generatedAt: "2026-11-21T12:00:00.000Z",
  environment: "production",
};

Deno.test("formatCsv() writes one line for each figure, and escapes cells that a spreadsheet would run as formulas", async () => {
  const start = "2026-11-21T12:00:00.000Z,production";
  const lines = [
    `${start},total,,3`,
    `${start},last7Days,,2`,
    `${start},last30Days,,2`,
    `${start},byLang,en,3`,
    `${start},byRole,'=1+1,1`,
    `${start},byRole,"a,""b""",2`,
    "",
  ];
  assert.equal(await formatCsv(stats, { header: false }), lines.join("\n"));
  assert.equal(
    await formatCsv(stats, { header: true }),
    ["generatedAt,environment,figure,key,count", ...lines].join("\n"),
  );
});

Deno.test("formatStats() shows how much a count has changed, even for a role that is named 'constructor' or '__proto__'", () => {
  const now = { ...stats, byRole: { constructor: 2, ...JSON.parse('{"__proto__": 1}') } };
  const text = formatStats(now, { earlier: { ...stats, byRole: {} }, style, columns: undefined });
  assert.match(text, /\n {2}constructor +2 +\+2\n {2}__proto__ +1 +\+1\n/);
});
