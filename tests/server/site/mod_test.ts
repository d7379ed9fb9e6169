import assert from "node:assert/strict";
import { createSite } from "../../../server/site/mod.ts";
import { copyContent, SITE_OPTIONS } from "../../support/content.ts";
import { BASE_URL, startTestService, test } from "../../support/service.ts";

/** The pages, and where the Markdown of those is that are not of a person. */
const PAGES: [path: string, lang: string, heading: string, markdownPath?: string][] = [
  ["/", "en", "Be there from the start", "/index.md"],
  ["/de/", "de", "Seien Sie von Anfang an dabei", "/de/index.md"],
  ["/developers/", "en", "Your first call in a minute", "/developers.md"],
  ["/de/entwickler/", "de", "Ihr erster Aufruf in einer Minute", "/de/entwickler.md"],
  ["/developers/changes/", "en", "Changes of the API", "/developers/changes.md"],
  ["/thanks/", "en", "You are on the list", "/thanks.md"],
  ["/de/danke/", "de", "Sie stehen auf der Liste", "/de/danke.md"],
  ["/place/", "en", "Your place on the list"],
  ["/de/platz/", "de", "Ihr Platz auf der Liste"],
  ["/place/sent/", "en", "We send no e‑mails from here"],
  ["/de/platz/gesendet/", "de", "Von hier aus verschicken wir keine E‑Mails"],
  ["/place/left/", "en", "You have left the list"],
  ["/de/platz/verlassen/", "de", "Sie haben die Liste verlassen"],
  ["/privacy/", "en", "Privacy", "/privacy.md"],
  ["/de/datenschutz/", "de", "Datenschutz", "/de/datenschutz.md"],
  ["/imprint/", "en", "Imprint", "/imprint.md"],
  ["/de/impressum/", "de", "Impressum", "/de/impressum.md"],
];

/** The links to what describes the API. */
const API_LINKS = [
  `<${BASE_URL}/.well-known/api-catalog>; rel="api-catalog"`,
  `<${BASE_URL}/openapi.json>; rel="service-desc"; type="application/json"`,
  `<${BASE_URL}/developers/>; rel="service-doc"; type="text/html"`,
].join(", ");

const MARKDOWN = { headers: { Accept: "text/markdown" } };

const headersOf = ({ headers }: Response, ...names: string[]) =>
  names.map((name) => headers.get(name));

