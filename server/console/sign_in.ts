import { type ConsoleTexts, markup } from "../content/mod.ts";
import type { KeyTest } from "../operator/mod.ts";
import { doneNote, faultNote } from "./components.ts";
import { button, field, pathWith, postForm } from "./form_fields.ts";
import { PATHS, SIGN_IN_PATH, type View } from "./page_context.ts";

/** Shows the form for the key, which leads to the page `back`; `reason` is why the operator sees it. */
export function signInView(
  { signIn: texts }: ConsoleTexts,
  { back, reason, fault }: {
    back: string;
    reason?: "signedOut" | "ended" | undefined;
    fault?: { message: string; status: number };
  },
): View {
  const input = markup` type="password" required autocomplete="current-password" autofocus`;
  return {
    title: texts.title,
    ...fault && { status: fault.status },
    body: postForm(
      { action: SIGN_IN_PATH, fields: { to: back !== PATHS.overview && back } },
      markup`${reason === "signedOut" && doneNote(texts.signedOut)}
${reason === "ended" && faultNote(texts.ended)}
${fault && faultNote(fault.message)}
${field("key", texts.key, input, texts.hint)}
${button(texts.title, "primary")}`,
    ),
  };
}

/** Says why a key signs nobody in. */
export function signInFault(
  failed: Exclude<KeyTest, { operator: unknown }>,
  { signIn, failures }: ConsoleTexts,
): { message: string; status: number } {
  switch (failed.failure) {
    case "unauthorized":
      return { message: signIn.wrong, status: 403 };
    case "forbidden":
      return { message: signIn.noPages, status: 403 };
    case "rate_limited":
      return { message: failures.rateLimited({ seconds: failed.retryAfter }), status: 429 };
  }
}

/** Queries of the console's pages, which have neither an address nor text that could hide one. */
const SAFE_QUERY = /^(?:[\w.~=&+:-]|%3A|%3D|%26)*$/i;

/** The pages of a person, whose paths have a token. */
const OF_PERSON = /^\/operator\/people\/[\w-]+(?:\/correct)?$/;

/**
 * Gives the page to open after signing in: the one that was asked for if it is one of `paths` or a page of a person,
 * and else the overview. Anybody can have written `asked`, so nobody is sent elsewhere; a query that could hold an
 * address is left out.
 */
export function returnPath(asked: string, paths: ReadonlySet<string>): string {
  const [path = "", query] = asked.split(/\?(.*)/s);
  if (!paths.has(path) && !OF_PERSON.test(path)) return PATHS.overview;
  return query && SAFE_QUERY.test(query) ? `${path}?${query}` : path;
}

/** The page to sign in, which leads to `back`. @param hasEnded whether a form came after the session's end */
export function signInPath(back: string, { hasEnded }: { hasEnded: boolean }): string {
  return pathWith(SIGN_IN_PATH, { to: back !== PATHS.overview && back, ended: hasEnded });
}
