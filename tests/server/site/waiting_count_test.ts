import assert from "node:assert/strict";
import { createSite } from "../../../server/site/mod.ts";
import { copyContent, SITE_OPTIONS } from "../../support/content.ts";
import { BASE_URL, form, startTestService, WITH_MAIL } from "../../support/service.ts";
import { putPerson, tokenOf } from "../../support/self_service.ts";
import { Commit } from "../../../server/store/kv/engine.ts";
import { counterKey } from "../../../server/store/kv/keys.ts";

const PARAGRAPH = "More than {{waiting_count}} people are waiting.";

/** Adds a text below each main heading of the home page and other pages of a language, in a copy of the content. */
async function contentWith(text: string, lang = "en", ...names: string[]) {
  const content = await copyContent();
  for (const name of ["index", ...names]) {
    const file = new URL(`${lang}/${name}.md`, content.folder);
    const page = await Deno.readTextFile(file);
    await Deno.writeTextFile(file, page.replaceAll(/^(# .*\n)/gm, `$1\n${text}\n`));
  }
  return content;
}

const options = { ...SITE_OPTIONS, sendsLetters: true };

async function textAt(
  { routes }: Pick<Awaited<ReturnType<typeof createSite>>, "routes">,
  path: string,
  headers: HeadersInit = {},
) {
  return await (await routes.request(BASE_URL + path, { headers })).text();
}

Deno.test("createWaitingCount() fills the rounded number of waiting people into a page and its Markdown, and updates the number", async (t) => {
  await using content = await contentWith(PARAGRAPH);
  let count: number | undefined = 4_399;
  const site = await createSite({ ...options, ...content, countWaiting: () => count });
  assert.equal(site.showsWaitingCount, true);
  assert.match(await textAt(site, "/"), /<p>More than 4,300 people are waiting\.<\/p>/);
  const markdown = { Accept: "text/markdown" };
  assert.match(await textAt(site, "/", markdown), /^More than 4,300 people are waiting\.$/m);
  const { headers } = await site.routes.request(`${BASE_URL}/`);
  count = 4_301;
  const same = { headers: { "If-None-Match": headers.get("etag")! } };
  assert.equal((await site.routes.request(`${BASE_URL}/`, same)).status, 304);
  count = 4_400;
  assert.equal((await site.routes.request(`${BASE_URL}/`, same)).status, 200);
  assert.match(await textAt(site, "/?r=Abcdefgh12"), /More than 4,400 people are waiting/);
  for (const few of [99, 0, undefined]) {
    count = few;
    for (const accept of ["text/html", "text/markdown"]) {
      await t.step(`${few} ${accept}`, async () => {
        const text = await textAt(site, "/", { Accept: accept });
        assert.doesNotMatch(text, /waiting-count|people are waiting/);
        assert.match(text, /as\s+soon as\s+there is a place for you/);
      });
    }
  }
  count = 100;
  assert.match(await textAt(site, "/"), /More than 100 people/);
});

Deno.test("createWaitingCount() formats the number of waiting people in the German way on the German 404 page", async () => {
  await using content = await contentWith(PARAGRAPH, "de", "not-found");
  const site = await createSite({ ...options, ...content, countWaiting: () => 12_345 });
  const answer = site.notFound(new Request(`${BASE_URL}/de/nirgends`));
  assert.match(await answer.text(), /More than 12\.000 people/);
});

Deno.test("createSite() refuses a page with {{waiting_count}} when MAIL_URL is not set or the placeholder is outside of a paragraph", async (t) => {
  await using content = await contentWith(PARAGRAPH);
  await assert.rejects(createSite({ ...options, ...content, sendsLetters: false }), {
    message: /index\.md: \{\{waiting_count\}\} needs MAIL_URL/,
  });
  for (
    const text of [
      "## {{waiting_count}} people",
      "- {{waiting_count}} people",
      "| People |\n| --- |\n| {{waiting_count}} |",
      "```\n{{waiting_count}}\n```",
      "[People](/?n={{waiting_count}})",
    ]
  ) {
    await t.step(JSON.stringify(text), async () => {
      await using content = await contentWith(text);
      await assert.rejects(createSite({ ...options, ...content }), {
        message: /index\.md: \{\{waiting_count\}\} must be in a paragraph/,
      });
    });
  }
  await using titled = await copyContent();
  const file = new URL("en/privacy.md", titled.folder);
  const page = await Deno.readTextFile(file);
  await Deno.writeTextFile(file, page.replace(/^title: .*$/m, 'title: "{{waiting_count}} people"'));
  await assert.rejects(
    createSite({ ...options, ...titled }),
    /\{\{waiting_count\}\} is not a placeholder/,
  );
});

Deno.test("createService() shows the number of waiting people on each page with {{waiting_count}}, and updates the number once a minute", async (context) => {
  await using content = await contentWith(PARAGRAPH, "en", "sign-up-error", "place-leave", "place");
  await using service = await startTestService(WITH_MAIL, content.folder);
  const home = async () => await (await service.request("/")).text();
  assert.doesNotMatch(await home(), /people are waiting/);
  const email = "ada@example.com";
  const { id } = await putPerson(service.kv, { email, state: "waiting" });
  const key = counterKey(["byState", "waiting"]);
  await service.kv.commit(new Commit().set(key, 250));
  assert.doesNotMatch(await home(), /people are waiting/);
  await service.repeatOnce();
  assert.match(await home(), /More than 250 people are waiting/);
  const t = await tokenOf(service.kv, email, id);
  const forms = { "/api/v1/waitlist": {}, "/place/leave": { t }, "/place/": { email: "nobody" } };
  for (const [path, fields] of Object.entries(forms)) {
    await context.step(path, async () => {
      const headers = { Accept: "text/html" };
      const response = await service.request(path, { ...form({ lang: "en", ...fields }), headers });
      assert.match(await response.text(), /<p>More than 250 people are waiting\.<\/p>/);
    });
  }
});
