/** Renders a page of `content/` to HTML and Markdown, and makes its entry for the lists of pages. @module */
import {
  type Brand,
  chooseParts,
  type Condition,
  faultIn,
  fill,
  fillHtml,
  fillMarkdown,
  Html,
  type Language,
  type ListedPage,
  type PlaceholderOptions,
  placeholdersOf,
  plainMarkdown,
  renderInline,
  renderMarkdown,
  type SourcePage,
} from "../content/mod.ts";
import { SOURCES } from "../waitlist/mod.ts";
import { askForm, signUpForm, tryItPanel } from "./forms.ts";
import { type PageParts, renderPage } from "./page.ts";

export interface Forms {
  html: string;
  markdown: string;
}

export interface RendererOptions extends PageParts, PlaceholderOptions {
  baseUrl: string;
  sandboxClient: string;
  mail: boolean;
  /** Whether other sites may show the form in a frame. */
  embed: boolean;
  /** Whether the home page leads to the pages for developers. */
  developers: boolean;
  /** Whether the home page has the built-in picture, or one in its place. */
  sun: boolean;
  /** What people are asked for on their own page. */
  answers: Brand["answers"];
}

export type RenderPage = ReturnType<typeof createRenderer>;

/** Makes the function that renders a page; where the page has a fault, it throws a `ConfigError` that names the file. */
export function createRenderer(options: RendererOptions) {
  const conditions = { ...options, backups: options.backupDays };
  const holding = (["mail", "embed", "backups", "developers", "sun", "answers"] as const)
    .filter((each) => conditions[each]);
  /** @param states the conditions that hold besides those of all pages */
  return (page: SourcePage, language: Language, states: Condition[] = []) => {
    try {
      const body = chooseParts(page.body, [...states, ...holding]);
      return render({ ...page, body }, language, options);
    } catch (error) {
      throw faultIn(page.file, error);
    }
  };
}

/** The scripts of all pages of a layout. */
const SCRIPTS_OF_LAYOUTS: Partial<Record<SourcePage["layout"], string[]>> = {
  guide: ["copy.js"],
  embed: ["framed.js"],
};

function render(page: SourcePage, language: Language, options: RendererOptions) {
  const { languages, assets, baseUrl, mail } = options;
  const placeholders = placeholdersIn(language, options);
  const markers = markersOf(page, language, mail);
  const scripts = new Set(SCRIPTS_OF_LAYOUTS[page.layout]);

  function find(name: string) {
    const marker = Object.hasOwn(markers, name) && markers[name];
    if (marker) return marker;
    const known = Object.keys(markers).map((name) => `{{${name}}}`).join(", ");
    throw new Error(`{{${name}}} is not a marker; the markers are ${known}`);
  }

  const { html: body, headings } = renderMarkdown(page.body, {
    marker(name) {
      const { script, html } = find(name);
      if (script) scripts.add(script);
      return html().text;
    },
    image: assets.image,
    tableLabel: language.texts.table,
  });
  const entry: ListedPage = {
    path: page.path,
    twin: twinOf(page, language),
    title: fill(page.title, placeholders),
    description: fill(page.description, placeholders),
    lang: page.lang,
    alternates: alternatesOf(page, languages),
    indexed: page.indexed,
  };
  const own = { page, language, entry, body: new Html(body), headings, scripts: [...scripts] };
  const html = renderPage({ ...options, ...own });
  const plain = plainMarkdown(page.body, (name) => find(name).markdown ?? "");
  // A reader who has only the text does not know the base URL, so links must be absolute.
  const markdown = fillMarkdown(plain, placeholders).replaceAll("](/", `](${baseUrl}/`);
  return { entry, forms: { html: fillHtml(html, placeholders), markdown } };
}

/** What replaces a marker such as `{{sign-up hero}}`. */
interface Marker {
  html: () => Html;
  /** The file name of the script that the HTML needs. */
  script?: string;
  /** The text in the page's Markdown; none by default. */
  markdown?: string;
}

/** The parts of the person's page that differ, each with the marker `{{place-…}}`. */
const SLOTS = [
  "address",
  "confirm",
  "invitation",
  "kept",
  "answers",
  "data",
  "leave",
  "sure",
] as const;
export type Slot = typeof SLOTS[number];

/** The place of a part that is put in for each request; `form` is the form that was refused. */
export const slotHtml = (slot: Slot | "form"): string => `<slot name="${slot}"></slot>`;

/** The place of the token in the address of the person's page. */
export const TOKEN_SLOT = "{token}";

function markersOf(
  { lang }: SourcePage,
  { texts: { sign_up, try_it, place }, selfService }: Language,
  mail: boolean,
): Record<string, Marker> {
  const renderText = (text: string) => new Html(renderInline(text));
  const form = (id: string, source?: string): Marker => ({
    script: "sign_up.js",
    html: () => signUpForm({ id: `sign-up-${id}`, source, lang, texts: sign_up, renderText, mail }),
    markdown: sign_up.markdown,
  });
  const slot = (slot: Parameters<typeof slotHtml>[0]) => ({ html: () => new Html(slotHtml(slot)) });
  return {
    ...Object.fromEntries(SOURCES.map((source) => [`sign-up ${source}`, form(source, source)])),
    "sign-up embed": form("embed"),
    "sign-up again": { ...slot("form"), script: "sign_up.js" },
    "try-it": { script: "try_it.js", html: () => tryItPanel(try_it), markdown: try_it.markdown },
    "place-ask": { html: () => askForm(selfService.entry.path, place, sign_up.email_hint) },
    ...Object.fromEntries(SLOTS.map((name) => [`place-${name}`, slot(name)])),
  };
}

export function placeholdersIn({ lang }: Language, options: RendererOptions) {
  const { baseUrl, sandboxClient } = options;
  return { ...placeholdersOf(options, lang), base_url: baseUrl, sandbox_client: sandboxClient };
}

/** The path of a page's Markdown alone: that of the page with `.md` at its end, and for home pages `index.md`. */
function twinOf({ name, path }: SourcePage, { home, selfService }: Language): string {
  if (name === home.name) return `${path}index.md`;
  const isOfPerson = Object.values(selfService).some((page) => page.name === name);
  return isOfPerson ? path : path.replace(/\/$/, ".md");
}

function alternatesOf({ name }: SourcePage, languages: Language[]): ListedPage["alternates"] {
  const versions = languages.flatMap(({ lang, pages, selfService: { person, leaving, entry } }) => {
    if (name === person.name || name === leaving.name) {
      return [{ lang, path: `${entry.path}?t=${TOKEN_SLOT}` }];
    }
    return pages.filter((page) => page.name === name).map(({ path }) => ({ lang, path }));
  });
  return versions.length > 1 ? versions : [];
}
