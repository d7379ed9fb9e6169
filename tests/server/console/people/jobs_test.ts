import assert from "node:assert/strict";
import { follow, signIn, startConsole, test } from "../../../support/console.ts";
import { fieldsOf, textOf, urlsOf } from "../../../support/console_forms.ts";
import { nth, storeWaiting } from "../../../support/invitations.ts";
import { OPERATOR_KEY, readAudit } from "../../../support/operator.ts";
import { storeAddresses, storedSignUps } from "../../../support/records.ts";
import { START, WITH_MAIL } from "../../../support/service.ts";
import { Commit } from "../../../../server/store/kv/engine.ts";

const PEOPLE = "/operator/people/";
const SELECTION_PATH = "/operator/people/hits/";
const JOB = "/operator/people/job/";

const DAY = 24 * 3_600_000;

test("selectionPage erases everybody who fits the filter after the operator has typed the number of these people", async (service) => {
  const { browser, kv } = service;
  await storeWaiting(kv, 130, (n) => n % 2 === 0 ? { lang: "de" } : {});
  const list = await browser.submit(PEOPLE, { lang: "de" });
  const asked = await browser.submit(SELECTION_PATH, {
    ...fieldsOf(list.html, "Erase: 65 people …"),
    act: "erase",
  });
  assert.match(asked.html, /<h1>Erase: 65 people\?/);
  assert.match(textOf(asked.html), /Language German/);
  assert.match(asked.html, /href="\/operator\/people\/\?lang=de">Back</);
  const fields = fieldsOf(asked.html, "Erase: 65 people");
  const wrong = await browser.send(SELECTION_PATH, { ...fields, typed: "64" });
  assert.equal(wrong.status, 409);
  assert.match(wrong.html, /role="alert">You typed another number, so nobody was erased\./);
  assert.equal(Object.keys(await storedSignUps(kv)).length, 130);
  const uncounted = await browser.send(SELECTION_PATH, { ...fields, most: "70", typed: "64" });
  assert.match(uncounted.html, /<h1>Erase: 70 people\?/, "the people are not counted again");

  const started = await browser.send(SELECTION_PATH, { ...fields, typed: " 65 " });
  assert.equal(started.status, 303);
  await service.workOutbox();
  const { html } = await browser.open(started.location);
  assert.match(textOf(html), /Job: Erase Done .*Done: 65 of 65/);
  assert.doesNotMatch(html, /http-equiv="refresh"/);
  assert.equal(Object.keys(await storedSignUps(kv)).length, 65);
  // The same form again is the same job.
  assert.equal(
    (await browser.send(SELECTION_PATH, { ...fields, typed: "65" })).location,
    started.location,
  );
  await service.workOutbox();
  assert.equal(Object.keys(await storedSignUps(kv)).length, 65);
  const entries = (await readAudit(service)).filter(({ action }) => action === "eraseSignup");
  assert.equal(new Set(entries.map(({ address }) => address)).size, 65);
  const jobs = await follow(browser, html, "All jobs");
  assert.match(textOf(jobs.html), /Erase Done .* operator Done: 65 of 65/);
});

test("peoplePage offers the erasure of everybody who fits only if the list has a filter", async ({ browser, kv }) => {
  await storeWaiting(kv, 2);
  assert.doesNotMatch((await browser.open(PEOPLE)).html, /Erase: /);
  const { status } = await browser.send(SELECTION_PATH, { act: "erase", list: "" });
  assert.equal(status, 403);
  assert.match((await browser.open(`${PEOPLE}?state=waiting`)).html, />Erase: 2 people …</);
});

test("selectionPage writes a searched address into no URL, and shows no form when the search finds nobody", async ({ browser, kv }) => {
  await storeWaiting(kv, 12);
  const list = await browser.submit(PEOPLE, { search: nth(11) });
  const fields = fieldsOf(list.html, "Erase: 1 person …");
  const asked = await browser.submit(SELECTION_PATH, { ...fields, act: "erase" });
  for (const url of urlsOf(asked.html)) assert.doesNotMatch(url, /@|%40/);
  assert.ok(textOf(asked.html).includes(nth(11)), "the page says for whom the operator searched");
  const nobody = await browser.submit(SELECTION_PATH, {
    search: "nobody@example.com",
    act: "erase",
  });
  assert.match(nobody.html, /Nobody fits these choices\./);
  assert.doesNotMatch(nobody.html, /name="confirmed"/);
  assert.equal((await browser.open(SELECTION_PATH)).location, PEOPLE);
  assert.equal((await browser.send(SELECTION_PATH, { act: "forget" })).location, PEOPLE);
});

