/**
 * The routes of the site: each page with its Markdown and its redirect, the page for unknown paths, the assets and the
 * npm packages. `serve.ts` and `framed_pages.ts` make the answers with a page. @module
 */
import { Hono } from "@hono/hono";
import { type Language, type ListedPage, type SourcePage, THANKS_PAGE } from "../content/mod.ts";
import {
  isGetOrHead,
  methodNotAllowed,
  prepareAnswer,
  rawPath,
  rawQuery,
  representText,
} from "../http/mod.ts";
import { type Assets, ASSETS_PATH } from "./assets.ts";
import type { BrandAssets } from "./brand_assets.ts";
import { type CarryParameters, hasSignUpForm } from "./carry_parameters.ts";
import { type RenderFramedPages, serveForFrames } from "./framed_pages.ts";
import type { RenderedPage } from "./page.ts";
import { PACKAGES } from "./packages.ts";
import type { RenderPage } from "./render.ts";
import type { Scripts } from "./scripts.ts";
import { securityHeaders, SELF_SERVICE_HEADERS } from "./security_headers.ts";
import { type AnswerPage, servePage } from "./serve.ts";
import type { WaitingCount } from "./waiting_count.ts";

/** The path of the script for other sites that show the form in a frame. */
const EMBED_SCRIPT = "/embed.js";

/** The paths at which browsers and phones ask for the icon, whatever a page says about its icon. */
const ICON_PATHS = ["/favicon.ico", "/apple-touch-icon.png"];

/** The headers of the site's answers. */
export interface SiteHeaders {
  /** The security headers of an answer that no other site may show in a frame. */
  security: Record<string, string>;
  /** The security headers of a page that the sites of `EMBED_ORIGINS` may show in a frame. */
  frame: Record<string, string>;
  /** The headers of pages: the security headers, and headers for caches. */
  page: Record<string, string>;
}

/**
 * A cache may keep an answer, but must ask the service at each request whether the answer is still the same.
 * `prepareAnswer` says why `no-transform` is needed.
 */
const REVALIDATED = { "Cache-Control": "public, no-cache, no-transform" };

/** Returns the headers of the site. @param options.scripts the scripts that may run on the pages */
export function siteHeaders(
  { baseUrl, scripts, embedOrigins }: {
    baseUrl: string;
    scripts: Pick<Scripts, "cspSource">;
    embedOrigins: string[];
  },
): SiteHeaders {
  const scriptSource = scripts.cspSource;
  const security = securityHeaders({ baseUrl, scriptSource });
  const frame = securityHeaders({ baseUrl, scriptSource, frameOrigins: embedOrigins });
  return {
    security,
    frame,
    page: { ...security, "Vary": "Accept, Accept-Encoding", ...REVALIDATED },
  };
}

/** What the routes need: settings, the content, and the functions that render pages and fill them. */
interface SiteRoutesOptions {
  baseUrl: string;
  /** The `Link` header by which a client finds the descriptions of the API. */
  apiLinks: string;
  /** Whether other sites may show the form in a frame. */
  allowsFrames: boolean;
  languages: Language[];
  headers: SiteHeaders;
  assets: Assets;
  brandAssets: Pick<BrandAssets, "iconFile">;
  scripts: Pick<Scripts, "url">;
  render: RenderPage;
  renderFramedPages: RenderFramedPages;
  waitingCount: WaitingCount;
  carryParameters: CarryParameters;
}

/** The routes of the site, and the pages to which they lead. */
export interface SiteRoutes {
  routes: Hono;
  /** The pages, grouped by language. Without `allowsFrames`, the pages for frames are left out. */
  pages: ListedPage[];
  /** Answers 404, in HTML or Markdown and in the language of the path. */
  notFound: AnswerPage;
}

/** Adds a route that answers GET and HEAD. */
type AddRoute = (path: string, answer: AnswerPage) => void;

/** Renders the pages, and makes the routes of the site. */
export function createSiteRoutes(options: SiteRoutesOptions): SiteRoutes {
  const { allowsFrames, languages, assets } = options;
  const routes = new Hono();
  const addRoute: AddRoute = (path, answer) =>
    routes.all(path, ({ req: { raw } }) => isGetOrHead(raw) ? answer(raw) : methodNotAllowed());

  const pages = languages.flatMap((language) =>
    language.pages
      .filter(({ layout }) => allowsFrames || layout !== "embed")
      .map((page) => addPage(addRoute, page, { language, options }))
  );
  const notFound = createNotFound(options);
  addFiles(addRoute, notFound, options);
  routes.all(`${ASSETS_PATH}*`, ({ req: { raw } }) => {
    const response = assets.answer(rawPath(raw.url), raw);
    if (!response) return notFound(raw);
    return isGetOrHead(raw) ? response : methodNotAllowed();
  });
  return { routes, pages, notFound };
}

/**
 * Renders a page, and adds routes for its path, for its Markdown and for its path without the last slash. A page of the
 * self-service has no route for Markdown.
 */
