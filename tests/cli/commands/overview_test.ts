import assert from "node:assert/strict";
import { formatOverview, formatSparkline } from "../../../cli/commands/overview/format_overview.ts";
import { createStyle } from "../../../cli/print.ts";
import { addDays } from "../../../shared/moments.ts";
import type { Overview } from "../../../shared/operator_schemas.ts";
import { assertRefused, printed } from "../support/cli.ts";
import { useReferrals } from "../support/people_service.ts";
import { runOperator, useService } from "../support/service.ts";

const service = useService();

const run = (...args: string[]) => runOperator(service.url, args);

Deno.test("'overview' shows the number of people in each state, and the numbers of sign-ups, e-mails and events", async () => {
  for (const name of ["ada", "bo"]) {
    await printed(run("join", `${name}@example.com`, "--consent", "--yes"));
  }
  const stdout = await printed(run("overview"));
  assert.match(stdout, /^Waitlist, 2 people, 20\d\d-\d\d-\d\d [\d:]{8} UTC\n\n {2}Waiting +2\n/);
  assert.match(
    stdout,
    /\n {2}Unconfirmed +0\n {2}Invited +0\n {2}Accepted +0\n\nSign-ups\n {2}Last 7 days +2\n/,
  );
  assert.doesNotMatch(stdout, /Referrals/, "nobody came by a link");
  assert.match(
    stdout,
    /\nE-mails and events\n {2}Waiting +0\n {2}Rejected +0\n {2}E-mails accepted by the mail server today +0\n/,
  );
  assert.match(
    stdout,
    /\nRegular work\n {2}Version +\d+\.\d+\.\d+\S*\n {2}Last backup +never\n {2}Last verify +never\n$/,
  );

  const json = JSON.parse((await run("overview", "--json")).stdout);
  assert.deepEqual(json.states, { unconfirmed: 0, waiting: 2, invited: 0, accepted: 0 });
  assert.equal((await run("overview", "--quiet")).stdout, "2\n");
});

Deno.test("'overview' shows the number of referrals, and the people with the most referrals", async () => {
  await using test = await useReferrals();
  const stdout = await printed(test.run(["overview"]));
  assert.match(
    stdout,
    /\n\nReferrals\n {2}Last 7 days {2}0 of 0 sign-ups\n {2}In all {7}3\n\n {2}The people with the most referrals\n {2}ada@example\.com {2}2\n {2}bo@example\.com {3}1\n\nE-mails and events\n/,
  );
  const { referrals } = JSON.parse((await test.run(["overview", "--json"])).stdout);
  assert.deepEqual([referrals.lastWeek, referrals.total, referrals.top.length], [0, 3, 2]);
});

Deno.test("formatOverview() says when the last test of a pause failed, and while a test is due or under way", async () => {
  const overview: Overview = JSON.parse((await run("overview", "--json")).stdout);
  const style = createStyle({ write() {}, isTerminal: false, columns: () => 80 }, {});
  const since = "2026-11-21T12:00:00.000Z";
  const pause = { since, until: "2026-11-21T12:20:00.000Z", reason: "421 busy" };
  const pausedLineOf = (details: { testing?: true; testedAt?: string }) => {
    const outbox = { ...overview.outbox, pause: { ...pause, ...details } };
    const text = formatOverview({ ...overview, outbox }, { style, columns: undefined });
    return /\n {2}Paused +(.+)\n/.exec(text)?.[1];
  };
  const until = "until 2026-11-21 12:20:00 UTC";
  assert.equal(pausedLineOf({}), `${until}: 421 busy`);
  assert.equal(
    pausedLineOf({ testedAt: "2026-11-21T12:15:00.000Z" }),
    `${until}, as the last test failed at 2026-11-21 12:15:00 UTC: 421 busy`,
  );
  assert.equal(pausedLineOf({ testing: true }), "a test is due or under way: 421 busy");
});

Deno.test("formatOverview() shows a change of less than half a percent as 0 %, without a sign", async (t) => {
  const overview: Overview = JSON.parse((await run("overview", "--json")).stdout);
  const today = overview.generatedAt.slice(0, 10);
  const style = createStyle({ write() {}, isTerminal: false, columns: () => 80 }, {});
  const cases = [[1_004, "0 %"], [996, "0 %"], [1_006, "+1 %"], [994, "-1 %"]] as const;
  for (const [added, percent] of cases) {
    await t.step(`from 1,000 to ${added}`, () => {
      const days = [{ day: addDays(today, -14), added: 1_000 }, { day: addDays(today, -7), added }];
      const text = formatOverview({ ...overview, days }, { style, columns: undefined });
      assert.ok(text.includes(` in the 7 before (${percent})\n`), text);
    });
  }
});

Deno.test("formatOverview() says that some of the compared people may be imported, and gives no change, after an import", async () => {
  const overview: Overview = JSON.parse((await run("overview", "--json")).stdout);
  const today = overview.generatedAt.slice(0, 10);
  const style = createStyle({ write() {}, isTerminal: false, columns: () => 80 }, {});
  const days = [{ day: addDays(today, -14), added: 1 }, { day: addDays(today, -7), added: 2 }];
  const textAfterImport = (day: string) => {
    const lastDone = { import: `${day}T00:00:00.000Z` };
    return formatOverview({ ...overview, days, lastDone }, { style, columns: undefined });
  };
  assert.match(
    textAfterImport(addDays(today, -14)),
    / 1 in the 7 before \(some of them may be imp/,
  );
  assert.match(textAfterImport(addDays(today, -15)), / 1 in the 7 before \(\+100 %\)\n/);
});

Deno.test("'overview' shows the time at which the counters were last verified", async () => {
  assert.equal((await run("counters", "verify")).code, 0);
  const { stdout } = await run("overview");
  assert.match(stdout, /\n {2}Last verify +20\d\d-\d\d-\d\d [\d:]{8} UTC\n$/);
});

Deno.test("'overview --by' shows the sign-ups of each day, or the states that the sign-ups of each week have reached", async () => {
  const days = await printed(run("overview", "--by", "day"));
  assert.match(
    days,
    /^Day +Sign-ups +En +De +Hero +Cta +On the list\n[\d-]{10} +2 +2 +0 +0 +0 +2\n/,
  );
  const weeks = await printed(run("overview", "--by", "week"));
  assert.match(
    weeks,
    /\nWeek from +Signed up +E-mail accepted .+\n[\d-]{10} +2 +0 0% +0 0%/,
  );
  const { days: [first] }: Overview = JSON.parse((await run("overview", "--json")).stdout);
  const mondays = [...weeks.split("\n\n")[0]!.matchAll(/^[\d-]{10}/gm)].map(([day]) => day);
  assert.ok(mondays.at(-1)! >= first!.day, "the first week of the table is whole");
  await assertRefused((args) => run("overview", ...args), [
    [["--by", "month"], /--by is 'month'; give day or week\.?\n$/],
  ]);
});

Deno.test("'webhooks test' says that the service sends no events when WEBHOOK_URL is not set", async () => {
  await assertRefused((args) => run(...args), [
    [
      ["webhooks", "test"],
      /: The service sends no events, as WEBHOOK_URL is not set; .+ \(409 from /,
    ],
  ]);
});

Deno.test("formatSparkline() draws a higher bar for a day with one sign-up than for a day without sign-ups", () => {
  assert.equal(formatSparkline([0, 1, 500, 1_000]), "▁▂▅█");
  assert.equal(formatSparkline([0, 0]), "▁▁");
  assert.equal(formatSparkline([]), "");
});
