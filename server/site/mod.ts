/**
 * The site: the pages of `content/` and the overlay. The code in this folder renders the pages at the start, in HTML
 * and in Markdown, and answers each request with a rendered page. The code in other folders, such as `letters/`, gets
 * the texts, the files and the brand from `Site`. @module
 */
import type { Hono } from "@hono/hono";
import {
  type Brand,
  type Content,
  type ContentFile,
  type Language,
  type LaunchWarning,
  type ListedPage,
  PLACEHOLDER_NAME,
  readContent,
  type SourcePage,
  toConfigError,
} from "../content/mod.ts";
import type { ShowError } from "../http/mod.ts";
import type { Lang } from "../waitlist/mod.ts";
import { type Assets, ASSETS_PATH, createAssets } from "./assets.ts";
import {
  type BrandAssets,
  createBrandAssets,
  isOverlayAsset,
  PAGE_STYLES,
  SOCIAL_IMAGE,
  withBrandAssets,
} from "./brand_assets.ts";
import { createCarryParameters } from "./carry_parameters.ts";
import { contentWarnings } from "./content_warnings.ts";
import { fixedPages, fixedStyles } from "./fixed_mode.ts";
import type { RenderFramedPages } from "./framed_pages.ts";
import { PACKAGES } from "./packages.ts";
import { createRefusedForms } from "./refused_form.ts";
import { createRenderer, type RendererOptions, type RenderPage } from "./render.ts";
import { createSiteRoutes, siteHeaders } from "./routes.ts";
import { type ScriptWarning, scriptWarnings } from "./script_warnings.ts";
import { allScripts, createBuiltInFolder, type Scripts } from "./scripts.ts";
import { createSelfServicePages, type SelfServicePages } from "./self_service_pages.ts";
import { securityHeaders, SELF_SERVICE_HEADERS } from "./security_headers.ts";
import { type AnswerPage, servePage } from "./serve.ts";
import { createWaitingCount } from "./waiting_count.ts";
export { createSelfServiceRoutes } from "./self_service.ts";
export { preloadFonts } from "./page.ts";
export { logoImage } from "./header_and_footer.ts";

/** The folder with the built-in content. */
export const CONTENT_FOLDER = new URL("../../content/", import.meta.url);

/**
 * Matches the paths that are not pages but to which pages may link: the paths of the APIs, of the console, of documents
 * and of downloads.
 */
const NO_PAGE = /^\/(?:api|sandbox|operator|\.well-known)\/|\.(?:json|txt|xml|tgz)(?:\.md)?$/;

/** The settings of the service on which the site depends. */
export interface SiteOptions {
  /** The public origin, without a trailing slash. */
  baseUrl: string;
  /** The contact address, `mailto:` or `https:`. */
  contact: string;
  sandboxClient: string;
  /** Whether the service sends letters. */
  sendsLetters: boolean;
  /** How long the service keeps an unconfirmed person, in days. */
  unconfirmedDays: number;
  /** Whether confirmed people get a referral code, and with it a link to recommend. */
  givesReferralCodes: boolean;
  /** Returns the number of waiting people from memory; `undefined` if it is not known. */
  countWaiting?: (() => number | undefined) | undefined;
  /** How long the service keeps its daily backups, in days; absent if it makes no backups. */
  backupDays?: number | undefined;
  /** The company's name. By default, the name in `brand.yaml`; without a name there, {@linkcode PLACEHOLDER_NAME}. */
  siteName?: string | undefined;
  /**
   * The `Link` header by which a client finds the descriptions of the API. The pages of the self-service do not have
   * this header.
   */
  apiLinks: string;
  /** The origins of sites that may show the form in a frame. Without such origins, there are no pages for frames. */
  embedOrigins: string[];
  /** The folder `content/`, with a slash at its end; {@linkcode CONTENT_FOLDER} by default. */
  folder?: URL;
  /** The folder of the overlay; absent without an overlay. */
  contentPath?: string | undefined;
  /** Whether scripts of the overlay run; `false` by default. */
  contentScripts?: boolean;
}

