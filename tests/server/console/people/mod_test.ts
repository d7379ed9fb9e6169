import assert from "node:assert/strict";
import { follow, personPath, test } from "../../../support/console.ts";
import { fieldsOf, urlsOf } from "../../../support/console_forms.ts";
import { bulkSignUp, storeBulk } from "../../../support/bulk_sign_ups.ts";
import { nth, storeWaiting } from "../../../support/invitations.ts";
import { importPeople } from "../../../support/operator.ts";
import { storeSignUp } from "../../../support/records.ts";
import { START } from "../../../support/service.ts";

const PEOPLE = "/operator/people/";

const HOUR = 3_600_000;

const STATES = ["waiting", "unconfirmed", "invited"] as const;

/** The addresses of a page, in their order. */
function listed(html: string): string[] {
  return [...html.matchAll(/name="chosen_\d+" value="([^"]+)"/g)].map(([, email = ""]) => email);
}

test("peoplePage lists the newest people first, page by page", async ({ browser, kv }) => {
  assert.match((await browser.open(PEOPLE)).html, /class="empty">Nobody is on the list yet</);
  await storeWaiting(kv, 60);
  const first = await browser.open(PEOPLE);
  assert.equal(first.status, 200);
  const emails = Array.from({ length: 60 }, (_, n) => nth(59 - n));
  assert.deepEqual(listed(first.html), emails.slice(0, 50));
  assert.match(first.html, /<caption>Newest first; people on this page: 50<\/caption>/);
  const next = await follow(browser, first.html, "Next page");
  assert.deepEqual(listed(next.html), emails.slice(50));
  assert.doesNotMatch(next.html, />Go on</);
  const again = await follow(browser, next.html, "First page");
  assert.deepEqual(listed(again.html), listed(first.html));
});

test("peoplePage redirects to a URL that contains the chosen filters when the search field is empty", async ({ browser, kv }) => {
  await storeWaiting(kv, 9, (n) => ({
    state: STATES[n % 3]!,
    ...n < 6 && { lang: "de", source: "cta" },
  }));
  const filters = { search: "", state: "waiting", lang: "de", source: "cta", order: "oldest" };
  const { status, location } = await browser.send(PEOPLE, filters);
  assert.equal(status, 303);
  assert.equal(location, `${PEOPLE}?state=waiting&lang=de&source=cta&order=oldest`);
  const { html } = await browser.open(location);
  assert.deepEqual(listed(html), [nth(0), nth(3)]);
  for (const chosen of ["waiting", "de", "cta", "oldest"]) {
    assert.ok(html.includes(`<option value="${chosen}" selected>`), chosen);
  }
});

test("peoplePage lets the script focus the search only when the page shows the whole list and says nothing", async ({ browser, kv }) => {
  await storeWaiting(kv, 60);
  const whole = await browser.open(PEOPLE);
  assert.match(whole.html, /<form [^>]*data-focus="search"/);
  assert.match(whole.html, /<input id="search"/);
  assert.doesNotMatch(whole.html, /autofocus/, "which phones would follow as well");
  assert.match((await browser.open(`${PEOPLE}?order=oldest`)).html, /data-focus/);
  const next = await follow(browser, whole.html, "Next page");
  const found = await browser.submit(PEOPLE, { search: nth(1) });
  const filtered = await browser.open(`${PEOPLE}?state=waiting`);
  const path = await personPath(browser, nth(0));
  const erased = await browser.submit(path, { act: "erase", confirmed: "yes" });
  assert.match(erased.html, /is erased\./);
  for (const { html } of [next, found, filtered, erased]) {
    assert.match(html, /data-choose-all/);
    assert.doesNotMatch(html, /data-focus/);
  }
});

test("peoplePage leaves out a column in which nobody on the page has a value", async ({ browser, kv }) => {
  await storeWaiting(kv, 2);
  const headings = async () => {
    const { html } = await browser.open(PEOPLE);
    return Array.from(html.matchAll(/<th scope="col">([^<]+)/g), ([, heading]) => heading);
  };
  const always = ["Chosen", "Address", "State", "First sign-up", "Language"];
  assert.deepEqual(await headings(), always);
  await storeBulk(kv, [bulkSignUp("cy", { source: "hero", building: "agents" })]);
  assert.deepEqual(await headings(), [...always, "Form", "Use case"]);
});

