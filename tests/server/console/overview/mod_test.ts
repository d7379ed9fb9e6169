import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { VERSION } from "../../../../shared/version.ts";
import {
  type ConsoleService,
  signIn,
  startConsole,
  startFailingConsole,
  test,
} from "../../../support/console.ts";
import { post, report, SECRET, sign } from "../../../support/mail_hooks.ts";
import { importPeople } from "../../../support/operator.ts";
import { json, WITH_MAIL } from "../../../support/service.ts";
import { readFirstItems } from "../../../../server/store/outbox/reads.ts";
import { createOutboxStore } from "../../../../server/store/people/outbox_commits.ts";
import { Commit, lastDoneKey } from "../../../../server/store/kv/mod.ts";

const DAY_MS = 24 * 60 * 60_000;

/** People of an import, who signed up some days ago. */
async function importOlder(
  service: ConsoleService,
  people: { daysAgo?: number; [field: string]: unknown }[],
): Promise<void> {
  const lines = people.map(({ daysAgo = 0, ...fields }, index) => {
    const consentedAt = new Date(service.clock.now - daysAgo * DAY_MS).toISOString();
    return { email: `p${index}@example.com`, consentedAt, lang: "en", ...fields };
  });
  await importPeople(service, lines);
}

/** Opens the overview in a language, as somebody who has just signed in. */
async function openOverview(service: ConsoleService, lang = "en"): Promise<string> {
  const browser = await signIn(service);
  const headers = { "Accept-Language": lang };
  const { status, html } = await browser.open("/operator/", { headers });
  assert.equal(status, 200, html);
  assert.doesNotMatch(html, / style=|<script|<style|NaN|undefined|Infinity/);
  return html;
}

/** The texts of the elements that a pattern's group selects. */
function textsOf(html: string, pattern: RegExp): string[] {
  return Array.from(html.matchAll(pattern), ([, text = ""]) => text);
}

/** The warnings besides those of the launch, which the service of a test has always. */
const warningsIn = (html: string) =>
  allWarningsIn(html).filter((warning) => !LAUNCH_WARNING.test(warning));

const allWarningsIn = (html: string) =>
  textsOf(html, /<li class="(?:warning|fault)">([^]*?)<\/li>/g)
    .map((warning) => warning.replace(/<[^>]+>/g, "").replaceAll("\n", " "));

const LAUNCH_WARNING = /SITE_NAME|promise|CONTACT|CONTENT_PATH|TRUSTED_PROXY_HOPS/;

test("overviewPage shows the number of people, compares the sign-ups of the last days and weeks with those before, and links to the acts since yesterday", async (service) => {
  await importOlder(service, [{}, {}, { daysAgo: 6 }, { daysAgo: 29 }, { daysAgo: 89 }, {
    daysAgo: 90,
  }]);
  const html = await openOverview(service);
  const figures = html.matchAll(/<div><dt>(.+?)<\/dt><dd>(.+?)<\/dd>/g)
    .map(([, name, value = ""]) => `${value.replace(/<[^>]+>/g, "")} ${name}`).toArray();
  assert.deepEqual(figures.slice(0, 4), [
    "6 on the list",
    "6 waiting for an invitation",
    "2 signed up since yesterday",
    "6 imported since yesterday",
  ]);
  assert.match(html, /href="\/operator\/people\/\?since=2026-11-20">2</);
  const periods = /<caption>Sign-ups in each period[^]*?<tbody>([^]*?)<\/tbody>/.exec(html)?.[1];
  const rows = periods?.split("</tr>").slice(0, -1).map((row) =>
    row.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ").trim()
  );
  // It is Saturday; the one six days ago signed up on Sunday.
  assert.deepEqual(rows, [
    "Today, so far 2 Yesterday 0 –",
    "This week, since Monday 2 Last week, up to the same day 0 –",
    "The last 7 full days 1 The 7 days before 0 –",
    "The last 30 full days 2 The 30 days before 0 –",
  ]);
  assert.match(html, /href="\/operator\/people\/\?since=2026-11-14&amp;until=2026-11-20">1</);
  assert.match(
    html,
    /href="\/operator\/activity\/\?since=2026-11-20">What was done since yesterday</,
  );
  // What is done most is one step away.
  assert.match(
    html,
    /<a class="button primary" href="\/operator\/invite\/">Invite the next people</,
  );
  assert.match(
    html,
    /<form method="post" action="\/operator\/people\/"[^]+name="search"[^]+>Find a person</,
  );
});

