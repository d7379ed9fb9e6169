/**
 * Renders a page of `content/` as HTML and as Markdown, and makes its entry for `sitemap.xml` and the other lists of
 * pages. @module
 */
import {
  type Brand,
  chooseParts,
  type Condition,
  escapeMarkdown,
  fill,
  fillHtml,
  fillMarkdown,
  Html,
  type Language,
  type ListedPage,
  markup,
  type PlaceholderOptions,
  type Placeholders,
  placeholdersOf,
  plainMarkdown,
  renderInline,
  renderMarkdown,
  type SourcePage,
  toFileError,
} from "../content/mod.ts";
import { SOURCES, type State } from "../waitlist/mod.ts";
import { askForm, signUpForm, tryItPanel } from "./forms.ts";
import { type Illustration, illustration, ILLUSTRATIONS } from "./illustrations.ts";
import { type PageParts, type RenderedPage, renderPage } from "./page.ts";
import { checkWaitingCount, withWaitingSlots } from "./waiting_count.ts";

/** The options for rendering pages. */
export interface RendererOptions extends PageParts, PlaceholderOptions {
  baseUrl: string;
  sandboxClient: string;
  /** The SHA-256 of the typed client's package, in hexadecimal. */
  clientSha256: string;
  /** The SHA-256 of the CLI's package, in hexadecimal. */
  cliSha256: string;
  /** Whether the service sends letters. */
  mail: boolean;
  /** Whether other sites may show the form in a frame. */
  embed: boolean;
  /** Whether the home page leads to the pages for developers. */
  developers: boolean;
  /** Whether the home page has the picture `dawn.svg`: the built-in picture or a picture of the overlay. */
  sun: boolean;
  /** The words, the picture and the answers of the company. */
  brand: Brand;
  /** Whether confirmed people get a link to recommend. */
  referrals: boolean;
}

/**
 * Renders a page. Also returns its entry for `sitemap.xml` and the other lists of pages.
 * @param states the states of a person for which the page is rendered
 * @throws a `ConfigError` that names the file and its fault
 */
export type RenderPage = (
  page: SourcePage,
  language: Language,
  states?: State[],
) => { entry: ListedPage; rendered: RenderedPage };

/** Makes the function that renders pages. */
export function createRenderer(options: RendererOptions): RenderPage {
  const siteConditions = siteConditionsOf(options);
  const markdownPaths = markdownPathsOf(options.languages);
  return (page, language, states = []) => {
    try {
      const personConditions = personConditionsOf(states, options);
      const body = chooseParts(page.body, [...siteConditions, ...personConditions]);
      return render({ ...page, body }, language, { options, markdownPaths });
    } catch (error) {
      throw toFileError(page.label, error);
    }
  };
}

/** Returns the conditions that hold for the parts of every page. */
function siteConditionsOf(
  { mail, embed, backupDays, developers, sun, brand }: RendererOptions,
): Condition[] {
  const conditions: Partial<Record<Condition, boolean>> = {
    mail,
    embed,
    backups: Boolean(backupDays),
    developers,
    sun,
    answers: brand.answers !== undefined,
    tagline: brand.tagline !== undefined,
    headline: brand.headline !== undefined,
    promise: brand.promise !== undefined,
    picture: brand.picture !== undefined,
    address: brand.address !== undefined,
  };
  // The cast is needed because the type of `Object.keys()` loses the names of the members.
  return (Object.keys(conditions) as Condition[]).filter((name) => conditions[name]);
}

/**
 * Returns the conditions that hold for the parts of a page about a person in one of the given states. The condition
 * `referrals` depends on the state, because an unconfirmed person has no link to recommend.
 */
function personConditionsOf(states: State[], { referrals }: RendererOptions): Condition[] {
  return referrals && !states.includes("unconfirmed") ? [...states, "referrals"] : states;
}

/** The scripts that every page of a layout has, by layout. */
const SCRIPTS_OF_LAYOUTS: Partial<Record<SourcePage["layout"], string[]>> = {
  guide: ["copy.js", "contents.js"],
  embed: ["framed.js"],
};

