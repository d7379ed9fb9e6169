/**
 * The HTML document around the text of a page.
 *
 * @module
 */
import {
  type Heading,
  Html,
  type Language,
  type ListedPage,
  markup,
  type SourcePage,
} from "../content/mod.ts";
import type { Assets } from "./assets.ts";
import type { BrandAssets, Logo } from "./brand_assets.ts";

/** The parts that a page is made of. */
export interface PageOptions {
  page: SourcePage;
  language: Language;
  /** The path of its Markdown. */
  twin: string;
  /** The page's versions in all languages, its own included; empty if there is only one. */
  alternates: ListedPage["alternates"];
  /** The other languages. */
  others: Language[];
  /** The file names of the scripts in the assets. */
  scripts: string[];
  assets: Assets;
  brandAssets: BrandAssets;
  /** The text of the page. */
  body: Html;
  headings: Heading[];
}

/** The logo: half a sun above the horizon, in the colour of the text and the accent colour. */
const MARK = new Html(
  '<svg class="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">' +
    '<path class="sun" d="M6 20a10 10 0 0 1 20 0z"/>' +
    '<path d="M2 24.5h28M7 29h18" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round"/></svg>',
);

/**
 * The `id` of an empty element at the end of the page: Chromium paints the page when it has read this
 * element.
 */
const PAGE_END = "page-end";

/** Opens links outside of the frame, as most pages cannot be framed. */
const OUT_OF_FRAME = new Html('<base target="_blank">\n');

/** Renders the whole page. The caller fills its placeholders. */
export function renderPage(options: PageOptions): string {
  const { page, language, body } = options;
  const isFramed = page.layout === "embed";
  return markup`<!doctype html>
<html lang="${page.lang}">
${head(options)}
<body class="${page.layout}">
${
    !isFramed &&
    markup`<a class="skip" href="#content">${language.texts.skip}</a>\n${header(options)}`
  }
<main id="content" tabindex="-1">
${page.layout === "guide" && contents(options)}
<article${copyTexts(options)}>
${body}
</article>
</main>
${!isFramed && footer(options)}
<div id="${PAGE_END}"></div>
</body>
</html>
`.text;
}

/**
 * Renders the `head`, for browsers, search engines and link previews. With `expect`, a browser paints the
 * page only when it is complete: otherwise a table or the footer would move while the rest arrives.
 */
function head(options: PageOptions): Html {
  const { page, assets, brandAssets } = options;
  const title = `${page.title} · {{site_name}}`;
  const scripts = options.scripts.map((name) =>
    markup`<script type="module" src="${assets.address(name)}"></script>`
  );
  return markup`<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${page.layout === "embed" && OUT_OF_FRAME}<title>${title}</title>
<meta name="description" content="${page.description}">
${!page.indexed && markup`<meta name="robots" content="noindex">\n`}${addresses(options)}
<link rel="expect" href="#${PAGE_END}" blocking="render">
${
    assets.fonts.map((address) =>
      markup`<link rel="preload" as="font" type="font/woff2" crossorigin href="${address}">`
    )
  }
<link rel="icon" type="${brandAssets.icon.type}" href="${brandAssets.icon.href}">
${brandAssets.styles.map((address) => markup`<link rel="stylesheet" href="${address}">`)}
${scripts}
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="${brandAssets.themeColors.light}" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="${brandAssets.themeColors.dark}" media="(prefers-color-scheme: dark)">
<link rel="service-desc" type="application/json" href="{{base_url}}/openapi.json">
${openGraph(options, title)}
</head>`;
}

function addresses({ page, twin, alternates }: PageOptions): Html {
  if (!page.path) return markup``;
  const url = `{{base_url}}${page.path}`;
  // Readers of other languages get the first language.
  const [first] = alternates;
  const versions = [...alternates, ...(first ? [{ lang: "x-default", path: first.path }] : [])];
  return markup`<link rel="canonical" href="${url}">
<link rel="alternate" type="text/markdown" href="{{base_url}}${twin}">
${
    versions.map(({ lang, path }) =>
      markup`<link rel="alternate" hreflang="${lang}" href="{{base_url}}${path}">`
    )
  }`;
}

function openGraph(options: PageOptions, title: string): Html {
  const { page, language, others, alternates, brandAssets: { socialImage } } = options;
  const translations = others.filter((other) => alternates.some(({ lang }) => lang === other.lang));
  const properties = [
    ["og:type", "website"],
    ["og:site_name", "{{site_name}}"],
    ["og:title", title],
    ["og:description", page.description],
    ...(page.path ? [["og:url", `{{base_url}}${page.path}`]] : []),
    ["og:locale", language.texts.locale],
    ...translations.map(({ texts }) => ["og:locale:alternate", texts.locale]),
    ["og:image", `{{base_url}}${socialImage.src}`],
    ["og:image:width", String(socialImage.width)],
    ["og:image:height", String(socialImage.height)],
  ];
  return markup`${
    properties.map(([property, content]) =>
      markup`<meta property="${property}" content="${content}">`
    )
  }`;
}

function header({ page, language, alternates, others, brandAssets: { logo } }: PageOptions): Html {
  const { navigation } = language.texts;
  // A page without a translation links to the home page of the other language.
  const translations = others.map(({ lang, texts, home }) => {
    const path = alternates.find((alternate) => alternate.lang === lang)?.path ?? home.path;
    return markup`<li><a href="${path}" hreflang="${lang}" lang="${lang}">${texts.name}</a></li>`;
  });
  return markup`<header class="site-header">
<a class="brand" href="${language.home.path}"${current(page, language.home.path)}>${
    logo ? logoImage(logo) : MARK
  }
${!logo?.isWordmark && new Html("<span>{{site_name}}</span>")}</a>
<nav aria-label="${navigation.label}">
<ul>
${navigation.links.map(({ label, path }) => item(page, label, path))}
${translations}
</ul>
</nav>
</header>`;
}

function logoImage({ src, width, height, isWordmark }: Logo): Html {
  const alternative = isWordmark ? "{{site_name}}" : "";
  return markup`<img class="mark" src="${src}" alt="${alternative}" width="${width}" height="${height}">`;
}

function footer({ page, language }: PageOptions): Html {
  const { label, note, links, contact } = language.texts.footer;
  return markup`<footer class="site-footer">
<p>${note}</p>
<nav aria-label="${label}">
<ul>
${links.map(({ label, path }) => item(page, label, path))}
${item(page, contact, "{{contact}}")}
</ul>
</nav>
</footer>`;
}

function item(page: SourcePage, label: string, address: string): Html {
  return markup`<li><a href="${address}"${current(page, address)}>${label}</a></li>`;
}

/** Gives `copy.js` the words of the buttons that it puts on code. */
function copyTexts({ page, language: { texts } }: PageOptions): Html | false {
  return page.layout === "guide" &&
    markup` data-copy="${texts.copy}" data-copied="${texts.copied}"`;
}

function current(page: SourcePage, address: string): Html | false {
  return page.path === address && new Html(' aria-current="page"');
}

function contents({ language, headings }: PageOptions): Html {
  const items = headings.filter(({ level }) => level === 2).map(({ id, text }) =>
    markup`<li><a href="#${id}">${new Html(text)}</a></li>`
  );
  return markup`<nav class="contents" aria-labelledby="contents">
<p id="contents">${language.texts.contents}</p>
<ol>
${items}
</ol>
</nav>`;
}