/** The site, with the parts of its content that the rest of the service needs. */
export interface Site extends BrandAssets {
  siteName: string;
  brand: Brand;
  /** The lines of the postal address. */
  address: Brand["address"];
  /** The answers that people can choose on the self-service page. */
  answers: Brand["answers"];
  /**
   * Whether the home page says what the company offers. This is so if `brand.yaml` has a promise, or if the overlay has
   * a home page in every language.
   */
  hasPromise: boolean;
  /** Whether the company has its own picture for link previews. */
  hasOwnPicture: boolean;
  languages: Language[];
  /** The parts of each page that the site map and other lists of pages show. */
  pages: ListedPage[];
  /** The pages, their Markdown, the redirects from paths without the last slash, the assets and the npm packages. */
  routes: Hono;
  /** Returns the URL of an asset, with the digest of its content. */
  assetUrl: (name: string) => string;
  /** The security headers of pages. */
  security: Record<string, string>;
  /**
   * The script URLs and the security headers of the console. The headers allow only the built-in scripts, even if
   * scripts of the overlay run on the pages.
   */
  console: { scriptUrl: (name: string) => string; security: Record<string, string> };
  /** Answers 404, in HTML or Markdown and in the language of the path. */
  notFound: AnswerPage;
  selfService: Record<Lang, SelfServicePages>;
  /** Whether a page shows the number of waiting people. */
  showsWaitingCount: boolean;
  /** Returns the function that shows a refused sign-up form again. @param action the path to which the form is sent */
  showRefusedForm: (action: string) => ShowError;
  /** Faults of the content that do not stop the start. */
  warnings: (LaunchWarning | ScriptWarning)[];
}

/** Reads the content and renders all pages. @throws a `ConfigError` that says what is wrong in the content */
export async function createSite(options: SiteOptions): Promise<Site> {
  try {
    return await renderSite(options);
  } catch (error) {
    throw toConfigError(error);
  }
}

/** Does the work of {@linkcode createSite}. A fault of the content is a plain `Error`. */
async function renderSite(options: SiteOptions): Promise<Site> {
  const { folder = CONTENT_FOLDER, contentPath, contentScripts = false } = options;
  const { baseUrl, embedOrigins } = options;
  const content = await readContent(folder, contentPath);
  const { languages, brand } = content;
  const siteName = options.siteName ?? brand.name ?? PLACEHOLDER_NAME;
  const allowsFrames = embedOrigins.length > 0;
  const { files, assets, builtInScripts } = prepareAssets(content, {
    baseUrl,
    siteName,
    allowsFrames,
  });
  const scripts = contentScripts ? allScripts(assets) : builtInScripts;
  const brandAssets = createBrandAssets(brand, assets);
  const rendererOptions = rendererOptionsOf(options, {
    content,
    siteName,
    assets,
    scripts,
    brandAssets,
    allowsFrames,
  });
  const renderers = createRenderers(rendererOptions);
  const { render, renderFramedPages } = renderers;
  const waitingCount = createWaitingCount(options.countWaiting ?? (() => undefined));
  const carryParameters = createCarryParameters(languages);

  const headers = siteHeaders({ baseUrl, scripts, embedOrigins });
  const { routes, pages, notFound } = createSiteRoutes({
    baseUrl,
    apiLinks: options.apiLinks,
    allowsFrames,
    languages,
    headers,
    assets,
    brandAssets,
    scripts,
    render,
    renderFramedPages,
    waitingCount,
    carryParameters,
  });

  const selfServiceHeaders = { ...headers.page, ...SELF_SERVICE_HEADERS };
  const selfService = createSelfServicePages(rendererOptions, {
    render,
    fillCount: waitingCount.fillHtml,
    serve: (page, status = 200) =>
      servePage(page, { headers: selfServiceHeaders, status, waitingCount }),
  });
  const showRefusedForm = createRefusedForms(rendererOptions, {
    render,
    renderFramedPages,
    headers: headers.frame,
    carryParameters,
    waitingCount,
  });

  return {
    ...brandAssets,
    siteName,
    brand,
    address: brand.address,
    answers: brand.answers,
    hasPromise: brand.promise !== undefined || languages.every(hasOwnHomePage),
    hasOwnPicture: brand.socialImage !== undefined || isOverlayAsset(content.assets, SOCIAL_IMAGE),
    languages,
    pages,
    routes,
    assetUrl: assets.url,
    security: headers.security,
    console: {
      scriptUrl: builtInScripts.url,
      security: securityHeaders({ baseUrl, scriptSource: builtInScripts.cspSource }),
    },
    notFound,
    selfService,
    showsWaitingCount: renderers.renderedPages.some(waitingCount.isOnPage),
    showRefusedForm,
    // The warnings are made last, because they need all rendered pages.
    warnings: [
      ...contentWarnings(renderers.renderedPages, {
        baseUrl,
        languages,
        hasPath: createPathCheck(pages, assets),
        socialImage: brandAssets.socialImage,
      }),
      ...scriptWarnings({
        baseUrl,
        languages,
        pages: renderers.renderedPages,
        files,
        builtInScripts: content.scripts,
        hasOverlay: contentPath !== undefined,
        contentScripts,
        mayRun: (path) => `${baseUrl}${path}`.startsWith(builtInScripts.cspSource),
      }),
    ],
  };
}

