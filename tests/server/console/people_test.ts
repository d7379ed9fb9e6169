import assert from "node:assert/strict";
import { follow, test } from "../../support/console.ts";
import { bulkSignUp, storeBulk } from "../../support/bulk_sign_ups.ts";
import { nth, storeWaiting } from "../../support/invitations.ts";
import { storeSignUp } from "../../support/records.ts";
import { START } from "../../support/service.ts";

const PEOPLE = "/operator/people/";

const STATES = ["waiting", "unconfirmed", "invited"] as const;

/** The addresses of a page, in their order. */
function listed(html: string): string[] {
  return [...html.matchAll(/name="chosen_\d+" value="([^"]+)"/g)].map(([, email = ""]) => email);
}

test("peoplePage shows the newest people first, and goes on page by page", async ({ browser, kv }) => {
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

test("peoplePage redirects from a form without an address to its filters", async ({ browser, kv }) => {
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

test("peoplePage finds addresses by their beginning, and no URL has one", async ({ browser, kv }) => {
  const at = new Date(START).toISOString();
  for (const name of ["ada", "adam", "bo"]) {
    await storeSignUp(kv, { email: `${name}@example.com`, lang: "de" }, at);
  }
  const { status, html } = await browser.submit(PEOPLE, { search: " ADA " });
  assert.equal(status, 200);
  assert.deepEqual(listed(html), ["ada@example.com", "adam@example.com"]);
  assert.match(html, /name="search" type="search"[^>]* value="ADA"/);
  for (const [, url] of html.matchAll(/(?:href|action|src)="([^"]*)"/g)) {
    assert.doesNotMatch(url ?? "", /ada|@|%40/i);
  }
  assert.match((await browser.open(`${PEOPLE}?state=invited`)).html, /Nobody fits these choices\./);
  const none = await browser.submit(PEOPLE, { search: "zoe" });
  assert.match(none.html, /Nobody fits these choices\./);
});

test("peoplePage offers to go on when a rare filter has looked at 2,000 people", async ({ browser, kv }) => {
  await storeWaiting(kv, 2_001, (n) => n === 2_000 ? { lang: "de" } : {});
  const first = await browser.open(`${PEOPLE}?lang=de&order=oldest`);
  assert.match(first.html, /Nobody among the 2,000 people looked at fits/);
  const next = await follow(browser, first.html, "Search on");
  assert.deepEqual(listed(next.html), [nth(2_000)]);
  assert.match(next.html, /role="status">Hits: 1</);
});

test("peoplePage finds a part of an address, counts the hits, and takes further filters", async ({ browser, kv }) => {
  const at = new Date(START).toISOString();
  for (const name of ["lovelace", "ada.lovelace", "bo", "grace.lovelace"]) {
    await storeSignUp(kv, { email: `${name}@example.com` }, at);
  }
  const begun = await browser.submit(PEOPLE, { search: "Lovelace" });
  assert.deepEqual(listed(begun.html), ["lovelace@example.com"]);
  const all = await follow(browser, begun.html, "Search inside addresses, too");
  assert.equal(listed(all.html).length, 3);
  assert.match(all.html, /role="status">Hits: 3</);
  assert.doesNotMatch(all.html, /Search inside addresses/);
  // Nothing begins so, and the page looks inside at once.
  const domain = await browser.submit(PEOPLE, { search: "@EXAMPLE.com", since: "2026-11-21" });
  assert.match(domain.html, /role="status">Hits: 4</);
  assert.match(domain.html, /<details open>.*name="since" type="date" value="2026-11-21"/s);
  const none = await browser.submit(PEOPLE, { search: "@example.com", until: "2026-11-20" });
  assert.match(none.html, /Nobody fits these choices\./);

  const filters = { role: "engineer", building: "agents", wave: "first", undeliverable: "yes" };
  const { location } = await browser.send(PEOPLE, { ...filters, since: "2026-11-01", until: "" });
  const query = new URLSearchParams(location.split("?")[1]);
  assert.deepEqual(Object.fromEntries(query), { ...filters, since: "2026-11-01" });
  assert.match((await browser.open(location)).html, /Nobody fits these choices\./);
});

test("peoplePage tells all hits by counters where the list is long", async ({ browser, kv }) => {
  const day = (n: number) => `2026-11-${String(16 + n % 3).padStart(2, "0")}T08:00:00.000Z`;
  const people = Array.from({ length: 2_400 }, (_, n) =>
    bulkSignUp(`p${n}`, {
      createdAt: day(n),
      source: n % 2 === 0 ? "hero" : "cta",
      lang: n % 4 === 0 ? "de" : "en",
      role: "lead",
      ...n % 3 === 0 && { state: "invited", invitedAt: day(n) },
    }));
  await storeBulk(kv, people);
  const table: [query: string, hits: string][] = [
    ["state=waiting", "1,600"],
    ["lang=en", "1,800"],
    ["role=lead", "2,400"],
    ["since=2026-11-16&until=2026-11-17", "1,600"],
    ["since=2026-11-16&lang=en&source=hero", "600"],
    ["since=2026-11-16&until=2026-11-22&reached=invited", "800"],
    // No counter has both.
    ["state=waiting&lang=en", "\\d+ and more"],
  ];
  for (const [query, hits] of table) {
    const { html } = await browser.open(`${PEOPLE}?${query}&order=oldest`);
    assert.match(html, new RegExp(`role="status">Hits: ${hits}<`), query);
  }
});
