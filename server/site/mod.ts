/**
 * The pages: `content/` in HTML and Markdown, rendered and compressed once at the start, so that a request
 * costs only a look-up. The sign-up forms post to the API, which handles the sign-up.
 *
 * @module
 */
import { type Context, Hono } from "@hono/hono";
import {
  isForFrame,
  methodNotAllowed,
  prefersMarkdown,
  prepareAnswer,
  rawPath,
  rawQuery,
  representText,
} from "../http/mod.ts";
import type { Lang, ShowRefusedForm } from "../waitlist/mod.ts";
import { ASSETS_PATH, createAssets } from "./assets.ts";
import {
  type Language,
  type ListedPage,
  PLACEHOLDER_NAME,
  type PlaceholderOptions,
  placeholdersOf,
  readContent,
  THANKS,
} from "../content/mod.ts";
import { createBrandAssets, hasOwnSocialImage, withBrandAssets } from "./brand_assets.ts";
import {
  createSelfServicePages,
  SELF_SERVICE_HEADERS,
  type SelfServicePages,
} from "./self_service/mod.ts";
import { securityHeaders } from "./security.ts";
import { createRefusedForms } from "./refused_form.ts";
import { createRenderer, type Forms, placeholdersIn } from "./render.ts";
export { securityHeaders } from "./security.ts";
export { createSelfServiceRoutes } from "./self_service/mod.ts";

/** The folder of the project's own texts. */
export const CONTENT_FOLDER = new URL("../../content/", import.meta.url);

/** The options of the site. */
export interface SiteOptions extends Omit<PlaceholderOptions, "siteName"> {
  /** The name of the site; the brand's, or a placeholder, by default. */
  siteName?: string | undefined;
  /** Whether letters are sent. */
  mail: boolean;
  /** How long an address that is not confirmed is kept, in days. */
  unconfirmedDays: number;
  /** The `Link` value of all pages but those of a person, by which a client finds the descriptions of the API. */
  apiLinks: string;
  /** The origins of pages that may show the form in a frame; without one there are no pages for frames. */
  embedOrigins: string[];
  /** The folder of the texts, a URL that ends with a slash; {@linkcode CONTENT_FOLDER} by default. */
  folder?: URL;
  /** The path of a folder that lies over it; none by default. */
  contentPath?: string | undefined;
}

/** The site. */
export interface Site {
  /** The name of the site. */
  siteName: string;
  /** Whether the picture of link previews is another than the built-in one. */
  hasOwnPicture: boolean;
  /** The languages, of whose texts letters are made, too. */
  languages: Language[];
  pages: ListedPage[];
  /** The pages, their Markdown twins, the redirects from paths without the last slash, and the assets. */
  routes: Hono;
  /** Gives the address of a file of the assets. */
  assetAddress: (name: string) => string;
  /** Answers 404 in HTML or Markdown, in the language whose home page the path is below. */
  notFound: (request: Request) => Response;
  /** The pages of people, whose routes `createSelfServiceRoutes()` makes. */
  selfService: Record<Lang, SelfServicePages>;
  showRefusedForm: ShowRefusedForm;
}

/**
 * Makes the site.
 *
 * @throws an Error that names a file of `content/` and what is wrong with it
 */
export async function createSite(options: SiteOptions): Promise<Site> {
  const { folder = CONTENT_FOLDER, contentPath } = options;
  const content = await readContent(folder, contentPath);
  const { languages, assets: files, brand } = content;
  const siteName = options.siteName ?? brand.name ?? PLACEHOLDER_NAME;
  const assets = createAssets(withBrandAssets(files, brand));
  const brandAssets = createBrandAssets(brand, assets);
  const placeholders = placeholdersOf({ ...options, siteName });
  const embed = options.embedOrigins.length > 0;
  const render = createRenderer({
    ...options,
    languages,
    assets,
    brandAssets,
    placeholders,
    embed,
  });
  const security = securityHeaders(options.baseUrl);
  const framing = securityHeaders(options.baseUrl, options.embedOrigins);
  // Caches may store a page and revalidate it for each request. `no-transform`: see prepareAnswer().
  const cached = "public, no-cache, no-transform";
  const headers = { ...security, "Vary": "Accept, Accept-Encoding", "Cache-Control": cached };

  /** The links from a page to the descriptions of the API and to a form of its own. */
  const linkTo = (path: string, parameters: string) => ({
    Link: `${options.apiLinks}, <${options.baseUrl}${path}>; ${parameters}`,
  });

  const routes = new Hono();
  const pages: ListedPage[] = [];
  for (const language of languages) {
    for (const page of language.pages) {
      if (page.layout === "embed" && !embed) continue;
      const { entry, forms } = render(page, language);
      pages.push(entry);
      const isOfPerson = Object.values(language.selfService).includes(page);
      const own = isOfPerson ? SELF_SERVICE_HEADERS : {};
      const link = !isOfPerson && linkTo(entry.twin, 'rel="alternate"; type="text/markdown"');
      const all = { ...headers, ...own, ...link };
      const isForFrames = embed && (page.layout === "embed" || page.name === THANKS);
      const framed = isForFrames && render({ ...page, layout: "embed" }, language).forms;
      const answer = framed
        ? serveForFrames(forms, framed, { ...all, ...framing })
        : servePage(forms, all);
      routes.all(page.path, ({ req: { raw } }) => onlyGetAndHead(raw) ?? answer(raw));
      if (!isOfPerson) {
        // With `canonical`, search engines list the page and not its Markdown.
        const own = { "Vary": "Accept-Encoding", ...linkTo(page.path, 'rel="canonical"') };
        const twin = representText(forms.markdown, "text/markdown");
        const answer = prepareAnswer(twin, { headers: { ...headers, ...own } });
        routes.all(entry.twin, ({ req: { raw } }) => onlyGetAndHead(raw) ?? answer(raw));
      }
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
  const selfService = createSelfServicePages({
    languages,
    placeholders,
    render,
    serve: (forms, status) => servePage(forms, { ...headers, ...SELF_SERVICE_HEADERS }, status),
  });
  const showRefusedForm = createRefusedForms({
    languages,
    render,
    placeholdersIn: (lang) => placeholdersIn(lang, { ...options, placeholders }),
    mail: options.mail,
    headers: framing,
  });
  return {
    siteName,
    hasOwnPicture: hasOwnSocialImage(content),
    languages,
    pages,
    routes,
    assetAddress: assets.address,
    notFound,
    selfService,
    showRefusedForm,
  };
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

/** Serves a page that a frame may show, where it has no navigation. */
function serveForFrames(
  whole: Forms,
  framed: Forms,
  headers: Record<string, string>,
): (request: Request) => Response {
  const all = { ...headers, "Vary": `${headers.Vary}, Sec-Fetch-Dest` };
  const [answer, answerInFrame] = [servePage(whole, all), servePage(framed, all)];
  return (request) => isForFrame(request.headers) ? answerInFrame(request) : answer(request);
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
