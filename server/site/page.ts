/** The HTML document around the text of a page: head, header and footer. @module */
import {
  type Heading,
  Html,
  type Language,
  type ListedPage,
  markup,
  picture,
  type SourcePage,
} from "../content/mod.ts";
import type { Assets } from "./assets.ts";
import type { BrandAssets } from "./brand_assets.ts";
import type { Scripts } from "./scripts.ts";

/** The parts from which every page is made. */
export interface PageParts {
  languages: Language[];
  assets: Assets;
  /** Returns the URL of a script by its file name. */
  scriptAddress: Scripts["address"];
  brandAssets: BrandAssets;
}

/** A page in the two forms in which it is served. */
export interface RenderedPage {
  html: string;
  markdown: string;
}

interface PageOptions extends PageParts {
  page: SourcePage;
  language: Language;
  entry: ListedPage;
  body: Html;
  headings: Heading[];
  /** The file names of the scripts in the assets. */
  scripts: string[];
}

/** The built-in logo: half a sun above the horizon. */
const BUILT_IN_LOGO = new Html(
  '<svg class="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">' +
    '<path class="sun" d="M6 20a10 10 0 0 1 20 0z"/>' +
    '<path d="M2 24.5h28M7 29h18" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round"/></svg>',
);

/** The `id` of an empty element at the end of the page. Chromium paints the page when it has read this element. */
const PAGE_END = "page-end";

