/** The HTML document around each page of the console, and the headers of the console's answers. @module */
import { VERSION } from "../../shared/version.ts";
import type { Operator } from "../config/mod.ts";
import { type ConsoleTexts, type Html, markup } from "../content/mod.ts";
import { logoImage, preloadFonts, type Site } from "../site/mod.ts";
import { pageOfPath, pagesFor, PATHS, SIGN_OUT_PATH, type View } from "./page_context.ts";

/** The properties of the site that the documents and the headers need. */
export interface LayoutOptions {
  site: Pick<
    Site,
    "siteName" | "address" | "assetUrl" | "console" | "logo" | "hasOwnLook" | "icon" | "fonts"
  >;
}

/** Returns the headers of the console's answers. A page can set any of these headers to another value. */
export function consoleHeaders(
  { security }: LayoutOptions["site"]["console"],
): Record<string, string> {
  return {
    ...security,
    // Frames of this origin are allowed, because the plan of a wave shows the invitation letter in a frame.
    "Content-Security-Policy": `${security["Content-Security-Policy"]}; frame-src 'self'`,
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex",
  };
}

/** Who has asked for a document, in which language and at which path. */
interface Visit {
  texts: ConsoleTexts;
  /** The path of the request, by which the navigation marks the current page. */
  path: string;
  /** The operator who is signed in; absent on the page to sign in. */
  operator?: Operator;
}

/** The document of a page, cut into two, so that further parts of the content can be written in between. */
interface ConsoleDocument {
  beginning: string;
  end: string;
}

/** Makes the function that writes the document of a page. The parts that all documents share are made only once. */
export function createLayout(
  site: LayoutOptions["site"],
): (view: View, visit: Visit) => ConsoleDocument {
  const { siteName, assetUrl, console: { scriptUrl }, logo, icon, fonts } = site;
  const headLinks = markup`<link rel="icon" type="${icon.type}" href="${icon.href}">
${preloadFonts(fonts)}
<link rel="stylesheet" href="${assetUrl("console.css")}">`;
  // A logo that is a wordmark has the name of the site in its picture.
  const nameBesideLogo = !logo?.isWordmark && siteName;
  const brand = markup`<a href="/">${logoImage(site, siteName)}${nameBesideLogo}</a>`;
  return (view, visit) => {
    const { lang, layout: labels } = visit.texts;
    const beginning = markup`<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${view.title} · ${labels.console} · ${siteName}</title>
${headLinks}
${view.script && markup`<script type="module" src="${scriptUrl(view.script)}"></script>`}
</head>
<body>
<a class="skip" href="#content">${labels.skip}</a>
${header(visit, brand)}
<main id="content" tabindex="-1">
<h1>${view.heading ?? view.title}</h1>
${view.body}
`;
    const end = markup`${
      visit.operator && markup`<p class="hint">${labels.utc} Waitlist ${VERSION}</p>`
    }
</main>
</body>
</html>
`;
    return { beginning: beginning.text, end: end.text };
  };
}

function header({ texts, path, operator }: Visit, brand: Html): Html {
  const { layout: labels, pages } = texts;
  const pagesInNavigation = operator ? pagesFor(operator) : [];
  const items = pagesInNavigation.map((page) => {
    const pagePath = PATHS[page];
    // The overview is the current page on its own path only, because every path of the console begins with this path.
    const isCurrent = page === pageOfPath(path) && (page !== "overview" || path === pagePath);
    const current = isCurrent && markup` aria-current="page"`;
    return markup`<li><a href="${pagePath}"${current}>${pages[page]}</a></li>`;
  });
  const navigation = operator && markup`<nav aria-label="${labels.navigation}">
<ul>
${items}
</ul>
</nav>
<form class="sign-out" method="post" action="${SIGN_OUT_PATH}">
<span>${labels.signedInAs} <b>${operator.name}</b></span>
<button type="submit">${labels.signOut}</button>
</form>`;
  return markup`<header>
<p class="brand">${brand} <span>${labels.console}</span></p>
${navigation}
</header>`;
}
