import assert from "node:assert/strict";
import { type ConsoleService, personPath, signIn, test } from "../../../support/console.ts";
import { importPeople } from "../../../support/operator.ts";

const CONSENTED = "2026-05-01T09:30:00.000Z";

/** Imports Ada, who has two referrals, and an alias that does not count. One of the people signed up this week. */
async function importReferrals(service: ConsoleService): Promise<void> {
  const lines = [
    { email: "ada@example.com", referralCode: "Ada1234567" },
    { email: "bob@example.com", referredBy: "Ada1234567", createdAt: "2026-11-20T09:30:00.000Z" },
    { email: "cy@example.com", referredBy: "Ada1234567", createdAt: "2026-05-02T09:30:00.000Z" },
    { email: "di+1@example.com", referredBy: "Ada1234567" },
  ].map((line) => ({ consentedAt: CONSENTED, createdAt: CONSENTED, state: "waiting", ...line }));
  await importPeople(service, lines);
}

/** The section about referrals on the overview. */
async function sectionOf(service: ConsoleService, lang: string): Promise<string | undefined> {
  const browser = await signIn(service);
  const { html } = await browser.open("/operator/", { headers: { "Accept-Language": lang } });
  return /<section[^>]*>\s*<h2[^>]*>(?:Referrals|Empfehlungen)<\/h2>[^]*?<\/section>/.exec(html)
    ?.[0];
}

test("referralSection() shows the numbers of referrals, and links to the people with the most referrals", async (service) => {
  await importReferrals(service);
  const english = await sectionOf(service, "en");
  assert.match(english!, /<dt>Of the sign-ups in the last 7 days<\/dt><dd>1 of 1<\/dd>/);
  assert.match(english!, /<dt>In all<\/dt><dd>2<\/dd>/);
  const path = await personPath(await signIn(service), "ada@example.com");
  const rows = Array.from(
    english!.matchAll(/<a href="([^"]+)">([^]+?)<\/a><\/th>\s*<td class="number"[^>]*>(\d+)</g),
    ([, ...parts]) => parts,
  );
  assert.deepEqual(rows, [[path, "ada@<wbr>example.com", "2"]]);
  assert.match(english!, /<a href="\/operator\/people\/\?referrals=1">All people with referrals</);
  const german = await sectionOf(service, "de");
  assert.match(german!, /<dt>Von den Anmeldungen der letzten 7 Tage<\/dt><dd>1 von 1<\/dd>/);
});

test("referralSection() shows numbers without a table when the referring people are erased, and nothing when no referrals remain", async (service) => {
  await importReferrals(service);
  const erase = async (name: string) => {
    await service.operate("/signups/erase", { email: `${name}@example.com` });
  };
  await erase("ada");
  const section = await sectionOf(service, "en");
  assert.match(section!, /<dt>In all<\/dt><dd>2<\/dd>/);
  assert.doesNotMatch(section!, /<table|<a /);
  await erase("bob");
  await erase("cy");
  assert.equal(await sectionOf(service, "en"), undefined);
});
