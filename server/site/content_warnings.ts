/**
 * Finds what is wrong with the pages and stops no start: a visitor sees it, and the writer of the page may not.
 *
 * @module
 */
import type { Language, LaunchWarning, SourcePage } from "../content/mod.ts";
import type { Picture } from "./assets.ts";

/** The size of a picture of link previews, in pixels, which other services show whole. */
const SOCIAL_WIDTH = 1200, SOCIAL_HEIGHT = 630;

/** A page as it is written and as it is sent. */
export interface WrittenPage {
  page: SourcePage;
  html: string;
}

export interface WarningOptions {
  baseUrl: string;
  languages: Pick<Language, "home">[];
  /** Whether something answers at a path of the service. */
  isThere: (path: string) => boolean;
  socialImage: Picture;
}

/** Names the faults, with the files that have them. */
export function contentWarnings(
  pages: WrittenPage[],
  { baseUrl, languages, isThere, socialImage: { width, height } }: WarningOptions,
): LaunchWarning[] {
  const files = new Map<string, Set<string>>();
  const note = (fault: string, file: string) =>
    files.set(fault, (files.get(fault) ?? new Set()).add(file));
  const ofPages = new Set<string>();
  for (const { page: { file, lang, path }, html } of pages) {
    const [before = "", article = "", after = ""] = html.split(/<\/?article[^>]*>/);
    for (
      const [text, source] of [[article, file], [before + after, `${lang}/texts.yaml`]] as const
    ) {
      for (const [, href = ""] of text.matchAll(/<a [^>]*?href="([^"]*)"/g)) {
        const url = URL.parse(href, baseUrl + path);
        if (url?.origin === baseUrl && !isThere(url.pathname)) note(url.pathname, source);
      }
    }
    if (/^(?:<p>)?:::/m.test(article.replaceAll(/<pre[^]*?<\/pre>/g, ""))) {
      ofPages.add(
        `${file} has a ::: without its other one. Begin each section with ::: and its name, and end it with :::.`,
      );
    }
    if (languages.some(({ home }) => home.file === file) && !article.includes('class="sign-up"')) {
      ofPages.add(
        `${file} has no form, so that nobody can join there. Put {{sign-up hero}} on a line of its own.`,
      );
    }
  }
  const ofLinks = Array.from(
    files,
    ([path, sources]) =>
      `'${path}' leads to no page (${[...sources].join(", ")}). Correct the link, or add the page.`,
  );
  const texts = [...ofLinks, ...ofPages].map((message) => ({ about: "texts" as const, message }));
  if (width === SOCIAL_WIDTH && height === SOCIAL_HEIGHT) return texts;
  const message =
    `The picture of link previews has ${width} by ${height} pixels; others cut what is not ` +
    `${SOCIAL_WIDTH} by ${SOCIAL_HEIGHT}. Save it in that size.`;
  return [...texts, { about: "picture", message }];
}
