/**
 * Renders a page, as it is written in `content/`, to HTML and Markdown, and makes its entry for the lists
 * of pages.
 *
 * @module
 */
import type { Assets } from "./assets.ts";
import {
  chooseParts,
  type Condition,
  fill,
  fillHtml,
  fillMarkdown,
  Html,
  type Language,
  type ListedPage,
  type Placeholders,
  plainMarkdown,
  renderInline,
  renderMarkdown,
  type SourcePage,
} from "../content/mod.ts";
import { renderPage } from "./page.ts";
import type { BrandAssets } from "./brand_assets.ts";
import { askForm, slotHtml, SLOTS } from "./self_service_view.ts";
import { FORM_AGAIN, FORMS, signUpForm } from "./sign_up_form.ts";
import { tryItPanel } from "./try_it_panel.ts";

/** The two forms of a page. */
export interface Forms {
  html: string;
  markdown: string;
}

/** The options that all pages have in common. */
export interface RendererOptions {
  languages: Language[];
  assets: Assets;
  brandAssets: BrandAssets;
  placeholders: Placeholders;
  baseUrl: string;
  /** Whether letters are sent. */
  mail: boolean;
  /** Whether other sites may show the form in a frame. */
  embed: boolean;
  /** How long an address that is not confirmed is kept, in days. */
  unconfirmedDays: number;
}

/** Renders a page; `states` are the conditions that hold besides those of all pages. */
export type RenderPage = (
  page: SourcePage,
  language: Language,
  states?: Condition[],
) => { entry: ListedPage; forms: Forms };

/**
 * Makes the function that renders a page. That function throws an Error that names the file and the fault.
 */
export function createRenderer(options: RendererOptions): RenderPage {
  const holding = (["mail", "embed"] as const).filter((condition) => options[condition]);
  return (page, language, states = []) => {
    try {
      const body = chooseParts(page.body, [...states, ...holding]);
      return render({ ...page, body }, language, options);
    } catch (error) {
      throw new Error(`${page.file}: ${(error as Error).message}`);
    }
  };
}

/** The argument of the marker for the form that was refused. */
const AGAIN = "again";

/** What replaces a marker. */
interface Replacement {
  html: () => Html | string;
  markdown: string;
  script?: string;
}

function render(page: SourcePage, language: Language, options: RendererOptions) {
  const { languages, assets, baseUrl, mail } = options;
  const { texts } = language;
  const placeholders = placeholdersIn(language.lang, options);
  const scripts = new Set(page.layout === "guide" ? ["copy.js"] : []);
  const inline = (text: string) => new Html(renderInline(text));

  /** Returns the HTML and the Markdown that replace a marker, and the script that the HTML needs. */
  function marker(name: string, argument: string | undefined): Replacement {
    if (name === "sign-up" && argument === AGAIN) {
      return { script: "sign_up.js", html: () => FORM_AGAIN, markdown: "" };
    }
    const which = FORMS.find((form) => form === argument);
    if (name === "sign-up" && which) {
      const source = which === "embed" ? undefined : which;
      const consent = inline(texts.sign_up.consent);
      const given = { id: `sign-up-${which}`, source, lang: page.lang, texts: texts.sign_up };
      const form = () => signUpForm({ ...given, consent, mail });
      return { script: "sign_up.js", html: form, markdown: texts.sign_up.markdown };
    }
    if (name === "try-it" && argument === undefined) {
      const steps = Object.fromEntries(
        Object.entries(texts.try_it.steps).map(([name, text]) => [name, inline(text)]),
      );
      const panel = () => tryItPanel(texts.try_it, steps);
      return { script: "try_it.js", html: panel, markdown: texts.try_it.markdown };
    }
    const slot = SLOTS.find((slot) => name === `place-${slot}`);
    if (slot && argument === undefined) return { html: () => slotHtml(slot), markdown: "" };
    if (name === "place-ask" && argument === undefined) {
      const form = () => askForm(page.path, texts.place, texts.sign_up.email_hint);
      return { html: form, markdown: "" };
    }
    const known = [
      ...[...FORMS, AGAIN].map((form) => `sign-up ${form}`),
      ...["try-it", "place-ask", ...SLOTS.map((slot) => `place-${slot}`)],
    ];
    throw new Error(
      `{{${argument ? `${name} ${argument}` : name}}} is not a marker; the markers are ` +
        known.map((name) => `{{${name}}}`).join(", "),
    );
  }

  const body = renderMarkdown(page.body, {
    marker(name, argument) {
      const { script, html } = marker(name, argument);
      if (script) scripts.add(script);
      return `${html()}`;
    },
    image: assets.image,
    tableLabel: texts.table,
  });

  const twin = twinOf(page, language);
  const alternates = alternatesOf(page, languages);
  const html = renderPage({
    page,
    language,
    twin,
    alternates,
    others: languages.filter((other) => other !== language),
    body: new Html(body.html),
    headings: body.headings,
    scripts: [...scripts],
    assets,
    brandAssets: options.brandAssets,
  });

  const plain = plainMarkdown(page.body, (name, argument) => marker(name, argument).markdown);
  // A reader who has only the text does not know the base URL, so links must be absolute.
  const markdown = fillMarkdown(plain, placeholders).replaceAll("](/", `](${baseUrl}/`);

  const entry: ListedPage = {
    path: page.path,
    twin,
    title: fill(page.title, placeholders),
    description: fill(page.description, placeholders),
    lang: page.lang,
    alternates,
    indexed: page.indexed,
  };
  return { entry, forms: { html: fillHtml(html, placeholders), markdown } };
}

/** The placeholders of pages in a language. */
export function placeholdersIn(
  lang: string,
  { placeholders, unconfirmedDays }: Pick<RendererOptions, "placeholders" | "unconfirmedDays">,
): Placeholders {
  return { ...placeholders, unconfirmed_days: inDays(unconfirmedDays, lang) };
}

/** A number of days in words, such as `14 days`. */
function inDays(days: number, lang: string): string {
  return new Intl.NumberFormat(lang, { style: "unit", unit: "day", unitDisplay: "long" }).format(
    days,
  );
}

/** The path of a page's Markdown alone: that of the page with `.md` at its end, and for home pages `index.md`. */
function twinOf({ name, path }: SourcePage, { home, selfService }: Language): string {
  if (name === home.name) return `${path}index.md`;
  const isOfPerson = Object.values(selfService).some((page) => page.name === name);
  return isOfPerson ? path : path.replace(/\/$/, ".md");
}

function alternatesOf({ name, path }: SourcePage, languages: Language[]): ListedPage["alternates"] {
  if (path === "") return [];
  const versions = languages.flatMap(({ lang, pages }) =>
    pages.filter((page) => page.name === name).map((page) => ({ lang, path: page.path }))
  );
  return versions.length > 1 ? versions : [];
}
