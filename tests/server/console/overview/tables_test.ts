import assert from "node:assert/strict";
import { bulkSignUp, storeBulk } from "../../../support/bulk_sign_ups.ts";
import { signIn, test } from "../../../support/console.ts";
import { importPeople } from "../../../support/operator.ts";

const DAY_MS = 24 * 60 * 60_000;

/** The texts of the rows of a table, its cells separated by lines. */
const rowsOf = (html: string, caption: string) => {
  const table = html.split(`<caption>${caption}</caption>`)[1]?.split("</table>")[0] ?? "";
  return Array.from(
    table.matchAll(/<tr>(.+?)<\/tr>/gs),
    ([, row = ""]) =>
      Array.from(
        row.matchAll(/<t[dh][^>]*>(.*?)<\/t[dh]>/gs),
        ([, cell = ""]) => cell.replace(/<[^>]+>/g, "").replace(/\s+/g, " ").trim(),
      ).join(" | "),
  ).slice(1);
};

test("overviewPage shows tables of sign-ups by day and by week, with a column for each language and each sign-up form", async (service) => {
  const people = [
    { daysAgo: 0, lang: "de", source: "hero" },
    { daysAgo: 1, lang: "en", source: "cta" },
    { daysAgo: 1, lang: "en" },
    { daysAgo: 6, lang: "en" },
    { daysAgo: 400, lang: "en", source: "cta" },
  ].map(({ daysAgo, ...fields }, index) => {
    const consentedAt = new Date(service.clock.now - daysAgo * DAY_MS).toISOString();
    const state = ["accepted", "invited", "waiting"][index] ?? "waiting";
    const proof = index < 3 && {
      proof: { requestedAt: consentedAt, consentText: "text", confirmedAt: consentedAt },
    };
    return { email: `p${index}@example.com`, consentedAt, ...fields, state, ...proof };
  });
  await importPeople(service, people);
  const browser = await signIn(service);
  const open = async (path: string, lang = "en") =>
    (await browser.open(path, { headers: { "Accept-Language": lang } })).html;

  const week = await open("/operator/?range=7");
  assert.deepEqual(rowsOf(week, "Sign-ups").slice(0, 2), [
    "21 Nov 2026 | 1 | 0 | 1 | 1 | 0 | 5",
    "20 Nov 2026 | 2 | 2 | 0 | 0 | 1 | 4",
  ]);
  assert.equal(rowsOf(week, "Sign-ups").length, 7);
  const year = await open("/operator/?range=365", "de");
  assert.deepEqual(
    rowsOf(year, "Anmeldungen").slice(0, 2),
    ["16.–21.11.2026 | 3 | 2 | 1 | 1 | 1 | 5", "09.–15.11.2026 | 1 | 1 | 0 | 0 | 0 | 2"],
  );
  // More than a year is shown by week, whatever is asked for.
  const beginning = await open("/operator/?range=all&by=day");
  assert.doesNotMatch(beginning, /range=all&amp;by=day/);
  const all = rowsOf(beginning, "Sign-ups");
  assert.equal(all.at(-1), "17–19 Oct 2025 | 1 | – | – | – | – | 1");

  const [thisWeek, lastWeek, ...earlierWeeks] = rowsOf(
    week,
    "How far those have come who signed up in each week",
  );
  assert.equal(thisWeek, "16–21 Nov 2026 | 3 | 3 100.0% | 3 100.0% | 2 66.7% | 1 33.3%");
  assert.match(lastWeek ?? "", /^9–15 Nov 2026 \| 1 \| – \| – \| 0 \| 0$/);
  assert.deepEqual(earlierWeeks, [], "nobody signed up in the earlier weeks");

  assert.match(
    week.replace(/\s+/g, " "),
    /such as imported people, count neither there nor under Confirmed; /,
  );

  // A number leads to those whom it counts.
  const [, link = ""] = /href="([^"]+reached=invited)">2</.exec(week) ?? [];
  const listed = await open(link.replaceAll("&amp;", "&"));
  assert.match(listed, /Found: 2/);
  assert.match(listed, /p0@.+p1@|p1@.+p0@/s);
  assert.doesNotMatch(listed, /p2@/);
});

test("overviewPage shows a dash for e-mails accepted and confirmed in the weeks in which nobody was asked to confirm", async ({ browser, kv }) => {
  const weeks = async () => {
    const { html } = await browser.open("/operator/");
    return rowsOf(html, "How far those have come who signed up in each week")
      .map((row) => row.split(" | ").slice(1).join(" "));
  };
  const imported = { state: "waiting" } as const;
  await storeBulk(kv, [
    bulkSignUp("ada", { ...imported, createdAt: "2026-11-02T08:00:00.000Z" }),
    bulkSignUp("bo", { ...imported, createdAt: "2026-11-09T08:00:00.000Z" }),
    bulkSignUp("cy", { ...imported, createdAt: "2026-11-16T08:00:00.000Z" }),
  ]);
  assert.deepEqual(await weeks(), ["1 – – 0 0", "1 – – 0 0", "1 – – 0 0"]);
  // This person was asked, and no mail server has accepted the e-mail yet.
  await storeBulk(kv, [
    bulkSignUp("di", { state: "unconfirmed", createdAt: "2026-11-15T08:00:00.000Z" }),
  ]);
  assert.deepEqual(await weeks(), ["1 0 0 0 0", "2 0 0 0 0", "1 – – 0 0"]);
});

test("overviewPage says in place of a table that nobody signed up in the last 13 weeks when all people signed up earlier", async ({ browser, kv }) => {
  await storeBulk(kv, [bulkSignUp("ada", { createdAt: "2025-07-01T08:00:00.000Z" })]);
  const { html } = await browser.open("/operator/");
  assert.match(
    html,
    /<p class="empty">Nobody on the list signed up first in the last 13 weeks\.<\/p>/,
  );
  assert.doesNotMatch(html, /How far those have come/);
});

test("overviewPage shows a table of all days when the list is younger than a year", async ({ browser, kv }) => {
  await storeBulk(kv, [bulkSignUp("ada", { createdAt: "2026-07-01T08:00:00.000Z" })]);
  const weeks = (await browser.open("/operator/?range=all")).html;
  assert.match(weeks, /<a href="\/operator\/\?range=all&amp;by=week" aria-current="page">/);
  const days = rowsOf((await browser.open("/operator/?range=all&by=day")).html, "Sign-ups");
  assert.deepEqual([days.length, days.at(-1)], [144, "1 Jul 2026 | 1 | 1 | 0 | 0 | 0 | 1"]);
});

test("getOverview answers 400 when the query has a malformed day", async (service) => {
  const answer = await service.operate("/overview?since=yesterday", undefined, { method: "GET" });
  assert.equal(answer.status, 400);
  assert.match((await answer.json()).message, /since is "?'?yesterday.+2026-05-01/);
});
