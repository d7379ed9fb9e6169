/**
 * The console: the operators' work as HTML pages. This file has the routes, and checks the origin of a form. `serve.ts`
 * checks the session, the request limit and the role before a page acts. Pages call the operator's operations as
 * functions and have no other way to the store. `README.md` in this folder says how to add a page. @module
 */
import { Hono } from "@hono/hono";
import {
  type ConnectionInfo,
  isAmbiguousPath,
  methodNotAllowed,
  readFileForm,
} from "../http/mod.ts";
import { activityPage } from "./activity/mod.ts";
import { clientPage, clientsPage } from "./clients/mod.ts";
import { noPageView } from "./components.ts";
import { DATA_PAGES } from "./data/mod.ts";
import { INVITE_PAGES } from "./invite/mod.ts";
import { outboxPage } from "./outbox/mod.ts";
import { overviewPage } from "./overview/mod.ts";
import {
  type ConsoleContext,
  type ConsolePage,
  pagesFor,
  PATHS,
  SIGN_IN_PATH,
  SIGN_OUT_PATH,
} from "./page_context.ts";
import { PEOPLE_PAGES } from "./people/mod.ts";
import { createAnswerOnce } from "./repeated_forms.ts";
import { createPageServer, type PageServerOptions } from "./serve.ts";
import { createSessions } from "./sessions.ts";
import { createSignIn } from "./sign_in.ts";
export { PATHS } from "./page_context.ts";

/** The pages of signed-in operators. */
export const CONSOLE_PAGES: ConsolePage[] = [
  overviewPage,
  ...PEOPLE_PAGES,
  ...INVITE_PAGES,
  clientsPage,
  clientPage,
  outboxPage,
  activityPage,
  ...DATA_PAGES,
];

/** The methods of a page that can be shown, and of a page that acts on forms. */
const SHOW_METHODS = ["GET", "HEAD"];
const FORM_METHODS = ["POST"];

/** Makes the routes of the console. */
export function createConsole(options: PageServerOptions): Hono<{ Bindings: ConnectionInfo }> {
  const { baseUrl, yieldToCalls } = options;
  const { now } = options.runtime;
  const operators = options.operators.filter((operator) => pagesFor(operator).length > 0);
  const sessions = createSessions(operators, { baseUrl, now });
  const signIn = createSignIn({
    baseUrl,
    surface: options.surface,
    texts: options.texts,
    sessions,
    pagePaths: new Set(CONSOLE_PAGES.filter(({ get }) => get).map(({ path }) => path)),
  });
  const { withHeaders, answer, refuse, withForm, pageRoute } = createPageServer(options, {
    sessions,
    signIn,
  });
  const answerOnce = createAnswerOnce(now);
  const consoleUrl = baseUrl + PATHS.overview;

  const routes = new Hono<{ Bindings: ConnectionInfo }>();

  /** Whether the browser says that a page of the console has sent the form. */
  function isFromConsole({ req }: ConsoleContext): boolean {
    // A request with `Origin: null` is refused, because it comes from a page that hides its origin. A request without
    // `Referer` is accepted, because some browsers and proxies leave this header out.
    return req.header("origin") === baseUrl &&
      (req.header("referer") ?? consoleUrl).startsWith(consoleUrl);
  }

  /** Refuses a form that no page of the console has sent, before any route acts on the form. */
  function routeForeignForms(): void {
    routes.use("/operator/*", async (context, next) => {
      await yieldToCalls();
      const { method, path } = context.req;
      // Another site or a page of the overlay could send a form with an operator's cookie. A path with dot segments or
      // encoded slashes is not checked, because no page acts on a form at such a path.
      if (method !== "POST" || isFromConsole(context) || isAmbiguousPath(path)) return await next();
      return refuse(
        403,
        `This form was not sent by a page of the console; open ${consoleUrl} first.`,
      );
    });
  }

  function routeSigningInAndOut(): void {
    routes.get(SIGN_IN_PATH, (context) => answer(context, signIn.show(context)));
    routes.post(SIGN_IN_PATH, async (context) => {
      const view = await withForm(context.req.raw, (form) => signIn.begin(context, form));
      return answer(context, view);
    });
    routeOtherMethods(SIGN_IN_PATH, [...SHOW_METHODS, ...FORM_METHODS]);
    routes.post(SIGN_OUT_PATH, () => withHeaders(signIn.end()));
    routeOtherMethods(SIGN_OUT_PATH, FORM_METHODS);
  }

  function routePage({ path, get, post, fileForm }: ConsolePage): void {
    if (get) routes.get(path, pageRoute(get));
    if (fileForm) {
      routes.post(
        path,
        pageRoute(async (pageContext, { req }) =>
          await fileForm.post(pageContext, await readFileForm(req.raw, fileForm.maxBytes))
        ),
      );
    }
    if (post) {
      routes.post(
        path,
        pageRoute((pageContext, { req }) =>
          withForm(req.raw, (form) => answerOnce(path, form, () => post(pageContext, form)))
        ),
      );
    }
    routeOtherMethods(path, [
      ...get ? SHOW_METHODS : [],
      ...post || fileForm ? FORM_METHODS : [],
    ]);
  }

  /**
   * Refuses the methods that a path does not have. GET of the path without its last slash is redirected to the path.
   */
  function routeOtherMethods(path: string, methods: string[]): void {
    routes.all(path, () => withHeaders(methodNotAllowed(methods)));
    if (!path.endsWith("/")) return;
    const pathWithoutSlash = path.slice(0, -1);
    routes.get(pathWithoutSlash, (context) => withHeaders(context.redirect(path, 308)));
    routes.all(pathWithoutSlash, () => withHeaders(methodNotAllowed(SHOW_METHODS)));
  }

  /** The console's 404 page is for signed-in operators. Any other visitor gets the 404 page of the site. */
  function routeMissingPages(): void {
    const showNoPage = pageRoute(({ texts }) => noPageView(texts));
    routes.get("/operator/*", (context, next) => {
      const { req } = context;
      const isSignedIn = !isAmbiguousPath(req.path) && sessions.find(req.header("cookie"));
      return isSignedIn ? showNoPage(context) : next();
    });
  }

  // Hono tries the routes in this order.
  routeForeignForms();
  routeSigningInAndOut();
  for (const page of CONSOLE_PAGES) routePage(page);
  routeMissingPages();
  return routes;
}