function addPage(
  addRoute: AddRoute,
  page: SourcePage,
  { language, options }: { language: Language; options: SiteRoutesOptions },
): ListedPage {
  const { headers, render } = options;
  const { entry, rendered } = render(page, language);
  const isOfSelfService = Object.values(language.selfService).includes(page);
  const selfServiceHeaders = isOfSelfService ? SELF_SERVICE_HEADERS : {};
  const markdownLink = !isOfSelfService &&
    linkHeader(entry.markdownPath, 'rel="alternate"; type="text/markdown"', options);
  const pageHeaders = { ...headers.page, ...selfServiceHeaders, ...markdownLink };
  addRoute(page.path, answerPage(page, { language, rendered, pageHeaders }, options));
  if (!isOfSelfService) addRoute(entry.markdownPath, answerMarkdown(page, rendered, options));
  if (page.path !== "/") {
    const redirectHeaders = { ...headers.security, ...selfServiceHeaders };
    addRoute(page.path.slice(0, -1), redirectTo(page.path, redirectHeaders));
  }
  return entry;
}

/** Adds the routes of the files outside of `assets/`: the icons, the npm packages, and the script for other sites. */
function addFiles(
  addRoute: AddRoute,
  notFound: AnswerPage,
  { allowsFrames, headers, assets, brandAssets, scripts }: SiteRoutesOptions,
): void {
  const answerAsset = (path: string): AnswerPage => (request) =>
    assets.answer(path, request) ?? notFound(request);

  for (const path of ICON_PATHS) addRoute(path, answerAsset(brandAssets.iconFile));

  for (const [name, { bytes }] of Object.entries(PACKAGES)) {
    const tarball = { bytes, contentType: "application/gzip", isCompressible: false };
    const answer = prepareAnswer(tarball, { headers: { ...headers.security, ...REVALIDATED } });
    addRoute(`/developers/waitlist-${name}.tgz`, answer);
  }

  if (allowsFrames) {
    const [scriptPath = ""] = scripts.url("embed.js").split("?");
    addRoute(EMBED_SCRIPT, answerAsset(scriptPath));
  }
}

/**
 * Makes the header with the links to the descriptions of the API, and with one more link.
 * @param path the path to which the additional link leads @param parameters the parameters of that link (RFC 8288)
 */
function linkHeader(
  path: string,
  parameters: string,
  { apiLinks, baseUrl }: SiteRoutesOptions,
): { Link: string } {
  return { Link: `${apiLinks}, <${baseUrl}${path}>; ${parameters}` };
}

/** Makes the function that answers with a page. Some pages may be in frames, where they look different. */
function answerPage(
  page: SourcePage,
  { language, rendered, pageHeaders }: {
    language: Language;
    rendered: RenderedPage;
    pageHeaders: Record<string, string>;
  },
  options: SiteRoutesOptions,
): AnswerPage {
  const { allowsFrames, headers, renderFramedPages, waitingCount } = options;
  const isFramedOnly = page.layout === "embed";
  const isForFrames = allowsFrames && (isFramedOnly || page.name === THANKS_PAGE);
  const carryParameters = hasSignUpForm(page) ? options.carryParameters : undefined;
  if (!isForFrames) {
    return servePage(rendered, { headers: pageHeaders, waitingCount, carryParameters });
  }
  const wholePage = isFramedOnly ? undefined : rendered;
  return serveForFrames(wholePage, renderFramedPages(page, language), {
    headers: { ...pageHeaders, ...headers.frame },
    waitingCount,
    carryParameters,
  });
}

/** Makes the function that answers with the Markdown of a page, at the path of the Markdown. */
function answerMarkdown(
  { path }: SourcePage,
  { markdown }: RenderedPage,
  options: SiteRoutesOptions,
): AnswerPage {
  return prepareAnswer(representText(markdown, "text/markdown"), {
    headers: {
      ...options.headers.page,
      "Vary": "Accept-Encoding",
      "Access-Control-Allow-Origin": "*",
      // With `canonical`, search engines list the page and not its Markdown.
      ...linkHeader(path, 'rel="canonical"', options),
    },
  });
}

/** Makes the function that answers 404, in the language of the path. */
function createNotFound(
  { languages, headers, render, waitingCount }: SiteRoutesOptions,
): AnswerPage {
  // The language whose home page is `/` comes last, because every path begins with this path.
  const notFoundPages = languages.map((language) => ({
    homePath: language.home.path,
    answer: servePage(render(language.notFound, language).rendered, {
      headers: headers.page,
      status: 404,
      waitingCount,
    }),
  })).reverse();
  return (request) => {
    const path = rawPath(request.url);
    const pageOfLanguage = notFoundPages.find(({ homePath }) => path.startsWith(homePath));
    // No language is found for `OPTIONS *`, the only path without a slash at its beginning. The array is never empty,
    // because the content has at least one language.
    const { answer } = pageOfLanguage ?? notFoundPages.at(-1)!;
    return answer(request);
  };
}

/** Makes the function that answers with a permanent redirect to a path, with the query of the request. */
function redirectTo(path: string, headers: Record<string, string>): AnswerPage {
  return ({ url }) =>
    new Response(null, { status: 308, headers: { ...headers, "Location": path + rawQuery(url) } });
}
