import assert from "node:assert/strict";
import { createSite } from "../../../server/site/mod.ts";
import { copyContent, SITE_OPTIONS } from "../../support/content.ts";
import { BASE_URL, startTestService } from "../../support/service.ts";

const PAGES: [path: string, lang: string, heading: string][] = [
  ["/", "en", "Be there at first light"],
  ["/de/", "de", "Seien Sie von Anfang an dabei"],
  ["/developers/", "en", "Your first call in a minute"],
  ["/thanks/", "en", "You are on the list"],
  ["/de/danke/", "de", "Sie stehen auf der Liste"],
  ["/place/", "en", "Your place on the list"],
  ["/de/platz/", "de", "Ihr Platz auf der Liste"],
  ["/place/sent/", "en", "We send no e-mails from here"],
  ["/de/platz/gesendet/", "de", "Von hier aus verschicken wir keine E-Mails"],
  ["/place/left/", "en", "You have left the list"],
  ["/de/platz/verlassen/", "de", "Sie haben die Liste verlassen"],
  ["/privacy/", "en", "Privacy"],
  ["/de/datenschutz/", "de", "Datenschutz"],
  ["/imprint/", "en", "Imprint"],
  ["/de/impressum/", "de", "Impressum"],
];

const MARKDOWN = { headers: { Accept: "text/markdown" } };

Deno.test("createSite() serves each page in HTML and in Markdown when asked by Accept", async () => {
  await using service = await startTestService();
  for (const [path, lang, heading] of PAGES) {
    const html = await service.request(path);
    assert.equal(html.status, 200, path);
    assert.equal(html.headers.get("content-type"), "text/html; charset=utf-8");
    assert.equal(html.headers.get("vary"), "Accept, Accept-Encoding");
    const isOfPerson = /^\/(place|de\/platz)\//.test(path);
    const caching = isOfPerson ? "no-store" : "public, no-cache, no-transform";
    assert.equal(html.headers.get("cache-control"), caching, path);
    const text = await html.text();
    assert.match(text, new RegExp(`^<!doctype html>\n<html lang="${lang}">`));
    assert(text.includes(`<h1>${heading}</h1>`), path);
    assert(text.includes(`<link rel="canonical" href="${BASE_URL}${path}">`), path);
    assert.doesNotMatch(text, /\{\{|%7B%7B|<!--|:::/, path);

    const markdown = await service.request(path, MARKDOWN);
    assert.equal(markdown.status, 200, path);
    assert.equal(markdown.headers.get("content-type"), "text/markdown; charset=utf-8");
    assert.equal(markdown.headers.get("vary"), "Accept, Accept-Encoding");
    assert.notEqual(markdown.headers.get("etag"), html.headers.get("etag"));
    const twin = await markdown.text();
    assert(twin.startsWith(`# ${heading}\n`), path);
    assert.doesNotMatch(twin, /\{\{|<!--|^:::|\]\(\//m, path);
  }
});

Deno.test("createSite() lets a page be painted when its last element is there", async () => {
  await using service = await startTestService();
  for (const [path] of PAGES) {
    const html = await (await service.request(path)).text();
    const id = /<link rel="expect" href="#([\w-]+)" blocking="render">/.exec(html)?.[1];
    assert(html.endsWith(`</footer>\n<div id="${id}"></div>\n</body>\n</html>\n`), path);
  }
});

Deno.test("createSite() lists the pages with their translations when it has made them", async () => {
  const { pages } = await createSite({ ...SITE_OPTIONS, siteName: "Acme" });
  assert.deepEqual(pages.map(({ path }) => path).sort(), PAGES.map(([path]) => path).sort());
  assert.deepEqual(pages.find(({ path }) => path === "/de/danke/"), {
    path: "/de/danke/",
    twin: "/de/danke.md",
    title: "Vielen Dank",
    description: "Wie es nach Ihrer Anmeldung zur Warteliste von Acme weitergeht.",
    lang: "de",
    alternates: [{ lang: "en", path: "/thanks/" }, { lang: "de", path: "/de/danke/" }],
    indexed: false,
  });
  assert.deepEqual(pages.find(({ path }) => path === "/developers/")?.alternates, []);
});

Deno.test("createSite() names a page's versions and preview in its head when it has a translation", async () => {
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
  ) assert(text.includes(`${line}\n`), line);
  assert.match(text, /<meta name="description" content="[^"]+Acme[^"]+">/);
  assert.match(text, /<meta property="og:image" content="https:\/\/waitlist\.test\/assets\/social/);
  assert.match(text, /<link rel="icon" type="image\/svg\+xml" href="\/assets\/favicon\.svg\?v=/);
});

Deno.test("createSite() shows configured values as text when they look like markup", async () => {
  await using service = await startTestService({
    SITE_NAME: '<script>alert("x")</script> & *Co* {{contact}}',
    CONTACT: "https://example.com/contact?a=1&b=<2>",
  });
  for (const path of ["/", "/de/", "/privacy/", "/developers/", "/pricing"]) {
    const text = await (await service.request(path)).text();
    assert.doesNotMatch(text, /<script>|<em>Co/, path);
    assert(
      text.includes("&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; *Co* {{contact}}"),
      path,
    );
    assert(text.includes('href="https://example.com/contact?a=1&amp;b=%3C2%3E"'), path);
  }
  const twin = await (await service.request("/", MARKDOWN)).text();
  assert(twin.includes('\\<script\\>alert("x")\\</script\\> \\& \\*Co\\* {{contact}}'));
});

Deno.test("createSite() serves a new page when a file is added to content", async () => {
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

Deno.test("createSite() names the file and the fault when a page cannot be rendered", async () => {
  const table: [text: string, message: RegExp][] = [
    ["{{site_nam}}", /^content\/en\/imprint\.md: \{\{site_nam\}\} is not a placeholder; the pla/],
    [
      "{{sign-up footer}}",
      /^content\/en\/imprint\.md: \{\{sign-up footer\}\} is not a marker; the ma/,
    ],
    [
      "::: heroes\n\nHi\n\n:::",
      /^content\/en\/imprint\.md: ::: heroes is not a section; the sections/,
    ],
    ["![A](/assets/none.svg)", /^content\/en\/imprint\.md: there is no file assets\/none\.svg$/],
  ];
  for (const [body, message] of table) {
    await using copy = await copyContent();
    const front = "path: /imprint/\nlang: en\ntitle: Imprint\ndescription: Who we are.";
    await Deno.writeTextFile(
      new URL("en/imprint.md", copy.folder),
      `---\n${front}\n---\n\n# A\n\n${body}\n`,
    );
    await assert.rejects(createSite({ ...SITE_OPTIONS, folder: copy.folder }), { message });
  }
});
