/**
 * Decides by the path which part of the service answers a request: APIs, operator surface, mail hooks, documents or
 * pages. @module
 */
import { type Context, Hono, type MiddlewareHandler } from "@hono/hono";
import { routePath } from "@hono/hono/route";
import { createApi, type Environment } from "./api/mod.ts";
import { discoveryDocuments } from "./discovery/mod.ts";
import {
  answerReadiness,
  answerText,
  type ConnectionInfo,
  createClientAddressFinder,
  describeFailure,
  hasPlainAuthority,
  type Pipeline,
  type PipelineOptions,
  rawPath,
  READY_PATH,
  serveDocument,
} from "./http/mod.ts";
import type { MailHooks } from "./letters/mod.ts";
import { LIMITS } from "./limits/mod.ts";
import type { MaybePromise, Priority } from "./runtime/mod.ts";
import type { Observer } from "./observe/mod.ts";
import type { Site } from "./site/mod.ts";

/** Routes of Hono, which get the client's end of the connection with each request. */
type Routes = Hono<{ Bindings: ConnectionInfo }>;

/** What {@linkcode createApp} needs. */
export interface AppOptions extends PipelineOptions {
  /** Makes long work in this process wait for the answer of a public API. */
  prioritize: Priority["prioritize"];
  embedOrigins: string[];
  production: Environment;
  sandbox: Environment;
  /** The operator surface. Without it, every path under `/operator` gets the 404 page. */
  operator?: Pipeline | undefined;
  mailHooks?: MailHooks | undefined;
  site: Pick<Site, "pages" | "routes" | "notFound" | "showRefusedForm" | "siteName">;
  consoleRoutes?: Routes | undefined;
  selfServiceRoutes: Routes;
  sandboxClient: string;
  contact: string;
  /** Lists what the process needs for its work but lacks at present. The list is empty if the process is ready. */
  listMissing: () => string[];
}

/**
 * Answers a request. If nothing has to be awaited, returns the response itself in place of a promise, because a promise
 * costs time.
 */
export type HandleRequest = (request: Request, info: ConnectionInfo) => MaybePromise<Response>;

/** Makes the function that answers all requests. */
export function createApp(options: AppOptions): HandleRequest {
  const { runtime, production, sandbox, operator, mailHooks, site } = options;
  const { countRequest, trustedProxyHops, observer } = options;
  const addressOf = createClientAddressFinder(trustedProxyHops);
  const publicApis = [production, sandbox].map((environment) =>
    createApi({
      environment,
      showRefusedForm: site.showRefusedForm,
      embedOrigins: options.embedOrigins,
      runtime,
      countRequest,
      trustedProxyHops,
      observer,
    })
  );

  const pageRoutes = createPageRoutes(options);

  return (request, info) => {
    if (!hasPlainAuthority(request)) {
      return answerText(request, "The Host header is more than a host and a port.\n", {
        status: 400,
      });
    }
    const path = rawPath(request.url);
    if (path === READY_PATH) return answerReadiness(request, options.listMissing());
    // The APIs route their few paths themselves, because the routing of Hono would take a tenth of the time of a status
    // call.
    for (const api of publicApis) {
      if (api.owns(path)) return options.prioritize(api.answer(path, request, info));
    }
    if (operator?.owns(path)) return operator.answer(path, request, info);
    if (mailHooks?.owns(path)) return mailHooks.answer(request, info);
    const { allowed, reset } = countRequest(LIMITS.pages, addressOf(request, info));
    if (!allowed) {
      const refusal = describeFailure({ failure: "rate_limited", retryAfter: reset });
      const { status, message, headers = {} } = refusal;
      return answerText(request, `${message}\n`, { status, headers });
    }
    return pageRoutes.fetch(request, info);
  };
}

/**
 * Makes the routes of everything except the APIs and the mail hooks: the documents, the console, the self-service page
 * and the site.
 */
function createPageRoutes(options: AppOptions): Routes {
  const { runtime, production, sandbox, site, observer } = options;
  const { traceRoute, metrics } = observer;
  const routes: Routes = new Hono({ getPath: ({ url }) => rawPath(url) });
  if (traceRoute || metrics) routes.use(reportRoutes(observer));
  const documents = discoveryDocuments({
    production,
    sandbox,
    contact: options.contact,
    sandboxClient: options.sandboxClient,
    siteName: site.siteName,
    pages: site.pages,
  });
  for (const [path, document] of Object.entries(documents)) {
    const answer = serveDocument(document);
    routes.all(path, (context) => answer(context.req.raw));
  }
  if (options.consoleRoutes) routes.route("/", options.consoleRoutes);
  routes.route("/", options.selfServiceRoutes).route("/", site.routes);
  routes.notFound((context) => site.notFound(context.req.raw));
  routes.onError((error, context) => {
    const route = routeOf(context);
    runtime.log.error("a page could not be shown", {
      method: context.req.method,
      ...route && { route },
      error: error.stack ?? error.message,
    });
    return context.text("Something went wrong on our side; try again later.", 500);
  });
  return routes;
}

/** Makes the handler that reports the route of each answer to the metrics and to the trace. */
function reportRoutes({ traceRoute, metrics }: Observer): MiddlewareHandler {
  return async (context, next) => {
    await next();
    const { req: { method }, res: { status } } = context;
    const route = routeOf(context);
    if (route !== undefined) traceRoute?.(method, route);
    metrics?.countRequest(method, route, status);
  };
}

/**
 * Gives the path of the route that answers a request, such as `/operator/people/:token`; `undefined` if only a route
 * for all paths matches. The path of the request is not used, because that path may have a token or an address in it.
 */
function routeOf(context: Context): string | undefined {
  const path = routePath(context, -1);
  return path === "*" || path === "/*" ? undefined : path;
}