test("selectionPage asks the operator to type 1200, not 1,200, as the number of people", async ({ browser, kv }) => {
  await storeWaiting(kv, 1_200);
  const { html } = await browser.submit(SELECTION_PATH, { state: "waiting", act: "erase" });
  assert.match(textOf(html), /Erase: 1,200 people\? .*type how many people they are: 1200 /);
  assert.match(html, / pattern="1200"/);
});

Deno.test("selectionPage starts a job that reminds everybody who is unconfirmed", async () => {
  await using service = await startConsole(WITH_MAIL);
  const { browser, kv } = service;
  const emails = ["ada@example.com", "bo@example.com"];
  await storeAddresses(kv, emails, new Date(START - 2 * DAY).toISOString());
  await storeWaiting(kv, 2);
  const list = await browser.submit(PEOPLE, { state: "unconfirmed" });
  const fields = fieldsOf(list.html, "Send the confirmation again: 2 people …");
  const asked = await browser.submit(SELECTION_PATH, { ...fields, act: "remind" });
  assert.doesNotMatch(asked.html, /name="typed"/);
  const form = fieldsOf(asked.html, "Send the confirmation again: 2 people");
  const { location, status } = await browser.send(SELECTION_PATH, form);
  assert.equal(status, 303);
  assert.match(location, /^\/operator\/people\/job\/\?id=[\w-]+$/);
});

test("jobPage shows the progress of a running job, and cancels the job", async ({ browser, kv }) => {
  const job = {
    act: "erase",
    selection: { role: "founder", since: "2026-05-01T00:00:00.000Z", search: "ada" },
    most: 9,
    state: "running",
    done: 4,
    startedAt: "2026-11-21T12:00:00.000Z",
    audit: { at: "2026-11-21T12:00:00.000Z", id: "a", action: "startJob", operator: "eve" },
  };
  await kv.commit(new Commit().set(["job", "first"], job));
  const running = await browser.open(`${JOB}?id=first`);
  assert.match(running.html, /<meta http-equiv="refresh" content="2">/);
  assert.match(running.html, /<progress max="9" value="4"/);
  const still = await follow(browser, running.html, "Stop loading it again");
  assert.doesNotMatch(still.html, /http-equiv="refresh"/);
  const text = textOf(running.html);
  assert.match(text, /Address, or a part of it ada .*Role founder .*By eve/);
  const cancelled = await browser.submit(JOB, fieldsOf(running.html, "Cancel the job"));
  assert.match(textOf(cancelled.html), /Job: Erase Cancelled .*Its text is no longer kept/);
  await kv.commit(new Commit().set(["job", "first"], { ...job, state: "done" }));
  const done = await browser.open(`${JOB}?id=first`);
  assert.match(
    textOf(done.html),
    /Done: 4 of 9 Passed over: 5\. They no longer fitted the choices\. /,
  );
  const jobs = await follow(browser, done.html, "All jobs");
  assert.match(textOf(jobs.html), /Erase Done .* Done: 4 of 9, passed over: 5/);
  const refused = await browser.send(JOB, { id: "first" });
  assert.equal(refused.status, 409);
  assert.match(refused.html, /role="alert">The job is done already\./);
  assert.equal((await browser.open(`${JOB}?id=none`)).status, 404);
});

Deno.test("jobsPage shows jobs to a viewer, who can neither start nor cancel a job", async () => {
  const viewerKey = `viewer-${OPERATOR_KEY}`;
  await using service = await startConsole({ OPERATOR_KEYS: `vera:viewer=${viewerKey}` });
  await storeWaiting(service.kv, 1);
  const browser = await signIn(service, viewerKey);
  const { html } = await browser.open(PEOPLE);
  assert.doesNotMatch(html, /With all who fit/);
  const jobs = await follow(browser, html, "Jobs");
  assert.match(jobs.html, /class="empty">There was no job in the last 90 days\./);
  assert.equal((await browser.send(SELECTION_PATH, { act: "erase" })).status, 403);
  assert.equal((await browser.send(SELECTION_PATH, { act: "export" })).status, 403);
});
