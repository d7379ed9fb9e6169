/**
 * The console: the operators' work as pages of HTML, for operators who do not work in a terminal. It signs operators
 * in, checks where forms come from, and calls the operations of operators as functions. It has no way to the store of
 * its own. @module
 */
import { Hono } from "@hono/hono";
import type { Operator } from "../config/mod.ts";
import {
  answerText,
  clientAddress,
  type ConnectionInfo,
  isAmbiguousPath,
  methodNotAllowed,
  rawQuery,
  readForm,
} from "../http/mod.ts";
import { type CountRequest, LIMITS } from "../limits/mod.ts";
import type { Observer } from "../observe/mod.ts";
import type { MaybePromise, Runtime } from "../runtime/mod.ts";
import { activityPage } from "./activity/mod.ts";
import { clientPage, clientsPage } from "./clients/mod.ts";
import { busyView, failedView, forbiddenView, noPageView } from "./components.ts";
import { dataPage } from "./data/mod.ts";
import { INVITE_PAGES } from "./invite/mod.ts";
import { consoleHeaders, createLayout, type LayoutOptions } from "./layout.ts";
import { outboxPage } from "./outbox/mod.ts";
import { overviewPage } from "./overview/mod.ts";
import {
  type ConsoleContext,
  type ConsolePage,
  createPageContexts,
  pageAt,
  type PageContext,
  type PageContextOptions,
  pagesOf,
  PATHS,
  queryOf,
  seeOther,
  SIGN_IN_PATH,
  SIGN_OUT_PATH,
  textsOf,
  type View,
} from "./page_context.ts";
import { PEOPLE_PAGES } from "./people/mod.ts";
import { createRepeatedForms } from "./repeated_forms.ts";
import { createSessions } from "./sessions.ts";
import { returnPath, signInFault, signInPath, signInView } from "./sign_in.ts";
export { PATHS } from "./page_context.ts";

export interface ConsoleOptions extends LayoutOptions, PageContextOptions {
  operators: Operator[];
  countRequest: CountRequest;
  trustedProxyHops: number;
  runtime: Pick<Runtime, "log" | "now" | "monotonic" | "random">;
  observer: Pick<Observer, "pageAnswered">;
}

/** The pages of operators who are signed in. */
export const CONSOLE_PAGES: ConsolePage[] = [
  overviewPage,
  ...PEOPLE_PAGES,
  ...INVITE_PAGES,
  clientsPage,
  clientPage,
  outboxPage,
  activityPage,
  dataPage,
];

