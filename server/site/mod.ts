/** The pages: `content/` in HTML and Markdown, rendered once, so that a request costs only a look-up. @module */
import { Buffer } from "node:buffer";
import { Hono } from "@hono/hono";
import client from "../../shared/generated/client_package.json" with { type: "json" };
import { type ListedPage, PLACEHOLDER_NAME, readContent, THANKS } from "../content/mod.ts";
import {
  isRead,
  methodNotAllowed,
  prepareAnswer,
  rawPath,
  rawQuery,
  representText,
} from "../http/mod.ts";
import { ASSETS_PATH, createAssets } from "./assets.ts";
import {
  createBrandAssets,
  hasOwn,
  PAGE_STYLES,
  SOCIAL_IMAGE,
  withBrandAssets,
} from "./brand_assets.ts";
import { contentWarnings } from "./content_warnings.ts";
import { fixedPages, fixedStyles } from "./fixed_mode.ts";
import type { PageParts } from "./page.ts";
import { createRefusedForms, type RenderFramed } from "./refused_form.ts";
import { createRenderer, type RendererOptions, type RenderPage } from "./render.ts";
import { scriptWarnings } from "./script_warnings.ts";
import { allScripts, builtInFolder } from "./scripts.ts";
import { createSelfServicePages } from "./self_service_pages.ts";
import {
  type AnswerPage,
  securityHeaders,
  SELF_SERVICE_HEADERS,
  serveForFrames,
  servePage,
} from "./serve.ts";
export { createSelfServiceRoutes } from "./self_service.ts";
export { markOf, preloadFonts } from "./page.ts";

export const CONTENT_FOLDER = new URL("../../content/", import.meta.url);

/** The script for pages that show the form in a frame. */
const EMBED_SCRIPT = "/embed.js";

/** The typed client as an npm package. */
const CLIENT_PACKAGE = "/developers/waitlist-client.tgz";

/** The paths of APIs and documents, which other rooms answer, and of files that are no page. */
const NO_PAGE = /^\/(?:api|sandbox|operator|\.well-known)\/|\.(?:json|txt|xml|tgz)(?:\.md)?$/;

/** What the brand says of pages. */
type BrandParts = Pick<RendererOptions, "developers" | "sun" | "answers">;

export interface SiteOptions
  extends Omit<RendererOptions, keyof PageParts | "siteName" | "embed" | keyof BrandParts> {
  /** The brand's name, or a placeholder, by default. */
  siteName?: string | undefined;
  /** The `Link` value of all pages but those of a person, by which a client finds the descriptions of the API. */
  apiLinks: string;
  /** The origins of pages that may show the form in a frame; without one there are no pages for frames. */
  embedOrigins: string[];
  /** A URL that ends with a slash; {@linkcode CONTENT_FOLDER} by default. */
  folder?: URL;
  contentPath?: string | undefined;
  /** Whether scripts of `contentPath` run; they do not by default. */
  contentScripts?: boolean;
}

/** The pages, and what other rooms need of the same content. */
export type Site = Awaited<ReturnType<typeof createSite>>;

