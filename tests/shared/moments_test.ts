import assert from "node:assert/strict";
import {
  dayAfter,
  dayEndingAt,
  endOfDay,
  isDay,
  parseMoment,
  weekOf,
} from "../../shared/moments.ts";
import { eachDay } from "../support/days.ts";

Deno.test("isDay() and parseMoment() accept each existing day from 2023 to 2028, and refuse days such as 30 February", () => {
  let days = 0;
  for (const { text, exists } of eachDay()) {
    if (exists) days++;
    assert.equal(isDay(text), exists, text);
    assert.equal(parseMoment(text), exists ? `${text}T00:00:00.000Z` : undefined, text);
    for (const time of ["T00:00:00Z", "T23:59:59.999Z", "T09:30Z"]) {
      assert.equal(parseMoment(text + time)?.slice(0, 10), exists ? text : undefined, text + time);
    }
    assert.equal(parseMoment(`${text}T12:00:00+02:00`) !== undefined, exists, text);
  }
  assert.equal(days, 6 * 365 + 2);
});

Deno.test("parseMoment() returns date-times in UTC with milliseconds", async (t) => {
  for (
    const [text, moment] of [
      ["2026-05-01", "2026-05-01T00:00:00.000Z"],
      ["2026-05-01T09:30:00Z", "2026-05-01T09:30:00.000Z"],
      ["2026-05-01T09:30:00.1Z", "2026-05-01T09:30:00.100Z"],
      ["2026-05-01T00:30:00+02:00", "2026-04-30T22:30:00.000Z"],
      ["2024-02-29T23:30:00-01:00", "2024-03-01T00:30:00.000Z"],
      ["9999-12-31T23:59:59Z", "9999-12-31T23:59:59.000Z"],
    ] as const
  ) {
    await t.step(text, () => {
      assert.equal(parseMoment(text), moment);
    });
  }
});

Deno.test("parseMoment() refuses a text that is neither a date nor a date-time", async (t) => {
  for (
    const text of [
      "",
      "2026",
      "2026-05",
      "2026-5-1",
      "1 May 2026",
      "2026-05-01T09:30:00",
      "2026-05-01 09:30:00Z",
      "2026-05-01T24:00:00Z",
      "2026-05-01T25:00:00Z",
      "2026-05-01T09:60:00Z",
      "2026-05-01T09:30:60Z",
      "2026-05-01T09:30:00+24:00",
      "2026-05-01\n",
      // Their years in UTC are -1 and 10000.
      "0000-01-01T00:00:00+01:00",
      "9999-12-31T23:59:59-01:00",
    ]
  ) {
    await t.step(text, () => {
      assert.equal(parseMoment(text), undefined);
    });
  }
});

Deno.test("weekOf() returns the Monday of the week of a UTC day", () => {
  assert.deepEqual(
    ["2026-11-15", "2026-11-16", "2026-11-22", "2027-01-01", "1970-01-01", "no day"].map(weekOf),
    ["2026-11-09", "2026-11-16", "2026-11-16", "2026-12-28", "1969-12-29", "no day"],
  );
});

Deno.test("dayAfter() and endOfDay() return a day unchanged when the calendar does not have this day", () => {
  for (const { text, exists } of eachDay()) {
    assert.equal(dayAfter(text) !== text, exists, text);
    assert.equal(endOfDay(text) !== text, exists, text);
  }
  assert.equal(dayAfter("2024-02-28"), "2024-02-29");
  assert.equal(endOfDay("2026-02-28"), "2026-03-01T00:00:00.000Z");
});

Deno.test("dayEndingAt() returns the day whose end `endOfDay()` returns, and nothing for a moment within a day", () => {
  for (const { text, exists } of eachDay()) {
    if (exists) assert.equal(dayEndingAt(endOfDay(text)), text);
  }
  for (const text of ["2026-12-31T23:59:59.999Z", "2026-12-31T22:00:00.000Z", "soon"]) {
    assert.equal(dayEndingAt(text), undefined, text);
  }
});
