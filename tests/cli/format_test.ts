import assert from "node:assert/strict";
import { formatExpiry, formatMinute, formatPercent, formatTable } from "../../cli/format.ts";
import { createStyle } from "../../cli/print.ts";

/** The style of a terminal of this width, or of an output that is no terminal. */
const styleOf = (width?: number) =>
  createStyle(
    { isTerminal: width !== undefined, columns: () => width ?? 80, write() {} },
    { NO_COLOR: "1" },
  );

const HEADING = ["Address", "State", "Form", "Count"];
const ROWS = [
  ["ada.lovelace@example.com", "waiting", "hero", "7"],
  ["eve@example.com", "invited", "cta", "1,200"],
];

Deno.test("formatTable() shows each column in full when the output is not a terminal", () => {
  assert.equal(
    formatTable(HEADING, ROWS, styleOf(), { mayDrop: ["Form"] }),
    `Address                   State    Form  Count
ada.lovelace@example.com  waiting  hero      7
eve@example.com           invited  cta   1,200
`,
  );
});

Deno.test("formatTable() first leaves out the columns in `mayDrop`, and then shortens the columns in `mayShorten`, on a narrow terminal", () => {
  assert.equal(
    formatTable(HEADING, ROWS, styleOf(42), { mayDrop: ["Form"] }),
    `Address                   State    Count
ada.lovelace@example.com  waiting      7
eve@example.com           invited  1,200
`,
  );
  assert.equal(
    formatTable(HEADING, ROWS, styleOf(30), { mayDrop: ["Form"], mayShorten: ["Address"] }),
    `Address         State    Count
ada.lovelace@…  waiting      7
eve@example.c…  invited  1,200
`,
  );
});

Deno.test("formatTable() does not shorten a column that is not in `mayShorten`, even when the terminal is too narrow", () => {
  const row = ["0m1abc2defGhIjKlMnOpQrStUvWxYz", "550 5.1.1 no such user here"];
  const table = formatTable(["Id", "Reason"], [row], styleOf(24), { mayShorten: ["Reason"] });
  assert.match(table, /\n0m1abc2defGhIjKlMnOpQrStUvWxYz {2}550 5\.1…\n/);
});

Deno.test("formatMinute() shortens a date-time to the minute, and returns other texts unchanged", () => {
  assert.equal(formatMinute("2026-11-21T12:00:20.000Z"), "2026-11-21 12:00");
  assert.equal(formatMinute("never"), "never");
});

Deno.test("formatPercent() returns a percentage with at most one decimal, and an empty text when the total is 0", () => {
  assert.deepEqual([formatPercent(1, 8), formatPercent(1, 2), formatPercent(0, 0)], [
    "12.5%",
    "50%",
    "",
  ]);
});

Deno.test("formatExpiry() writes an end at midnight as the end of the day before, and another end as it is", () => {
  assert.equal(formatExpiry("2027-01-01T00:00:00.000Z"), "the end of 2026-12-31 (UTC)");
  assert.equal(formatExpiry("2027-01-01T09:30:00.000Z"), "2027-01-01T09:30:00.000Z");
});