/**
 * Renders a page. The parts with a false condition are already removed from its text.
 *
 * @param markdownPaths the path of each page as Markdown, by the path of the page
 * @throws an Error that names an unknown marker or placeholder, or another fault of the page
 */
function render(
  source: SourcePage,
  language: Language,
  { options, markdownPaths }: { options: RendererOptions; markdownPaths: Map<string, string> },
): ReturnType<RenderPage> {
  const { languages, assets, baseUrl, brand } = options;
  // A description can begin with the company's promise, `{{promise}}`. Without a promise, only the rest of the
  // description stays.
  const description = source.description.replace("{{promise}} ", brand.promise ? "$&" : "");
  const page = { ...source, description };
  const placeholders = placeholdersIn(language, options);
  const markers = markersOf(page, language, options);
  const scripts = new Set(SCRIPTS_OF_LAYOUTS[page.layout]);
  const text = withWaitingSlots(page.body, page.lang);
  const { html: body, headings } = renderMarkdown(text, {
    replaceMarker(name) {
      const { script, html } = findMarker(markers, name);
      if (script) scripts.add(script);
      return html().text;
    },
    image: assets.image,
    tableLabel: language.texts.table,
  });
  checkWaitingCount(body, options);
  const entry: ListedPage = {
    path: page.path,
    markdownPath: markdownPathOf(page, language),
    title: fill(page.title, placeholders),
    description: fill(page.description, placeholders),
    lang: page.lang,
    alternates: alternatesOf(page, languages),
    indexed: page.indexed,
  };
  const html = renderPage({
    languages,
    assets,
    scriptUrl: options.scriptUrl,
    brandAssets: options.brandAssets,
    page,
    language,
    entry,
    body: new Html(body),
    headings,
    scripts: [...scripts],
  });
  const markdown = markdownOf(text, { markers, placeholders, baseUrl, markdownPaths });
  return { entry, rendered: { html: fillHtml(html, placeholders), markdown } };
}

