import assert from "node:assert/strict";
import { type ConsoleService, signIn, startConsole, test } from "../../../support/console.ts";
import { fieldsOf, urlsOf } from "../../../support/console_forms.ts";
import { nth, storeWaiting } from "../../../support/invitations.ts";
import { OPERATOR_KEY, readAudit } from "../../../support/operator.ts";

const PEOPLE = "/operator/people/";
const SELECTION_PATH = "/operator/people/hits/";

/** Stores people who wait: every third one is a German architect. */
const storeArchitects = (kv: ConsoleService["kv"], count: number) =>
  storeWaiting(kv, count, (n) => (n % 3 === 0 ? { lang: "de", role: "architect" } : {}));

/** The addresses in a CSV file. */
const emailsIn = (csv: string) =>
  csv.trim().split("\r\n").slice(1).map((line) => line.split(",")[0]);

test("selectionPage answers with a CSV file of everybody who fits the list's filter", async (service) => {
  const { browser, kv } = service;
  await storeArchitects(kv, 180);
  const { html } = await browser.submit(PEOPLE, { lang: "de", role: "architect" });
  const { response, html: csv } = await browser.send(SELECTION_PATH, {
    ...fieldsOf(html, "Download (CSV): all of them"),
    act: "export",
  });
  assert.equal(response.headers.get("content-type"), "text/csv; charset=utf-8");
  const disposition = 'attachment; filename="waitlist-2026-11-21.csv"';
  assert.equal(response.headers.get("content-disposition"), disposition);
  const architects = Array.from({ length: 60 }, (_, n) => nth(3 * n));
  assert.deepEqual(emailsIn(csv), architects.toSorted());
  const [entry] = await readAudit(service);
  assert.equal(entry?.action, "exportSignups");
  assert.deepEqual(entry?.details, { lang: "de", role: "architect", continued: false });
});

test("selectionPage downloads a CSV file of everybody who fits a filter that is typed but not yet applied", async ({ browser, kv }) => {
  await storeWaiting(kv, 12);
  const page = await browser.open(PEOPLE);
  assert.match(
    page.html,
    /<button formaction="\/operator\/people\/hits\/" name="act" value="export">/,
  );
  const choices = { search: nth(11), state: "waiting", order: "newest", act: "export" };
  const { response, html: csv } = await browser.send(SELECTION_PATH, choices);
  assert.equal(response.headers.get("content-type"), "text/csv; charset=utf-8");
  assert.deepEqual(emailsIn(csv), [nth(11)]);
  assert.equal((await browser.send(SELECTION_PATH, { search: "ab", act: "export" })).status, 400);
});

Deno.test("peoplePage offers no download to a viewer, and selectionPage refuses a viewer's download", async () => {
  const key = `viewer-${OPERATOR_KEY}`;
  await using service = await startConsole({ OPERATOR_KEYS: `vera:viewer=${key}` });
  await storeWaiting(service.kv, 1);
  const viewer = await signIn(service, key);
  assert.doesNotMatch((await viewer.open(PEOPLE)).html, /value="export"/);
  assert.equal((await viewer.send(SELECTION_PATH, { act: "export" })).status, 403);
});

test("selectionPage exports only the people whom the search of peoplePage finds, and peoplePage writes the searched text into no URL", async ({ browser, kv }) => {
  await storeWaiting(kv, 12);
  const { html } = await browser.submit(PEOPLE, { search: nth(11) });
  for (const url of urlsOf(html)) assert.doesNotMatch(url, /@|%40/);
  const fields = fieldsOf(html, "Download (CSV): 1 person");
  const { html: csv } = await browser.send(SELECTION_PATH, { ...fields, act: "export" });
  assert.deepEqual(emailsIn(csv), [nth(11)]);
});

test(
  "selectionPage opens the form for a wave, filled in with the filter and the number of people who fit the filter",
  async ({ browser, kv }, t) => {
    await storeArchitects(kv, 30);
    const { html } = await browser.submit(PEOPLE, { state: "waiting", lang: "de" });
    const fields = fieldsOf(html, "Invite: 10 people …");
    const form = await browser.submit(SELECTION_PATH, { ...fields, act: "invite" });
    assert.match(form.html, /name="next"[^>]* value="10"/);
    assert.match(form.html, /<option value="de" selected>/);
    const others = [{}, { state: "unconfirmed" }, { state: "waiting", since: "2026-01-01" }];
    for (const choices of others) {
      await t.step(JSON.stringify(choices), async () => {
        const { html } = await browser.submit(PEOPLE, choices);
        assert.doesNotMatch(html, />Invite: /);
      });
    }
  },
);
