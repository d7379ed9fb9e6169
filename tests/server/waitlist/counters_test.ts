import assert from "node:assert/strict";
import type { SignUpRecord } from "../../../server/waitlist/record.ts";
import { CounterChanges } from "../../../server/waitlist/counters.ts";

const RECORD: SignUpRecord = {
  id: "an-id-of-22-characters",
  state: "waiting",
  createdAt: "2026-02-28T23:59:59.999Z",
  consentedAt: "2026-03-01T00:00:00.000Z",
  updatedAt: "2026-03-01T00:00:00.000Z",
  lang: "de",
};

function changes(
  ...replacements: [before: SignUpRecord | undefined, after: SignUpRecord | undefined][]
): Record<string, number> {
  const changes = new CounterChanges();
  for (const [before, after] of replacements) changes.replace(before, after);
  return Object.fromEntries([...changes].map(({ counter, delta }) => [counter.join("/"), delta]));
}

Deno.test("CounterChanges.replace() changes only the counters in which the old and the new record differ", () => {
  const de = "withAnswers/2026-02-28/de/", en = "withAnswers/2026-02-28/en/hero";
  const always = { "total": 1, "added/2026-02-28": 1, "byLang/de": 1, "byState/waiting": 1 };
  const added = { ...always, [de]: 1 };
  const times = (by: number) =>
    Object.fromEntries(Object.keys(added).map((counter) => [counter, by]));
  const english: SignUpRecord = { ...RECORD, lang: "en", source: "hero" };
  const { "byLang/de": _, ...addedEnglish } = {
    ...{ ...added, "byLang/en": 1, "bySource/hero": 1 },
    ...{ [de]: 0, [en]: 1 },
  };
  assert.deepEqual(changes([undefined, RECORD]), added);
  assert.deepEqual(changes([RECORD, RECORD]), times(0));
  // Nobody more; but whoever watches the total sees that something moved.
  const moved = {
    ...{ ...times(0), "byLang/de": -1, "byLang/en": 1, "bySource/hero": 1 },
    ...{ [de]: -1, [en]: 1 },
  };
  assert.deepEqual(changes([RECORD, english]), moved);
  assert.deepEqual(changes([RECORD, undefined]), times(-1));
  const merged = { ...addedEnglish, "byLang/de": 0 };
  assert.deepEqual(changes([undefined, RECORD], [RECORD, english]), merged);
  assert.deepEqual(changes([undefined, RECORD], [undefined, RECORD]), times(2));
  const [oneMore, next]: SignUpRecord[] = [RECORD, {
    ...RECORD,
    createdAt: "2026-03-01T00:00:00Z",
  }];
  const days = changes([undefined, RECORD], [undefined, next], [undefined, oneMore], [
    RECORD,
    next,
  ]);
  assert.deepEqual([days["added/2026-02-28"], days["added/2026-03-01"]], [1, 2]);
});
