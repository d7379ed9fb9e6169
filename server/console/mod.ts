/**
 * The console: the operators' work as HTML pages. This file routes requests to the pages; before a page acts, it checks
 * the session, the origin of a form, the request limit and the role. Pages call the operator's operations as functions
 * and have no other way to the store. `README.md` in this folder says how to add a page. @module
 */
import { Hono } from "@hono/hono";
import type { Operator } from "../config/mod.ts";
import type { Html } from "../content/mod.ts";
import {
  answerText,
  clientAddress,
  type ConnectionInfo,
  isAmbiguousPath,
  methodNotAllowed,
  readFileForm,
  readForm,
} from "../http/mod.ts";
import { type CountRequest, LIMITS } from "../limits/mod.ts";
import type { Observer } from "../observe/mod.ts";
import type { MaybePromise, Runtime } from "../runtime/mod.ts";
import { activityPage } from "./activity/mod.ts";
import { clientPage, clientsPage } from "./clients/mod.ts";
import { busyView, failedView, forbiddenView, noPageView } from "./components.ts";
import { DATA_PAGES } from "./data/mod.ts";
import type { SentFields } from "./forms.ts";
import { INVITE_PAGES } from "./invite/mod.ts";
import { consoleHeaders, createLayout, type LayoutOptions } from "./layout.ts";
import { outboxPage } from "./outbox/mod.ts";
import { overviewPage } from "./overview/mod.ts";
import {
  type ConsoleContext,
  type ConsolePage,
  createPageContexts,
  type PageContext,
  type PageContextOptions,
  pageOfPath,
  pagesFor,
  PATHS,
  SIGN_IN_PATH,
  SIGN_OUT_PATH,
  textsOf,
  type View,
} from "./page_context.ts";
import { PEOPLE_PAGES } from "./people/mod.ts";
import { createRepeatedForms } from "./repeated_forms.ts";
import { createSessions } from "./sessions.ts";
import { createSignIn } from "./sign_in.ts";
export { PATHS } from "./page_context.ts";

export interface ConsoleOptions extends LayoutOptions, PageContextOptions {
  countRequest: CountRequest;
  /** The number of the operator's own proxies in front of the service. */
  trustedProxyHops: number;
  runtime: Pick<Runtime, "log" | "now" | "monotonic" | "random">;
  observer: Pick<Observer, "notePage">;
}

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

/** Writes the parts of a page between the beginning and the end of its document. */
async function* inDocument(
  parts: AsyncIterable<Html>,
  { beginning, end }: { beginning: string; end: string },
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  yield encoder.encode(beginning);
  for await (const part of parts) yield encoder.encode(`${part}\n`);
  yield encoder.encode(end);
}

const GET = ["GET", "HEAD"];
const POST = ["POST"];