export function createConsole(options: ConsoleOptions): Hono<{ Bindings: ConnectionInfo }> {
  const { baseUrl, operators, surface, yieldToCalls, countRequest, observer } = options;
  const { log, monotonic, now } = options.runtime;
  const sessions = createSessions(operators.filter((each) => pagesOf(each).length > 0), {
    baseUrl,
    now,
  });
  const answerOnce = createRepeatedForms(now);
  const pages = baseUrl + PATHS.overview;
  const paths = new Set(CONSOLE_PAGES.filter(({ get }) => get).map(({ path }) => path));
  const headers = consoleHeaders(options.site.console);
  const renderPage = createLayout(options.site);
  const makePageContext = createPageContexts(options);
  const addressOf = clientAddress(options.trustedProxyHops);

  function complete(response: Response): Response {
    for (const [name, value] of Object.entries(headers)) {
      // The letter of an invitation has a policy of its own.
      if (!response.headers.has(name)) response.headers.set(name, value);
    }
    return response;
  }

  function answer(context: ConsoleContext, view: View | Response, operator?: Operator): Response {
    if (view instanceof Response) return complete(view);
    const { path, raw } = context.req;
    const viewer = { texts: textsOf(context, options), path, ...operator && { operator } };
    const { status = 200 } = view;
    const type = { "Content-Type": "text/html; charset=utf-8" };
    return complete(answerText(raw, renderPage(view, viewer), { status, headers: type }));
  }

  function refuse(status: number, line: string): Response {
    const headers = { "Content-Type": "text/plain; charset=utf-8" };
    return complete(new Response(`${line}\n`, { status, headers }));
  }
  const refuseForm = () => refuse(400, `The form could not be read; open ${pages} and try again.`);

  const routes = new Hono<{ Bindings: ConnectionInfo }>();

  routes.use("/operator/*", async ({ req }, next) => {
    await yieldToCalls();
    // Browsers say by which page a form was sent, so that neither another site nor a page of the overlay can send one
    // with an operator's cookie. A page that leaves its address out sends `Origin: null`; some browsers and proxies
    // leave it out of all requests. An ambiguous path belongs to no page.
    const isOurs = req.header("origin") === baseUrl &&
      (req.header("referer") ?? pages).startsWith(pages);
    if (req.method !== "POST" || isOurs || isAmbiguousPath(req.path)) return await next();
    return refuse(403, `This form was not sent by a page of the console; open ${pages} first.`);
  });

  routes.get(SIGN_IN_PATH, (context) => {
    const query = queryOf(context);
    const back = returnPath(query.get("to") ?? "", paths);
    if (sessions.find(context.req.header("cookie"))) return complete(seeOther(back));
    const reason = query.has("signed-out") ? "signedOut" : query.has("ended") ? "ended" : undefined;
    return answer(context, signInView(textsOf(context, options), { back, reason }));
  });

  routes.post(SIGN_IN_PATH, async (context) => {
    const read = await readForm(context.req.raw);
    if ("failure" in read) return refuseForm();
    const texts = textsOf(context, options);
    const back = returnPath(read.form.values.get("to") ?? "", paths);
    // Copying may have put spaces around the key.
    const key = (read.form.values.get("key") ?? "").trim();
    const tested = surface.testKey(key, context.req.raw, context.env, "getOverview");
    if ("failure" in tested) {
      const fault = signInFault(tested, texts);
      return answer(context, signInView(texts, { back, fault }));
    }
    const response = complete(seeOther(back));
    response.headers.set("Set-Cookie", sessions.begin(tested.operator.name));
    return response;
  });

  routes.post(SIGN_OUT_PATH, () => {
    const response = complete(seeOther(`${SIGN_IN_PATH}?signed-out`));
    response.headers.set("Set-Cookie", sessions.end());
    // Else the button to go back could show what the browser has kept.
    response.headers.set("Clear-Site-Data", '"cache"');
    return response;
  });

  async function showPage(
    act: () => MaybePromise<View | Response>,
    { texts }: PageContext,
  ): Promise<View | Response> {
    try {
      return await act();
    } catch (error) {
      const { stack, message } = error as Error;
      log.error("page failed", { error: stack ?? message });
      return failedView({ failure: "internal_error" }, texts, { title: texts.layout.console });
    }
  }

  const serve =
    (act: (pageContext: PageContext, context: ConsoleContext) => MaybePromise<View | Response>) =>
    async (context: ConsoleContext): Promise<Response> => {
      const began = monotonic();
      const operator = sessions.find(context.req.header("cookie"));
      if (!operator) {
        const { req } = context;
        const hasEnded = req.method === "POST";
        // A form is sent again from the page that it is on.
        const page = hasEnded ? req.header("referer")?.replace(baseUrl, "") : undefined;
        const asked = page ?? req.path + rawQuery(req.raw.url);
        return complete(seeOther(signInPath(returnPath(asked, paths), { hasEnded })));
      }
      const { allowed, reset } = countRequest(
        LIMITS.operator,
        addressOf(context.req.raw, context.env),
      );
      const pageContext = makePageContext(operator, context);
      const isAllowed = pagesOf(operator).includes(pageAt(context.req.path));
      const view = !allowed
        ? busyView(pageContext.texts, reset)
        : isAllowed
        ? await showPage(() => act(pageContext, context), pageContext)
        : forbiddenView(pageContext.texts);
      const response = answer(context, view, operator);
      const { requestId } = pageContext;
      const routeInfo = { label: `console.${pageAt(context.req.path)}` };
      const timing = { ms: monotonic() - began };
      observer.pageAnswered(
        { requestId, routeInfo, method: context.req.method },
        response.status,
        timing,
      );
      return response;
    };

  for (const { path, get, post } of CONSOLE_PAGES) {
    if (get) routes.get(path, serve(get));
    if (post) {
      routes.post(
        path,
        serve(async (pageContext, { req }) => {
          const read = await readForm(req.raw);
          if ("failure" in read) return refuseForm();
          return await answerOnce(path, read.form.values, (form) => post(pageContext, form));
        }),
      );
    }
    completePath(path, [...get ? GET : [], ...post ? POST : []]);
  }
  completePath(SIGN_IN_PATH, [...GET, ...POST]);
  completePath(SIGN_OUT_PATH, POST);
  const showNoPage = serve(({ texts }) => noPageView(texts));
  // Who is not signed in gets the site's page.
  routes.get("/operator/*", (context, next) => {
    const { req } = context;
    const isPage = !isAmbiguousPath(req.path) && sessions.find(req.header("cookie"));
    return isPage ? showNoPage(context) : next();
  });
  return routes;

  /** Refuses other methods than those of a path, and redirects from the path without its last slash. */
  function completePath(path: string, methods: string[]): void {
    routes.all(path, () => complete(methodNotAllowed(methods)));
    if (!path.endsWith("/")) return;
    const withoutSlash = path.slice(0, -1);
    routes.get(withoutSlash, (context) => complete(context.redirect(path, 308)));
    routes.all(withoutSlash, () => complete(methodNotAllowed(GET)));
  }
}

const GET = ["GET", "HEAD"], POST = ["POST"];
