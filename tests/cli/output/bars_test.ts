import assert from "node:assert/strict";
import { formatBars, type Row } from "../../../cli/output/bars.ts";
import { createStyle } from "../../../cli/output/style.ts";

const style = createStyle({ write() {}, isTerminal: false, columns: () => 80 }, {});

const rows: Row[] = [
  { label: "en", count: 1200, change: 3 },
  { label: "de", count: 1, change: -1 },
  { label: "none", count: 0, change: 0 },
];

Deno.test("formatBars() aligns counts and changes and scales bars when there is room", () => {
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

Deno.test("formatBars() leaves bars out when there is no room, and changes when there are none", () => {
  for (const columns of [undefined, 20]) {
    const unchanged = rows.map((row) => ({ ...row, change: 0 }));
    assert.equal(
      formatBars(unchanged, { style, columns }),
      "  en    1,200\n  de        1\n  none      0\n",
    );
  }
});

Deno.test("formatBars() fits every width", () => {
  for (let columns = 1; columns <= 120; columns++) {
    const lines = formatBars(rows, { style, columns }).split("\n");
    assert(lines.every((line) => line.length <= Math.max(columns, 17)), String(columns));
  }
});