test("peoplePage stops a search after 3,500 people, and links to the rest of the search", async ({ browser, kv }) => {
  const at = (n: number) => new Date(START - 3_500 * HOUR + n * HOUR).toISOString();
  const people = Array.from(
    { length: 3_502 },
    (_, n) => bulkSignUp(`p${n}`, { createdAt: at(n), ...n % 3_500 === 0 && { lang: "de" } }),
  );
  await storeBulk(kv, people);
  const first = await browser.open(`${PEOPLE}?lang=de&order=oldest`);
  assert.deepEqual(listed(first.html), ["p0@example.com"]);
  const day = /role="status">Found so far: 1\. Searched the sign-ups up to 21 Nov 2026\.</;
  assert.match(first.html, day);
  const next = await follow(browser, first.html, "Search on");
  assert.deepEqual(listed(next.html), ["p3500@example.com"]);
  assert.match(next.html, /role="status">Found: 2</);
  const newest = await browser.open(`${PEOPLE}?role=engineer`);
  assert.match(
    newest.html,
    /role="status">Found so far: 0\. Searched the sign-ups back to 28 Jun 2026\.</,
  );
  assert.match(newest.html, /Search on/);
  assert.doesNotMatch(newest.html, /Nobody fits/);
});

test("peoplePage finds people by a part of the address, shows their number, and writes no address into a URL", async ({ browser, kv }) => {
  const at = new Date(START).toISOString();
  for (const name of ["lovelace", "ada.lovelace", "bo", "grace.lovelace"]) {
    await storeSignUp(kv, { email: `${name}@example.com` }, at);
  }
  const all = await browser.submit(PEOPLE, { search: " Lovelace " });
  const names = ["lovelace", "grace.lovelace", "ada.lovelace"];
  assert.deepEqual(listed(all.html), names.map((name) => `${name}@example.com`));
  assert.match(all.html, /role="status">Found: 3</);
  assert.match(all.html, /name="search" type="search"[^>]* value="Lovelace"/);
  for (const url of urlsOf(all.html)) assert.doesNotMatch(url, /lovelace|@|%40/i);
  const domain = await browser.submit(PEOPLE, { search: "@EXAMPLE.com", since: "2026-11-21" });
  assert.match(domain.html, /role="status">Found: 4</);
  assert.match(domain.html, /<details open>.*name="since" type="date" value="2026-11-21"/s);
  const none = await browser.submit(PEOPLE, { search: "@example.com", until: "2026-11-20" });
  assert.match(none.html, /Nobody fits these choices\./);
  assert.match(
    none.html,
    /Try a shorter part of the address, of at least three characters\. <a href="\/operator\/people\/">Show everybody again</,
  );

  const filters = { role: "engineer", building: "agents", wave: "first", mark: "complained" };
  const { location } = await browser.send(PEOPLE, { ...filters, since: "2026-11-01", until: "" });
  const query = new URLSearchParams(location.split("?")[1]);
  assert.deepEqual(Object.fromEntries(query), { ...filters, since: "2026-11-01" });
  const { html } = await browser.open(location);
  assert.match(html, /Nobody fits these choices\./);
  assert.match(html, />Show everybody again</);
  assert.doesNotMatch(html, /Try a shorter part/);
  assert.match(html, /<input id="wave" name="wave" value="first" list="wave-known"/);
});

test(
  "peoplePage shows the number of people with a chosen state or a chosen mark such as 'undeliverable'",
  async ({ browser, kv }, t) => {
    await storeWaiting(kv, 60, (n) => ({
      state: STATES[n % 3]!,
      ...n % 10 === 0 && { undeliverableAt: new Date(START).toISOString() },
    }));
    const table = [["", 60], ["state=waiting", 20], ["mark=undeliverable", 6]] as const;
    for (const [query, count] of table) {
      await t.step(JSON.stringify(query), async () => {
        const { html } = await browser.open(`${PEOPLE}?${query}`);
        assert.match(html, new RegExp(`role="status">People: ${count}<`));
      });
    }
    const both = await browser.open(`${PEOPLE}?state=waiting&mark=undeliverable`);
    assert.match(both.html, /role="status">Found: 2</);
  },
);

