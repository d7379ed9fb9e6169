/**
 * The HTML document around the text of a page: the head and its links, the table of contents and the preloading of
 * fonts. The type of a rendered page is here too, because all modules about pages may import this module.
 * `header_and_footer.ts` makes the header and the footer of the page. @module
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
import type { BrandAssets } from "./brand_assets.ts";
import { pageFooter, pageHeader } from "./header_and_footer.ts";
import type { Scripts } from "./scripts.ts";

/** The parts of the site that every page uses: the languages and the assets. */
export interface SiteParts {
  languages: Language[];
  assets: Assets;
  /** Returns the URL of a script by its file name. */
  scriptUrl: Scripts["url"];
  brandAssets: BrandAssets;
}

/**
 * A page after rendering, as HTML and as Markdown. `render.ts` makes it from the document and from the text of the page.
 */
export interface RenderedPage {
  html: string;
  markdown: string;
}

/** The page from which a document is made, and the parts of the site that the document uses. */
interface DocumentOptions extends SiteParts {
  page: SourcePage;
  language: Language;
  /**
   * What lists of pages, such as `sitemap.xml`, show of the page. It has the paths of the translations and of the
   * Markdown.
   */
  entry: ListedPage;
  /** The text of the page. */
  body: Html;
  headings: Heading[];
  /** The file names of the scripts in the assets. */
  scripts: string[];
}

/** The `id` of an empty element at the end of the page. Chromium paints the page when it has read this element. */
const PAGE_END = "page-end";

/** Makes the HTML document of a page. The document still has placeholders, which the caller fills. */
export function layOutPage(options: DocumentOptions): string {
  const { page, language: { texts }, body } = options;
  const isFramed = page.layout === "embed";
  const isGuide = page.layout === "guide";
  // The script `copy.js` reads the labels of its buttons from these attributes.
  const copyLabels = isGuide && markup` data-copy="${texts.copy}" data-copied="${texts.copied}"`;
  return markup`<!doctype html>
<html lang="${page.lang}">
${documentHead(options)}
<body class="${page.layout}${options.brandAssets.hasOwnLook && " branded"}">
${!isFramed && markup`<a class="skip" href="#content">${texts.skip}</a>\n${pageHeader(options)}`}
<main id="content" tabindex="-1">
${isGuide && tableOfContents(options)}
<article${copyLabels}>
${body}
</article>
</main>
${!isFramed && pageFooter(options)}
<div id="${PAGE_END}"></div>
</body>
</html>
`.text;
}

/**
 * The head of the document. The link with `rel="expect"` makes Chromium show nothing before the whole page has arrived,
 * because tables would otherwise move while the rest of the page arrives.
 */
function documentHead(options: DocumentOptions): Html {
  const { page, scriptUrl, scripts, brandAssets } = options;
  const { icon, colors, fonts } = brandAssets;
  const styleUrls = page.layout === "guide" ? brandAssets.guideStyles : brandAssets.styles;
  const title = `${page.title} · {{site_name}}`;
  // Links of a framed page open outside the frame, because most pages refuse to be framed.
  const base = page.layout === "embed" && markup`<base target="_blank">\n`;
  const noIndex = !page.indexed && markup`<meta name="robots" content="noindex">\n`;
  return markup`<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${base}<title>${title}</title>
<meta name="description" content="${page.description}">
${noIndex}${urlLinks(options)}
<link rel="expect" href="#${PAGE_END}" blocking="render">
${preloadFonts(fonts)}
<link rel="icon" type="${icon.type}" href="${icon.href}">
${styleUrls.map((url) => markup`<link rel="stylesheet" href="${url}">`)}
${scripts.map((name) => markup`<script type="module" src="${scriptUrl(name)}"></script>`)}
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="${colors.light.paper}" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="${colors.dark.paper}" media="(prefers-color-scheme: dark)">
<link rel="service-desc" type="application/json" href="{{base_url}}/openapi.json">
${openGraph(options, title)}
</head>`;
}

/** Links to the page's own URL, its Markdown and its translations; `false` for a page without a path. */
function urlLinks({ entry: { path, markdownPath, alternates } }: DocumentOptions): Html | false {
  // `x-default` is the page in the first language. Search engines show it to readers of any other language.
  const fallback = alternates.slice(0, 1).map(({ path }) => ({ lang: "x-default", path }));
  const versions = [...alternates, ...fallback].map(({ lang, path }) =>
    markup`<link rel="alternate" hreflang="${lang}" href="{{base_url}}${path}">`
  );
  return path !== "" && markup`<link rel="canonical" href="{{base_url}}${path}">
<link rel="alternate" type="text/markdown" href="{{base_url}}${markdownPath}">
${versions}`;
}

/** The data of link previews (ogp.me). */
function openGraph(
  { page, language, languages, entry, brandAssets }: DocumentOptions,
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

/** Makes a browser load fonts before it has read the style sheets that name them. */
export function preloadFonts(urls: string[]): Html[] {
  return urls.map((url) =>
    markup`<link rel="preload" as="font" type="font/woff2" crossorigin href="${url}">`
  );
}

/** The table of contents of a guide: links to its headings of the second level. */
function tableOfContents({ language, headings }: DocumentOptions): Html {
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
