import assert from "node:assert/strict";
import { runOperator } from "../../support/service.ts";
import { printed } from "../../support/cli.ts";
import { CONSENT, useImportService } from "../../support/import_service.ts";
import { LINK, useReferrals, useWaiting } from "../../support/people_service.ts";

const TIMES = ["--every", "week", "--weekday", "monday", "--at", "09:00", "--zone", "UTC"];

Deno.test("'waves schedule' creates a schedule or only shows its next runs, and 'waves schedules' lists and changes schedules", async () => {
  await using test = await useWaiting(5);
  const run = (...args: string[]) => runOperator(test.url, ["waves", ...args]);
  const args = ["schedule", "weekly", "--next", "2", ...TIMES, ...LINK, "--no-letters"];
  const plan = await run(...args, "--dry-run");
  assert.match(
    plan.stdout,
    /^Would invite at \d{4}-\d\d-\d\d 09:00 UTC: 2 people in the wave weekly-[\d-]{10}\.\n.+: 2 people.+\n.+: 1 person.+\n$/,
    plan.stderr,
  );
  const unsure = await run(...args);
  assert.equal(unsure.code, 2);
  assert.match(
    unsure.stderr,
    /^waitlist: No schedule was made, because without a terminal the command cannot ask you first; add/,
  );
  assert.equal((await run("schedules")).stdout, "There are no schedules.\n");
  const made = await run(...args, "--lang", "en", "--times", "3", "--yes");
  assert.match(
    made.stdout,
    /^The schedule weekly is running; the next run is at \d{4}-\d\d-\d\d 09:00 UTC\.\n$/,
    made.stderr,
  );
  const listed = await run("schedules");
  assert.match(
    listed.stdout,
    /weekly +running +each monday at 09:00, UTC +next 2, en +\d{4}-\d\d-\d\d 09:00 UTC +0 of 3/,
  );
  assert.equal((await run("schedules", "--quiet")).stdout, "weekly\n");
  const paused = await run("schedules", "pause", "weekly");
  assert.equal(paused.stdout, "The schedule weekly is paused.\n", paused.stderr);
  const resumed = await run("schedules", "resume", "weekly", "--json");
  assert.equal(JSON.parse(resumed.stdout).state, "running", resumed.stderr);
  const cancelled = await run("schedules", "cancel", "weekly", "--yes");
  assert.equal(cancelled.stdout, "The schedule weekly is cancelled.\n", cancelled.stderr);
  assert.equal((await run("schedules", "pause", "none")).code, 6);
});

Deno.test("'waves schedule --zone' finds a zone by its city", async () => {
  await using test = await useWaiting(1);
  const run = (...args: string[]) => runOperator(test.url, ["waves", ...args]);
  const times = ["--every", "day", "--at", "09:00", "--zone", "New York"];
  await printed(
    run("schedule", "daily", "--next", "1", ...times, ...LINK, "--no-letters", "--yes"),
  );
  assert.match((await run("schedules")).stdout, / each day at 09:00, America\/New_York /);
});

Deno.test("'waves schedule --utm-campaign' creates a schedule that invites only people of one campaign", async () => {
  await using service = await useImportService();
  const rows = [`ada@example.com,${CONSENT},news`, `bo@example.com,${CONSENT},ads`];
  const csv = ["email,consentedAt,utm_campaign", ...rows].join("\n");
  await printed(service.import([await service.file("list.csv", csv)]));
  const run = (...args: string[]) => runOperator(service.url, args);
  const schedule = ["waves", "schedule", "news", "--next", "5", ...TIMES, ...LINK, "--no-letters"];
  const filter = ["--utm-campaign", "News"];
  const plan = await run(...schedule, ...filter, "--dry-run");
  assert.match(plan.stdout, /^Would invite at .+: 1 person in the wave news-/, plan.stderr);
  assert.equal((await run(...schedule, ...filter, "--yes")).code, 0);
  assert.match((await run("waves", "schedules")).stdout, / next 5, utm_campaign=news /);
});

Deno.test("'waves schedule' and 'signups invite' select people by --referrals", async () => {
  await using test = await useReferrals();
  const { run } = test;
  const letters = [...LINK, "--no-letters", "--referrals", "2"];
  const plan = await run([
    "waves",
    "schedule",
    "thanks",
    "--next",
    "5",
    ...TIMES,
    ...letters,
    "--dry-run",
  ]);
  assert.match(
    plan.stdout,
    /^Would invite at .+: 1 person in the wave thanks-[\d-]{10}\.\n/,
    plan.stderr,
  );
  const made = await run([
    "waves",
    "schedule",
    "thanks",
    "--next",
    "5",
    ...TIMES,
    ...letters,
    "--yes",
  ]);
  assert.equal(made.code, 0, made.stderr);
  const listed = await run(["waves", "schedules"]);
  assert.match(
    listed.stdout,
    /thanks +running +each monday at 09:00, UTC +next 5, 2 referrals or more /,
  );
  const people = ["--next", "5", ...LINK, "--referrals", "1", "--output", "none.csv"];
  const wave = await run(["signups", "invite", ...people, "--dry-run"]);
  assert.match(wave.stdout, /ada@example\.com/, wave.stderr);
  assert.match(wave.stdout, /bo@example\.com/);
  assert.doesNotMatch(wave.stdout, /cy@example\.com/);
});

Deno.test("'waves schedule' refuses a missing or wrong --weekday, --at or --zone", async () => {
  const refused = async (...args: string[]) =>
    (await runOperator("http://127.0.0.1:9", ["waves", "schedule", "a", "--next", "1", ...args]))
      .stderr;
  const at = ["--at", "09:00"];
  const zone = ["--zone", "UTC"];
  assert.match(
    await refused("--every", "week", ...at, ...zone),
    /--every week needs the day of the week; add --weekday/,
  );
  assert.match(
    await refused("--every", "day", "--weekday", "monday", ...at, ...zone),
    /--weekday works only with --every week/,
  );
  assert.match(await refused("--every", "day", "--at", "9", ...zone), /--at is '9'; give a time/);
  assert.match(
    await refused("--every", "day", ...at, "--zone", "Berln"),
    /--zone is 'Berln'; give the IANA name of a zone, such as Europe\/Berlin\./,
  );
});
