/**
 * Warns of faults in pages, such as a broken link. These faults do not stop the start, but visitors see them. @module
 */
import type { Language, LaunchWarning, Picture, SourcePage } from "../content/mod.ts";

/**
 * The size that a picture of link previews should have, in pixels. Sites that show link previews cut any other size.
 */
const SOCIAL_WIDTH = 1200;
const SOCIAL_HEIGHT = 630;

interface WarningOptions {
  baseUrl: string;
  languages: Language[];
  /** Whether the service answers a path. */
  hasPath: (path: string) => boolean;
  socialImage: Picture;
}

/** Returns a warning for each fault, with the files that have the fault. @param pages the pages, with their HTML */
export function contentWarnings(
  pages: { page: SourcePage; html: string }[],
  { baseUrl, languages, hasPath, socialImage: { width, height } }: WarningOptions,
): LaunchWarning[] {
  /** For each fault, the files that have it. */
  const files = new Map<string, Set<string>>();
  const noteFault = (file: string, fault: string) =>
    files.set(fault, (files.get(fault) ?? new Set()).add(file));
  for (const { page: { label, lang, path }, html } of pages) {
    const [before, article = "", after] = html.split(/<\/?article[^>]*>/);
    const parts = [
      { source: label, text: article },
      // Faults in the header and the footer are reported for `texts.yaml`, because their texts come from that file.
      { source: `${lang}/texts.yaml`, text: `${before}${after}` },
    ];
    for (const { source, text } of parts) {
      for (const [, href = ""] of text.matchAll(/<a [^>]*?href="([^"]*)"/g)) {
        const { origin, pathname = "" } = URL.parse(href, baseUrl + path) ?? {};
        if (origin !== baseUrl || hasPath(pathname)) continue;
        noteFault(source, `'${pathname}' leads to no page. Correct the link, or add the page.`);
      }
    }
    if (/^(?:<p>)?:::/m.test(article.replaceAll(/<pre[^]*?<\/pre>/g, ""))) {
      noteFault(
        label,
        "A ::: has no other one. Begin a section with ::: and its name, end it with :::.",
      );
    }
    if (
      languages.some(({ home }) => home.label === label) && !article.includes('class="sign-up"')
    ) {
      noteFault(
        label,
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
