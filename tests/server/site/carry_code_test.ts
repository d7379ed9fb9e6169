import assert from "node:assert/strict";
import { startTestService, type TestService } from "../../support/service.ts";

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

Deno.test("createCarryCode() writes a code into forms, language switch and links to the form", async (t) => {
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

Deno.test("createCarryCode() writes a code into the form of a frame beside its theme", async (t) => {
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

Deno.test("createCarryCode() changes nothing when a code is malformed or absent", async (t) => {
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

Deno.test("createCarryCode() changes nothing on a page without a form", async () => {
  await using service = await startTestService(VARIABLES);
  const { page } = await pageAt(service, "/privacy/");
  assert.equal((await pageAt(service, `/privacy/?r=${CODE}`)).page, page);
});

Deno.test("createRefusedForms() repeats a well-formed code in its form and its links", async () => {
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
  const framed = await post(`${ACTION}?r=${CODE}&theme=dark`, { "Sec-Fetch-Dest": "iframe" });
  assert.deepEqual(actionsOf(framed), [`${ACTION}?r=${CODE}&amp;theme=dark`]);
  assert.deepEqual(actionsOf(await post(`${ACTION}?r=no-code`)), [ACTION]);
  assert.deepEqual(actionsOf(await post(`/sandbox${ACTION}?r=${CODE}`)), [
    `/sandbox${ACTION}?r=${CODE}`,
  ]);
});