test("peoplePage and saved filters select people by campaign, and personPage shows a person's campaign", async (service) => {
  const { browser } = service;
  const people = ["news", "news", "ads"].map((utmSource, n) => ({
    email: `p${n}@example.com`,
    consentedAt: "2026-05-01T09:30:00.000Z",
    state: "waiting",
    utmSource,
    ...n === 0 && { utmMedium: "mail", utmCampaign: "launch" },
  }));
  await importPeople(service, people);
  assert.match((await browser.open(PEOPLE)).html, /<details><summary>More filters</);
  const { html } = await browser.submit(PEOPLE, { utmSource: "news", utmCampaign: " launch " });
  assert.deepEqual(listed(html), ["p0@example.com"]);
  assert.match(html, /<details open>.*<input id="utmSource" name="utmSource" value="news"/s);
  assert.match(html, /<datalist id="utmSource-known"><option value="ads">\s*<option value="news">/);
  const saved = await browser.submit("/operator/people/filters/", {
    ...fieldsOf(html, "Save"),
    name: "Launch",
  });
  const again = await follow(browser, saved.html, "Launch");
  assert.deepEqual(listed(again.html), ["p0@example.com"]);
  const person = await browser.open(await personPath(browser, "p0@example.com"));
  assert.match(person.html, /<dt>Campaign source<\/dt><dd>news<\/dd>/);
  assert.match(person.html, /<dt>Campaign name<\/dt><dd>launch<\/dd>/);
});

test("peoplePage and saved filters accept a campaign in other spellings, such as ' Spring 2027 ' for spring-2027", async (service) => {
  const { browser } = service;
  const consentedAt = "2026-05-01T09:30:00.000Z";
  await importPeople(service, [
    { email: nth(0), consentedAt, state: "waiting", utmCampaign: "spring-2027" },
    { email: nth(1), consentedAt, state: "waiting" },
  ]);
  const { html } = await browser.submit(PEOPLE, { utmCampaign: " Spring 2027 " });
  assert.deepEqual(listed(html), [nth(0)]);
  assert.match(html, /<input id="utmCampaign" name="utmCampaign" value="spring-2027"/);
  assert.doesNotMatch(html, /<input id="utmCampaign"[^>]* (?:pattern|maxlength)=/);
  const saved = await browser.submit("/operator/people/filters/", {
    utmCampaign: "Spring 2027",
    name: "Spring",
  });
  assert.deepEqual(listed((await follow(browser, saved.html, "Spring")).html), [nth(0)]);
});

test("peoplePage links from the error message of a wrong filter to the list without filters", async ({ browser }) => {
  const refused = await browser.open(`${PEOPLE}?role=a%20b&state=waiting`);
  assert.equal(refused.status, 400);
  assert.match(refused.html, /<a href="\/operator\/people\/">Back<\/a>/);
});

test("selectionPage fills the filter's campaign into the form for a wave, and names the campaign when it asks whether to erase people", async (service) => {
  const { browser } = service;
  await importPeople(
    service,
    ["news", "ads"].map((utmSource) => ({
      email: `${utmSource}@example.com`,
      consentedAt: "2026-05-01T09:30:00.000Z",
      state: "waiting",
      utmSource,
    })),
  );
  const choices = { state: "waiting", utmSource: "news" };
  const invite = await browser.submit("/operator/people/hits/", { ...choices, act: "invite" });
  assert.match(invite.html, /<input id="utmSource" name="utmSource" value="news"/);
  const erase = await browser.submit("/operator/people/hits/", { ...choices, act: "erase" });
  assert.match(erase.html, /<dt>Campaign source<\/dt><dd>news<\/dd>/);
});
