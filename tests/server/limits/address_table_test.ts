import assert from "node:assert/strict";
import fc from "fast-check";
import { AddressTable, type ClientAddress } from "../../../server/limits/address_table.ts";

const name = ({ high, low }: ClientAddress) => `${high}:${low}`;

// Few different words, so that addresses meet in slots; and the table grows several times.
const word = fc.oneof(fc.nat(80), fc.integer({ min: 0xffffff00, max: 0xffffffff }));
const addition = fc.record({
  address: fc.record({ high: word, low: word }),
  by: fc.nat({ max: 3 }),
});

Deno.test("AddressTable counts as a Map would when addresses are added and forgotten", () => {
  fc.assert(
    fc.property(
      fc.integer(),
      fc.array(addition, { maxLength: 3_000, size: "max" }),
      fc.nat(3),
      (seed, additions, forgotten) => {
        const table = new AddressTable(seed);
        const expected = new Map<string, number>();
        for (const { address, by } of additions) {
          const slot = table.find(address);
          const count = table.count(slot) + by + 1;
          table.set(slot, address, count);
          expected.set(name(address), count);
        }
        table.forget(forgotten);
        let kept = 0;
        for (const { address } of additions) {
          const count = expected.get(name(address)) ?? 0;
          assert.equal(table.count(table.find(address)), count > forgotten ? count : 0);
        }
        for (const count of expected.values()) if (count > forgotten) kept++;
        assert.equal(table.size, kept);
        assert.equal(table.above(0, kept).length, kept);
      },
    ),
    { numRuns: 50 },
  );
});

Deno.test("AddressTable.note() makes a note once when the table grows meanwhile", () => {
  const table = new AddressTable(1);
  const address = { high: 7, low: 8 };
  table.set(table.find(address), address, 1);
  const made: ClientAddress[] = [];
  const note = () => table.note(table.find(address), (address) => made.push(address) + 41);
  assert.equal(note(), 42);
  for (let low = 100; low < 3_000; low++) {
    const other = { high: 7, low };
    table.set(table.find(other), other, 1);
  }
  assert.equal(note(), 42);
  assert.deepEqual(made, [address]);
});
