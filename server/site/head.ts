import type { Assets } from "./assets.ts";
import type { Language, SourcePage } from "../content/mod.ts";
import { type Html, markup } from "../content/html.ts";

/** A version of a page: its language, and its path. */
export interface Alternate {
  lang: string;
  path: string;
}

/** What a page's head is made with. */
export interface HeadOptions {
  page: SourcePage;
  language: Language;
  /** All languages' versions of the page, its own included; empty where there are no others. */
  alternates: Alternate[];
  /** The other languages. */
  others: Language[];
  /** The scripts' file names in the assets. */
  scripts: string[];
  assets: Assets;
}

/** The `id` of an empty element behind all others: Chromium paints once the expected one opens. */
export const PAGE_END = "page-end";

/**
 * What browsers, search engines and link previews read of a page. They are to paint it in one piece,
 * which `expect` tells: a table that is still growing would move as its columns find their width, and
 * a footer as its links arrive.
 */
export function head(options: HeadOptions): Html {
  const { page, assets } = options;
  const title = `${page.title} · {{site_name}}`;
  const scripts = options.scripts.map((name) =>
    markup`<script type="module" src="${assets.address(name)}"></script>`
  );
  return markup`<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="description" content="${page.description}">
${!page.indexed && markup`<meta name="robots" content="noindex">\n`}${addresses(options)}
<link rel="expect" href="#${PAGE_END}" blocking="render">
<link rel="icon" type="image/svg+xml" href="${assets.address("favicon.svg")}">
<link rel="stylesheet" href="${assets.address("site.css")}">
${scripts}
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#faf8f3" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#10191c" media="(prefers-color-scheme: dark)">
<link rel="service-desc" type="application/json" href="{{base_url}}/openapi.json">
${openGraph(options, title)}
</head>`;
}

function addresses({ page, alternates }: HeadOptions): Html {
  if (!page.path) return markup``;
  const url = `{{base_url}}${page.path}`;
  // The first language is the one for readers of none of them.
  const [first] = alternates;
  const versions = [...alternates, ...(first ? [{ lang: "x-default", path: first.path }] : [])];
  return markup`<link rel="canonical" href="${url}">
<link rel="alternate" type="text/markdown" href="${url}">
${
    versions.map(({ lang, path }) =>
      markup`<link rel="alternate" hreflang="${lang}" href="{{base_url}}${path}">`
    )
  }`;
}

function openGraph(options: HeadOptions, title: string): Html {
  const { page, language, others, alternates, assets } = options;
  const translations = others.filter((other) => alternates.some(({ lang }) => lang === other.lang));
  const properties = [
    ["og:type", "website"],
    ["og:site_name", "{{site_name}}"],
    ["og:title", title],
    ["og:description", page.description],
    ...(page.path ? [["og:url", `{{base_url}}${page.path}`]] : []),
    ["og:locale", language.texts.locale],
    ...translations.map(({ texts }) => ["og:locale:alternate", texts.locale]),
    ["og:image", `{{base_url}}${assets.address("social.png")}`],
    ["og:image:width", "1200"],
    ["og:image:height", "630"],
  ];
  return markup`${
    properties.map(([property, content]) =>
      markup`<meta property="${property}" content="${content}">`
    )
  }`;
}