test(
  "createSite() serves each page in HTML or in Markdown, as Accept asks",
  async (service, t) => {
    for (const [path, lang, heading, markdownPath] of PAGES) {
      await t.step(path, async () => {
        const html = await service.request(path);
        const alternate = `<${BASE_URL}${markdownPath}>; rel="alternate"; type="text/markdown"`;
        const common = [
          "Accept, Accept-Encoding",
          markdownPath ? "public, no-cache, no-transform" : "no-store",
          markdownPath ? `${API_LINKS}, ${alternate}` : null,
        ];
        assert.equal(html.status, 200);
        assert.equal(html.headers.get("content-type"), "text/html; charset=utf-8");
        assert.deepEqual(headersOf(html, "vary", "cache-control", "link"), common);
        const text = await html.text();
        assert.match(text, new RegExp(`^<!doctype html>\n<html lang="${lang}">`));
        for (
          const part of [
            `<h1>${heading}</h1>`,
            `<link rel="canonical" href="${BASE_URL}${path}">`,
            `<link rel="alternate" type="text/markdown" href="${BASE_URL}${markdownPath ?? path}">`,
          ]
        ) assert(text.includes(part), `${path}: ${part}`);
        assert.doesNotMatch(text, /\{\{|%7B%7B|<!--|:::/);
        // A browser paints the page when its last element is there.
        const id = /<link rel="expect" href="#([\w-]+)" blocking="render">/.exec(text)?.[1];
        assert(text.endsWith(`</footer>\n<div id="${id}"></div>\n</body>\n</html>\n`));

        const markdown = await service.request(path, MARKDOWN);
        assert.equal(markdown.status, 200);
        assert.equal(markdown.headers.get("content-type"), "text/markdown; charset=utf-8");
        assert.deepEqual(headersOf(markdown, "vary", "cache-control", "link"), common);
        assert.notEqual(markdown.headers.get("etag"), html.headers.get("etag"));
        const body = await markdown.text();
        assert(body.startsWith(`# ${heading}\n`));
        assert.doesNotMatch(body, /\{\{|<!--|^:::|\]\(\//m);
        if (markdownPath) {
          assert.equal(await (await service.request(markdownPath)).text(), body, markdownPath);
        }
      });
    }
  },
);

test(
  "createSite() serves the Markdown of a page also at a path that ends in .md",
  async (service, t) => {
    for (const [path, , , markdownPath] of PAGES) {
      if (!markdownPath) continue;
      for (const accept of ["text/html", "text/markdown"]) {
        await t.step(`${markdownPath} ${accept}`, async () => {
          const response = await service.request(markdownPath, { headers: { Accept: accept } });
          assert.equal(response.status, 200);
          assert.deepEqual(headersOf(response, "content-type", "vary", "cache-control", "link"), [
            "text/markdown; charset=utf-8",
            "Accept-Encoding",
            "public, no-cache, no-transform",
            `${API_LINKS}, <${BASE_URL}${path}>; rel="canonical"`,
          ]);
          assert.match(
            response.headers.get("content-security-policy") ?? "",
            /^default-src 'none'/,
          );
          assert.equal(response.headers.get("access-control-allow-origin"), "*");
          // The self-service page has no Markdown, because it is about a person.
          const inHtml = /\]\((https?:(?!\S+\/(?:place|platz)\/)[^)#?\s]+\/)[)#?]/g;
          const links = (await response.text()).matchAll(inHtml);
          assert.deepEqual(
            Array.from(links, ([, url]) => url),
            [],
            `${markdownPath} links to pages in HTML`,
          );
        });
      }
    }
    assert.doesNotMatch(await (await service.request("/sitemap.xml")).text(), /\.md\b/);
  },
);

test("createSite() links to llms.txt from the home page and from its Markdown", async (service) => {
  assert.match(await (await service.request("/")).text(), /<a href="\/llms\.txt">/);
  const markdown = await (await service.request("/index.md")).text();
  assert.ok(markdown.includes(`](${BASE_URL}/llms.txt)`));
});

test(
  "createSite() serves no Markdown and no Link headers for self-service pages, redirects and missing pages",
  async (service, t) => {
    const paths = ["/place.md", "/place/sent.md", "/de/platz.md", "/pricing.md", "/de.md", "/.md"];
    for (const path of [...paths, "/developers/index.md", "/developers.md/", "/not-found.md"]) {
      await t.step(path, async () => {
        assert.equal((await service.request(path)).status, 404);
      });
    }
    for (const path of ["/place/", "/de/platz/gesendet/", "/pricing", "/developers", "/de"]) {
      await t.step(path, async () => {
        assert.equal((await service.request(path)).headers.get("link"), null);
      });
    }
  },
);

Deno.test("createSite() returns a list of its pages with their translations", async () => {
  const { pages } = await createSite({ ...SITE_OPTIONS, siteName: "Acme" });
  assert.deepEqual(pages.map(({ path }) => path).sort(), PAGES.map(([path]) => path).sort());
  assert.deepEqual(pages.find(({ path }) => path === "/de/danke/"), {
    path: "/de/danke/",
    markdownPath: "/de/danke.md",
    title: "Vielen Dank",
    description: "Wie es nach Ihrer Anmeldung zur Warteliste von Acme weitergeht.",
    lang: "de",
    alternates: [{ lang: "en", path: "/thanks/" }, { lang: "de", path: "/de/danke/" }],
    indexed: false,
  });
  assert.deepEqual(pages.find(({ path }) => path === "/developers/changes/")?.alternates, []);
});

test(
  "createSite() serves the typed client as the npm package that the pages for developers name",
  async (service, t) => {
    for (const path of ["/developers.md", "/de/entwickler.md"]) {
      await t.step(path, async () => {
        const page = await (await service.request(path)).text();
        assert.ok(page.includes(`\nnpm install ${BASE_URL}/developers/waitlist-client.tgz\n`));
        assert.ok(page.includes(`](${BASE_URL}/llms.txt)`));
        assert.ok(page.includes(`](${BASE_URL}/developers/changes.md)`));
      });
    }
    const response = await service.request("/developers/waitlist-client.tgz");
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("content-type"), "application/gzip");
    assert.equal(response.headers.get("x-content-type-options"), "nosniff");
    const archive = response.body!.pipeThrough(new DecompressionStream("gzip"));
    const text = await new Response(archive).text();
    assert.match(text, /^package\/LICENSE\0+0000644\0/);
    assert.match(text, /"name": "@example\/waitlist-client"/);
    const posted = await service.request("/developers/waitlist-client.tgz", { method: "POST" });
    assert.equal(posted.status, 405);
  },
);

test("createSite() copies entries about the API, and no entries for operators, from CHANGELOG.md to the changes page", async (service) => {
  const page = await (await service.request("/developers/changes.md")).text();
  assert.match(page, /^## 1\.1\.0 – 2026-11-22\n\n- /m);
  assert.doesNotMatch(page, /^### |Generated from|operator's|the CLI/m);
  const html = await (await service.request("/developers/changes/")).text();
  const german = '<a href="/de/entwickler/" hreflang="de" lang="de">Deutsch</a>';
  assert.ok(html.includes(german), "the page above it has a translation");
});

Deno.test("createSite() names the translations and the link preview of a page in the page's head", async (t) => {
  await using service = await startTestService({ SITE_NAME: "Acme" });
  const text = await (await service.request("/de/datenschutz/")).text();
  for (
    const line of [
      "<title>Datenschutz · Acme</title>",
      `<link rel="alternate" hreflang="en" href="${BASE_URL}/privacy/">`,
      `<link rel="alternate" hreflang="de" href="${BASE_URL}/de/datenschutz/">`,
      `<link rel="alternate" hreflang="x-default" href="${BASE_URL}/privacy/">`,
      '<meta property="og:site_name" content="Acme">',
      '<meta property="og:title" content="Datenschutz · Acme">',
      `<meta property="og:url" content="${BASE_URL}/de/datenschutz/">`,
      '<meta property="og:image:alt" content="Früher Zugang · Acme">',
      '<meta name="twitter:card" content="summary_large_image">',
      '<meta property="og:locale" content="de_DE">',
      '<meta property="og:locale:alternate" content="en_GB">',
    ]
  ) {
    await t.step(line, () => {
      assert(text.includes(`${line}\n`));
    });
  }
  assert.match(text, /<meta name="description" content="[^"]+Acme[^"]+">/);
  assert.match(text, /<meta property="og:image" content="https:\/\/waitlist\.test\/assets\/social/);
  assert.match(text, /<link rel="icon" type="image\/svg\+xml" href="\/assets\/favicon\.svg\?v=/);
});

Deno.test("createSite() escapes configured values that contain markup", async (t) => {
  await using service = await startTestService({
    SITE_NAME: '<script>alert("x")</script> & *Co* {{contact}}',
    CONTACT: "https://example.com/contact?a=1&b=<2>",
  });
  for (const path of ["/", "/de/", "/privacy/", "/developers/", "/pricing"]) {
    await t.step(path, async () => {
      const text = await (await service.request(path)).text();
      assert.doesNotMatch(text, /<script>|<em>Co/);
      assert(
        text.includes("&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; *Co* {{contact}}"),
      );
      assert(text.includes('href="https://example.com/contact?a=1&amp;b=%3C2%3E"'));
    });
  }
  const markdown = await (await service.request("/", MARKDOWN)).text();
  assert(markdown.includes('\\<script\\>alert("x")\\</script\\> \\& \\*Co\\* {{contact}}'));
});

Deno.test("createSite() serves a new page for each Markdown file that is added to content/", async () => {
  await using copy = await copyContent();
  await Deno.writeTextFile(
    new URL("en/press.md", copy.folder),
    "---\npath: /press/\nlang: en\ntitle: Press\ndescription: For the press.\n---\n\n" +
      "# Press\n\nWrite to [{{contact_name}}]({{contact}}).\n",
  );
  await using service = await startTestService({}, copy.folder);
  const html = await service.request("/press/");
  assert.equal(html.status, 200);
  const text = await html.text();
  assert(text.includes("<title>Press · Example Company</title>"));
  assert(text.includes('<a href="mailto:hello@waitlist.test">hello@waitlist.test</a>'));
  const markdown = await service.request("/press/", MARKDOWN);
  assert.equal(
    await markdown.text(),
    "# Press\n\nWrite to [hello@waitlist.test](mailto:hello@waitlist.test).\n",
  );
  const sitemap = await (await service.request("/sitemap.xml")).text();
  assert(sitemap.includes(`<loc>${BASE_URL}/press/</loc>`), sitemap);
  const llms = await (await service.request("/llms.txt")).text();
  assert(llms.includes(`[Press](${BASE_URL}/press.md)`), llms);
});
