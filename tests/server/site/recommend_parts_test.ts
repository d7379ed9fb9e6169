import assert from "node:assert/strict";
import { linePart, recommendPart } from "../../../server/site/recommend_parts.ts";
import { Html } from "../../../server/content/mod.ts";
import english from "../../../shared/generated/texts.json" with { type: "json" };
import { recordOf } from "../../support/records.ts";
import { putPerson, tokenOf } from "../../support/self_service.ts";
import {
  PRIVATE,
  privateHeaders,
  startSelfServicePages,
} from "../../support/self_service_pages.ts";
import { startTestService, type TestService, WITH_MAIL } from "../../support/service.ts";

const WORDS = {
  line: english.place.line,
  recommend: english.place.recommend,
  linkOf: (code: string) => `https://waitlist.test/de/?r=${code}`,
  formatNumber: new Intl.NumberFormat("en").format,
};
const CODE = "Abcdefgh12";
const FORM = (label: string) => new Html(`<form>${label}</form>`);

const form = (values: Record<string, string>) => ({
  method: "POST",
  body: new URLSearchParams(values),
});

async function join(service: TestService, email: string, query = ""): Promise<void> {
  const body = JSON.stringify({ email, consent: true });
  const headers = { "Content-Type": "application/json" };
  const response = await service.request(`/api/v1/waitlist${query}`, {
    method: "POST",
    headers,
    body,
  });
  assert.equal(response.status, 200);
}

/** Gives the token of a person's link. */
async function linkOf(service: TestService, email: string): Promise<string> {
  return await tokenOf(service.kv, email, (await recordOf(service.kv, email)).id);
}

/** Puts a person on the list by the form and the page, and gives the token and the code. */
async function confirmed(service: TestService, email: string, query = "") {
  await join(service, email, query);
  const t = await linkOf(service, email);
  const response = await service.request("/place/confirm", form({ t }));
  assert.equal(response.status, 303);
  return { t, code: (await recordOf(service.kv, email)).referralCode };
}

const pageOf = async (service: Pick<TestService, "request">, t: string, path = "/place/") =>
  await (await service.request(`${path}?t=${t}`)).text();

const dataOf = async (service: TestService, t: string) =>
  await (await service.request("/place/data", form({ t }))).json();

Deno.test("linePart() says how many people are before the person in line, and rounds numbers from 100 on", async (t) => {
  const sentences = [
    [1, "You are first in line."],
    [2, "One person is before you."],
    [100, "99 people are before you."],
    [101, "About 100 people are before you."],
    [3_501, "About 3,500 people are before you."],
    [3_500, "About 3,400 people are before you."],
    [undefined, ""],
  ] as const;
  for (const [place, sentence] of sentences) {
    await t.step(`${place}`, () => {
      const { text } = linePart({ place }, WORDS);
      assert.equal(text, sentence && `<p class="line">${sentence}</p>`);
    });
  }
});

Deno.test("recommendPart() offers to share the person's referral link by e-mail and on other sites, and loads nothing from other sites", () => {
  const { text } = recommendPart({ referralCode: CODE, referrals: 1_234 }, WORDS, FORM);
  const link = `https://waitlist.test/de/?r=${CODE}`;
  assert(text.includes(`type="text" readonly value="${link}"`));
  assert(text.includes("1,234 people have joined through your link."));
  const targets = [...text.matchAll(/href="([^"]+)"/g)].map(([, url]) =>
    new URL(url!.replaceAll("&amp;", "&"))
  );
  assert.deepEqual(targets.map(({ host, protocol }) => host || protocol), [
    "mailto:",
    "wa.me",
    "x.com",
    "www.linkedin.com",
    "bsky.app",
  ]);
  for (const { href } of targets) assert(href.includes(encodeURIComponent(link)), href);
  assert.doesNotMatch(text, /<(?:img|script|iframe|link)\b| src=/);
  assert.equal(text.match(/rel="noopener noreferrer"/g)?.length, 4);
});

Deno.test("recommendPart() offers a referral link to a person without a referral code, and writes 'Nobody' and 'One person' instead of the numbers 0 and 1", () => {
  assert.equal(recommendPart({}, WORDS, FORM).text, "<form>Give me my link</form>");
  const joined = (referrals: number | undefined) =>
    /<p class="joined">(.*)<\/p>/.exec(
      recommendPart({ referralCode: CODE, referrals }, WORDS, FORM).text,
    )?.[1];
  assert.equal(joined(undefined), "Nobody has joined through your link yet.");
  assert.equal(joined(1), "One person has joined through your link.");
});

