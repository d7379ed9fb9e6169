import assert from "node:assert/strict";
import { restoreAuditLog, writeAuditEntry } from "../../../../server/store/audit/mod.ts";
import type { AuditEntry } from "../../../../shared/operator_schemas.ts";
import { bulkSignUp, storeBulk } from "../../../support/bulk_sign_ups.ts";
import { type ConsoleService, openPerson, test } from "../../../support/console.ts";
import { textOf } from "../../../support/console_forms.ts";
import { ndjson, START } from "../../../support/service.ts";
import { Commit } from "../../../../server/store/kv/engine.ts";

const PAGE = "/operator/activity/";
const DAY = 24 * 60 * 60 * 1000;

/** Writes an entry a day for as many days, the last one now; two operators take turns. */
async function fillLog({ kv }: ConsoleService, days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    const at = new Date(START - day * DAY).toISOString();
    const operator = day % 2 === 0 ? "ada" : "grace";
    await writeAuditEntry(kv, { at, id: `d${day}`, action: "exportSignups", operator });
  }
}

/** Writes the entries of a job, one for each of `count` people, the last one a millisecond before {@linkcode START}. */
async function writeJobEntries({ kv }: Pick<ConsoleService, "kv">, count: number): Promise<void> {
  const lines = Array.from({ length: count }, (_, n) => {
    const at = new Date(START - 1 - n).toISOString();
    const person = { address: "m".repeat(43), details: { job: "old" } };
    const call = { action: "remindSignups", operator: "ada", requestId: "of-the-job" };
    return { kind: "audit", entry: { at, id: `j${n}`, ...call, ...person } } as const;
  });
  assert.equal(await restoreAuditLog(kv, lines, { now: START, audit: undefined }), count);
}

/** The rows of the table on a page, as text. */
const rowsOf = (html: string) =>
  html.slice(0, html.indexOf("</tbody>")).split("<tr>").slice(2).map((row) => textOf(row).trim());

/** The days of the entries on a page, the newest first. */
const daysOf = (html: string) =>
  [...html.matchAll(/<td><time datetime="([^"]+)">/g)]
    .map(([, at]) => Math.round((START - Date.parse(at!)) / DAY));

/** The address of a link of a page. */
const linkOf = (html: string, label: string) =>
  new RegExp(`<a class="button" href="([^"]+)">${label}</a>`).exec(html)?.[1]
    ?.replaceAll("&amp;", "&");

test("activityPage lists the operators' actions, the newest first", async ({ browser, kv, operate }) => {
  assert.match((await browser.open(PAGE)).html, /No matching entries\./);
  const created = await operate("/clients", { name: "Board", scopes: [] });
  const { client_id } = await created.json();
  const entry: AuditEntry = {
    at: new Date(START + 1).toISOString(),
    id: "x",
    action: "aNewAction",
    address: "m".repeat(43),
    details: {
      count: 2_000,
      lang: "de",
      letters: true,
      text: "<b>",
      whole: false,
      expires: "2027-02-01T00:00:00.000Z",
    },
  };
  await writeAuditEntry(kv, entry);
  const { html } = await browser.open(PAGE);
  const rows = html.split("<tr>").slice(2);
  assert.equal(rows.length, 2);
  assert.match(rows[0]!, />aNewAction<\/th>\n<td>one person<\/td>\n<td>the service<\/td>/);
  const details = (html: string) =>
    [.../<ul class="details">(.+?)<\/ul>/s.exec(html)![1]!.matchAll(/<li>(.+?)<\/li>/g)]
      .map(([, text]) => text);
  assert.deepEqual(details(rows[0]!), [
    "calls: 2,000",
    "language: German",
    "with e‑mails",
    "text: &lt;b&gt;",
    'valid until: <time datetime="2027-02-01T00:00:00.000Z">the end of 31 Jan 2027</time>',
  ]);
  const german = await browser.open(PAGE, { headers: { "Accept-Language": "de" } });
  assert.deepEqual(details(german.html), [
    "Aufrufe: 2.000",
    "Sprache: Deutsch",
    "mit E‑Mails",
    "text: &lt;b&gt;",
    'gültig bis: <time datetime="2027-02-01T00:00:00.000Z">Ende des 31.01.2027</time>',
  ]);
  assert.match(rows[1]!, /<th scope="row">Created a client<\/th>/);
  assert.ok(rows[1]!.includes(`href="/operator/clients/client/?id=${client_id}"`));
});

