import assert from "node:assert/strict";
import type { Row } from "../../../shared/import_file/rows.ts";
import { inSortedRuns } from "../../../shared/import_file/sorted_runs.ts";

async function runsOf(...groups: Row[][]) {
  const runs = [];
  for await (const run of inSortedRuns(ReadableStream.from(groups), async () => {})) {
    runs.push({ rows: [...run], refused: run.refused });
  }
  return runs;
}

function row(number: number, address: string, { signedUpAt = "", text = "" } = {}): Row {
  return { number, address, signedUpAt, json: JSON.stringify({ email: address, text }) };
}

function shown(...rows: Row[]) {
  return rows.map((row) => "json" in row ? { number: row.number, json: row.json } : row);
}

Deno.test("inSortedRuns() sorts rows by the moments of their sign-ups, whatever the zones of the texts", async () => {
  const later = row(1, "bo@x.io", { signedUpAt: "2026-05-03T10:00:00Z" });
  const earlier = row(2, "anna@x.io", { signedUpAt: "2026-05-03T11:00:00+02:00", text: "größer" });
  const rows = shown(earlier, later);
  assert.deepEqual(await runsOf([later], [earlier]), [{ rows, refused: [] }]);
});

Deno.test("inSortedRuns() keeps rows of one address in the order of the file", async () => {
  const first = row(1, "bo@x.io", { signedUpAt: "2026-05-03T10:00:00Z" });
  const second = row(2, "bo@x.io", { signedUpAt: "2026-05-01T10:00:00Z" });
  const between = row(3, "anna@x.io", { signedUpAt: "2026-05-02T10:00:00Z" });
  const rows = shown(between, first, second);
  assert.deepEqual(await runsOf([first, second, between]), [{ rows, refused: [] }]);
});

Deno.test("inSortedRuns() puts rows without a date-time first, in the order of the file", async () => {
  const dated = row(1, "anna@x.io", { signedUpAt: "2026-05-03T10:00:00Z" });
  const [undated, unreadable] = [row(2, "bo@x.io"), row(3, "cy@x.io", { signedUpAt: "May" })];
  const rows = shown(undated, unreadable, dated);
  assert.deepEqual(await runsOf([dated, undated, unreadable]), [{ rows, refused: [] }]);
});

Deno.test("inSortedRuns() yields faulty lines apart from the sorted rows", async () => {
  const fault = { number: 1, reasons: ["The line is longer than 64 KB."] };
  const anna = row(2, "anna@x.io");
  assert.deepEqual(await runsOf([fault, anna]), [{ rows: shown(anna), refused: [fault] }]);
});

Deno.test("inSortedRuns() begins another run when a run is full, and drops no row", async () => {
  const long = "ä".repeat(30_000);
  const rows = Array.from({ length: 100 }, (_, n) => row(n, `${100 - n}@x.io`, { text: long }));
  const runs = await runsOf(rows);
  assert.ok(runs.length > 1);
  assert.deepEqual(
    runs.flatMap((run) => run.rows).sort((a, b) => a.number - b.number),
    shown(...rows),
  );
});

Deno.test("inSortedRuns() begins another run when a run has 10,000 faulty lines", async () => {
  const faults = Array.from(
    { length: 25_000 },
    (_, n) => ({ number: n + 1, reasons: ["No row."] }),
  );
  const runs = await runsOf(faults);
  assert.deepEqual(runs.map(({ refused }) => refused.length), [10_000, 10_000, 5_000]);
  assert.deepEqual(runs.flatMap(({ refused }) => refused), faults);
});

Deno.test("inSortedRuns() yields an empty run when there are no rows", async () => {
  assert.deepEqual(await runsOf(), [{ rows: [], refused: [] }]);
});
