import assert from "node:assert/strict";
import fc from "fast-check";
import { areCountedAlike, countersOf, weekOf } from "../../shared/counters.ts";
import type { SignUpRecord } from "../../server/waitlist/record.ts";

Deno.test("weekOf() gives the Monday of a day, in UTC", () => {
  assert.deepEqual(
    ["2026-11-15", "2026-11-16", "2026-11-22", "2027-01-01", "1970-01-01", "no day"].map(weekOf),
    ["2026-11-09", "2026-11-16", "2026-11-16", "2026-12-28", "1969-12-29", "no day"],
  );
});

/** Records that differ in what is counted; a fault has damaged some. */
const record = fc.record({
  createdAt: fc.constantFrom(
    "2026-11-21T23:59:59.000Z",
    "2026-11-21T00:00:00.000Z",
    "2026-11-22",
    5,
  ),
  state: fc.constantFrom("waiting", "unconfirmed", "invited", "accepted", undefined),
  lang: fc.constantFrom("en", "de"),
  source: fc.constantFrom(undefined, "hero"),
  role: fc.constantFrom(undefined, "engineer"),
  building: fc.constantFrom(undefined, "office"),
  proof: fc.constantFrom(undefined, {}),
  confirmations: fc.constantFrom(undefined, {}, { takenAt: "2026-11-22" }),
  lastLetters: fc.constantFrom(undefined, { confirmation: { takenAt: "2026-11-22" } }),
}) as fc.Arbitrary<unknown> as fc.Arbitrary<SignUpRecord>;

Deno.test("areCountedAlike() is true only for records that are in the same counters", () => {
  let alike = 0;
  fc.assert(
    fc.property(record, record, fc.boolean(), (one, another, isCopy) => {
      const other = isCopy ? { ...one, lang: another.lang, createdAt: another.createdAt } : another;
      if (!areCountedAlike(one, other)) return;
      alike++;
      assert.deepEqual(countersOf(one), countersOf(other));
    }),
    { numRuns: 20_000 },
  );
  assert.ok(alike > 50, `${alike} pairs were alike`);
});