test(
  "activityPage selects audit entries by operator and by days, and includes the last of these days",
  async (service, t) => {
    await fillLog(service, 6);
    const cases = [
      ["?operator=grace&since=&until=", [1, 3, 5]],
      ["?since=2026-11-19", [0, 1, 2]],
      ["?since=2026-11-17&until=2026-11-19", [2, 3, 4]],
      ["?operator=nobody", []],
    ] as const;
    for (const [query, days] of cases) {
      await t.step(query, async () => {
        const { status, html } = await service.browser.open(PAGE + query);
        assert.equal(status, 200);
        assert.deepEqual(daysOf(html), days);
      });
    }
    const { html } = await service.browser.open(`${PAGE}?operator=ada&until=2026-11-19`);
    assert.match(html, /<option value="ada" selected>/);
    assert.match(html, /name="until" type="date" value="2026-11-19"/);
  },
);

test("activityPage selects audit entries by action", async (service) => {
  await fillLog(service, 2);
  const at = new Date(START - 1).toISOString();
  const entry = { at, id: "k", action: "rotateKeys", operator: "ada" };
  await writeAuditEntry(service.kv, entry);
  const { html } = await service.browser.open(`${PAGE}?action=rotateKeys&operator=ada`);
  assert.deepEqual(daysOf(html), [0]);
  assert.match(html, /<option value="rotateKeys" selected>Rotated the signing key</);
});

test("activityPage shows redeemed invitations, several in one row, only when the filter asks for redeemed invitations", async (service) => {
  const { browser, kv } = service;
  await fillLog(service, 1);
  for (let minute = 1; minute <= 3; minute++) {
    const at = new Date(START - minute * 60_000).toISOString();
    const about = { action: "redeemInvitation", operator: "shop", address: "m".repeat(43) };
    await writeAuditEntry(kv, { at, id: `r${minute}`, ...about });
  }
  const hidden = await browser.open(PAGE);
  assert.doesNotMatch(hidden.html, />Redeemed an invitation<\/th>/);
  assert.match(hidden.html, />Exported the list<\/th>/);
  const { html } = await browser.open(`${PAGE}?redeemed=yes`);
  assert.equal(html.match(/>Redeemed an invitation<\/th>/g)?.length, 1);
  assert.match(html, /people: 3/);
  assert.match(textOf(html), /21 Nov 2026, 11:57 – 21 Nov 2026, 11:59 Redeemed an invitation/);
  const chosen = await browser.open(`${PAGE}?action=redeemInvitation`);
  assert.match(chosen.html, /people: 3/);
  const ofShop = await browser.open(`${PAGE}?operator=shop`);
  assert.match(ofShop.html, /people: 3/, "a product is found by its name");
});

test("activityPage does not link to a wave that has invited nobody, because no such wave is stored", async ({ browser, kv }) => {
  const at = new Date(START - 60_000).toISOString();
  const details = { wave: "beta-1", invited: 0 };
  await writeAuditEntry(kv, { at, id: "w", action: "startWave", operator: "ada", details });
  const { html } = await browser.open(PAGE);
  assert.match(html, /<li>wave: <code>beta-1<\/code><\/li>/);
});

