/**
 * Answers requests for pages of the console, after checks of the session, of the request limit and of the role.
 * `mod.ts` has the routes, and checks the origin of forms. @module
 */
import type { Operator } from "../config/mod.ts";
import type { Html } from "../content/mod.ts";
import { answerText, createClientAddressFinder, readForm } from "../http/mod.ts";
import { type Allowance, type CountRequest, LIMITS } from "../limits/mod.ts";
import type { Observer } from "../observe/mod.ts";
import type { MaybePromise, Runtime } from "../runtime/mod.ts";
import { busyView, failedView, forbiddenView } from "./components.ts";
import {
  type ConsoleContext,
  createPageContexts,
  type PageContext,
  type PageContextOptions,
  type PageName,
  pageOfPath,
  pagesFor,
  PATHS,
  textsOf,
  type View,
} from "./page_context.ts";
import type { SentFields } from "./forms.ts";
import { consoleHeaders, createLayout, type LayoutOptions } from "./layout.ts";
import type { Sessions } from "./sessions.ts";
import type { SignIn } from "./sign_in.ts";

/** What the server of the pages needs, besides the options for contexts and documents. */
export interface PageServerOptions extends LayoutOptions, Omit<PageContextOptions, "company"> {
  countRequest: CountRequest;
  /** The number of the operator's own proxies in front of the service. */
  trustedProxyHops: number;
  runtime: Pick<Runtime, "log" | "now" | "monotonic" | "random">;
  observer: Pick<Observer, "notePage">;
}

/** Shows a page or acts on its form, for a request of a signed-in operator. */
type PageHandler = (
  pageContext: PageContext,
  context: ConsoleContext,
) => MaybePromise<View | Response>;

/** The functions that make the console's answers. */
export interface PageServer {
  /** Gives an answer the headers of the console. */
  withHeaders: (response: Response) => Response;
  /**
   * Answers with a page as an HTML document. If the page has returned a response, answers with this response.
   * @param operator the operator who is signed in; absent on the page to sign in
   */
  answer: (context: ConsoleContext, view: View | Response, operator?: Operator) => Response;
  /** Answers with a line of plain text. */
  refuse: (status: number, line: string) => Response;
  /**
   * Reads the form of a request, and lets `actOn` act on the form. A form that cannot be read is answered with status
   * 400.
   */
  withForm: (
    request: Request,
    actOn: (form: SentFields) => MaybePromise<View | Response>,
  ) => Promise<View | Response>;
  /**
   * Makes the route of a page for signed-in operators. The steps are: session, request limit, role, the page's own
   * `handler`, and the HTML document. A request without a session is redirected to the form for the key.
   */
  pageRoute: (handler: PageHandler) => (context: ConsoleContext) => Promise<Response>;
}

/** Makes the functions that answer requests for pages. */
export function createPageServer(
  options: PageServerOptions,
  { sessions, signIn }: { sessions: Sessions; signIn: SignIn },
): PageServer {
  const { baseUrl, countRequest, observer, runtime, site } = options;
  const { log, monotonic } = runtime;
  const commonHeaders = consoleHeaders(site.console);
  const renderPage = createLayout(site);
  // The address in `brand.yaml` begins with the company's legal name.
  const company = (site.address ?? [site.siteName]).join(", ");
  const makePageContext = createPageContexts({ ...options, company });
  const addressOf = createClientAddressFinder(options.trustedProxyHops);

  function withHeaders(response: Response): Response {
    for (const [name, value] of Object.entries(commonHeaders)) {
      // A header that the page has set is not replaced, because the page with an invitation letter has a
      // Content-Security-Policy of its own.
      if (!response.headers.has(name)) response.headers.set(name, value);
    }
    return response;
  }

  function answer(context: ConsoleContext, view: View | Response, operator?: Operator): Response {
    if (view instanceof Response) return withHeaders(view);
    const { path, raw } = context.req;
    const visit = { texts: textsOf(context, options), path, ...operator && { operator } };
    const { beginning, end } = renderPage(view, visit);
    const { status = 200, parts } = view;
    const headers = { "Content-Type": "text/html; charset=utf-8" };
    if (!parts) return withHeaders(answerText(raw, beginning + end, { status, headers }));
    const stream = ReadableStream.from(inDocument(parts, { beginning, end }));
    // Without this header, nginx would collect the parts in its buffer, and send them late.
    const unbuffered = { ...headers, "X-Accel-Buffering": "no" };
    return withHeaders(new Response(stream, { status, headers: unbuffered }));
  }

  function refuse(status: number, line: string): Response {
    const headers = { "Content-Type": "text/plain; charset=utf-8" };
    return withHeaders(new Response(`${line}\n`, { status, headers }));
  }

  async function withForm(
    request: Request,
    actOn: (form: SentFields) => MaybePromise<View | Response>,
  ): Promise<View | Response> {
    const read = await readForm(request);
    if (!("failure" in read)) return await actOn(read.form.values);
    return refuse(
      400,
      `The form could not be read; open ${baseUrl}${PATHS.overview} and try again.`,
    );
  }

  /** Returns what the handler of a page returns, or the page about an internal error if the handler throws an error. */
  async function callHandler(
    handler: PageHandler,
    pageContext: PageContext,
    context: ConsoleContext,
  ): Promise<View | Response> {
    try {
      const view = await handler(pageContext, context);
      // API calls go first, because the document is then written in one piece.
      await pageContext.yieldToCalls();
      return view;
    } catch (error) {
      const { stack, message } = error as Error;
      log.error("a console page could not be shown", { error: stack ?? message });
      const { texts } = pageContext;
      return failedView({ failure: "internal_error" }, texts, { title: texts.layout.console });
    }
  }

  function pageRoute(handler: PageHandler): (context: ConsoleContext) => Promise<Response> {
    return async (context) => {
      const { req } = context;
      const beganAt = monotonic();
      const operator = sessions.find(req.header("cookie"));
      if (!operator) return withHeaders(signIn.redirectToForm(context));
      const allowance = countRequest(LIMITS.operator, addressOf(req.raw, context.env));
      const pageContext = makePageContext(operator, context);
      const page = pageOfPath(req.path);
      const refusal = refusalOf({ operator, page, allowance }, pageContext);
      const view = refusal ?? await callHandler(handler, pageContext, context);
      const response = answer(context, view, operator);
      const { requestId } = pageContext;
      observer.notePage(
        { requestId, routeInfo: { label: `console.${page}` }, method: req.method },
        response.status,
        { ms: monotonic() - beganAt },
      );
      return response;
    };
  }

  return { withHeaders, answer, refuse, withForm, pageRoute };
}

/** The page that refuses a request; `undefined` if the request limit and the operator's role allow the request. */
function refusalOf(
  { operator, page, allowance }: { operator: Operator; page: PageName; allowance: Allowance },
  { texts }: PageContext,
): View | undefined {
  if (!allowance.allowed) return busyView(texts, allowance.reset);
  return pagesFor(operator).includes(page) ? undefined : forbiddenView(texts);
}

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