test("overviewPage says how many people imports have added since yesterday, and gives no change for periods that may have them", async (service) => {
  const imported = (html: string) =>
    /imported since yesterday<\/dt><dd>(.*?)<\/dd>/.exec(html)?.[1];
  const none = await openOverview(service);
  assert.equal(imported(none), undefined);
  assert.doesNotMatch(none, /were imported on/);
  await importOlder(service, [{ daysAgo: 2 }, { daysAgo: 9 }, { daysAgo: 10 }]);
  await importOlder(service, [{ daysAgo: 2, email: "ada@example.com" }, { daysAgo: 9 }]);
  const html = await openOverview(service);
  assert.equal(
    imported(html),
    '<a href="/operator/activity/?action=importSignups&amp;since=2026-11-20">4</a>',
  );
  assert.match(html, /The 7 days before<\/td>[^]*?>2<[^]*?>–<[^]*?The last 30 full days/);
  const note =
    "People were imported on 21 Nov 2026. They count on the days on which they first signed up";
  assert.ok(html.includes(note));
  assert.match(html, /Sign-ups on full days \(89\): 4\. On as many days before: 0 \(–\)/);
  const german = await openOverview(service, "de");
  assert.match(german, /seit gestern importiert<[^]+Am 21\.11\.2026 wurden Personen importiert/);
  service.clock.now += 2 * DAY_MS;
  const later = await openOverview(service);
  assert.equal(imported(later), undefined);
  assert.ok(later.includes(note), "the days that are compared may have these people");
});

test("overviewPage draws a bar for each day's sign-ups, and a line for the total number of people", async (service) => {
  await importOlder(service, [{}, {}, {}, {}, { daysAgo: 1 }, { daysAgo: 89 }, { daysAgo: 200 }]);
  const html = await openOverview(service);
  const heights = textsOf(
    html,
    /<rect class="bar" x="\d+" y="[\d.]+" width="8" height="([\d.]+)"/g,
  );
  assert.equal(heights.length, 90);
  assert.deepEqual([heights[0], heights[88], heights[89]], ["50", "50", "200"]);
  assert.equal(heights.filter((height) => height === "0").length, 87);
  const points = (textsOf(html, /<polyline points="(.+?)"/g)[0] ?? "").split(" ");
  // The axis of the people ends at 8.
  assert.deepEqual([points.length, points[0], points.at(-1)], [90, "5,150", "895,25"]);
  const [, today] = textsOf(html, /<tbody>\n<tr>([^]+?)<\/tr>/g);
  assert.equal(
    today?.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ").trim(),
    "21 Nov 2026 4 4 0 0 0 7",
  );
});

test("overviewPage shows the share of people in each state, and draws all bars of languages, roles and sources to the same scale", async (service) => {
  await importOlder(service, [
    { role: "planner", source: "hero" },
    { role: "planner", lang: "de", state: "invited" },
    { role: "owner", building: "campus", state: "unconfirmed" },
    ...Array.from({ length: 13 }, (_, index) => ({ role: `r${index}` })),
  ]);
  const html = await openOverview(service, "de");
  assert.match(
    html,
    /Unbestätigt<\/th>\n<td class="number"[^>]*><a href="\/operator\/people\/\?state=unconfirmed">1<\/a><\/td>\n<td class="number"[^>]*>6,3\s%/,
  );
  assert.match(html, /<rect class="waiting" x="62.5" y="0" width="875"/);
  const bars = textsOf(
    html,
    /<tr><th scope="row">([^<]+<\/th>\n<td><svg[^]+?width="\d+" height="10"\/><\/svg><\/td>\n<td class="number">(?:<a[^>]+>)?\d+)/g,
  ).map((row) => row.replace(/<\/th>[^]+ width="(\d+)"[^]+>(\d+)$/, " $1 $2"));
  assert.deepEqual(bars.slice(0, 3), ["Englisch 1000 15", "Deutsch 67 1", "planner 133 2"]);
  assert.ok(bars.includes("weitere: 7 467 7"), bars.join());
  assert.ok(bars.includes("Oben auf der Startseite 67 1"), bars.join());
  assert.match(html, /Alle Angaben als Tabelle/);
});

test("overviewPage names in one sentence the questions that nobody has answered", async (service) => {
  await importOlder(service, [{ role: "planner" }]);
  const html = await openOverview(service);
  assert.deepEqual(textsOf(html, /<table class="bars">\s*<caption>([^<]+)/g), ["Language", "Role"]);
  assert.match(html, /<p class="soft">No answers yet: Use case, Form<\/p>/);
  assert.match(await openOverview(service, "de"), /Noch keine Angaben: Einsatzzweck, Formular</);
});

