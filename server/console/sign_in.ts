/** Signing in and out: the page with the form for the key, and the way back to the requested page. @module */
import { type ConsoleTexts, markup } from "../content/mod.ts";
import { rawQuery } from "../http/mod.ts";
import type { KeyTest } from "../operator/mod.ts";
import { faultNote, statusNote } from "./components.ts";
import {
  type ConsoleContext,
  type PageContextOptions,
  PATHS,
  queryOf,
  seeOther,
  SIGN_IN_PATH,
  textsOf,
  type View,
} from "./page_context.ts";
import { button, field, type FieldValues, pathWith, postForm, type SentFields } from "./forms.ts";
import type { Sessions } from "./sessions.ts";

/**
 * Matches the queries that the path to open after signing in may have. Such a query cannot hold an e-mail address,
 * because neither `@` nor `%40` is allowed.
 */
const SAFE_QUERY = /^(?:[\w.~=&+:-]|%3A|%3D|%26)*$/i;

/** The form field and the query parameter with the path that opens after signing in. */
const RETURN_FIELD = "to";

/** How the session of an operator has ended: the operator has signed out, or the time of the session is over. */
type SessionEnd = "signedOut" | "timedOut";

/** What signing in needs. */
export interface SignInOptions extends Pick<PageContextOptions, "baseUrl" | "surface" | "texts"> {
  sessions: Sessions;
  /** The paths of the pages that a browser can open with GET. `:person` in a path stands for an encrypted token. */
  pagePaths: ReadonlySet<string>;
}

/** The functions that the routes for signing in and out call. */
export interface SignIn {
  /** Shows the form; redirects an operator who is already signed in. */
  show: (context: ConsoleContext) => View | Response;
  /** Signs an operator in by the key in the form. Shows the form again if the key does not sign in. */
  begin: (context: ConsoleContext, form: SentFields) => View | Response;
  /** Signs the operator out, and redirects to the form. */
  end: () => Response;
  /** Redirects a request without a session to the form for the key. Signing in then opens the requested page. */
  redirectToForm: (context: ConsoleContext) => Response;
}

/** Makes the functions that the routes for signing in and out call. */
export function createSignIn(options: SignInOptions): SignIn {
  const { baseUrl, surface, sessions } = options;
  const pagePathPattern = patternOf(options.pagePaths);
  return {
    show(context) {
      const query = queryOf(context);
      const returnPath = safeReturnPath(query.get(RETURN_FIELD) ?? "", pagePathPattern);
      if (sessions.find(context.req.header("cookie"))) return seeOther(returnPath);
      return signInView(textsOf(context, options), { returnPath, sessionEnd: sessionEndIn(query) });
    },
    begin(context, form) {
      const texts = textsOf(context, options);
      const returnPath = safeReturnPath(form.get(RETURN_FIELD) ?? "", pagePathPattern);
      // Spaces around the key are dropped, because an operator may have copied them.
      const key = (form.get("key") ?? "").trim();
      // Every role that may use the console may call `getOverview`, because the overview is the first page of the
      // console.
      const keyTest = surface.testKey(key, context.req.raw, context.env, "getOverview");
      if ("failure" in keyTest) {
        return signInView(texts, { returnPath, fault: signInFault(keyTest, texts) });
      }
      const response = seeOther(returnPath);
      response.headers.set("Set-Cookie", sessions.begin(keyTest.operator.name));
      return response;
    },
    end() {
      const response = seeOther(`${SIGN_IN_PATH}?signed-out`);
      response.headers.set("Set-Cookie", sessions.end());
      // This header makes the browser delete its stored pages. Otherwise, the browser's "Back" could show them after
      // signing out.
      response.headers.set("Clear-Site-Data", '"cache"');
      return response;
    },
    redirectToForm({ req }) {
      // A POST without a session usually means that the session has ended since the page with the form was shown.
      // Signing in then leads to this page, which `Referer` names, so that the operator can send the form again.
      const hasEnded = req.method === "POST";
      const pathOfForm = hasEnded ? req.header("referer")?.replace(baseUrl, "") : undefined;
      const requested = pathOfForm ?? req.path + rawQuery(req.raw.url);
      const returnPath = safeReturnPath(requested, pagePathPattern);
      return seeOther(pathWith(SIGN_IN_PATH, { ...returnField(returnPath), ended: hasEnded }));
    },
  };
}

/**
 * Says how a session has ended, by the query that {@linkcode SignIn.end} or {@linkcode SignIn.redirectToForm} has made.
 * Returns `undefined` if no session has ended.
 */
function sessionEndIn(query: URLSearchParams): SessionEnd | undefined {
  if (query.has("signed-out")) return "signedOut";
  return query.has("ended") ? "timedOut" : undefined;
}

/**
 * The page with the form for the key.
 *
 * @param options.returnPath the path that opens after signing in
 */
function signInView(
  { signIn: labels }: ConsoleTexts,
  { returnPath, sessionEnd, fault }: {
    returnPath: string;
    sessionEnd?: SessionEnd | undefined;
    fault?: { message: string; status: number };
  },
): View {
  const attributes = markup` type="password" required autocomplete="current-password" autofocus`;
  return {
    title: labels.title,
    ...fault && { status: fault.status },
    body: postForm(
      { action: SIGN_IN_PATH, fields: returnField(returnPath) },
      markup`${sessionEnd === "signedOut" && statusNote(labels.signedOut)}
${sessionEnd === "timedOut" && faultNote(labels.ended)}
${fault && faultNote(fault.message)}
${field("key", { label: labels.key, attributes, hint: labels.hint })}
${button(labels.title, "primary")}`,
    ),
  };
}

/** Returns the field with the path that opens after signing in. The overview opens by default and needs no field. */
const returnField = (returnPath: string): FieldValues =>
  returnPath === PATHS.overview ? {} : { [RETURN_FIELD]: returnPath };

/** Says why a key does not sign in. */
function signInFault(
  failedTest: Exclude<KeyTest, { operator: unknown }>,
  { signIn, failures }: ConsoleTexts,
): { message: string; status: number } {
  switch (failedTest.failure) {
    case "unauthorized":
      return { message: signIn.wrong, status: 403 };
    case "forbidden":
      return { message: signIn.noPages, status: 403 };
    case "rate_limited":
      return { message: failures.rateLimited({ seconds: failedTest.retryAfter }), status: 429 };
  }
}

/** Makes the pattern that matches the given paths of pages, with any token in the place of `:person`. */
function patternOf(paths: Iterable<string>): RegExp {
  const patterns = Array.from(paths, (path) => path.replace(":person", "[\\w-]+"));
  return new RegExp(`^(?:${patterns.join("|")})$`);
}

/**
 * Returns the path to open after signing in: the requested path if it is a page of the console, and otherwise the
 * overview. No other path is possible, because anybody can have written `requested`. A query that does not match
 * `SAFE_QUERY` is dropped.
 */
function safeReturnPath(requested: string, pagePathPattern: RegExp): string {
  const queryStart = requested.includes("?") ? requested.indexOf("?") : requested.length;
  const path = requested.slice(0, queryStart);
  const query = requested.slice(queryStart + 1);
  if (!pagePathPattern.test(path)) return PATHS.overview;
  return query && SAFE_QUERY.test(query) ? `${path}?${query}` : path;
}
