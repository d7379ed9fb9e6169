/** Finds the paths at which the Markdown and the translations of a page are. @module */
import type { Language, ListedPage, SourcePage } from "../content/mod.ts";
import { TOKEN_SLOT } from "./markers.ts";

/** Returns the path of each page as Markdown, by the path of the page. */
export function markdownPathsOf(languages: Language[]): Map<string, string> {
  return new Map(
    languages.flatMap((language) =>
      language.pages.map((page) => [page.path, markdownPathOf(page, language)] as const)
    ),
  );
}

/**
 * Returns the path of a page as Markdown, such as `/developers.md`. For a page of the self-service, returns the
 * page's own path, because the page has no Markdown at another path.
 */
export function markdownPathOf(
  { name, path }: SourcePage,
  { home, selfService }: Language,
): string {
  if (name === home.name) return `${path}index.md`;
  const isOfSelfService = Object.values(selfService).some((page) => page.name === name);
  return isOfSelfService ? path : path.replace(/\/$/, ".md");
}

/** Returns the translations of a page and the page itself; an empty list for a page without translations. */
export function alternatesOf(
  { name }: SourcePage,
  languages: Language[],
): ListedPage["alternates"] {
  const versions = languages.flatMap(({ lang, pages, selfService }) => {
    const { person, leaving, asking } = selfService;
    if (name === person.name || name === leaving.name) {
      return [{ lang, path: `${asking.path}?t=${TOKEN_SLOT}` }];
    }
    return pages.filter((page) => page.name === name).map(({ path }) => ({ lang, path }));
  });
  return versions.length > 1 ? versions : [];
}