test("overviewPage lists all answers to a question in a table when the question has more answers than the chart has bars", async (service) => {
  const roles = Array.from({ length: 9 }, (_, index) => `r${index}`);
  await importOlder(service, roles.map((role) => ({ role })));
  const html = await openOverview(service);
  const [table = ""] = textsOf(
    html,
    /<details><summary>All answers[^<]*<\/summary>([^]*?)<\/details>/g,
  );
  for (const role of roles) assert.ok(table.includes(`/operator/people/?role=${role}"`), role);
});

test("overviewPage says that nobody is on the list, and warns of nothing, when the list is empty", async (service) => {
  const html = await openOverview(service);
  assert.match(html, /Nobody is on the list yet/);
  assert.match(html, /The service sends no e‑mails/);
  assert.match(html, /<a href="\/">Open the home page</);
  assert.doesNotMatch(html, /class="button|class="chart"|class="bars"/);
  assert.deepEqual(warningsIn(html), []);
});

Deno.test("overviewPage lists the settings that still have placeholder values when BASE_URL is an https: URL", async (t) => {
  await using service = await startConsole({ SITE_NAME: "Sunrise" });
  for (const lang of ["en", "de"]) {
    await t.step(lang, async () => {
      const names = allWarningsIn(await openOverview(service, lang))
        .map((warning) => LAUNCH_WARNING.exec(warning)?.[0]);
      assert.deepEqual(names, [
        "TRUSTED_PROXY_HOPS",
        "promise",
        "CONTENT_PATH",
        "CONTACT",
        "CONTENT_PATH",
      ]);
    });
  }
});

test("overviewPage warns of a backup that is missing or older than eight days", async (service) => {
  await importOlder(service, [{}]);
  assert.deepEqual(warningsIn(await openOverview(service)), [
    "There is no backup yet. Download a backup",
  ]);
  await (await service.operate("/backup", {})).text();
  service.clock.now += 8 * DAY_MS;
  assert.deepEqual(warningsIn(await openOverview(service)), []);
  service.clock.now += 1;
  assert.deepEqual(warningsIn(await openOverview(service)), [
    "There has been no backup since 21 Nov 2026, 12:00 UTC. Download a backup",
  ]);
});

Deno.test("overviewPage warns in English and German when a backup to BACKUP_URL has failed", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "waitlist backups "));
  await using service = await startConsole({ BACKUP_URL: folder });
  await importOlder(service, [{}]);
  await (await service.operate("/backup", {})).text();
  await rm(folder, { recursive: true });
  await service.repeatOnce();
  for (const [lang, sentence] of [["en", "is tried again every"], ["de", "jede Stunde erneut"]]) {
    await t.step(`${lang}`, async () => {
      const html = await openOverview(service, lang);
      assert.match(html, /<li class="warning">[^]+?<a href="\/operator\/data\/">/);
      const warnings = warningsIn(html).join("\n");
      assert.match(warnings, new RegExp(`21.+2026, 12:00.*\\. .*${sentence}.+(ENOENT|No such)`));
    });
  }
});

test("overviewPage warns of wrong counters until the counters are repaired or a verification finds no fault", async (service) => {
  const TOTAL = ["statistics", "total"];
  const setTotal = (total: number) =>
    service.kv.commit(new Commit().delete(TOTAL).add(TOTAL, total));
  await setTotal(2);
  const verify = async (work = "verify") => {
    service.clock.now += 1_000;
    await (await service.operate(`/counters/${work}`, {})).text();
  };
  const drift = async () =>
    warningsIn(await openOverview(service)).filter((warning) => warning.includes("counters"));
  assert.deepEqual(await drift(), []);
  await verify();
  assert.deepEqual(await drift(), [
    "Numbers of people can be wrong. A check at 21 Nov 2026, 12:00 UTC found that counters differed from the records. Repair the counters",
  ]);
  await verify("repair");
  assert.deepEqual(await drift(), []);
  await setTotal(2);
  await verify();
  assert.equal((await drift()).length, 1);
  await setTotal(0);
  await verify();
  assert.deepEqual(await drift(), []);
});

