import assert from "node:assert/strict";
import { recordOf } from "../../support/records.ts";
import { ADA, tokenOf } from "../../support/self_service.ts";
import { form, startTestService, type TestService, WITH_MAIL } from "../../support/service.ts";

const CODE = "Abcdefgh12";
const VARIABLES = { EMBED_ORIGINS: "https://www.example.com" };
const ACTION = "/api/v1/waitlist";

const actionsOf = (page: string) =>
  [...page.matchAll(/<form method="post" action="([^"]+)"/g)].map(([, action]) => action);

/** The targets of the links to pages with the form. */
const linksOf = (page: string) =>
  [...page.matchAll(/<a [^>]*href="(\/(?:de\/)?(?:embed\/)?(?:[?#][^"]*)?)"/g)].map(([, to]) => to);

async function pageAt(service: TestService, path: string, headers: HeadersInit = {}) {
  const response = await service.request(path, { headers });
  assert.equal(response.status, 200);
  return { response, page: await response.text() };
}

Deno.test("createCarryParameters() writes a referral code into forms, the language switch and links to the form", async (t) => {
  await using service = await startTestService(VARIABLES);
  for (const path of ["/", "/de/"]) {
    await t.step(path, async () => {
      const { page, response } = await pageAt(service, `${path}?r=${CODE}`);
      assert.deepEqual(actionsOf(page), [`${ACTION}?r=${CODE}`, `${ACTION}?r=${CODE}`]);
      assert.deepEqual(new Set(linksOf(page)), new Set([`/?r=${CODE}`, `/de/?r=${CODE}`]));
      assert.match(page, /<link rel="canonical" href="https:\/\/waitlist\.test\/(?:de\/)?">/);
      assert.equal(response.headers.get("set-cookie"), null);
      const same = await service.request(`${path}?r=${CODE}`, {
        headers: { "If-None-Match": response.headers.get("etag")! },
      });
      assert.equal(same.status, 304);
    });
  }
});

Deno.test("createCarryParameters() writes a referral code into the form in a frame, and keeps the frame's theme", async (t) => {
  await using service = await startTestService(VARIABLES);
  for (const path of ["/embed/", "/de/embed/"]) {
    await t.step(path, async () => {
      const { page } = await pageAt(service, `${path}?r=${CODE}`);
      assert.deepEqual(actionsOf(page), [`${ACTION}?r=${CODE}`]);
      const dark = await pageAt(service, `${path}?theme=dark&source=hero&r=${CODE}`);
      assert.deepEqual(actionsOf(dark.page), [`${ACTION}?r=${CODE}&amp;theme=dark`]);
      assert.match(dark.page, /name="source" value="hero"/);
    });
  }
});

/** The campaign of a page's URL, and the parameters as the forms and links of the page have them. */
const CAMPAIGN = "utm_source=News%20Letter&utm_medium=email&utm_campaign=spring_2026";
const CARRIED = "utm_source=news-letter&amp;utm_medium=email&amp;utm_campaign=spring_2026";

Deno.test("createCarryParameters() writes a campaign into forms and links, with or without a referral code", async (t) => {
  await using service = await startTestService(VARIABLES);
  const table = [
    [CAMPAIGN, CARRIED],
    [`${CAMPAIGN}&r=${CODE}&x=1`, `r=${CODE}&amp;${CARRIED}`],
    ["utm_campaign=spring&utm_source=", "utm_campaign=spring"],
  ] as const;
  for (const [query, carried] of table) {
    await t.step(query, async () => {
      for (const path of ["/", "/de/"]) {
        const { page } = await pageAt(service, `${path}?${query}`);
        assert.deepEqual(actionsOf(page), [`${ACTION}?${carried}`, `${ACTION}?${carried}`]);
        assert.deepEqual(new Set(linksOf(page)), new Set([`/?${carried}`, `/de/?${carried}`]));
      }
      const { page } = await pageAt(service, `/embed/?theme=dark&source=hero&${query}`);
      assert.deepEqual(actionsOf(page), [`${ACTION}?${carried}&amp;theme=dark`]);
    });
  }
});

