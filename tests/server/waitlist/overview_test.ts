import assert from "node:assert/strict";
import type { Counter } from "../../../shared/counters.ts";
import { countReferrals, summarizePeople } from "../../../server/waitlist/overview.ts";
import { countersWith } from "../../support/records.ts";

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