test("activityPage says when a test e-mail went to an address that need not be on the list", async ({ browser, kv }) => {
  const at = new Date(START).toISOString();
  const entry = { at, action: "testInvitation", operator: "ada", address: "m".repeat(43) };
  await writeAuditEntry(kv, { ...entry, id: "t" });
  const { html } = await browser.open(PAGE);
  assert.match(html, /Sent a test of an invitation<\/th>\n<td[^>]*>a test address<\/td>/);
});

test("activityPage says in two sentences what the log has, leads to the people, and folds the rest", async ({ browser }) => {
  const { html } = await browser.open(PAGE);
  assert.match(
    html,
    /<p class="soft">What operators[^.<]+\. An entry about one person is also[^.<]+:\s<a href="\/operator\/people\/">Find a person<\/a><\/p>/,
  );
  assert.match(
    html,
    /<details class="soft"><summary>More about this log<\/summary>[^]+400 days[^]+<\/details>/,
  );
});

test("activityPage names the details of a job in the operator's language", async ({ browser, kv }) => {
  const details = {
    job: "old",
    act: "erase",
    most: 1_200,
    done: 3,
    searched: true,
    mark: "complained",
    refusedLetter: true,
    reached: "taken",
    referrals: 2,
  };
  const at = new Date(START).toISOString();
  await writeAuditEntry(kv, { at, id: "j", action: "startJob", operator: "ada", details });
  const listOf = ({ html }: { html: string }) =>
    textOf(/<ul class="details">.+?<\/ul>/s.exec(html)![0]);
  assert.equal(
    listOf(await browser.open(PAGE)).trim(),
    "id of the job: old job: Erase people at most: 1,200 with a search " +
      "gets no e‑mails: Reported as spam with a rejected e‑mail has reached: E‑mail accepted referrals, at least: 2 " +
      "not complete",
  );
  assert.equal(
    listOf(await browser.open(PAGE, { headers: { "Accept-Language": "de" } })).trim(),
    "Kennung des Auftrags: old Auftrag: Löschen höchstens so viele Personen: 1.200 " +
      "mit einer Suche bekommt keine E‑Mails: Als Spam gemeldet mit einer abgelehnten E‑Mail hat erreicht: E‑Mail angenommen " +
      "Empfehlungen, mindestens: 2 nicht vollständig",
  );
});

test("activityPage names the days of a schedule in the operator's language", async ({ browser, kv }) => {
  const entry = { at: new Date(START).toISOString(), action: "createSchedule", operator: "ada" };
  await writeAuditEntry(kv, { ...entry, id: "d", details: { every: "day", at: "09:00" } });
  const weekly = { every: "week", weekday: "monday", at: "10:00" };
  await writeAuditEntry(kv, { ...entry, id: "w", details: weekly });
  const listsOf = ({ html }: { html: string }) =>
    Array.from(html.matchAll(/<ul class="details">.+?<\/ul>/gs), ([list]) => textOf(list).trim());
  assert.deepEqual(listsOf(await browser.open(PAGE)).toSorted(), [
    "rhythm: each day at: 09:00",
    "weekday: each Monday at: 10:00",
  ]);
  const page = await browser.open(PAGE, { headers: { "Accept-Language": "de" } });
  assert.deepEqual(listsOf(page).toSorted(), [
    "Rhythmus: täglich Uhrzeit: 09:00",
    "Wochentag: montags Uhrzeit: 10:00",
  ]);
});

test(
  "activityPage combines the audit entries of a call about several people into one row",
  async (service, t) => {
    const { browser, kv } = service;
    await storeBulk(kv, [bulkSignUp("ada", {}), bulkSignUp("bo", {})]);
    const emails = ["ada@example.com", "bo@example.com"];
    await service.operate("/signups/undeliverable", { emails, reason: "The domain is gone" });
    const { html } = await browser.open(PAGE);
    assert.equal(html.match(/>Marked as undeliverable<\/th>/g)?.length, 1);
    assert.match(textOf(html), /people: 2 operator .*reason: The domain is gone/);
    for (const email of emails) {
      await t.step(email, async () => {
        const person = await openPerson(browser, email);
        assert.match(
          textOf(person.html),
          /Marked as undeliverable The domain is gone operator/,
          "the history of each person",
        );
      });
    }
  },
);

