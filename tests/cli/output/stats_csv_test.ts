import assert from "node:assert/strict";
import { formatCsv } from "../../../cli/output/stats_csv.ts";
import type { WaitlistStats } from "../../../shared/schemas.ts";

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

Deno.test("formatCsv() writes one line per figure, safe for spreadsheets", () => {
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
  assert.equal(formatCsv(stats, { header: false }), lines.join("\n"));
  assert.equal(
    formatCsv(stats, { header: true }),
    ["generatedAt,environment,figure,key,count", ...lines].join("\n"),
  );
});
