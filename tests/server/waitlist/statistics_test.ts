import assert from "node:assert/strict";
import type { SignUpRecord } from "../../../server/waitlist/record.ts";
import type { Counter } from "../../../shared/counters.ts";
import { addUpStatistics, firstCountedDay } from "../../../server/waitlist/statistics.ts";
import { countReferrals, summarizePeople } from "../../../server/waitlist/overview.ts";
import { utcDay } from "../../../server/waitlist/utc_day.ts";
import { CounterChanges } from "../../../server/waitlist/counters.ts";

const NOW = Date.parse("2026-03-01T00:00:00.000Z");
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

Deno.test("utcDay() returns the UTC day of a time, or the UTC day a given number of days earlier, also across the end of a month or year", () => {
  assert.equal(utcDay(NOW), "2026-03-01");
  assert.equal(utcDay(NOW - 1), "2026-02-28");
  assert.equal(utcDay(NOW, 1), "2026-02-28");
  assert.equal(utcDay(Date.parse("2024-03-01T12:00:00Z"), 1), "2024-02-29");
  assert.equal(utcDay(Date.parse("2026-01-03T00:00:00Z"), 6), "2025-12-28");
  assert.equal(firstCountedDay(NOW), "2026-01-31", "today and the 29 days before it");
});

/** Counters with their counts. */
const countersWith = (...counts: [Counter, number][]) =>
  counts.map(([counter, count]) => ({ counter, count }));

// Today and the six, or 29, UTC days before it.
Deno.test("addUpStatistics() adds up the last 7 UTC days as last7Days, and the last 30 UTC days as last30Days", async (t) => {
  const cases: [day: string, last7Days: number, last30Days: number][] = [
    ["2026-03-02", 0, 0],
    ["2026-03-01", 1, 1],
    ["2026-02-23", 1, 1],
    ["2026-02-22", 0, 1],
    ["2026-01-31", 0, 1],
    ["2026-01-30", 0, 0],
  ];
  for (const [day, last7Days, last30Days] of cases) {
    await t.step(`today is 2026-03-01, and the day is ${day}`, () => {
      const counts = addUpStatistics(countersWith([["added", day], 1]), NOW);
      assert.equal(counts.last7Days, last7Days);
      assert.equal(counts.last30Days, last30Days);
    });
  }
});

Deno.test("addUpStatistics() counts a role whose name is a member of Object.prototype", () => {
  const slugs = ["__proto__", "constructor", "-"];
  const counts = slugs.map((slug): [Counter, number] => [["byRole", slug], 2]);
  const { byRole } = addUpStatistics(countersWith(...counts), NOW);
  assert.equal(JSON.stringify(byRole), '{"__proto__":2,"constructor":2,"-":2}');
});

Deno.test("addUpStatistics() fills byLang, byRole, byBuilding and bySource, and leaves out values whose count is zero", () => {
  const counters = countersWith(
    [["total"], 3],
    [["byLang", "de"], 0],
    [["byLang", "en"], 3],
    [["byRole", "engineer"], 1],
    [["byRole", "operator"], 0],
    [["byBuilding", "office"], 2],
    [["bySource", "cta"], 0],
  );
  assert.deepEqual(addUpStatistics(counters, NOW), {
    total: 3,
    last7Days: 0,
    last30Days: 0,
    byLang: { en: 3 },
    byRole: { engineer: 1 },
    byBuilding: { office: 2 },
    bySource: {},
  });
});

const NO_ANSWERS = { byLang: {}, bySource: {} };

Deno.test("countReferrals() counts the referrals of the last seven UTC days as lastWeek, and all referrals as total", () => {
  const now = Date.parse("2026-11-21T12:00:20.000Z");
  const counters = countersWith(
    [["withReferral", "2026-11-14"], 5],
    [["withReferral", "2026-11-15"], 2],
    [["withReferral", "2026-11-21"], 1],
    [["withReferral", "2026-11-22"], 9],
    [["withReferral", "all"], 17],
    [["added", "2026-11-21"], 30],
    [["total"], 40],
  );
  assert.deepEqual(countReferrals(counters, now), { lastWeek: 3, total: 17 });
  assert.deepEqual(countReferrals([], now), { lastWeek: 0, total: 0 });
});

