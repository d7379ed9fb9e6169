import assert from "node:assert/strict";
import { bulkSignUp, storeBulk } from "../../../support/bulk_sign_ups.ts";
import {
  type ConsoleService,
  follow,
  signIn,
  startConsole,
  test,
} from "../../../support/console.ts";
import { fieldsOf, urlsOf } from "../../../support/console_forms.ts";
import { faultyKv } from "../../../support/faulty_kv.ts";
import { nth, storeWaiting } from "../../../support/invitations.ts";
import { openMemoryKv } from "../../../support/memory_kv.ts";
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
  const filters = { lang: "de", role: "architect" };
  const { html } = await browser.submit(PEOPLE, filters);
  assert.deepEqual(html.match(/>Download[^<]+/g), [
    ">Download all who fit (CSV)",
    ">Download (CSV)",
  ], "for all who fit, and for those chosen");
  const sent = { ...filters, act: "export" };
  const { response, html: csv } = await browser.send(SELECTION_PATH, sent);
  assert.equal(response.headers.get("content-type"), "text/csv; charset=utf-8");
  const disposition = 'attachment; filename="waitlist-2026-11-21-de-architect.csv"';
  assert.equal(response.headers.get("content-disposition"), disposition);
  const architects = Array.from({ length: 60 }, (_, n) => nth(3 * n));
  assert.deepEqual(emailsIn(csv), architects.toSorted());
  const [entry] = await readAudit(service);
  assert.equal(entry?.action, "exportSignups");
  assert.deepEqual(entry?.details, { lang: "de", role: "architect", continued: false });
});

test("selectionPage names a file by its short filters, in lower-case letters, digits and hyphens, and never by a search", async ({ browser }) => {
  const filters = { state: "waiting", role: "head_of_it", wave: "Beta_1", search: nth(1) };
  const { response } = await browser.send(SELECTION_PATH, { ...filters, act: "export" });
  assert.equal(
    response.headers.get("content-disposition"),
    'attachment; filename="waitlist-2026-11-21-waiting-head-of-it-beta-1.csv"',
  );
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
  const sent = { search: nth(11), act: "export" };
  const { html: csv } = await browser.send(SELECTION_PATH, sent);
  assert.deepEqual(emailsIn(csv), [nth(11)]);
});

test(
  "selectionPage opens the form for a wave, filled in with the filter and the number of people who fit the filter",
  async ({ browser, kv }, t) => {
    await storeWaiting(kv, 32, (n) => ({
      ...n % 3 === 0 && { lang: "de" },
      ...n === 1 && { state: "unconfirmed" },
      ...n === 2 && { state: "invited", wave: "first" },
    }));
    const { html } = await browser.submit(PEOPLE, { state: "waiting", lang: "de" });
    const fields = fieldsOf(html, "Invite: 11 people …");
    const form = await browser.submit(SELECTION_PATH, { ...fields, act: "invite" });
    assert.match(form.html, /name="next"[^>]* value="11"/);
    assert.match(form.html, /<option value="de" selected>/);
    const others = [
      [{ state: "unconfirmed" }, undefined],
      [{ search: nth(2), wave: "first" }, undefined],
      [{ state: "waiting", since: "2026-01-01" }, "From"],
      [{ search: nth(3), since: "2026-01-01" }, "Address, or a part of it, From"],
    ] as const;
    for (const [choices, filters] of others) {
      await t.step(JSON.stringify(choices), async () => {
        const { html } = await browser.submit(PEOPLE, choices);
        assert.doesNotMatch(html, />Invite: /);
        const advice =
          "To invite people of this list, tick them, because the page Invite has no filter for:";
        assert.equal(html.includes(advice), filters !== undefined);
        if (filters) assert.ok(html.includes(`${advice} ${filters}.`), html);
      });
    }
  },
);

test("selectionPage leads from a list of all states to the form for a wave of those who are waiting", async ({ browser, kv }) => {
  await storeWaiting(kv, 30, (n) => ({
    ...n % 3 === 0 && { state: "invited" },
    ...n % 2 === 0 && { lang: "de", role: "architect" },
  }));
  const { html } = await browser.submit(PEOPLE, { lang: "de", role: "architect" });
  const fields = fieldsOf(html, "Invite: those who are waiting …");
  const form = await browser.submit(SELECTION_PATH, { ...fields, act: "invite" });
  assert.match(form.html, /name="next"[^>]* value="10"/);
  assert.match(form.html, /<option value="architect" selected>/);
});

