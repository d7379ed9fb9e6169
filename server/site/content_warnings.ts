/** Finds faults of pages that stop no start: a visitor sees them, and the writer of the page may not. @module */
import type { Language, LaunchWarning, Picture, SourcePage } from "../content/mod.ts";

/** The size of a picture of link previews, in pixels, which other services show whole. */
const SOCIAL_WIDTH = 1200, SOCIAL_HEIGHT = 630;

interface WarningOptions {
  baseUrl: string;
  languages: Language[];
  isThere: (path: string) => boolean;
  socialImage: Picture;
}

/** Names the faults of pages, as they are written and as they are sent, with the files that have them. */
export function contentWarnings(
  pages: { page: SourcePage; html: string }[],
  { baseUrl, languages, isThere, socialImage: { width, height } }: WarningOptions,
): LaunchWarning[] {
  const files = new Map<string, Set<string>>();
  const note = (file: string, fault: string) =>
    files.set(fault, (files.get(fault) ?? new Set()).add(file));
  for (const { page: { file, lang, path }, html } of pages) {
    const [before, article = "", after] = html.split(/<\/?article[^>]*>/);
    for (const [source, text] of [[file, article], [`${lang}/texts.yaml`, `${before}${after}`]]) {
      for (const [, href = ""] of text!.matchAll(/<a [^>]*?href="([^"]*)"/g)) {
        const { origin, pathname = "" } = URL.parse(href, baseUrl + path) ?? {};
        if (origin !== baseUrl || isThere(pathname)) continue;
        note(source!, `'${pathname}' leads to no page. Correct the link, or add the page.`);
      }
    }
    if (/^(?:<p>)?:::/m.test(article.replaceAll(/<pre[^]*?<\/pre>/g, ""))) {
      note(file, "A ::: has no other one. Begin a section with ::: and its name, end it with :::.");
    }
    if (languages.some(({ home }) => home.file === file) && !article.includes('class="sign-up"')) {
      note(
        file,
        "There is no form, so nobody can join there. Put {{sign-up hero}} on its own line.",
      );
    }
  }
  const warnings = Array.from(files, ([fault, sources]): LaunchWarning => {
    return { about: "texts", message: `${[...sources].join(", ")}: ${fault}` };
  });
  if (width === SOCIAL_WIDTH && height === SOCIAL_HEIGHT) return warnings;
  const message = `The picture of link previews has ${width} by ${height} pixels. ` +
    `Save it with ${SOCIAL_WIDTH} by ${SOCIAL_HEIGHT}, as others cut another size.`;
  return [...warnings, { about: "picture", message }];
}