Deno.test("The self-service page shows the referral link and the number of referrals once the address is confirmed", async () => {
  await using service = await startTestService({ REFERRALS: "on", ...WITH_MAIL });
  await join(service, "ada@example.com");
  const before = await pageOf(service, await linkOf(service, "ada@example.com"));
  assert.doesNotMatch(before, /recommend|class="line"|\?r=/);
  const { t, code } = await confirmed(service, "ada@example.com");
  const page = await pageOf(service, t);
  assert.match(page, /<h1>You are on the list<\/h1>\n<p class="line">You are first in line.<\/p>/);
  assert(page.includes(`value="https://waitlist.test/?r=${code}"`));
  assert.match(page, /<script type="module" src="\/assets\/scripts-[^"]*\/recommend\.js/);
  const german = await pageOf(service, t, "/de/platz/");
  assert(german.includes(`value="https://waitlist.test/de/?r=${code}"`));
  assert.match(german, /Sie stehen ganz vorn\./);

  const bob = await confirmed(service, "bob@example.com", `?r=${code}`);
  await confirmed(service, "eve+1@example.com", `?r=${code}`);
  const after = await pageOf(service, t);
  assert.match(after, /One person has joined through your link\./);
  assert.match(after, /<dt>People who joined through your link<\/dt><dd>1<\/dd>/);
  const { referralCode, referrals, referredBy, referralCounts, place, ...rest } = await dataOf(
    service,
    bob.t,
  );
  assert.deepEqual(
    { referralCode, referrals, referredBy, referralCounts, place },
    { referralCode: bob.code, referrals: 0, referredBy: code, referralCounts: true, place: 1 },
  );
  assert.equal("referrerId" in rest, false);
  assert.match(
    await pageOf(service, bob.t),
    new RegExp(`link with the code</dt><dd><code>${code}<`),
  );
  const left = await service.request("/place/leave", form({ t, sure: "1" }));
  assert.equal(left.status, 303);
  assert.equal((await dataOf(service, bob.t)).referredBy, "");
  assert.match(await pageOf(service, bob.t), /The person with that link has left the list/);
});

Deno.test("POST /place/refer gives each confirmed person one referral code and unconfirmed people no code, and GET gives nobody a code", async (context) => {
  const settings = { referrals: true };
  await using service = await startSelfServicePages(undefined, settings);
  for (
    const [state, gets] of [["unconfirmed", false], ["waiting", true], ["invited", true]] as const
  ) {
    await context.step(state, async () => {
      const email = `${state}@example.com`;
      const { id } = await putPerson(service.kv, { email, state });
      const t = await tokenOf(service.kv, email, id);
      const button = 'action="/place/refer"';
      assert.equal((await pageOf(service, t)).includes(button), gets);
      assert.equal((await service.request(`/place/refer?t=${t}`)).status, 405);
      const response = await service.request("/place/refer", form({ t, lang: "de" }));
      assert.equal(response.status, 303);
      assert.equal(response.headers.get("location"), `/de/platz/?t=${t}`);
      assert.deepEqual(privateHeaders(response), PRIVATE);
      const { referralCode } = await recordOf(service.kv, email);
      assert.equal(referralCode?.length, gets ? 10 : undefined);
      await service.request("/place/refer", form({ t }));
      assert.equal((await recordOf(service.kv, email)).referralCode, referralCode);
      assert.equal((await pageOf(service, t)).includes(button), false);
    });
  }
  const response = await service.request("/place/refer", form({ t: "no token" }));
  assert.equal(response.status, 404);
});

Deno.test("The self-service page shows no referrals when REFERRALS is off, and no place in line when PLACE_IN_LINE is off", async (context) => {
  await using service = await startTestService({ PLACE_IN_LINE: "off", ...WITH_MAIL });
  const { t, code } = await confirmed(service, "ada@example.com", `?r=${CODE}`);
  assert.equal(code, undefined);
  for (const path of ["/place/", "/de/platz/"]) {
    await context.step(path, async () => {
      assert.doesNotMatch(await pageOf(service, t, path), /recommend|class="line"|[?]r=|<slot/);
    });
  }
  await service.request("/place/refer", form({ t }));
  const data = await dataOf(service, t);
  for (const name of ["place", "referralCode", "referrals", "referredBy"]) {
    assert.equal(name in data, false, name);
  }
});
