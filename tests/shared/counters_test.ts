import assert from "node:assert/strict";
import { weekOf } from "../../shared/counters.ts";

Deno.test("weekOf() gives the Monday of a day, in UTC", () => {
  assert.deepEqual(
    ["2026-11-15", "2026-11-16", "2026-11-22", "2027-01-01", "1970-01-01", "no day"].map(weekOf),
    ["2026-11-09", "2026-11-16", "2026-11-16", "2026-12-28", "1969-12-29", "no day"],
  );
});