/** Renders the document of a page. Placeholders are not filled, because the caller fills them. */
export function renderPage(options: PageOptions): string {
  const { page, language: { texts }, body } = options;
  const isFramed = page.layout === "embed";
  const isGuide = page.layout === "guide";
  // The script `copy.js` reads the labels of its buttons from these attributes.
  const copy = isGuide && markup` data-copy="${texts.copy}" data-copied="${texts.copied}"`;
  return markup`<!doctype html>
<html lang="${page.lang}">
${head(options)}
<body class="${page.layout}${options.brandAssets.hasLook && " branded"}">
${!isFramed && markup`<a class="skip" href="#content">${texts.skip}</a>\n${header(options)}`}
<main id="content" tabindex="-1">
${isGuide && contents(options)}
<article${copy}>
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
 * The head. Its link `expect` makes a browser wait for the whole page, because tables would move while the page
 * arrives.
 */
function head(options: PageOptions): Html {
  const { page, scriptAddress, scripts, brandAssets: { icon, colors, fonts, ...brand } } = options;
  const styles = page.layout === "guide" ? brand.guideStyles : brand.styles;
  const title = `${page.title} · {{site_name}}`;
  // Links of a framed page open outside the frame, because most pages refuse to be framed.
  const base = page.layout === "embed" && markup`<base target="_blank">\n`;
  return markup`<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${base}<title>${title}</title>
<meta name="description" content="${page.description}">
${!page.indexed && markup`<meta name="robots" content="noindex">\n`}${addresses(options)}
<link rel="expect" href="#${PAGE_END}" blocking="render">
${preloadFonts(fonts)}
<link rel="icon" type="${icon.type}" href="${icon.href}">
${styles.map((address) => markup`<link rel="stylesheet" href="${address}">`)}
${scripts.map((name) => markup`<script type="module" src="${scriptAddress(name)}"></script>`)}
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="${colors.light.paper}" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="${colors.dark.paper}" media="(prefers-color-scheme: dark)">
<link rel="service-desc" type="application/json" href="{{base_url}}/openapi.json">
${openGraph(options, title)}
</head>`;
}

/** Links to the page's own URL, its Markdown and its translations; none for a page without a path. */
function addresses({ entry: { path, markdownPath, alternates } }: PageOptions): Html | false {
  // `x-default` is the page in the first language. Search engines show it to readers of any other language.
  const others = alternates.slice(0, 1).map(({ path }) => ({ lang: "x-default", path }));
  const versions = [...alternates, ...others].map(({ lang, path }) =>
    markup`<link rel="alternate" hreflang="${lang}" href="{{base_url}}${path}">`
  );
  return path !== "" && markup`<link rel="canonical" href="{{base_url}}${path}">
<link rel="alternate" type="text/markdown" href="{{base_url}}${markdownPath}">
${versions}`;
}

/** The data of link previews (ogp.me). */
function openGraph(
  { page, language, languages, entry, brandAssets }: PageOptions,
  title: string,
): Html {
  const { socialImage: { src, width, height } } = brandAssets;
  const translations = languages.filter(({ lang }) =>
    lang !== language.lang && entry.alternates.some((alternate) => alternate.lang === lang)
  );
  const properties = [
    ["og:type", "website"],
    ["og:site_name", "{{site_name}}"],
    ["og:title", title],
    ["og:description", page.description],
    ...(page.path ? [["og:url", `{{base_url}}${page.path}`]] : []),
    ["og:locale", language.texts.locale],
    ...translations.map(({ texts }) => ["og:locale:alternate", texts.locale]),
    ["og:image", `{{base_url}}${src}`],
    ["og:image:width", String(width)],
    ["og:image:height", String(height)],
    ["og:image:alt", `${language.home.title} · {{site_name}}`],
  ];
  const tags = properties.map(([property, content]) =>
    markup`<meta property="${property}" content="${content}">`
  );
  return markup`${tags}
<meta name="twitter:card" content="summary_large_image">`;
}

function header(
  { page, language, languages, entry, brandAssets: { logo, hasLook } }: PageOptions,
): Html {
  const { navigation } = language.texts;
  const others = languages.filter((other) => other !== language);
  const translations = others.map(({ lang, texts, pages, home }) => {
    const translated = entry.alternates.find((alternate) => alternate.lang === lang);
    // A page without a translation links to the translation of the nearest page above it, or to the home page.
    const above = language.pages.filter(({ path }) => page.path.startsWith(path))
      .toSorted((one, other) => other.path.length - one.path.length);
    const nearest = above.map(({ name }) => pages.find((each) => each.name === name)).find(Boolean);
    const { path } = translated ?? nearest ?? home;
    return markup`<li><a href="${path}" hreflang="${lang}" lang="${lang}">${texts.name}</a></li>`;
  });
  const image = logoImage({ logo, hasLook }, "{{site_name}}");
  return markup`<header class="site-header">
<a class="brand" href="${language.home.path}"${current(page, language.home.path)}>${image}
${!logo?.isWordmark && new Html("<span>{{site_name}}</span>")}</a>
<nav aria-label="${navigation.label}">
<ul>
${navigation.links.map((link) => item(page, link))}
${translations}
</ul>
</nav>
</header>`;
}

/** Makes a browser load fonts before it has read the style sheets that name them. */
export function preloadFonts(addresses: string[]): Html[] {
  return addresses.map((address) =>
    markup`<link rel="preload" as="font" type="font/woff2" crossorigin href="${address}">`
  );
}

/** The logo in the header, with its form for dark mode. @param siteName the alternative text of a wordmark */
export function logoImage(
  { logo, hasLook }: Pick<BrandAssets, "logo" | "hasLook">,
  siteName: string,
): Html | false {
  if (!logo) return !hasLook && BUILT_IN_LOGO;
  const { src, dark, width, height, isWordmark } = logo;
  const alt = isWordmark && siteName;
  return picture(
    markup`<img class="mark" src="${src}" alt="${alt}" width="${width}" height="${height}">`,
    dark,
  );
}

function footer({ page, language }: PageOptions): Html {
  const { label, note, links, contact } = language.texts.footer;
  return markup`<footer class="site-footer">
<p>${note}</p>
<nav aria-label="${label}">
<ul>
${[...links, { label: contact, path: "{{contact}}" }].map((link) => item(page, link))}
</ul>
</nav>
</footer>`;
}

function item(page: SourcePage, { label, path }: { label: string; path: string }): Html {
  return markup`<li><a href="${path}"${current(page, path)}>${label}</a></li>`;
}

/** The attribute of a link that leads to the page itself; nothing for a link to another page. */
function current(page: SourcePage, address: string): Html | false {
  return page.path === address && markup` aria-current="page"`;
}

/** The list of the headings of a guide. */
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
