/**
 * The pages: `content/` in HTML and Markdown, rendered and compressed once at the start, so that a request
 * costs only a look-up. The sign-up forms post to the API, which handles the sign-up.
 *
 * @module
 */
import { type Context, Hono } from "@hono/hono";
import { methodNotAllowed } from "../http/document.ts";
import { prefersMarkdown } from "../http/negotiate.ts";
import { rawPath, rawQuery } from "../http/request_target.ts";
import { prepareAnswer, representText } from "../http/representation.ts";
import type { Lang } from "../waitlist/record.ts";
import { ASSETS_PATH, createAssets } from "./assets.ts";
import { type Language, type ListedPage, readContent } from "../content/mod.ts";
import { type PlaceholderOptions, placeholdersOf } from "../content/placeholders.ts";
import { PLACE_HEADERS } from "./place.ts";
import { createPlacePages, type PlacePages } from "./place_pages.ts";
import { createRenderer, type Forms } from "./render.ts";

/** The folder of the project's own texts. */
export const CONTENT_FOLDER = new URL("../../content/", import.meta.url);

/** The options of the site. */
export interface SiteOptions extends PlaceholderOptions {
  /** Whether letters are sent. */
  mail: boolean;
  /** How long an address that is not confirmed is kept, in days. */
  unconfirmedDays: number;
  /** The `Link` value of the home pages, by which a client finds the descriptions of the API. */
  homeLinks: string;
  /** The folder of the texts, a URL that ends with a slash; {@linkcode CONTENT_FOLDER} by default. */
  folder?: URL;
}

/** The site. */
export interface Site {
  /** The languages, of whose texts letters are made, too. */
  languages: Language[];
  pages: ListedPage[];
  /** The pages, the redirects from their paths without the last slash, and the assets. */
  routes: Hono;
  /** Answers 404 in HTML or Markdown, in the language whose home page the path is below. */
  notFound: (request: Request) => Response;
  /** The pages of people, whose routes `place.ts` makes. */
  place: Record<Lang, PlacePages>;
}

/**
 * Makes the site.
 *
 * @throws an Error that names a file of `content/` and what is wrong with it
 */
export async function createSite(options: SiteOptions): Promise<Site> {
  const { languages, assets: files } = await readContent(options.folder ?? CONTENT_FOLDER);
  const assets = createAssets(files);
  const placeholders = placeholdersOf(options);
  const render = createRenderer({ ...options, languages, assets, placeholders });
  const security = securityHeaders(options.baseUrl);
  // Caches may store a page and revalidate it for each request. `no-transform`: see prepareAnswer().
  const cached = "public, no-cache, no-transform";
  const headers = { ...security, "Vary": "Accept, Accept-Encoding", "Cache-Control": cached };

  const routes = new Hono();
  const pages: ListedPage[] = [];
  for (const language of languages) {
    for (const page of language.pages) {
      const { entry, forms } = render(page, language);
      pages.push(entry);
      const home = page === language.home ? { Link: options.homeLinks } : {};
      const isOfPerson = Object.values(language.place).includes(page);
      const own = isOfPerson ? PLACE_HEADERS : {};
      const answer = servePage(forms, { ...headers, ...home, ...own });
      routes.all(page.path, ({ req: { raw } }) => onlyGetAndHead(raw) ?? answer(raw));
      if (page.path !== "/") {
        routes.all(page.path.slice(0, -1), redirectTo(page.path, { ...security, ...own }));
      }
    }
  }

  const missing = languages.map((language) => ({
    below: language.home.path,
    answer: servePage(render(language.notFound, language).forms, headers, 404),
  })).reverse();

  function notFound(request: Request): Response {
    const path = rawPath(request);
    // The home page of the first language is `/`; every path but that of `OPTIONS *` begins with it.
    const { answer } = missing.find(({ below }) => path.startsWith(below)) ?? missing.at(-1)!;
    return answer(request);
  }

  routes.all(`${ASSETS_PATH}*`, ({ req: { raw } }) => {
    const response = assets.answer(rawPath(raw), raw);
    return response ? onlyGetAndHead(raw) ?? response : notFound(raw);
  });
  const place = createPlacePages({
    languages,
    placeholders,
    render,
    serve: (forms, status) => servePage(forms, { ...headers, ...PLACE_HEADERS }, status),
  });
  return { languages, pages, routes, notFound, place };
}

function servePage(
  forms: Forms,
  headers: Record<string, string>,
  status = 200,
): (request: Request) => Response {
  const options = { status, headers };
  const html = prepareAnswer(representText(forms.html, "text/html"), options);
  const markdown = prepareAnswer(representText(forms.markdown, "text/markdown"), options);
  return (request) => {
    return prefersMarkdown(request.headers.get("accept")) ? markdown(request) : html(request);
  };
}

function onlyGetAndHead({ method }: Request): Response | undefined {
  return method === "GET" || method === "HEAD" ? undefined : methodNotAllowed();
}

/** Redirects a page's path without its last slash to the page, with the query. */
function redirectTo(path: string, security: Record<string, string>) {
  return ({ req: { raw } }: Context): Response => {
    const headers = { ...security, "Location": path + rawQuery(raw.url) };
    return onlyGetAndHead(raw) ?? new Response(null, { status: 308, headers });
  };
}

/** Allows scripts, styles, images, calls and forms of this origin only, and nothing inline. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Two years. */
const HSTS_SECONDS = 63_072_000;

/**
 * Returns the security headers of every page.
 *
 * @param baseUrl the public origin; HSTS is sent only if it is https
 */
export function securityHeaders(baseUrl: string): Record<string, string> {
  return {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    ...(baseUrl.startsWith("https:") && {
      "Strict-Transport-Security": `max-age=${HSTS_SECONDS}`,
    }),
  };
}
