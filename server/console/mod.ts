/**
 * The console: the operators' work as pages of HTML, for operators who do not live in a terminal. It signs operators
 * in, checks where forms come from, and leaves the work to the operator's operations, which it calls as the CLI does.
 * It has no way to the store of its own. @module
 */
import { Hono } from "@hono/hono";
import type { Operator } from "../config/mod.ts";
import { answerText, type ConnectionInfo, isAmbiguousPath, methodNotAllowed } from "../http/mod.ts";
import { rawQuery, readForm } from "../http/mod.ts";
import type { MaybePromise } from "../runtime/mod.ts";
import { activityPage } from "./activity/mod.ts";
import { clientPage, clientsPage } from "./clients/mod.ts";
import { forbiddenView, noPageView } from "./components.ts";
import { clearForms, createSessions } from "./cookies.ts";
import { dataPage } from "./data/mod.ts";
import { INVITE_PAGES } from "./invite/mod.ts";
import { consoleHeaders, createLayout, type LayoutOptions } from "./layout.ts";
import { outboxPage } from "./outbox/mod.ts";
import { overviewPage } from "./overview/mod.ts";
import { type ConsoleContext, type ConsolePage, makePageContext, pageAt } from "./page_context.ts";
import { type PageContext, type PageContextOptions, pagesOf, PATHS } from "./page_context.ts";
import { queryOf, seeOther, SIGN_IN_PATH, SIGN_OUT_PATH, textsOf } from "./page_context.ts";
import { type View } from "./page_context.ts";
import { PEOPLE_PAGES } from "./people/mod.ts";
import { createRepeatedForms } from "./repeated_forms.ts";
import { returnPath, signInFault, signInPath, signInView } from "./sign_in.ts";
export { PATHS } from "./page_context.ts";

export interface ConsoleOptions extends LayoutOptions, PageContextOptions {
  operators: Operator[];
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
  const { baseUrl, operators, surface, yieldToCalls } = options;
  const sessions = createSessions(operators.filter((each) => pagesOf(each).length > 0), options);
  const answerOnce = createRepeatedForms(options.now);
  const pages = baseUrl + PATHS.overview;
  const paths = new Set(CONSOLE_PAGES.filter(({ get }) => get).map(({ path }) => path));
  const headers = consoleHeaders(baseUrl);
  const renderPage = createLayout(options.site);

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
    // Browsers say by which page a form was sent, so that no other site can send one with an operator's cookie. An
    // ambiguous path belongs to no page.
    const isOurs = req.header("origin") === baseUrl || isAmbiguousPath(req.path);
    if (req.method !== "POST" || isOurs) return await next();
    return refuse(403, `This form was not sent by a page of this service; open ${pages} first.`);
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
    response.headers.append("Set-Cookie", clearForms(baseUrl));
    // The last one, as curl 7.88 removes only the last of two cookies that end at once.
    response.headers.append("Set-Cookie", sessions.end());
    // Else the button to go back could show what the browser has kept.
    response.headers.set("Clear-Site-Data", '"cache"');
    return response;
  });

  const serve =
    (act: (pageContext: PageContext, context: ConsoleContext) => MaybePromise<View | Response>) =>
    async (context: ConsoleContext): Promise<Response> => {
      const operator = sessions.find(context.req.header("cookie"));
      if (!operator) {
        const { req } = context;
        const hasEnded = req.method === "POST";
        // A form is sent again from the page that it is on.
        const page = hasEnded ? req.header("referer")?.replace(baseUrl, "") : undefined;
        const asked = page ?? req.path + rawQuery(req.raw.url);
        return complete(seeOther(signInPath(returnPath(asked, paths), { hasEnded })));
      }
      const pageContext = await makePageContext(operator, context, options);
      const isAllowed = pagesOf(operator).includes(pageAt(context.req.path));
      const view = isAllowed ? await act(pageContext, context) : forbiddenView(pageContext.texts);
      const response = answer(context, view, operator);
      const cookie = view instanceof Response ? undefined : view.cookie ?? pageContext.cookie;
      if (cookie) response.headers.append("Set-Cookie", cookie);
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
