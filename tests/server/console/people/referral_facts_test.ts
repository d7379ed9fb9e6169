import assert from "node:assert/strict";
import {
  type ConsoleService,
  personPath,
  signIn,
  startConsole,
  test,
} from "../../../support/console.ts";
import { importPeople } from "../../../support/operator.ts";

/** Imports Ada, whose link brought Bob and an alias that does not count, and Cy, who has no code. */
async function importReferrals(service: ConsoleService): Promise<void> {
  const lines = [
    { email: "ada@example.com", referralCode: "Ada1234567" },
    { email: "bob@example.com", referralCode: "Bob1234567", referredBy: "Ada1234567" },
    { email: "di+1@example.com", referredBy: "Ada1234567" },
    { email: "cy@example.com" },
  ].map((line) => ({ consentedAt: "2026-05-01T09:30:00.000Z", state: "waiting", ...line }));
  await importPeople(service, lines);
}

/** The facts of a page, by their names, as text without markup. */
const factsOf = (html: string): Record<string, string> =>
  Object.fromEntries(
    Array.from(
      html.matchAll(/<div><dt>(.+?)<\/dt><dd>([^]*?)<\/dd>/g),
      ([, name = "", value = ""]) => [name, value.replace(/<[^>]+>/g, "").trim()],
    ),
  );

test("referralFacts() shows the referral link, the number of referrals, the referring person and the referred people", async (service) => {
  await importReferrals(service);
  const browser = await signIn(service);
  const ada = await browser.open(await personPath(browser, "ada@example.com"));
  const facts = factsOf(ada.html);
  assert.equal(facts["Link to recommend the list"], "https://waitlist.test/?r=Ada1234567");
  assert.equal(facts["Joined by this person’s link"], "1");
  assert.equal(
    facts["Confirmed after joining by this person’s link"],
    "bob@example.com\ndi+1@example.com (does not count)",
  );
  const bobPath = await personPath(browser, "bob@example.com");
  assert.ok(ada.html.includes(`href="${bobPath}"`));
  const bob = await browser.open(bobPath);
  assert.equal(factsOf(bob.html)["Joined by the link of"], "ada@example.com");
  await service.operate("/signups/erase", { email: "ada@example.com" });
  const orphan = factsOf((await browser.open(bobPath)).html);
  assert.equal(orphan["Joined by the link of"], "somebody who is no longer on the list");
});

test("peoplePage shows the number of referrals in a column, and selects people by this number", async (service) => {
  await importReferrals(service);
  const browser = await signIn(service);
  const numbersOf = (html: string) =>
    Array.from(
      html.matchAll(/<td class="number"[^>]*>(\d*)<\/td>/g),
      ([, number]) => number,
    );
  const all = await browser.open("/operator/people/?order=oldest");
  assert.match(all.html, /<th scope="col" class="number">Referrals<\/th>/);
  assert.deepEqual(numbersOf(all.html).toSorted(), ["", "", "0", "1"]);
  const some = await browser.open("/operator/people/?referrals=1");
  assert.deepEqual(numbersOf(some.html), ["1"]);
  assert.match(some.html, /name="referrals"[^>]*value="1"/);
  const wrong = await browser.open("/operator/people/?referrals=0");
  assert.equal(wrong.status, 400);
});

Deno.test("referralFacts() shows the number of referrals, but no referral code and no address, to an operator with the role 'viewer'", async () => {
  const key = "a-key-of-the-viewer-of-this-test-0123456789";
  await using service = await startConsole({ OPERATOR_KEYS: `vera:viewer=${key}` });
  await importReferrals(service);
  const browser = await signIn(service, key);
  const { html } = await browser.open(await personPath(browser, "ada@example.com"));
  assert.equal(factsOf(html)["Joined by this person’s link"], "1");
  for (const hidden of ["Ada1234567", "bob@", "di+1@"]) assert.ok(!html.includes(hidden), hidden);
});
