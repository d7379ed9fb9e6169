/**
 * The HTML around a page's text.
 *
 * @module
 */
import type { SourcePage } from "../content/mod.ts";
import { head, type HeadOptions, PAGE_END } from "./head.ts";
import { Html, markup } from "../content/html.ts";
import type { Heading } from "../content/markdown.ts";

/** What a page is made with. */
export interface PageOptions extends HeadOptions {
  body: Html;
  headings: Heading[];
}

/** Half a sun above the horizon, in the text's colour and the accent's. */
const MARK = new Html(
  '<svg class="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">' +
    '<path class="sun" d="M6 20a10 10 0 0 1 20 0z"/>' +
    '<path d="M2 24.5h28M7 29h18" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round"/></svg>',
);

/** Renders the whole page; its placeholders are still to be filled. */
export function renderPage(options: PageOptions): string {
  const { page, language, body } = options;
  return markup`<!doctype html>
<html lang="${page.lang}">
${head(options)}
<body class="${page.layout}">
<a class="skip" href="#content">${language.texts.skip}</a>
${header(options)}
<main id="content" tabindex="-1">
${page.layout === "guide" && contents(options)}
<article${copying(options)}>
${body}
</article>
</main>
${footer(options)}
<div id="${PAGE_END}"></div>
</body>
</html>
`.text;
}

function header({ page, language, alternates, others }: PageOptions): Html {
  const { navigation } = language.texts;
  // A page without a translation leads to the other language's home.
  const translations = others.map(({ lang, texts, home }) => {
    const path = alternates.find((alternate) => alternate.lang === lang)?.path ?? home.path;
    return markup`<li><a href="${path}" hreflang="${lang}" lang="${lang}">${texts.name}</a></li>`;
  });
  return markup`<header class="site-header">
<a class="brand" href="${language.home.path}"${current(page, language.home.path)}>${MARK}
<span>{{site_name}}</span></a>
<nav aria-label="${navigation.label}">
<ul>
${navigation.links.map(({ label, path }) => item(page, label, path))}
${translations}
</ul>
</nav>
</header>`;
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

/** The words of the buttons that `copy.js` puts on code. */
function copying({ page, language: { texts } }: PageOptions): Html | false {
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
