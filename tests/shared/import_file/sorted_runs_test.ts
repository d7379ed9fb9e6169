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

function row(number: number, address: string, text = ""): Row {
  return { number, address, json: JSON.stringify({ email: address, text }) };
}

function shown(...rows: Row[]) {
  return rows.map((row) => "json" in row ? { number: row.number, json: row.json } : row);
}

Deno.test("inSortedRuns() sorts rows by address, and rows of the same address stay in the order of the file", async () => {
  const [anna, bo, again] = [row(2, "anna@x.io"), row(1, "bo@x.io"), row(3, "bo@x.io", "größer")];
  assert.deepEqual(await runsOf([bo, anna], [again]), [
    { rows: shown(anna, bo, again), refused: [] },
  ]);
});

Deno.test("inSortedRuns() yields faulty lines apart from the sorted rows", async () => {
  const fault = { number: 1, reason: "The line is longer than 64 KB." };
  const anna = row(2, "anna@x.io");
  assert.deepEqual(await runsOf([fault, anna]), [{ rows: shown(anna), refused: [fault] }]);
});

Deno.test("inSortedRuns() begins another run when a run is full, and drops no row", async () => {
  const long = "ä".repeat(30_000);
  const rows = Array.from({ length: 100 }, (_, n) => row(n, `${100 - n}@x.io`, long));
  const runs = await runsOf(rows);
  assert.ok(runs.length > 1);
  assert.deepEqual(
    runs.flatMap((run) => run.rows).sort((a, b) => a.number - b.number),
    shown(...rows),
  );
});

Deno.test("inSortedRuns() begins another run when a run has 10,000 faulty lines", async () => {
  const faults = Array.from({ length: 25_000 }, (_, n) => ({ number: n + 1, reason: "No row." }));
  const runs = await runsOf(faults);
  assert.deepEqual(runs.map(({ refused }) => refused.length), [10_000, 10_000, 5_000]);
  assert.deepEqual(runs.flatMap(({ refused }) => refused), faults);
});

Deno.test("inSortedRuns() yields an empty run when there are no rows", async () => {
  assert.deepEqual(await runsOf(), [{ rows: [], refused: [] }]);
});