test("activityPage keeps the filter in its link to older entries", async (service) => {
  await fillLog(service, 120);
  const first = await service.browser.open(`${PAGE}?operator=ada&until=2026-11-21`);
  assert.equal(daysOf(first.html).length, 50);
  assert.equal(linkOf(first.html, "Newest"), undefined);
  const older = await service.browser.open(linkOf(first.html, "Older")!);
  assert.deepEqual(daysOf(older.html), [100, 102, 104, 106, 108, 110, 112, 114, 116, 118]);
  assert.equal(linkOf(older.html, "Older"), undefined);
  assert.equal(linkOf(older.html, "Newest"), `${PAGE}?operator=ada&until=2026-11-21`);
});

test("activityPage links to a job that still exists, and to the list of schedules", async ({ browser, kv, operate }) => {
  const job = { job: "new", act: "erase", selection: { state: "invited" }, most: 1 };
  assert.ok((await operate("/jobs", job)).ok);
  const at = new Date(START + 1).toISOString();
  const details = { schedule: "weekly" };
  await writeAuditEntry(kv, { at, id: "s", action: "pauseSchedule", operator: "ada", details });
  const { html } = await browser.open(PAGE);
  assert.match(html, /<a href="\/operator\/people\/job\/\?id=new"><code>new<\/code><\/a>/);
  assert.match(html, /schedule: <a href="\/operator\/invite\/#schedules">weekly<\/a>/);
});

test("activityPage shows a job for many people in one row, and fills the page with older audit entries", async (service) => {
  const { browser } = service;
  await fillLog(service, 120);
  await writeJobEntries(service, 300);
  const first = await browser.open(PAGE);
  const rows = rowsOf(first.html);
  assert.equal(rows.length, 50);
  assert.match(rows[0]!, /Exported the list/);
  assert.match(
    rows[1]!,
    /^21 Nov 2026, 12:00 Sent confirmations again people: 300 ada id of the job: old/,
  );
  assert.deepEqual(daysOf(first.html), [0, 0, ...Array.from({ length: 48 }, (_, n) => n + 1)]);
  const second = await browser.open(linkOf(first.html, "Older")!);
  assert.deepEqual(daysOf(second.html), Array.from({ length: 50 }, (_, n) => n + 49));
  const third = await browser.open(linkOf(second.html, "Older")!);
  assert.deepEqual(daysOf(third.html), Array.from({ length: 21 }, (_, n) => n + 99));
  assert.equal(linkOf(third.html, "Older"), undefined);
});

test("activityPage shows the whole count of a job that is the last row of a page", async (service) => {
  const { browser, kv } = service;
  for (let n = 0; n < 49; n++) {
    const at = new Date(START + n).toISOString();
    await writeAuditEntry(kv, { at, id: `n${n}`, action: "exportSignups", operator: "grace" });
  }
  await writeJobEntries(service, 300);
  const only = await browser.open(PAGE);
  assert.match(rowsOf(only.html)[49]!, /people: 300 ada/);
  assert.equal(linkOf(only.html, "Older"), undefined, "there is no empty page behind");
  await writeAuditEntry(kv, { at: new Date(START - DAY).toISOString(), id: "o", action: "backUp" });
  const first = await browser.open(PAGE);
  assert.match(rowsOf(first.html)[49]!, /people: 300 ada/);
  const second = await browser.open(linkOf(first.html, "Older")!);
  assert.deepEqual(daysOf(second.html), [1]);
});

