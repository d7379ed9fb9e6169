import assert from "node:assert/strict";
import { firstCountedDay } from "../../../server/waitlist/statistics.ts";
import { utcDay } from "../../../server/waitlist/utc_day.ts";

const NOW = Date.parse("2026-03-01T00:00:00.000Z");

Deno.test("utcDay() returns the UTC day of a time, or the UTC day a given number of days earlier, also across the end of a month or year", () => {
  assert.equal(utcDay(NOW), "2026-03-01");
  assert.equal(utcDay(NOW - 1), "2026-02-28");
  assert.equal(utcDay(NOW, 1), "2026-02-28");
  assert.equal(utcDay(Date.parse("2024-03-01T12:00:00Z"), 1), "2024-02-29");
  assert.equal(utcDay(Date.parse("2026-01-03T00:00:00Z"), 6), "2025-12-28");
  assert.equal(firstCountedDay(NOW), "2026-01-31", "today and the 29 days before it");
});
