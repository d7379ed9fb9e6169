/** The campaign that brought a person: where it comes from, where it is shown, and where it goes along. */
import assert from "node:assert/strict";
import type { Overview, SignupPage, StoredSignup } from "../../../shared/operator_schemas.ts";
import { backup, begin, finish, send } from "../../support/backups.ts";
import { LINK } from "../../support/invitations.ts";
import {
  assertRefused,
  call,
  exportPeople,
  importLine,
  importPeople,
  lastLineOf,
  type OperatedService,
  readNdjson,
  startOperatedService,
  test,
} from "../../support/operator.ts";
import { storedCounters, storedSignUps } from "../../support/records.ts";
import { form, json, ndjson } from "../../support/service.ts";

const NEWS = { utmSource: "news", utmMedium: "mail", utmCampaign: "launch" };

const LINES = [
  importLine("ada", NEWS),
  importLine("bob", { utmSource: "news", utmCampaign: "may" }),
  importLine("cy", { utmSource: "ads" }),
  importLine("di"),
  importLine("eve", { ...NEWS, state: "unconfirmed" }),
];

const overviewOf = (service: OperatedService): Promise<Overview> => call(service, "/overview");

test("The campaign of a sign-up is shown to operators and to the person who signed up", async (service) => {
  const query = "?utm_source=News&utm_medium=E+Mail&utm_campaign=launch&utm_campaign=twice";
  const body = { email: "ada@example.com", consent: true };
  await service.request(`/api/v1/waitlist${query}`, json(body));
  const shown = await call(service, "/signups/show", { email: "ada@example.com" });
  assert.deepEqual(
    [shown.utmSource, shown.utmMedium, shown.utmCampaign],
    ["news", "e-mail", undefined],
  );
  const { campaigns } = await overviewOf(service);
  assert.deepEqual(campaigns, {
    utmSource: { news: 1 },
    utmMedium: { "e-mail": 1 },
    utmCampaign: {},
  });

  const t = new URL(shown.placeUrl).searchParams.get("t") ?? "";
  const data = await (await service.request("/place/data", form({ t }))).json();
  assert.deepEqual([data.utmSource, data.utmMedium], ["news", "e-mail"]);
  const page = await (await service.request(`/place/?t=${t}`)).text();
  assert.match(page, /<dt>Medium of the campaign<\/dt><dd><code>e-mail<\/code>/);
});

test("An import stores campaigns only for new addresses, and counts only the campaigns of confirmed people", async (service) => {
  await importPeople(service, LINES);
  const { campaigns } = await overviewOf(service);
  assert.deepEqual(campaigns, {
    utmSource: { ads: 1, news: 2 },
    utmMedium: { mail: 1 },
    utmCampaign: { launch: 1, may: 1 },
  });
  await importPeople(service, [
    importLine("ada", { utmSource: "ads", lang: "de" }),
    importLine("di", { utmSource: "ads" }),
    importLine("eve"),
  ]);
  const stored = await storedSignUps(service.kv);
  assert.deepEqual([stored["ada@example.com"]!.utmSource, stored["ada@example.com"]!.lang], [
    "news",
    "de",
  ]);
  assert.equal(stored["di@example.com"]!.utmSource, undefined);
  assert.equal((await overviewOf(service)).campaigns!.utmSource!.news, 3, "eve is confirmed now");
  assert.equal((await lastLineOf(service, "/counters/verify")).agrees, true);

  const refused = await service.operate(
    "/signups/import",
    undefined,
    ndjson([importLine("fay", { utmMedium: "E mail" })]),
  );
  const { refusals: [refusal] } = await refused.json();
  assert.equal(
    refusal.reason,
    "The field utmMedium is 'E mail'; it must be a short name of 1 to 40 characters a-z, 0-9, _ and -.",
  );
});

test("An import of an export restores the same campaigns and counts", async (service) => {
  await importPeople(service, LINES);
  const people = await exportPeople(service);
  assert.equal(people.find(({ email }) => email === "bob@example.com")!.utmCampaign, "may");
  await using other = await startOperatedService();
  await importPeople(other, people);
  assert.deepEqual(await exportPeople(other), people);
  assert.deepEqual((await overviewOf(other)).campaigns, (await overviewOf(service)).campaigns);
});

