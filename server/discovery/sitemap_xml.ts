import type { ListedPage } from "./pages.ts";

/** `/sitemap.xml` (sitemaps.org 0.9), each page with its versions in the other languages. */
export function sitemapXml(baseUrl: string, pages: ListedPage[]): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ...pages.map((page) => url(baseUrl, page)),
    "</urlset>",
    "",
  ].join("\n");
}

function url(baseUrl: string, { path, lang, alternates = {} }: ListedPage): string {
  const address = (path: string) => escapeXml(new URL(path, baseUrl).href);
  // A page that has versions is listed among them.
  const versions = Object.entries(alternates).length > 0
    ? Object.entries({ ...alternates, [lang]: path }).sort()
    : [];
  return [
    "  <url>",
    `    <loc>${address(path)}</loc>`,
    ...versions.map(([lang, path]) =>
      `    <xhtml:link rel="alternate" hreflang="${lang}" href="${address(path)}"/>`
    ),
    "  </url>",
  ].join("\n");
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
