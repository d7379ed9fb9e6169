/** The comparison of sign-ups with those of earlier days. */
import assert from "node:assert/strict";
import { addDays } from "../../shared/moments.ts";
import { compareFullDays } from "../../shared/growth.ts";

const TODAY = "2026-11-21";

/** Two sign-ups on each of the last seven full days, and one on each of the seven days before. */
const days = Array.from({ length: 15 }, (_, index) => {
  const age = 14 - index;
  return { day: addDays(TODAY, -age), added: age > 7 ? 1 : 2 };
});

Deno.test("compareFullDays() gives no change when an import may have people on the compared days", () => {
  const compare = (lastDone: { import?: string }) => compareFullDays({ days, lastDone }, TODAY);
  const counts = { added: 14, before: 7 };
  assert.deepEqual(compare({}), { ...counts, mayHaveImported: false, change: 1 });
  // The first of the compared days is the 7 November.
  const earlier = compare({ import: "2026-11-06T23:59:59.999Z" });
  assert.deepEqual(earlier, { ...counts, mayHaveImported: false, change: 1 });
  for (const importedAt of ["2026-11-07T00:00:00.000Z", "2026-11-21T09:00:00.000Z"]) {
    assert.deepEqual(compare({ import: importedAt }), { ...counts, mayHaveImported: true });
  }
});