test("peoplePage counts everybody who fits two filters if the list is short", async ({ browser, kv }) => {
  await storeArchitects(kv, 180);
  const { html } = await browser.submit(PEOPLE, { lang: "de", role: "architect" });
  assert.match(html, /role="status">Found: 60</);
  assert.doesNotMatch(html, />Count them all</);
  const next = await follow(browser, html, "Next page");
  assert.match(next.html, /role="status">Found: 60</);
});

test("peoplePage says how many people of a long list it has found, and selectionPage counts the rest", async ({ browser, kv }) => {
  const people = Array.from(
    { length: 1_200 },
    (_, n) => bulkSignUp(`p${n}`, n % 3 === 0 ? { lang: "de", role: "architect" } : {}),
  );
  await storeBulk(kv, people);
  const choices = { lang: "de", role: "architect", order: "oldest" };
  const { html } = await browser.submit(PEOPLE, choices);
  assert.match(html, /role="status">Found so far: 50\. Searched the sign-ups up to /);
  const fields = { ...fieldsOf(html, "Count them all"), act: "count" };
  const counting = await browser.send(SELECTION_PATH, fields);
  assert.equal(counting.status, 303);
  const counted = await browser.open((await browser.open(counting.location)).location);
  const found = /role="status">Found: 400, counted on 21 Nov 2026, 12:00</;
  assert.match(counted.html, found);
  assert.match(counted.html, />Erase: 400 people …</);
  assert.match(counted.html, /<option value="oldest" selected>/);
  assert.match((await follow(browser, counted.html, "Next page")).html, found);
  const wave = await browser.open(`${PEOPLE}?since=2020-01-01`);
  assert.match(wave.html, />Count them all</, "a list without a search has no number, either");
  const refused = await browser.send(SELECTION_PATH, { search: "ab", act: "count" });
  assert.equal((await browser.open(refused.location)).status, 400);
});

Deno.test("selectionPage counts a long list in parts, and says how far it has counted", async () => {
  let clock = { now: 0 };
  // Each entry takes a long time to read, so a call of the operation counts only one page of 500 people.
  const kv = faultyKv(await openMemoryKv(), (commit) => commit(), (read) => {
    clock.now += 10;
    return read();
  });
  await using service = await startConsole({}, kv);
  const { browser } = service;
  await storeWaiting(kv, 1_200, () => ({ lang: "de" }));
  clock = service.clock;
  let { location } = await browser.send(SELECTION_PATH, { lang: "de", act: "count" });
  for (const count of ["500", "1,000"]) {
    const { html } = await browser.open(location);
    const progress = `Counted so far: ${count}. Searched the sign-ups up to 21 Nov 2026.`;
    assert.ok(html.includes(progress), html);
    [, location = ""] = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(html) ?? [];
  }
  const counted = await browser.open((await browser.open(location)).location);
  assert.match(counted.html, /role="status">Found: 1,200, counted on /);
});

test("peoplePage counts the people of a long list who were invited, if they are few", async ({ browser, kv }) => {
  const people = Array.from({ length: 900 }, (_, n) => {
    const step = n < 60 ? { state: "invited" as const, invitationCode: `c${n}` } : {};
    return bulkSignUp(`p${n}`, { lang: "de", ...step });
  });
  await storeBulk(kv, people);
  const { html } = await browser.open(`${PEOPLE}?reached=invited&lang=de`);
  assert.match(html, /role="status">Found: 60</);
  assert.doesNotMatch(html, />Count them all</);
});

test("peoplePage does not count people of a large wave by itself, even if few people are in the state", async ({ browser, kv }) => {
  const people = Array.from({ length: 900 }, (_, n) => {
    const state = n < 60 ? "accepted" as const : "invited" as const;
    return bulkSignUp(`p${n}`, { state, wave: "large", invitationCode: `c${n}` });
  });
  await storeBulk(kv, people);
  const { html } = await browser.open(`${PEOPLE}?state=accepted&wave=large`);
  assert.match(html, />Count them all</);
  assert.match(html, /role="status">Found so far: 50\./);
});

test("peoplePage says that nobody fits once a count has found nobody, although its search has not come to the end", async ({ browser, kv }) => {
  await storeWaiting(kv, 3_600);
  const { html } = await browser.submit(PEOPLE, { lang: "de" });
  assert.match(html, />Search on</);
  const fields = { ...fieldsOf(html, "Count them all"), act: "count" };
  const counting = await browser.send(SELECTION_PATH, fields);
  const counted = await browser.open((await browser.open(counting.location)).location);
  assert.match(counted.html, /role="status">Found: 0, counted on /);
  assert.match(counted.html, /<p class="empty">Nobody fits these choices\.</);
  assert.doesNotMatch(counted.html, />Search on<|>Erase/);
});
