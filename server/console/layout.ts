/**
 * The HTML document around a page of the console.
 *
 * @module
 */
import { Html, markup } from "../content/mod.ts";
import type { Lang } from "../waitlist/mod.ts";
import type { Site } from "../site/mod.ts";
import type { View } from "./page_context.ts";

/** The paths of the console's pages, in the order of its navigation. */
export const PATHS = {
  overview: "/operator/",
  people: "/operator/people/",
  invite: "/operator/invite/",
  clients: "/operator/clients/",
  outbox: "/operator/outbox/",
  activity: "/operator/activity/",
  data: "/operator/data/",
} as const;

/** Where operators sign in and out. */
export const SIGN_IN_PATH = "/operator/sign-in/", SIGN_OUT_PATH = "/operator/sign-out";

const TEXTS = {
  en: {
    skip: "Skip to the content",
    navigation: "Console",
    console: "Waitlist console",
    signOut: "Sign out",
    signedInAs: "Signed in as",
    pages: {
      overview: "Overview",
      people: "People",
      invite: "Invite",
      clients: "Clients",
      outbox: "Letters and events",
      activity: "Activity",
      data: "Data",
    },
  },
  de: {
    skip: "Zum Inhalt springen",
    navigation: "Konsole",
    console: "Konsole der Warteliste",
    signOut: "Abmelden",
    signedInAs: "Angemeldet als",
    pages: {
      overview: "Übersicht",
      people: "Personen",
      invite: "Einladen",
      clients: "Clients",
      outbox: "E-Mails und Ereignisse",
      activity: "Aktivität",
      data: "Daten",
    },
  },
} as const;

/** What all pages of the console have in common. */
export interface LayoutOptions {
  site: Pick<Site, "siteName" | "assetAddress">;
}

/** Who looks at a page, and in which language; nobody is signed in on the page to sign in. */
export interface Viewer {
  lang: Lang;
  path: string;
  operator?: string;
}

/** The name of a page in the navigation. */
export function pageName(lang: Lang, page: keyof typeof PATHS): string {
  return TEXTS[lang].pages[page];
}

/** Renders a page of the console as a whole document. */
export function renderConsole(view: View, viewer: Viewer, { site }: LayoutOptions): string {
  const texts = TEXTS[viewer.lang];
  return markup`<!doctype html>
<html lang="${viewer.lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${view.title} · ${texts.console} · ${site.siteName}</title>
<link rel="icon" type="image/svg+xml" href="${site.assetAddress("favicon.svg")}">
<link rel="stylesheet" href="${site.assetAddress("console.css")}">
${view.copies && copyScript(site)}
</head>
<body>
<a class="skip" href="#content">${texts.skip}</a>
${header(viewer, site)}
<main id="content" tabindex="-1">
<h1>${view.title}</h1>
${view.body}
</main>
</body>
</html>
`.text;
}

const copyScript = ({ assetAddress }: LayoutOptions["site"]) =>
  markup`<script type="module" src="${assetAddress("copy.js")}"></script>`;

/** Stands where the rest of a page goes; texts are escaped and cannot have it. */
const REST = "<!--rest-->";

/** Renders a page of the console whose rest is made while it is read. */
export async function* streamConsole(
  { rest, ...view }: View & { rest: AsyncIterable<Html> },
  viewer: Viewer,
  options: LayoutOptions,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  const body = markup`${view.body}
${new Html(REST)}`;
  const [before = "", after = ""] = renderConsole({ ...view, body }, viewer, options).split(REST);
  yield encoder.encode(before);
  for await (const part of rest) yield encoder.encode(`${part}\n`);
  yield encoder.encode(after);
}

function header({ lang, path, operator }: Viewer, { siteName }: LayoutOptions["site"]): Html {
  const texts = TEXTS[lang];
  const items = Object.entries(PATHS).map(([page, target]) => {
    const isCurrent = target === PATHS.overview ? path === target : path.startsWith(target);
    const label = texts.pages[page as keyof typeof PATHS];
    return markup`<li><a href="${target}"${
      isCurrent && markup` aria-current="page"`
    }>${label}</a></li>`;
  });
  return markup`<header>
<p class="brand"><a href="/">${siteName}</a> <span>${texts.console}</span></p>
${
    operator !== undefined && markup`<nav aria-label="${texts.navigation}">
<ul>
${items}
</ul>
</nav>
<form class="sign-out" method="post" action="${SIGN_OUT_PATH}">
<span>${texts.signedInAs} <b>${operator}</b></span>
<button type="submit">${texts.signOut}</button>
</form>`
  }
</header>`;
}