test("A restored store has the same campaigns as the old store, and its counters name the same 200 campaigns", async (service) => {
  const people = Array.from(
    { length: 205 },
    // The names of the people sort against those of their campaigns.
    (_, n) => importLine(`p${String(900 - n)}`, { utmSource: `s${n}` }),
  );
  for (const each of people) await importPeople(service, [each]);
  const lines = await backup(service);
  await using other = await startOperatedService();
  await begin(other, lines);
  await send(other, lines);
  await send(other, lines);
  assert.equal((await finish(other, lines))?.agrees, true);
  assert.deepEqual(await storedSignUps(other.kv), await storedSignUps(service.kv));
  const campaigns = async (of: OperatedService) =>
    Object.entries(await storedCounters(of.kv)).filter(([name]) => name.startsWith("utm"));
  assert.deepEqual(await campaigns(other), await campaigns(service));
  assert.equal((await overviewOf(other)).campaigns!.utmSource!.other, 5);
});

test("A restore keeps the campaign of a person who signs up during the restore", async (service) => {
  await importPeople(service, [importLine("ada", NEWS), importLine("bob", NEWS)]);
  const lines = await backup(service);
  await using other = await startOperatedService();
  const join = (name: string, query: string) => {
    const body = { email: `${name}@example.com`, consent: true };
    return other.request(`/api/v1/waitlist${query}`, json(body));
  };
  await begin(other, lines);
  await join("ada", "?utm_source=ads");
  await join("bob", "");
  await send(other, lines);
  assert.equal((await finish(other, lines))?.agrees, true);
  const { "ada@example.com": ada, "bob@example.com": bob } = await storedSignUps(other.kv);
  assert.deepEqual([ada!.utmSource, ada!.utmMedium], ["ads", undefined]);
  assert.deepEqual([bob!.utmSource, bob!.utmMedium], ["news", "mail"]);
});

test("Lists, exports and waves select people by campaign", async (service) => {
  await importPeople(service, LINES);
  const list = async (query: object): Promise<string[]> => {
    const page: SignupPage = await call(service, "/signups/list", query);
    return page.people.map(({ email }) => email.split("@")[0]!);
  };
  assert.deepEqual(await list({ utmSource: "news" }), ["ada", "bob", "eve"]);
  assert.deepEqual(await list({ utmSource: "news", state: "waiting" }), ["ada", "bob"]);
  assert.deepEqual(await list({ utmMedium: "mail", utmCampaign: "launch" }), ["ada", "eve"]);
  assert.deepEqual(await list({ utmSource: "other" }), []);
  const found = await readNdjson(await service.operate("/signups/export", { utmSource: "ads" }));
  assert.deepEqual(found.flatMap(({ email }) => email ?? []), ["cy@example.com"]);
  const body = { wave: "first", next: 10, link: LINK, letters: false, utmCampaign: "may" };
  const plan = await call(service, "/waves", { ...body, dryRun: true });
  assert.deepEqual(plan.people.map(({ email }: StoredSignup) => email), ["bob@example.com"]);
  const wave = await call(service, "/waves", body);
  assert.equal(wave.utmCampaign, "may");
  await service.repeatOnce();
  assert.equal((await storedSignUps(service.kv))["bob@example.com"]!.state, "invited");
  assert.equal((await storedSignUps(service.kv))["ada@example.com"]!.state, "waiting");
  assert.deepEqual(await list({ wave: "first", utmSource: "news" }), ["bob"]);
  assert.deepEqual(await list({ wave: "first", utmSource: "ads" }), []);
  await assertRefused(service, "/signups/list", [
    [{ utmSource: "a b" }, /^Field 'utmSource' is 'a b'; give a slug of 1 to 40 characters/],
  ]);
  await assertRefused(service, "/waves", [
    [
      { link: LINK, emails: ["ada@example.com"], utmSource: "news" },
      /^Field 'utmSource' goes with 'next' only/,
    ],
  ]);
});