/** Returns the Markdown of a page for programs, from the text of the page. */
function markdownOf(
  text: string,
  { markers, placeholders, baseUrl, markdownPaths }: {
    markers: Record<string, Marker>;
    placeholders: Placeholders;
    baseUrl: string;
    markdownPaths: Map<string, string>;
  },
): string {
  const plain = plainMarkdown(text, (name) => findMarker(markers, name).markdown ?? "");
  // Links to pages lead to the Markdown of these pages. All links must be absolute, because a program that reads the
  // Markdown may not know the base URL.
  return fillMarkdown(plain, placeholders).replaceAll(
    /\]\((\/[^)#?\s]*)/g,
    (_, path) => `](${baseUrl}${markdownPaths.get(path) ?? path}`,
  );
}

/** What replaces a marker such as `{{sign-up hero}}`. */
interface Marker {
  html: () => Html;
  /** The file name of the script that the HTML needs. */
  script?: string;
  /** The text in the page's Markdown; absent if the Markdown leaves the marker out. */
  markdown?: string;
}

/** Returns the marker of a name. @throws an Error with the names of all markers if no marker has this name */
function findMarker(markers: Record<string, Marker>, name: string): Marker {
  const marker = Object.hasOwn(markers, name) && markers[name];
  if (marker) return marker;
  const known = Object.keys(markers).map((marker) => `{{${marker}}}`).join(", ");
  throw new Error(`{{${name}}} is not a marker; the markers are ${known}`);
}

/** The parts of a person's page that differ from person to person. Each has a marker `{{place-…}}`. */
const SLOTS = [
  "address",
  "confirm",
  "invitation",
  "line",
  "recommend",
  "kept",
  "answers",
  "data",
  "leave",
  "sure",
] as const;
export type Slot = typeof SLOTS[number];

/** The HTML that stands for a part until a request fills it. `form` stands for a form that was refused. */
export const slotHtml = (slot: Slot | "form"): string => `<slot name="${slot}"></slot>`;

/** The text that stands for the token in links to the person's page. */
export const TOKEN_SLOT = "{token}";

/** Returns the markers of a language, by name. */
function markersOf(
  { lang }: SourcePage,
  { texts: { sign_up, try_it, place }, selfService }: Language,
  { mail, brand, brandAssets }: RendererOptions,
): Record<string, Marker> {
  const renderText = (text: string) => new Html(renderInline(text));
  const formMarker = (id: string, source?: string): Marker => ({
    script: "sign_up.js",
    html: () => signUpForm({ id: `sign-up-${id}`, source, lang, texts: sign_up, renderText, mail }),
    markdown: sign_up.markdown,
  });
  const slotMarker = (name: Slot | "form"): Marker => ({ html: () => new Html(slotHtml(name)) });
  const illustrationMarker = (name: Illustration): Marker => ({
    html: () => illustration(name, !brandAssets.hasOwnLook),
  });
  return {
    ...Object.fromEntries(
      SOURCES.map((source) => [`sign-up ${source}`, formMarker(source, source)]),
    ),
    "sign-up embed": formMarker("embed"),
    "sign-up again": { ...slotMarker("form"), script: "sign_up.js" },
    "try-it": { script: "try_it.js", html: () => tryItPanel(try_it), markdown: try_it.markdown },
    "place-ask": { html: () => askForm(selfService.entry.path, place, sign_up.email_hint) },
    ...Object.fromEntries(SLOTS.map((name) => [`place-${name}`, slotMarker(name)])),
    ...Object.fromEntries(ILLUSTRATIONS.map((name) => [`art-${name}`, illustrationMarker(name)])),
    "brand-picture": {
      html: () => brandAssets.picture?.[lang === "de" ? "de" : "en"] ?? new Html(""),
    },
    "brand-address": {
      html: () => markup`<p>${(brand.address ?? []).map((line) => markup`${line}<br>`)}</p>`,
      markdown: (brand.address ?? []).map(escapeMarkdown).join("\\\n"),
    },
    "place-recommend": { ...slotMarker("recommend"), script: "recommend.js" },
  };
}

/** Returns the values of the placeholders of pages. */
export function placeholdersIn({ lang }: Language, options: RendererOptions): Placeholders {
  const { brand } = options;
  const inLanguage = (texts: Brand["promise"]) => texts?.[lang === "de" ? "de" : "en"] ?? "";
  return {
    ...placeholdersOf(options, lang),
    base_url: options.baseUrl,
    sandbox_client: options.sandboxClient,
    client_sha256: options.clientSha256,
    cli_sha256: options.cliSha256,
    tagline: inLanguage(brand.tagline),
    headline: inLanguage(brand.headline),
    promise: inLanguage(brand.promise),
  };
}

/** Returns the path of each page as Markdown, by the path of the page. */
function markdownPathsOf(languages: Language[]): Map<string, string> {
  return new Map(
    languages.flatMap((language) =>
      language.pages.map((page) => [page.path, markdownPathOf(page, language)] as const)
    ),
  );
}

/**
 * Returns the path of a page as Markdown, such as `/developers.md`. For a page of a person, it returns the page's own
 * path, because the page has no Markdown at another path.
 */
function markdownPathOf({ name, path }: SourcePage, { home, selfService }: Language): string {
  if (name === home.name) return `${path}index.md`;
  const isOfPerson = Object.values(selfService).some((page) => page.name === name);
  return isOfPerson ? path : path.replace(/\/$/, ".md");
}

/** Returns the translations of a page and the page itself; none for a page without translations. */
function alternatesOf({ name }: SourcePage, languages: Language[]): ListedPage["alternates"] {
  const versions = languages.flatMap(({ lang, pages, selfService: { person, leaving, entry } }) => {
    if (name === person.name || name === leaving.name) {
      return [{ lang, path: `${entry.path}?t=${TOKEN_SLOT}` }];
    }
    return pages.filter((page) => page.name === name).map(({ path }) => ({ lang, path }));
  });
  return versions.length > 1 ? versions : [];
}
