/** The file names, without extension, of the page for unknown paths and of the home page. */
export const NOT_FOUND = "not-found", HOME = "index";

/** The file names, without extension, of the page after a sign-up, and of the one that shows a refused form again. */
export const THANKS = "thanks", REFUSED = "sign-up-error";

/**
 * The file names, without extension, of the pages of a person: the page itself, the page for a link that is not good,
 * and the pages without a link, before and after a letter with one is asked for, and after leaving.
 */
export const PERSON = "place-person",
  NO_PERSON = "place-not-found",
  SELF_SERVICE = "place",
  SENT = "place-sent",
  LEFT = "place-left";

/** The paths that the service uses itself; `/index.md` is the Markdown of the home page, not of a page `/index/`. */
const RESERVED = /^\/(?:api|sandbox|operator|assets|\.well-known)\/|\/index\/$/;

/** The paths of pages to which the API (`joinWaitlist`) and the snippet for other sites lead, by language and name. */
const FIXED: Record<string, string> = {
  "en/thanks": "/thanks/",
  "de/thanks": "/de/danke/",
  "en/embed": "/embed/",
  "de/embed": "/de/embed/",
};

/** Throws an Error that names the file of a page whose path is taken, or is not the one that others lead to. */
export function checkPaths(
  pages: { path: string; file: string; lang: string; name: string }[],
): void {
  const files = new Map<string, string>();
  for (const { path, file, lang, name } of pages) {
    const fixed = FIXED[`${lang}/${name}`] ?? path;
    if (path !== fixed) throw new Error(`${file}: the path must be ${fixed}, as forms lead there`);
    if (RESERVED.test(path)) throw new Error(`${file}: the service uses the path ${path} itself`);
    const other = files.get(path);
    if (other) throw new Error(`${file}: ${other} has the path ${path} too`);
    files.set(path, file);
  }
}
