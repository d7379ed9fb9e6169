import type { ListedPage } from "../http/listed_page.ts";

/** `/sitemap.xml` (sitemaps.org 0.9): the indexed pages, each with its versions in all languages. */
export function sitemapXml(baseUrl: string, pages: ListedPage[]): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ...pages.filter(({ indexed }) => indexed).map((page) => url(baseUrl, page)),
    "</urlset>",
    "",
  ].join("\n");
}

function url(baseUrl: string, { path, alternates }: ListedPage): string {
  const address = (path: string) => escapeXml(new URL(path, baseUrl).href);
  return [
    "  <url>",
    `    <loc>${address(path)}</loc>`,
    ...alternates.map(({ lang, path }) =>
      `    <xhtml:link rel="alternate" hreflang="${escapeXml(lang)}" href="${address(path)}"/>`
    ),
    "  </url>",
  ].join("\n");
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
