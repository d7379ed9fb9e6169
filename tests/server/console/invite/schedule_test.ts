import assert from "node:assert/strict";
import { signIn, startConsole, test } from "../../../support/console.ts";
import { fieldsOf, textOf } from "../../../support/console_forms.ts";
import { LINK, storeWaiting } from "../../../support/invitations.ts";
import { WITH_MAIL } from "../../../support/service.ts";

const INVITE = "/operator/invite/";
const SCHEDULE = "/operator/invite/schedule/";
const SCHEDULES = "/operator/invite/schedules/";

const FORM = {
  id: "weekly",
  next: "2",
  link: LINK,
  weekday: "monday",
  at: "09:00",
  zone: "Europe/Berlin",
};

test("schedulePage shows the next three waves before it creates the schedule", async (service) => {
  let { browser } = service;
  await storeWaiting(service.kv, 5);
  const invite = await browser.open(INVITE);
  assert.match(textOf(invite.html), /Schedules There is no schedule. Make a schedule/);
  const form = await browser.open(SCHEDULE);
  assert.match(form.html, /<option value="Europe\/Berlin">/);
  const plan = await browser.submit(SCHEDULE, FORM);
  assert.match(
    textOf(plan.html),
    /23 Nov 2026, 08:00 weekly-2026-11-23 2 30 Nov 2026, 08:00 weekly-2026-11-30 2 7 Dec 2026, 08:00 weekly-2026-12-07 1 /,
  );
  assert.match(textOf(plan.html), /When each Monday at 09:00, Europe\/Berlin Whom next in line: 2/);
  const made = await browser.send(SCHEDULE, fieldsOf(plan.html, "Start the schedule"));
  assert.equal(made.location, `${INVITE}#schedules`);
  const listed = await browser.open(INVITE);
  assert.match(
    textOf(listed.html),
    /weekly Running each Monday at 09:00, Europe\/Berlin next in line: 2 23 Nov 2026, 08:00 0 /,
  );
  await browser.send(SCHEDULES, fieldsOf(listed.html, "Pause weekly"));
  const paused = await browser.open(INVITE);
  assert.match(textOf(paused.html), /weekly Paused/);
  service.clock.now = Date.parse("2026-11-23T09:00:00Z");
  await service.repeatOnce();
  // The session has ended meanwhile.
  browser = await signIn(service);
  const overview = await browser.open("/operator/");
  assert.match(
    textOf(overview.html),
    /The schedule ‘weekly’ is or was paused. These runs did not happen: 23 Nov 2026\. Open the/,
  );
  await browser.send(SCHEDULES, fieldsOf(paused.html, "Resume weekly"));
  const asks = await browser.send(SCHEDULES, fieldsOf(listed.html, "Cancel weekly …"));
  assert.match(textOf(asks.html), /Cancel the schedule\?/);
  await browser.send(SCHEDULES, fieldsOf(asks.html, "Cancel the schedule"));
  const { html: cancelled } = await browser.open(INVITE);
  assert.match(textOf(cancelled), /weekly Cancelled/);
  const [row = ""] = /<th scope="row">weekly.+?<\/tr>/s.exec(cancelled)!;
  assert.match(
    row,
    /<td><\/td><\/tr>$/,
    "phones hide the name of a column only if its cell is empty",
  );
  const late = await browser.send(SCHEDULES, fieldsOf(listed.html, "Pause weekly"));
  assert.equal(late.status, 409);
  assert.match(textOf(late.html), /The schedule is done or cancelled, so it cannot be changed/);
});

test("schedulePage finds a time zone by its city, and shows the full name of the zone in the plan", async ({ browser }) => {
  const plan = await browser.submit(SCHEDULE, { ...FORM, zone: "berlin" });
  assert.equal(plan.status, 200);
  assert.match(textOf(plan.html), /When each Monday at 09:00, Europe\/Berlin /);
  await browser.send(SCHEDULE, fieldsOf(plan.html, "Start the schedule"));
  assert.match(
    textOf((await browser.open(INVITE)).html),
    /weekly Running each Monday at 09:00, Europe\/Berlin /,
  );
});

Deno.test("schedulePage shows the form with the chosen values again after the button 'Change the choices'", async () => {
  await using service = await startConsole(WITH_MAIL);
  const { browser } = service;
  const choices = { ...FORM, link: "https://app.example.com/", letters: "yes" };
  const plan = await browser.submit(SCHEDULE, choices);
  const unsure = await browser.send(SCHEDULE, fieldsOf(plan.html, "Start the schedule"));
  assert.equal(unsure.status, 409);
  const form = await browser.submit(SCHEDULE, fieldsOf(unsure.html, "Change the choices"));
  assert.match(form.html, /name="id" value="weekly"/);
});

test("schedulePage keeps the typed values and names the fault above the form when a value is refused", async ({ browser }) => {
  const refused = await browser.submit(SCHEDULE, { ...FORM, zone: "Europe/Nowhere", at: "9" });
  assert.equal(refused.status, 400);
  assert.match(
    textOf(refused.html),
    /‘Time’ must be a time of day such as 09:00\. There is no time/,
  );
  assert.match(refused.html, /value="Europe\/Nowhere"/);
  const misspelt = await browser.submit(SCHEDULE, { ...FORM, zone: "Berln" });
  assert.match(
    textOf(misspelt.html),
    /no time zone ‘Berln’\. Did you mean this one: Europe\/Berlin\?/,
  );
  const over = await browser.submit(SCHEDULE, { ...FORM, until: "2026-11-22" });
  assert.match(textOf(over.html), /No wave could start before the last day\./);
  const plan = await browser.submit(SCHEDULE, FORM);
  await browser.send(SCHEDULE, fieldsOf(plan.html, "Start the schedule"));
  const other = await browser.submit(SCHEDULE, { ...FORM, next: "3" });
  assert.equal(other.status, 409);
  assert.match(textOf(other.html), /There is a schedule ‘weekly’ with other choices/);
});