/** The functions that render pages, and all pages that they have rendered so far. */
interface Renderers {
  render: RenderPage;
  renderFramedPages: RenderFramedPages;
  /** The rendered pages, for the warnings. */
  renderedPages: { page: SourcePage; html: string }[];
}

function createRenderers(options: RendererOptions): Renderers {
  const renderPage = createRenderer(options);
  const renderedPages: Renderers["renderedPages"] = [];
  const render: RenderPage = (page, language, states) => {
    const renderedPage = renderPage(page, language, states);
    renderedPages.push({ page, html: renderedPage.rendered.html });
    return renderedPage;
  };
  return {
    render,
    renderFramedPages(page, language) {
      const auto = render({ ...page, layout: "embed" }, language).rendered;
      // Without origins that may show the form in a frame, nobody asks for a fixed mode.
      const fixedModes = options.allowsFrames
        ? fixedPages(auto, options.assets)
        : { light: auto, dark: auto };
      return { auto, ...fixedModes };
    },
    renderedPages,
  };
}

/** Puts together what the renderer needs: settings, and the parts of the site that are ready. */
function rendererOptionsOf(
  options: SiteOptions,
  { content, siteName, assets, scripts, brandAssets, allowsFrames }: {
    content: Content;
    siteName: string;
    assets: Assets;
    scripts: Scripts;
    brandAssets: BrandAssets;
    allowsFrames: boolean;
  },
): RendererOptions {
  const { brand, languages } = content;
  return {
    baseUrl: options.baseUrl,
    contact: options.contact,
    sandboxClient: options.sandboxClient,
    clientSha256: PACKAGES.client.sha256,
    cliSha256: PACKAGES.cli.sha256,
    sendsLetters: options.sendsLetters,
    unconfirmedDays: options.unconfirmedDays,
    backupDays: options.backupDays,
    siteName,
    languages,
    assets,
    scriptUrl: scripts.url,
    brandAssets,
    allowsFrames,
    hasDeveloperPages: brand.developers !== false,
    brand,
    givesReferralCodes: options.givesReferralCodes,
    hasDawnPicture: !brand.picture &&
      (!brandAssets.hasOwnLook || isOverlayAsset(content.assets, "dawn.svg")),
  };
}

/** Whether the home page of a language is a file of the overlay. */
const hasOwnHomePage = ({ home }: Language): boolean =>
  home.label !== `content/${home.lang}/${home.name}.md`;

/** Prepares the files of `assets/` and of the brand, and the built-in scripts. */
function prepareAssets(
  content: Content,
  { baseUrl, siteName, allowsFrames }: { baseUrl: string; siteName: string; allowsFrames: boolean },
): { files: ContentFile[]; assets: Assets; builtInScripts: Scripts } {
  const files = withBrandAssets(content.assets, content.brand, siteName);
  const scriptFolder = createBuiltInFolder(content.scripts);
  const assets = createAssets(
    [...files, ...scriptFolder.files, ...allowsFrames ? fixedStyles(files, PAGE_STYLES) : []],
    { forFrames: allowsFrames },
  );
  return { files, assets, builtInScripts: scriptFolder.scriptsIn(assets, baseUrl) };
}

/** Makes the function that tells whether a link to a path works. */
function createPathCheck(pages: ListedPage[], assets: Assets): (path: string) => boolean {
  const paths = new Set(
    pages.flatMap(({ path, markdownPath }) => [path, path.slice(0, -1), markdownPath]),
  );
  return (path) =>
    path.startsWith(ASSETS_PATH)
      ? assets.has(path.slice(ASSETS_PATH.length))
      : paths.has(path) || NO_PAGE.test(path);
}