test("activityPage reads 5,000 audit entries of a longer job, says so, and goes on behind them", async (service) => {
  const { browser, kv } = service;
  await writeJobEntries(service, 5_100);
  await writeAuditEntry(kv, { at: new Date(START - DAY).toISOString(), id: "o", action: "backUp" });
  const first = await browser.open(`${PAGE}?operator=&action=&redeemed=yes`);
  assert.equal(rowsOf(first.html).length, 1);
  assert.match(rowsOf(first.html)[0]!, /Sent confirmations again people: at least 5,000 ada/);
  const note =
    "This page goes back to 21 Nov 2026, 12:00. The last row may continue on the next page.";
  assert.ok(first.html.includes(note));
  assert.equal(linkOf(first.html, "Older"), undefined);
  const second = await browser.open(linkOf(first.html, "Go on")!);
  assert.match(rowsOf(second.html)[0]!, /Sent confirmations again people: 100 ada/);
  assert.match(rowsOf(second.html)[1]!, /Made a backup/);
  assert.equal(linkOf(second.html, "Go on"), undefined);
  const german = await browser.open(PAGE, { headers: { "Accept-Language": "de" } });
  assert.match(rowsOf(german.html)[0]!, /Personen: mindestens 5\.000/);
  assert.ok(linkOf(german.html, "Weiter"));
});

test("activityPage goes on behind a part of the log in which no audit entry matches the filter", async (service) => {
  const { browser, kv } = service;
  await writeJobEntries(service, 3_000);
  await writeAuditEntry(kv, { at: new Date(START - DAY).toISOString(), id: "o", action: "backUp" });
  const { html } = await browser.open(`${PAGE}?action=backUp`);
  assert.deepEqual(daysOf(html), [1]);
});

test("activityPage counts an unreadable audit entry between two pages only on one of them", async (service) => {
  const { browser, kv } = service;
  await fillLog(service, 51);
  const moment = new Date(START - 49.5 * DAY).toISOString();
  await kv.commit(new Commit().set(["audit", `${moment} x`], { at: "May" }));
  const first = await browser.open(PAGE);
  assert.equal(daysOf(first.html).length, 50);
  assert.doesNotMatch(first.html, /Entries that cannot be read/);
  const second = await browser.open(linkOf(first.html, "Older")!);
  assert.match(second.html, /Entries that cannot be read, and are left out: 1\./);
});

test("activityPage shows how many audit entries cannot be read", async ({ browser, kv }) => {
  await kv.commit(
    new Commit().set(["audit", `${new Date(START - 1).toISOString()} x`], { at: "May" }),
  );
  const { html } = await browser.open(PAGE);
  assert.match(html, /Entries that cannot be read, and are left out: 1\./);
});

test("activityPage names the fault when a filter in its URL is wrong", async ({ browser }, t) => {
  const cases = [
    ["?operator=Ada", /role="alert">The filter cannot be used: operator ‘Ada’/],
    ["?since=May", /role="alert">The filter cannot be used: .+ from ‘May’/],
    ["?until=May", /role="alert">The filter cannot be used: .+ until ‘May’\. Give/],
    [
      "?operator=ada&before=May",
      /role="alert">The parameter before is &#39;May&#39;; give a UTC date/,
    ],
  ] as const;
  for (const [query, message] of cases) {
    await t.step(query, async () => {
      const { status, html } = await browser.open(PAGE + query);
      assert.equal(status, 400);
      assert.match(html, message);
    });
  }
});

test("activityPage shows how many people an import had if the audit entry has this number", async ({ browser, kv, operate }) => {
  const consentedAt = new Date(START).toISOString();
  const lines = [1, 2].map((n) => ({ email: `visitor${n}@example.com`, consentedAt }));
  await operate("/signups/import", undefined, ndjson([...lines, "no JSON"]));
  const { html } = await browser.open(PAGE);
  assert.match(textOf(html), /Imported sign-ups people: 2 operator new: 2/);
  const at = new Date(START + 1).toISOString();
  await writeAuditEntry(kv, { at, id: "x", action: "importSignups", operator: "ada" });
  assert.match(textOf((await browser.open(PAGE)).html), /Imported sign-ups ada /);
});