Deno.test("summarizePeople() returns the number of people in each state, and the sign-ups of the last 90 days", () => {
  const now = Date.parse("2026-11-21T12:00:20.000Z");
  const counters = countersWith(
    [["added", "2026-08-24"], 3],
    [["added", "2026-11-01"], 2],
    [["added", "2026-11-21"], 1],
    [["byState", "waiting"], 5],
    [["byState", "invited"], 1],
    [["byState", "accepted"], 3],
    [["acceptedAfter", "045"], 1],
    [["acceptedAfter", "094"], 1],
    [["acceptedAfter", "102"], 1],
    [["byLang", "de"], 6],
    [["total"], 6],
  );
  const { days, weeks, ...rest } = summarizePeople(counters, now);
  assert.deepEqual(rest, {
    total: 6,
    states: { unconfirmed: 0, waiting: 5, invited: 1, accepted: 3 },
    funnel: { invited: 4, accepted: 3, medianSeconds: 3443 },
    last7Days: 1,
    last30Days: 3,
    byLang: { de: 6 },
    byRole: {},
    byBuilding: {},
    bySource: {},
  });
  assert.equal(days.length, 90);
  assert.deepEqual(days[0], { day: "2026-08-24", added: 3, ...NO_ANSWERS });
  assert.deepEqual(days.at(-1), { day: "2026-11-21", added: 1, ...NO_ANSWERS });
  assert.equal(weeks.length, 13);
  assert.equal(days.reduce((sum, { added }) => sum + added, 0), 6);
});

Deno.test("summarizePeople() counts languages and sources for each day, and confirmed and invited people for each week of sign-up", () => {
  const now = Date.parse("2026-11-21T12:00:20.000Z");
  const { days, weeks } = summarizePeople(
    countersWith(
      [["added", "2026-11-20"], 4],
      [["withAnswers", "2026-11-20/de/hero"], 2],
      [["withAnswers", "2026-11-20/en/"], 1],
      [["withAnswers", "2026-11-20/en/hero"], 1],
      [["wentOn", "2026-11-16/taken"], 1],
      [["wentOn", "2026-11-16/taken,confirmed,invited"], 2],
    ),
    now,
    "2026-11-15",
  );
  assert.deepEqual(days.map(({ day }) => day.slice(8)), "15 16 17 18 19 20 21".split(" "));
  const answers = { byLang: { de: 2, en: 2 }, bySource: { hero: 3 } };
  assert.deepEqual(days[5], { day: "2026-11-20", added: 4, ...answers });
  const counts = { taken: 3, confirmed: 2, invited: 2, accepted: 0 };
  assert.deepEqual(weeks.at(-1), { week: "2026-11-16", signedUp: 4, ...counts });
  assert.equal(weeks[0]!.week, "2026-08-24");
});

Deno.test("summarizePeople() adjusts the given first day when this day is before all sign-ups, over ten years ago or in the future", () => {
  const now = Date.parse("2026-11-21T12:00:20.000Z");
  const firstDay = (since: string, ...signedUp: string[]) => {
    const counts = signedUp.map((day): [Counter, number] => [["added", day], 1]);
    const [first] = summarizePeople(countersWith(...counts), now, since).days;
    return first;
  };
  assert.equal(firstDay("1970-01-01", "2026-11-20")?.day, "2026-08-24");
  assert.deepEqual(firstDay("1970-01-01", "2025-02-03"), { day: "2025-02-03", added: 1 });
  assert.equal(firstDay("2026-12-24", "2025-02-03")?.day, "2026-11-21");
  assert.equal(firstDay("1970-01-01", "1980-01-01")?.day, "2016-11-14");
});
