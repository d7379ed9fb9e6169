/**
 * Renders a page of `content/` as HTML and as Markdown, fills its placeholders, and makes its entry for `sitemap.xml`
 * and the other lists of pages. @module
 */
import {
  type Brand,
  chooseParts,
  type Condition,
  fill,
  fillHtml,
  fillMarkdown,
  type Heading,
  Html,
  inLanguage,
  type Language,
  type ListedPage,
  type PlaceholderOptions,
  type Placeholders,
  placeholdersOf,
  plainMarkdown,
  renderMarkdown,
  type SourcePage,
  toFileError,
} from "../content/mod.ts";
import type { State } from "../waitlist/mod.ts";
import { findMarker, type Marker, markersOf } from "./markers.ts";
import { layOutPage, type RenderedPage, type SiteParts } from "./page.ts";
import { alternatesOf, markdownPathOf, markdownPathsOf } from "./page_paths.ts";
import { checkWaitingSlots, withWaitingSlots } from "./waiting_count.ts";

/** The options for rendering pages. */
export interface RendererOptions extends SiteParts, PlaceholderOptions {
  baseUrl: string;
  sandboxClient: string;
  /** The SHA-256 of the typed client's package, in hexadecimal. */
  clientSha256: string;
  /** The SHA-256 of the CLI's package, in hexadecimal. */
  cliSha256: string;
  /** Whether the service sends letters. */
  sendsLetters: boolean;
  /** Whether other sites may show the form in a frame. */
  allowsFrames: boolean;
  /** Whether the home page leads to the pages for developers. */
  hasDeveloperPages: boolean;
  /**
   * Whether the home page has the picture `dawn.svg`: the built-in picture or a picture of the overlay. Content files
   * call this condition `sun`.
   */
  hasDawnPicture: boolean;
  /** The words, the picture and the answers of the company. */
  brand: Brand;
  /** Whether confirmed people get a referral code, and with it a link to recommend. */
  givesReferralCodes: boolean;
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
      return renderSource({ ...page, body }, language, { options, markdownPaths });
    } catch (error) {
      throw toFileError(page.label, error);
    }
  };
}

/** Returns the conditions of `{{if …}}` that hold on every page, by their names in content files. */
function siteConditionsOf(
  { sendsLetters, allowsFrames, backupDays, hasDeveloperPages, hasDawnPicture, brand }:
    RendererOptions,
): Condition[] {
  const conditions: Partial<Record<Condition, boolean>> = {
    mail: sendsLetters,
    embed: allowsFrames,
    backups: Boolean(backupDays),
    developers: hasDeveloperPages,
    sun: hasDawnPicture,
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
 * Returns the conditions that hold only on a page of the self-service, for a person in one of the given states. The
 * condition `referrals` depends on the state, because an unconfirmed person has no link to recommend.
 */
function personConditionsOf(states: State[], { givesReferralCodes }: RendererOptions): Condition[] {
  return givesReferralCodes && !states.includes("unconfirmed") ? [...states, "referrals"] : states;
}

/** For each layout, the scripts that all its pages load. */
const SCRIPTS_OF_LAYOUTS: Partial<Record<SourcePage["layout"], string[]>> = {
  guide: ["copy.js", "contents.js"],
  embed: ["framed.js"],
};

/**
 * Renders a page from whose text the parts with a false condition are already removed.
 *
 * @param markdownPaths the path of each page as Markdown, by the path of the page
 * @throws an Error that names an unknown marker or placeholder, or another fault of the page
 */
function renderSource(
  source: SourcePage,
  language: Language,
  { options, markdownPaths }: { options: RendererOptions; markdownPaths: Map<string, string> },
): ReturnType<RenderPage> {
  const { languages, assets, baseUrl, brand } = options;
  // A description can begin with the company's promise, `{{promise}}`. If the company has no promise, only the rest of
  // the description stays.
  const description = brand.promise
    ? source.description
    : source.description.replace("{{promise}} ", "");
  const page = { ...source, description };
  const placeholders = placeholdersIn(language, options);
  const markers = markersOf(page, language, options);
  const text = withWaitingSlots(page.body, page.lang);
  const { body, headings, scripts } = renderBody(text, { page, language, markers, assets });
  checkWaitingSlots(body.text, options);
  const entry: ListedPage = {
    path: page.path,
    markdownPath: markdownPathOf(page, language),
    title: fill(page.title, placeholders),
    description: fill(page.description, placeholders),
    lang: page.lang,
    alternates: alternatesOf(page, languages),
    indexed: page.indexed,
  };
  const html = layOutPage({
    languages,
    assets,
    scriptUrl: options.scriptUrl,
    brandAssets: options.brandAssets,
    page,
    language,
    entry,
    body,
    headings,
    scripts,
  });
  const markdown = markdownOf(text, { markers, placeholders, baseUrl, markdownPaths });
  return { entry, rendered: { html: fillHtml(html, placeholders), markdown } };
}

/** Renders the text of a page as HTML, and finds its headings and the names of the scripts that the page needs. */
function renderBody(
  text: string,
  { page, language, markers, assets }: {
    page: SourcePage;
    language: Language;
    markers: Record<string, Marker>;
    assets: RendererOptions["assets"];
  },
): { body: Html; headings: Heading[]; scripts: string[] } {
  const scripts = new Set(SCRIPTS_OF_LAYOUTS[page.layout]);
  const { html, headings } = renderMarkdown(text, {
    replaceMarker(name) {
      const { script, html } = findMarker(markers, name);
      if (script) scripts.add(script);
      return html().text;
    },
    image: assets.image,
    tableLabel: language.texts.table,
  });
  return { body: new Html(html), headings, scripts: [...scripts] };
}

/** Makes the Markdown that programs get, from the text of the page. */
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
  // A link to a page leads to the Markdown of that page. All links must be absolute, because a program that reads the
  // Markdown may not know the base URL.
  return fillMarkdown(plain, placeholders).replaceAll(
    /\]\((\/[^)#?\s]*)/g,
    (_, path) => `](${baseUrl}${markdownPaths.get(path) ?? path}`,
  );
}

/** Returns the values of the placeholders of pages. */
export function placeholdersIn({ lang }: Language, options: RendererOptions): Placeholders {
  const { brand } = options;
  return {
    ...placeholdersOf(options, lang),
    base_url: options.baseUrl,
    sandbox_client: options.sandboxClient,
    client_sha256: options.clientSha256,
    cli_sha256: options.cliSha256,
    tagline: inLanguage(brand.tagline, lang) ?? "",
    headline: inLanguage(brand.headline, lang) ?? "",
    promise: inLanguage(brand.promise, lang) ?? "",
  };
}