Deno.test("overviewPage warns when letters are paused, and when letters are an hour overdue", async () => {
  await using service = await startConsole(WITH_MAIL);
  await service.request("/api/v1/waitlist", json({ email: "ada@example.com", consent: true }));
  assert.deepEqual(warningsIn(await openOverview(service)), [
    "There is no backup yet. Download a backup",
  ]);
  service.clock.now += 60 * 60_000 + 1;
  const [late] = warningsIn(await openOverview(service));
  assert.match(late ?? "", /^E‑mails or events should have been sent at 21 Nov 2026, 12:00 UTC\./);
  await service.workOutbox();
  const html = await openOverview(service, "de");
  assert.match(warningsIn(html)[0] ?? "", /^Alle E‑Mails ruhen seit dem [^]+ Grund notiert:\s„/);
  assert.ok(!html.includes("ada@example.com"));
  const paused = warningsIn(await openOverview(service));
  assert.match(paused[0] ?? "", / E‑mails and events that wait: 1\. Open e‑mails and events$/);
  assert.equal(paused.length, 2, paused.join("\n"));
});

Deno.test("overviewPage shows the numbers of undeliverable addresses and of addresses that reported spam, with links to their lists", async () => {
  await using service = await startConsole({ ...WITH_MAIL, MAIL_HOOK: `generic:${SECRET}` });
  await importOlder(service, [{}, {}, {}]);
  const figures = async (lang?: string) =>
    textsOf(await openOverview(service, lang), /<dt>([^<]+<\/dt><dd>.*?)<\/dd>/g);
  const plain = await figures();
  assert.ok(plain.includes("Undeliverable addresses</dt><dd>0"), plain.join("\n"));
  assert.ok(plain.includes("Addresses that reported spam</dt><dd>0"), plain.join("\n"));
  const emails = ["p0@example.com", "p1@example.com"];
  await (await service.operate("/signups/undeliverable", { emails })).text();
  const complaint = sign(report("mail.complained", { email: "p2@example.com" }));
  assert.equal(await post(service, "generic", complaint), 200);
  const marked = await figures();
  const link = (mark: string, count: number) =>
    `<a href="/operator/people/?mark=${mark}">${count}</a>`;
  assert.ok(
    marked.includes(`Undeliverable addresses</dt><dd>${link("undeliverable", 2)}`),
    marked.join("\n"),
  );
  assert.ok(
    marked.includes(`Addresses that reported spam</dt><dd>${link("complained", 1)}`),
    marked.join("\n"),
  );
  assert.match(
    (await figures("de")).join("\n"),
    /Unzustellbare Adressen<[^]+>2<[^]+Adressen mit Spam-Meldung<[^]+>1</,
  );
});

Deno.test("overviewPage answers 500 with an error message when KV fails", async () => {
  await using service = await startFailingConsole();
  service.fails.reads = true;
  const { status, html } = await service.browser.open("/operator/");
  assert.equal(status, 500);
  assert.match(html, /<p class="fault" role="alert">[A-Z].+\.<\/p>/);
});

Deno.test(
  "overviewPage says at the top how many e-mails a mail server has not accepted yet",
  async () => {
    await using service = await startConsole(WITH_MAIL);
    for (const name of ["ada", "bo", "cy"]) {
      await service.request(
        "/api/v1/waitlist",
        json({ email: `${name}@example.com`, consent: true }),
      );
    }
    assert.doesNotMatch(warningsIn(await openOverview(service)).join("\n"), /not accepted yet/);
    const [first, second] = await readFirstItems(service.kv, "letters", { limit: 3 });
    const outbox = createOutboxStore(service.kv);
    for (const { item, ...entry } of [first!, second!]) {
      const reason = "452 4.2.2 mailbox full";
      await outbox.postpone({ item, ...entry }, { ...item, tries: 1, reason });
    }
    const [waiting = ""] = warningsIn(await openOverview(service));
    assert.match(waiting, /^E‑mails and events that were tried and are not accepted yet: 2\. /);
  },
);