/** Makes the site. @throws an Error that names a file of `content/` and what is wrong with it */
export async function createSite(options: SiteOptions) {
  const { folder = CONTENT_FOLDER, contentPath, contentScripts = false } = options;
  const { baseUrl, embedOrigins } = options;
  const content = await readContent(folder, contentPath);
  const { languages, brand } = content;
  const siteName = options.siteName ?? brand.name ?? PLACEHOLDER_NAME;
  const embed = embedOrigins.length > 0;
  const files = withBrandAssets(content.assets, brand, siteName);
  const { files: scriptFiles, scriptsIn } = builtInFolder(content.scripts);
  const assets = createAssets(
    [...files, ...scriptFiles, ...embed ? fixedStyles(files, PAGE_STYLES) : []],
    { forFrames: embed },
  );
  const builtIn = scriptsIn(assets, baseUrl);
  const scripts = contentScripts ? allScripts(assets) : builtIn;
  const brandAssets = createBrandAssets(brand, assets);
  const parts = {
    ...options,
    siteName,
    languages,
    assets,
    scriptAddress: scripts.address,
    brandAssets,
    embed,
    developers: brand.developers !== false,
    answers: brand.answers,
    sun: !brandAssets.hasLook || hasOwn(content.assets, "dawn.svg"),
  };
  const renderPage = createRenderer(parts);
  const written: Parameters<typeof contentWarnings>[0] = [];
  const render: RenderPage = (page, ...others) => {
    const rendered = renderPage(page, ...others);
    written.push({ page, html: rendered.forms.html });
    return rendered;
  };
  const renderFramed: RenderFramed = (page, language) => {
    const auto = render({ ...page, layout: "embed" }, language).forms;
    return { auto, ...embed ? fixedPages(auto, assets) : { light: auto, dark: auto } };
  };
  const security = securityHeaders({ baseUrl, scripts: scripts.source });
  const framing = securityHeaders({
    baseUrl,
    scripts: scripts.source,
    frameOrigins: embedOrigins,
  });
  // Caches may store a page and revalidate it for each request. `no-transform`: see prepareAnswer().
  const cached = "public, no-cache, no-transform";
  const headers = { ...security, "Vary": "Accept, Accept-Encoding", "Cache-Control": cached };

  const linkTo = (path: string, parameters: string) => ({
    Link: `${options.apiLinks}, <${baseUrl}${path}>; ${parameters}`,
  });

  const routes = new Hono();
  const route = (path: string, answer: AnswerPage) =>
    routes.all(path, ({ req: { raw } }) => isRead(raw) ? answer(raw) : methodNotAllowed());

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
      if (embed && (page.layout === "embed" || page.name === THANKS)) {
        const whole = page.layout === "embed" ? undefined : forms;
        const framed = renderFramed(page, language);
        route(page.path, serveForFrames(whole, framed, { ...all, ...framing }));
      } else {
        route(page.path, servePage(forms, all));
      }
      if (!isOfPerson) {
        // With `canonical`, search engines list the page and not its Markdown.
        const own = { "Vary": "Accept-Encoding", ...linkTo(page.path, 'rel="canonical"') };
        const twin = representText(forms.markdown, "text/markdown");
        route(entry.twin, prepareAnswer(twin, { headers: { ...headers, ...own } }));
      }
      if (page.path !== "/") {
        route(page.path.slice(0, -1), ({ url }) => {
          const location = { "Location": page.path + rawQuery(url) };
          return new Response(null, { status: 308, headers: { ...security, ...own, ...location } });
        });
      }
    }
  }

  // Browsers and phones ask for them, whatever a page says.
  for (const path of ["/favicon.ico", "/apple-touch-icon.png"]) {
    route(path, (request) => assets.answer(brandAssets.iconFile, request) ?? notFound(request));
  }

  const tarball = new Uint8Array(Buffer.from(client.tarball, "base64"));
  const packed = { bytes: tarball, contentType: "application/gzip", compress: false };
  const revalidated = { ...security, "Cache-Control": cached };
  route(CLIENT_PACKAGE, prepareAnswer(packed, { headers: revalidated }));

  if (embed) {
    route(EMBED_SCRIPT, (request) => {
      const [path = ""] = scripts.address("embed.js").split("?");
      return assets.answer(path, request) ?? notFound(request);
    });
  }

  const missing = languages.map((language) => ({
    below: language.home.path,
    answer: servePage(render(language.notFound, language).forms, headers, 404),
  })).reverse();

  /** Answers 404 in HTML or Markdown, in the language whose home page the path is below. */
  function notFound(request: Request): Response {
    const path = rawPath(request);
    // The home page of the first language is `/`; every path but that of `OPTIONS *` begins with it.
    const { answer } = missing.find(({ below }) => path.startsWith(below)) ?? missing.at(-1)!;
    return answer(request);
  }

  routes.all(`${ASSETS_PATH}*`, ({ req: { raw } }) => {
    const response = assets.answer(rawPath(raw), raw);
    if (!response) return notFound(raw);
    return isRead(raw) ? response : methodNotAllowed();
  });
  const paths = new Set(pages.flatMap(({ path, twin }) => [path, path.slice(0, -1), twin]));
  const isThere = (path: string) =>
    path.startsWith(ASSETS_PATH)
      ? assets.has(path.slice(ASSETS_PATH.length))
      : paths.has(path) || NO_PAGE.test(path);
  return {
    siteName,
    ...brandAssets,
    address: brand.address,
    answers: brand.answers,
    hasOwnPicture: brand.socialImage !== undefined || hasOwn(content.assets, SOCIAL_IMAGE),
    languages,
    pages,
    /** The pages, their Markdown twins, the redirects from paths without the last slash, and the assets. */
    routes,
    assetAddress: assets.address,
    /** The headers of every page. */
    security,
    /** The console runs the built-in scripts alone, also where those of the overlay run on the pages. */
    console: {
      scriptAddress: builtIn.address,
      security: securityHeaders({ baseUrl, scripts: builtIn.source }),
    },
    notFound,
    selfService: createSelfServicePages({
      ...parts,
      render,
      serve: (forms, status) => servePage(forms, { ...headers, ...SELF_SERVICE_HEADERS }, status),
    }),
    showRefusedForm: createRefusedForms({ ...parts, render, renderFramed, headers: framing }),
    // The last one, as all pages are rendered by now. The faults stop no start.
    warnings: [
      ...contentWarnings(written, { baseUrl, languages, isThere, ...brandAssets }),
      ...scriptWarnings({
        baseUrl,
        languages,
        pages: written,
        files,
        builtIn: content.scripts,
        hasOverlay: contentPath !== undefined,
        contentScripts,
        mayRun: (path) => `${baseUrl}${path}`.startsWith(builtIn.source),
      }),
    ],
  };
}
