import assert from "node:assert/strict";
import fc from "fast-check";
import type { Source } from "../../../server/source.ts";
import { SourceTable } from "../../../server/limits/source_table.ts";

const name = ({ high, low }: Source) => `${high}:${low}`;

// Few different words, so that sources meet in slots; and the table grows several times.
const word = fc.oneof(fc.nat(80), fc.integer({ min: 0xffffff00, max: 0xffffffff }));
const addition = fc.record({
  source: fc.record({ high: word, low: word }),
  by: fc.nat({ max: 3 }),
});

Deno.test("SourceTable counts as a Map would when sources are added and forgotten", () => {
  fc.assert(
    fc.property(
      fc.integer(),
      fc.array(addition, { maxLength: 3_000, size: "max" }),
      fc.nat(3),
      (seed, additions, forgotten) => {
        const table = new SourceTable(seed);
        const expected = new Map<string, number>();
        for (const { source, by } of additions) {
          const slot = table.find(source);
          const count = table.count(slot) + by + 1;
          table.set(slot, source, count);
          expected.set(name(source), count);
        }
        table.forget(forgotten);
        let kept = 0;
        for (const { source } of additions) {
          const count = expected.get(name(source)) ?? 0;
          assert.equal(table.count(table.find(source)), count > forgotten ? count : 0);
        }
        for (const count of expected.values()) if (count > forgotten) kept++;
        assert.equal(table.size, kept);
        assert.equal(table.past(0, kept).length, kept);
      },
    ),
    { numRuns: 50 },
  );
});

Deno.test("SourceTable.note() makes a note once when the table grows meanwhile", () => {
  const table = new SourceTable(1);
  const source = { high: 7, low: 8 };
  table.set(table.find(source), source, 1);
  const made: Source[] = [];
  const note = () => table.note(table.find(source), (source) => made.push(source) + 41);
  assert.equal(note(), 42);
  for (let low = 100; low < 3_000; low++) {
    const other = { high: 7, low };
    table.set(table.find(other), other, 1);
  }
  assert.equal(note(), 42);
  assert.deepEqual(made, [source]);
});
