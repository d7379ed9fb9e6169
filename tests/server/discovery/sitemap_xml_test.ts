import assert from "node:assert/strict";
import { sitemapXml } from "../../../server/discovery/sitemap_xml.ts";

Deno.test("sitemapXml() lists each indexed page with its languages when it has some", () => {
  const page = { title: "Title", description: "Description.", lang: "en", indexed: true };
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
