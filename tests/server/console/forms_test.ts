import assert from "node:assert/strict";
import { dayAfter, endOfDay } from "../../../server/console/forms.ts";
import { eachDay } from "../../support/days.ts";

Deno.test("dayAfter() and endOfDay() do not change a day that the calendar does not have, so that it is refused", () => {
  for (const { text, exists } of eachDay()) {
    assert.equal(dayAfter(text) !== text, exists, text);
    assert.equal(endOfDay(text) !== text, exists, text);
  }
  assert.equal(dayAfter("2024-02-28"), "2024-02-29");
  assert.equal(endOfDay("2026-02-28"), "2026-03-01T00:00:00.000Z");
});
