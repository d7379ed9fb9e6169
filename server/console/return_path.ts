import { PATHS, SIGN_IN_PATH } from "./layout.ts";

/** Queries of the console's pages, which have neither an address nor text that could hide one. */
const SAFE_QUERY = /^(?:[\w.~=&+:-]|%3A)*$/i;

/**
 * Gives the page of the console to open after signing in: the one that was asked for if it is one of these, and the
 * overview otherwise, so that nobody is sent elsewhere. A query that could hold an address is left out.
 *
 * @param asked a path, with or without a query, which anybody can have written
 * @param paths the paths of the console's pages
 */
export function returnPath(asked: string, paths: ReadonlySet<string>): string {
  const at = asked.indexOf("?");
  const path = at < 0 ? asked : asked.slice(0, at);
  if (!paths.has(path)) return PATHS.overview;
  const query = at < 0 ? "" : asked.slice(at + 1);
  return query && SAFE_QUERY.test(query) ? `${path}?${query}` : path;
}

/**
 * The address of the page to sign in that leads to a page afterwards.
 *
 * @param back what {@linkcode returnPath} has given
 * @param hasEnded whether a form came after the end of the session
 */
export function signInPath(back: string, { hasEnded }: { hasEnded: boolean }): string {
  const query = new URLSearchParams();
  if (back !== PATHS.overview) query.set("to", back);
  if (hasEnded) query.set("ended", "");
  return query.size > 0 ? `${SIGN_IN_PATH}?${query}` : SIGN_IN_PATH;
}