/** Makes the routes of the console. */
export function createConsole(options: ConsoleOptions): Hono<{ Bindings: ConnectionInfo }> {
  const { baseUrl, countRequest, observer, runtime, site, yieldToCalls } = options;
  const { log, monotonic, now } = runtime;
  const operators = options.operators.filter((operator) => pagesFor(operator).length > 0);
  const sessions = createSessions(operators, { baseUrl, now });
  const signIn = createSignIn({
    baseUrl,
    surface: options.surface,
    texts: options.texts,
    sessions,
    paths: new Set(CONSOLE_PAGES.filter(({ get }) => get).map(({ path }) => path)),
  });
  const answerOnce = createRepeatedForms(now);
  const headers = consoleHeaders(site.console);
  const renderPage = createLayout(site);
  const makePageContext = createPageContexts(options);
  const addressOf = clientAddress(options.trustedProxyHops);
  const consoleUrl = baseUrl + PATHS.overview;

  function withHeaders(response: Response): Response {
    for (const [name, value] of Object.entries(headers)) {
      // A header that the page has set is not replaced, because the page with an invitation letter has a
      // Content-Security-Policy of its own.
      if (!response.headers.has(name)) response.headers.set(name, value);
    }
    return response;
  }

  function answer(context: ConsoleContext, view: View | Response, operator?: Operator): Response {
    if (view instanceof Response) return withHeaders(view);
    const { path, raw } = context.req;
    const viewer = { texts: textsOf(context, options), path, ...operator && { operator } };
    const { beginning, end } = renderPage(view, viewer);
    const { status = 200, parts } = view;
    const headers = { "Content-Type": "text/html; charset=utf-8" };
    if (!parts) return withHeaders(answerText(raw, beginning + end, { status, headers }));
    const stream = ReadableStream.from(inDocument(parts, { beginning, end }));
    // Without this header, nginx would send the parts only when there are many of them.
    const unbuffered = { ...headers, "X-Accel-Buffering": "no" };
    return withHeaders(new Response(stream, { status, headers: unbuffered }));
  }

  function refuse(status: number, line: string): Response {
    const headers = { "Content-Type": "text/plain; charset=utf-8" };
    return withHeaders(new Response(`${line}\n`, { status, headers }));
  }

  /** Reads the form of a request and acts on it. */
  async function withForm(
    request: Request,
    act: (form: SentFields) => MaybePromise<View | Response>,
  ): Promise<View | Response> {
    const read = await readForm(request);
    if (!("failure" in read)) return await act(read.form.values);
    return refuse(400, `The form could not be read; open ${consoleUrl} and try again.`);
  }

  /** Whether the browser says that a page of the console has sent the form. */
  function isFromConsole({ req }: ConsoleContext): boolean {
    // A request with `Origin: null` is refused, because it comes from a page that hides its origin. A request without
    // `Referer` is accepted, because some browsers and proxies leave this header out.
    return req.header("origin") === baseUrl &&
      (req.header("referer") ?? consoleUrl).startsWith(consoleUrl);
  }

  /** Calls `act` and returns its page. If `act` throws an error, the page about an internal error is returned. */
  async function showPage(
    act: (pageContext: PageContext) => MaybePromise<View | Response>,
    pageContext: PageContext,
  ): Promise<View | Response> {
    try {
      return await act(pageContext);
    } catch (error) {
      const { stack, message } = error as Error;
      log.error("a console page could not be shown", { error: stack ?? message });
      const { texts } = pageContext;
      return failedView({ failure: "internal_error" }, texts, { title: texts.layout.console });
    }
  }

  /**
   * Serves a page to signed-in operators. The steps are: session, request limit, role, the page's own work (`act`), and
   * the HTML document.
   */
  function serve(
    act: (pageContext: PageContext, context: ConsoleContext) => MaybePromise<View | Response>,
  ): (context: ConsoleContext) => Promise<Response> {
    return async (context) => {
      const { req } = context;
      const began = monotonic();
      const operator = sessions.find(req.header("cookie"));
      if (!operator) return withHeaders(signIn.ask(context));
      const { allowed, reset } = countRequest(LIMITS.operator, addressOf(req.raw, context.env));
      const pageContext = makePageContext(operator, context);
      const page = pageOfPath(req.path);
      let view: View | Response;
      if (!allowed) view = busyView(pageContext.texts, reset);
      else if (!pagesFor(operator).includes(page)) view = forbiddenView(pageContext.texts);
      else view = await showPage((pageContext) => act(pageContext, context), pageContext);
      const response = answer(context, view, operator);
      const { requestId } = pageContext;
      observer.notePage(
        { requestId, routeInfo: { label: `console.${page}` }, method: req.method },
        response.status,
        { ms: monotonic() - began },
      );
      return response;
    };
  }

  const routes = new Hono<{ Bindings: ConnectionInfo }>();

  /** Refuses the methods that a path does not have, and redirects to the path if the last slash is missing. */
  function completePath(path: string, methods: string[]): void {
    routes.all(path, () => withHeaders(methodNotAllowed(methods)));
    if (!path.endsWith("/")) return;
    const withoutSlash = path.slice(0, -1);
    routes.get(withoutSlash, (context) => withHeaders(context.redirect(path, 308)));
    routes.all(withoutSlash, () => withHeaders(methodNotAllowed(GET)));
  }

  routes.use("/operator/*", async (context, next) => {
    await yieldToCalls();
    const { method, path } = context.req;
    // Only a page of the console may send a form, because another site or a page of the overlay could send the form
    // with an operator's cookie. A path with dot segments or encoded slashes is left to the site, which answers 404.
    if (method !== "POST" || isFromConsole(context) || isAmbiguousPath(path)) return await next();
    return refuse(
      403,
      `This form was not sent by a page of the console; open ${consoleUrl} first.`,
    );
  });

  routes.get(SIGN_IN_PATH, (context) => answer(context, signIn.show(context)));
  routes.post(SIGN_IN_PATH, async (context) => {
    const view = await withForm(context.req.raw, (form) => signIn.begin(context, form));
    return answer(context, view);
  });
  completePath(SIGN_IN_PATH, [...GET, ...POST]);
  routes.post(SIGN_OUT_PATH, () => withHeaders(signIn.end()));
  completePath(SIGN_OUT_PATH, POST);

  for (const { path, get, post, fileForm } of CONSOLE_PAGES) {
    if (get) routes.get(path, serve(get));
    if (fileForm) {
      routes.post(
        path,
        serve(async (pageContext, { req }) =>
          await fileForm.post(pageContext, await readFileForm(req.raw, fileForm.maxBytes))
        ),
      );
    }
    if (post) {
      routes.post(
        path,
        serve((pageContext, { req }) =>
          withForm(req.raw, (form) => answerOnce(path, form, (form) => post(pageContext, form)))
        ),
      );
    }
    completePath(path, [...get ? GET : [], ...post || fileForm ? POST : []]);
  }

  const showNoPage = serve(({ texts }) => noPageView(texts));
  // Only a signed-in operator gets the console's 404 page. Any other visitor gets the 404 page of the site.
  routes.get("/operator/*", (context, next) => {
    const { req } = context;
    const isSignedIn = !isAmbiguousPath(req.path) && sessions.find(req.header("cookie"));
    return isSignedIn ? showNoPage(context) : next();
  });
  return routes;
}
