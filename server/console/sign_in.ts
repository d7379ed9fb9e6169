/**
 * The page to sign in, and where it leads.
 *
 * @module
 */
import { type ConsoleTexts, markup } from "../content/mod.ts";
import { button, doneNote, faultNote, field, pathWith, postForm } from "./components.ts";
import { PATHS, SIGN_IN_PATH } from "./layout.ts";
import type { View } from "./page_context.ts";

/**
 * Shows the form for the key.
 *
 * @param back the page to open afterwards
 * @param reason why the operator sees the form: for having signed out, or for a form that came after the session's end
 * @param fault what was wrong with the last try
 */
export function signInView(
  { signIn: texts }: ConsoleTexts,
  { back, reason, fault }: {
    back: string;
    reason?: "signedOut" | "ended" | undefined;
    fault?: { message: string; status: number };
  },
): View {
  return {
    title: texts.title,
    ...fault && { status: fault.status },
    body: postForm(
      { action: SIGN_IN_PATH, fields: { to: back !== PATHS.overview && back } },
      markup`${reason === "signedOut" && doneNote(texts.signedOut)}
${reason === "ended" && faultNote(texts.ended)}
${fault && faultNote(fault.message)}
${
        field(
          "key",
          texts.key,
          markup` type="password" required autocomplete="current-password" autofocus`,
          texts.hint,
        )
      }
${button(texts.title, "primary")}`,
    ),
  };
}

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
  return pathWith(SIGN_IN_PATH, { to: back !== PATHS.overview && back, ended: hasEnded });
}
