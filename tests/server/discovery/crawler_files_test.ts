import assert from "node:assert/strict";
import { robotsTxt, securityTxt, sitemapXml } from "../../../server/discovery/crawler_files.ts";
import { BASE_URL, startTestService } from "../../support/service.ts";

Deno.test("robotsTxt() allows all pages to crawlers, states the permitted uses, and names the sitemap", () => {
  assert.equal(
    robotsTxt("https://waitlist.test"),
    `User-agent: *
Content-Signal: search=yes, ai-input=yes, ai-train=no
Allow: /

Sitemap: https://waitlist.test/sitemap.xml
`,
  );
});

Deno.test("sitemapXml() lists the translations of each page, and leaves out pages that are not for search engines", () => {
  const page = {
    title: "Title",
    description: "Description.",
    lang: "en",
    markdownPath: "/",
    indexed: true,
  };
  const alternates = [{ lang: "en", path: "/" }, { lang: "de", path: "/de/" }];
  assert.equal(
    sitemapXml("https://waitlist.test", [
      { ...page, path: "/", alternates },
      { ...page, path: "/de/", lang: "de", alternates },
      { ...page, path: "/a&b/ü/", alternates: [] },
      { ...page, path: "/thanks/", alternates: [], indexed: false },
    ]),
    `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
  <url>
    <loc>https://waitlist.test/</loc>
    <xhtml:link rel="alternate" hreflang="en" href="https://waitlist.test/"/>
    <xhtml:link rel="alternate" hreflang="de" href="https://waitlist.test/de/"/>
  </url>
  <url>
    <loc>https://waitlist.test/de/</loc>
    <xhtml:link rel="alternate" hreflang="en" href="https://waitlist.test/"/>
    <xhtml:link rel="alternate" hreflang="de" href="https://waitlist.test/de/"/>
  </url>
  <url>
    <loc>https://waitlist.test/a&amp;b/%C3%BC/</loc>
  </url>
</urlset>
`,
  );
});

const DAY = 86_400_000;

// Clauses: RFC 9116 §2.5.3.
Deno.test("securityTxt() has the fields of RFC 9116", () => {
  const text = securityTxt({
    baseUrl: "https://waitlist.test",
    contact: "mailto:security@waitlist.test",
    now: Date.parse("2026-11-21T12:00:20Z"),
  });
  assert.equal(
    text,
    `Contact: mailto:security@waitlist.test
Expires: 2027-05-20T00:00:00.000Z
Preferred-Languages: en, de
Canonical: https://waitlist.test/.well-known/security.txt
`,
  );
});

// Clauses: RFC 9116 §2.5.5.
Deno.test("securityTxt() writes an Expires date that is less than a year in the future", async (t) => {
  const midnight = Date.parse("2028-02-29T00:00:00Z");
  for (const now of [0, midnight - 1, midnight, midnight + 1]) {
    await t.step(new Date(now).toISOString(), () => {
      const text = securityTxt({ baseUrl: "https://a.test", contact: "https://a.test/", now });
      const [, expires] = /^Expires: (.*)$/m.exec(text) ?? [];
      const validFor = Date.parse(expires ?? "") - now;
      assert.ok(validFor > 0 && validFor < 365 * DAY, `${validFor} ms at ${now}`);
    });
  }
});

/** The links of a section, as titles and addresses. */
function linksOf(text: string, section: string): [string, string][] {
  const [, body = ""] = text.split(`## ${section}\n`);
  const [own = ""] = body.split("\n## ");
  return [...own.matchAll(/^- \[([^\]]+)\]\(([^)]+)\): .+$/gm)]
    .map(([, title = "", url = ""]) => [title, url]);
}

Deno.test("llmsTxt() has the form of llmstxt.org, and links only to URLs that exist", async (t) => {
  await using service = await startTestService({ SITE_NAME: "Analytical Engines" });
  const text = await (await service.request("/llms.txt")).text();
  assert.match(text, /^# Analytical Engines\n\n> The early-access waitlist of Analytical Engines/);
  const sections = ["API", "Discovery", "Pages", "Optional"];
  assert.deepEqual([...text.matchAll(/^## (.*)$/gm)].map(([, name]) => name), sections);
  const [api = [], discovery = [], pages = [], optional = []] = sections.map((section) =>
    linksOf(text, section)
  );
  assert.equal(api.length + discovery.length, 10);
  for (const [title, url] of [...api, ...discovery]) {
    await t.step(title, async () => {
      assert.ok(url.startsWith(BASE_URL));
      assert.equal((await service.request(url.slice(BASE_URL.length))).status, 200, url);
    });
  }
  for (const [title, url] of [...pages, ...optional]) {
    await t.step(title, async () => {
      const { status, headers } = await service.request(url.slice(BASE_URL.length));
      assert.equal(status, 200);
      assert.equal(headers.get("content-type"), "text/markdown; charset=utf-8");
    });
  }
  const paths = (links: typeof pages) => links.map(([, url]) => url.slice(BASE_URL.length));
  assert.deepEqual(paths(pages), [
    "/index.md",
    "/developers/changes.md",
    "/developers.md",
    "/imprint.md",
    "/privacy.md",
  ]);
  assert.deepEqual(paths(optional), [
    "/de/index.md",
    "/de/entwickler.md",
    "/de/impressum.md",
    "/de/datenschutz.md",
  ]);
});