Deno.test("createCarryParameters() changes nothing when referral code and campaign are malformed or absent", async (t) => {
  await using service = await startTestService(VARIABLES);
  for (const path of ["/", "/embed/"]) {
    const { page, response } = await pageAt(service, path);
    for (
      const query of [
        "r=",
        "r=Abcdefgh1",
        "r=Abcdefgh123",
        "r=Abcdefgh1%22",
        `r=${CODE}&r=${CODE}`,
        "utm_source=",
        "utm_source=news&utm_source=mail",
        "utm_term=shoes",
        "x=1",
      ]
    ) {
      await t.step(`${path}?${query}`, async () => {
        const other = await pageAt(service, `${path}?${query}`);
        assert.equal(other.page, page);
        assert.equal(other.response.headers.get("etag"), response.headers.get("etag"));
      });
    }
  }
  const markdown = { Accept: "text/markdown" };
  const { page } = await pageAt(service, "/", markdown);
  assert.equal((await pageAt(service, `/?r=${CODE}`, markdown)).page, page);
});

Deno.test("createCarryParameters() changes nothing on a page without a form", async () => {
  await using service = await startTestService(VARIABLES);
  const { page } = await pageAt(service, "/privacy/");
  assert.equal((await pageAt(service, `/privacy/?r=${CODE}`)).page, page);
});

Deno.test("createRefusedForms() repeats a well-formed referral code and a campaign in the form and the links of the error page", async () => {
  await using service = await startTestService(VARIABLES);
  const post = (action: string, headers: HeadersInit = {}) =>
    service.request(action, {
      method: "POST",
      headers: { Accept: "text/html", ...headers },
      body: new URLSearchParams({ lang: "de", email: 'action="/api/v1/waitlist"' }),
    }).then((response) => response.text());
  const page = await post(`${ACTION}?r=${CODE}`);
  assert.deepEqual(actionsOf(page), [`${ACTION}?r=${CODE}`]);
  assert.deepEqual(new Set(linksOf(page)), new Set([`/?r=${CODE}`, `/de/?r=${CODE}`]));
  assert.match(page, /value="action=&quot;\/api\/v1\/waitlist&quot;"/);
  const campaign = await post(`${ACTION}?r=${CODE}&${CAMPAIGN}`);
  assert.deepEqual(actionsOf(campaign), [`${ACTION}?r=${CODE}&amp;${CARRIED}`]);
  const carried = `?r=${CODE}&amp;${CARRIED}`;
  assert.deepEqual(new Set(linksOf(campaign)), new Set([`/${carried}`, `/de/${carried}`]));
  const framed = await post(`${ACTION}?r=${CODE}&theme=dark`, { "Sec-Fetch-Dest": "iframe" });
  assert.deepEqual(actionsOf(framed), [`${ACTION}?r=${CODE}&amp;theme=dark`]);
  assert.deepEqual(actionsOf(await post(`${ACTION}?r=no-code`)), [ACTION]);
  assert.deepEqual(actionsOf(await post(`/sandbox${ACTION}?r=${CODE}`)), [
    `/sandbox${ACTION}?r=${CODE}`,
  ]);
});

Deno.test("The campaign in the home page's URL is in the page's form, and in the data of the person who signs up by the form", async () => {
  await using service = await startTestService(WITH_MAIL);
  const { page } = await pageAt(service, `/de/?${CAMPAIGN}`);
  const [action = ""] = actionsOf(page);
  const sent = await service.request(action.replaceAll("&amp;", "&"), {
    method: "POST",
    headers: { Accept: "text/html" },
    body: new URLSearchParams({ email: ADA, consent: "on", lang: "de" }),
  });
  assert.deepEqual([sent.status, sent.headers.get("location")], [303, "/de/danke/"]);
  const { id } = await recordOf(service.kv, ADA);
  const t = await tokenOf(service.kv, ADA, id);
  const shown = await (await service.request(`/de/platz/?t=${t}`)).text();
  for (const value of ["news-letter", "email", "spring_2026"]) {
    assert.ok(shown.includes(`<dd><code>${value}</code></dd>`), value);
  }
  const data = await (await service.request("/place/data", form({ t }))).json();
  const { utmSource, utmMedium, utmCampaign } = data;
  assert.deepEqual([utmSource, utmMedium, utmCampaign], ["news-letter", "email", "spring_2026"]);
});