Deno.test("overviewPage says for seven days that e-mails came back or were reported as spam, and links to these e-mails", async () => {
  await using service = await startConsole({ ...WITH_MAIL, MAIL_HOOK: `generic:${SECRET}` });
  await importOlder(service, [{}, {}]);
  const send = async (type: string, email: string, id: string) =>
    assert.equal(await post(service, "generic", sign(report(type, { email }), { id })), 200);
  assert.doesNotMatch(warningsIn(await openOverview(service)).join("\n"), /came back|spam/);
  await send("mail.bounced", "p0@example.com", "msg_1");
  await send("mail.bounced", "p0@example.com", "msg_1");
  await send("mail.complained", "p1@example.com", "msg_2");
  const html = await openOverview(service);
  const [bounced = "", complained = ""] = warningsIn(html);
  assert.match(bounced, /^E‑mails that came back as undeliverable since 15 Nov 2026 \(UTC\): 1\./);
  assert.match(complained, /^E‑mails that were reported as spam since 15 Nov 2026 \(UTC\): 1\./);
  assert.match(html, /href="\/operator\/outbox\/\?list=log&amp;state=bounced"/);
  service.clock.now += 7 * DAY_MS;
  assert.doesNotMatch(warningsIn(await openOverview(service)).join("\n"), /came back|spam/);
});

test("createLayout() shows the version only to operators who are signed in", async (service) => {
  assert.ok(
    (await openOverview(service)).includes(
      `<p class="hint">All dates and times are in UTC. Waitlist ${VERSION}</p>\n</main>`,
    ),
  );
  const signIn = await (await service.request("/operator/")).text();
  assert.ok(!signIn.includes(VERSION));
});

test(
  "overviewPage shows the sign-ups of a chosen range of days, and the sign-ups of the equally long range before",
  async (service, t) => {
    await importOlder(service, [
      ...[2, 3, 4].map((daysAgo) => ({ daysAgo })),
      ...[8, 9].map((daysAgo) => ({ daysAgo })),
      ...[200, 204, 205].map((daysAgo) => ({ daysAgo })),
    ]);
    // From here on, these people count as people who signed up by themselves.
    await service.kv.commit(new Commit().delete(lastDoneKey("import")));
    const browser = await signIn(service);
    const open = async (query: string) => (await browser.open(`/operator/${query}`)).html;
    const plain = await open("");
    assert.match(
      plain,
      /The last 7 full days<\/th>[^]*?>3<[^]*?The 7 days before<[^]*?>2<[^]*?\+50\.0%/,
    );
    // A period without sign-ups has no change either, because "-100.0%" says no more than the numbers.
    assert.match(
      await open("?since=2026-11-14&until=2026-11-15"),
      /Sign-ups on full days \(2\): 0\. On as many days before: 2 \(–\)\./,
    );
    assert.match(plain, /Sign-ups on full days \(89\): 5\. On as many days before: 0 \(–\)\./);
    // 200 days before the 21 November is the 5 May.
    const may = await open("?since=2026-05-05&until=2026-05-08");
    assert.match(may, /Sign-ups on full days \(4\): 1\. On as many days before: 1 \(0\.0%\)\./);
    assert.equal(textsOf(may, /<rect class="(bar)" x="\d+" y="[\d.]+" width="8"/g).length, 4);
    assert.match(may, /<details open><summary>Another range<[^]+value="2026-05-05"/);
    assert.match(may, /\?since=2026-05-05&amp;until=2026-05-08&amp;by=week"/);
    assert.match(await open("?since=1970-01-02"), /Sign-ups on full days \(20,\d+\): 8\./);
    for (
      const wrong of [
        "?since=x",
        "?since=0001-01-01",
        "?since=2026-05-08&until=2026-05-05",
        "?since=2027-01-01",
      ]
    ) {
      await t.step(wrong, async () => {
        assert.match(await open(wrong), /Sign-ups on full days \(89\): /);
      });
    }
  },
);

test("overviewPage shows the number of people of each campaign, with a link to the list of these people", async (service) => {
  assert.doesNotMatch(await openOverview(service), /Campaigns/);
  await importOlder(service, [
    {},
    { utmSource: "news", utmCampaign: "launch" },
    { utmSource: "news", state: "unconfirmed" },
    { utmSource: "news" },
    { utmSource: "other" },
  ]);
  const html = await openOverview(service);
  const section = /<section[^>]*>\s*<h2[^>]*>Campaigns<\/h2>[^]*?<\/section>/.exec(html)?.[0] ?? "";
  assert.deepEqual(textsOf(section, /<caption>([^<]*)</g), ["Campaign source", "Campaign name"]);
  assert.match(section, /news<\/th>[^]*?<a href="\/operator\/people\/\?utmSource=news">2<\/a>/);
  assert.match(
    section,
    /The lists of people to which the numbers link also have the\s+unconfirmed people of the campaign/,
  );
  assert.match(section, /All further values<\/th>[^]*?<td class="number">1<\/td>/);
  assert.match(await openOverview(service, "de"), /<h2[^>]*>Kampagnen<\/h2>/);
});
