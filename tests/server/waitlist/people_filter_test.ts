import assert from "node:assert/strict";
import { matchesFilter } from "../../../server/waitlist/people_filter.ts";

Deno.test("matchesFilter() accepts only people who have given every answer of the filter", () => {
  const person = { lang: "de" as const, role: "engineer" };
  assert.ok(matchesFilter(person, {}));
  assert.ok(matchesFilter(person, { lang: "de", role: "engineer" }));
  assert.ok(!matchesFilter(person, { lang: "de", role: "owner" }));
  assert.ok(!matchesFilter(person, { source: "hero" }));
});
