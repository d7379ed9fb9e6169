/**
 * Answers requests for pages, as HTML or Markdown, also in frames of other sites. Makes the security headers. @module
 */
import { type Mode, MODES } from "../content/mod.ts";
import {
  chooseLanguage,
  FOR_OTHER_SITES,
  isForFrame,
  isForWindow,
  prefersMarkdown,
  prepareAnswer,
  rawQuery,
  representText,
} from "../http/mod.ts";
import { type Lang, LANGS, SOURCES } from "../waitlist/mod.ts";
import type { CarryParameters } from "./carry_parameters.ts";
import { MODE_PARAMETER } from "./fixed_mode.ts";
import type { RenderedPage } from "./page.ts";
import type { WaitingCount } from "./waiting_count.ts";

/** Answers GET and HEAD of a page. */
export type AnswerPage = (request: Request) => Response;

/**
 * A Content-Security-Policy that allows only this origin, and nothing inline.
 *
 * @param scripts the value of `script-src`
 */
const contentSecurityPolicy = (scripts: string): string =>
  `default-src 'none'; script-src ${scripts}; style-src 'self'; img-src 'self'; font-src 'self'; ` +
  "connect-src 'self'; form-action 'self'; base-uri 'none'";

interface SecurityOptions {
  baseUrl: string;
  /** The value of `script-src`. */
  scripts: string;
  /** The origins of pages that may show the page in a frame. */
  frameOrigins?: string[];
}

/** Returns the security headers of a page. */
export function securityHeaders(
  { baseUrl, scripts, frameOrigins = [] }: SecurityOptions,
): Record<string, string> {
  const ancestors = frameOrigins.join(" ") || "'none'";
  return {
    "Content-Security-Policy": `${contentSecurityPolicy(scripts)}; frame-ancestors ${ancestors}`,
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    // A site with `Cross-Origin-Embedder-Policy: require-corp` can show the page in a frame only with these headers.
    ...(frameOrigins.length > 0 && {
      "Cross-Origin-Embedder-Policy": "require-corp",
      ...FOR_OTHER_SITES,
    }),
    // Two years, in seconds. Browsers ignore the header on a page that came by plain http (RFC 6797 §8.1).
    ...(baseUrl.startsWith("https:") && { "Strict-Transport-Security": "max-age=63072000" }),
  };
}

/**
 * Headers of every answer about a person: no cache and no search engine keeps the answer, and no other site gets the
 * URL of the page.
 */
export const SELF_SERVICE_HEADERS = {
  "Cache-Control": "no-store",
  "Referrer-Policy": "no-referrer",
  "X-Robots-Tag": "noindex",
};

/** Returns the language that the browser prefers among the languages of the pages. */
export function languageOf({ headers }: { headers: Headers }): Lang {
  return chooseLanguage(headers.get("accept-language"), LANGS);
}

interface ServeOptions {
  headers: Record<string, string>;
  /** The status, 200 by default. */
  status?: number;
  waitingCount: WaitingCount;
  /**
   * Copies the referral code and the campaign from the URL of the request into the page. Absent for a page without a
   * sign-up form.
   */
  carryParameters?: CarryParameters | undefined;
}

/** Makes the function that answers with a page, in HTML or in Markdown as the request prefers. */
export function servePage(page: RenderedPage, options: ServeOptions): AnswerPage {
  const { waitingCount } = options;
  if (!waitingCount.isIn(page)) return serveFixed(page, options);
  let count = waitingCount.shown();
  let answer = serveFixed(waitingCount.fill(page), options);
  return (request) => {
    const shown = waitingCount.shown();
    if (shown !== count) {
      count = shown;
      answer = serveFixed(waitingCount.fill(page), options);
    }
    return answer(request);
  };
}

/**
 * Makes the function that answers with a page whose number of waiting people does not change. The page is the same for
 * every request, except for the referral code and the campaign in the URL of the request.
 */
function serveFixed(
  page: RenderedPage,
  { headers, status = 200, carryParameters }: ServeOptions,
): AnswerPage {
  const options = { status, headers };
  const html = prepareAnswer(representText(page.html, "text/html"), options);
  const markdown = prepareAnswer(representText(page.markdown, "text/markdown"), options);
  return (request) => {
    if (prefersMarkdown(request.headers.get("accept"))) return markdown(request);
    const carrying = carryParameters?.(page.html, request.url);
    if (carrying === undefined) return html(request);
    return prepareAnswer(representText(carrying, "text/html"), options)(request);
  };
}

/** A page for frames in three colour modes: the mode that the visitor's system asks for (`auto`), light and dark. */
export type FramedPage<Page> = Record<"auto" | Mode, Page>;

/** Returns a query parameter of a page in a frame, or of the page that was in the frame before. */
function parameterOf(
  { url, headers }: Pick<Request, "url" | "headers">,
  name: string,
): string | null {
  const valueIn = (pageUrl: string) => new URLSearchParams(rawQuery(pageUrl)).get(name);
  return valueIn(url) ?? valueIn(headers.get("referer") ?? "");
}

/** Returns the mode that a site has chosen for its frame; `auto` if the site has chosen none. */
export function modeOf(request: Pick<Request, "url" | "headers">): "auto" | Mode {
  const value = parameterOf(request, MODE_PARAMETER);
  return MODES.find((mode) => mode === value) ?? "auto";
}

/** Returns the contract's `source` that a site has chosen for the form in its frame. */
export function sourceOf(
  request: Pick<Request, "url" | "headers">,
): typeof SOURCES[number] | undefined {
  const value = parameterOf(request, "source");
  return SOURCES.find((source) => source === value);
}

/**
 * Gives a background to a page for frames that is shown outside a frame, because no other page is around it there.
 */
const withBackground = ({ html, markdown }: RenderedPage): RenderedPage => {
  return { html: html.replace('<body class="embed', "$& alone"), markdown };
};

/**
 * Makes the function that answers with a page that other sites may show in a frame.
 *
 * @param whole the page outside a frame, with its navigation; absent for a page that has no navigation anywhere
 * @param framed the page in a frame
 */
export function serveForFrames(
  whole: RenderedPage | undefined,
  framed: FramedPage<RenderedPage>,
  { headers, waitingCount, carryParameters }: Omit<ServeOptions, "status">,
): AnswerPage {
  const allHeaders = { ...headers, "Vary": `${headers.Vary}, Sec-Fetch-Dest, Referer` };
  const answerWhole = whole &&
    servePage(whole, { headers: allHeaders, waitingCount, carryParameters });
  // Without `whole`, the form gets a hidden field with the `source` that the other site has chosen.
  const serveBySource = ({ html, markdown }: RenderedPage) =>
    Object.fromEntries(["", ...whole ? [] : SOURCES].map((source) => {
      const field = source && `<input type="hidden" name="source" value="${source}">\n`;
      const filled = html.replace('<input type="hidden" name="lang"', `${field}$&`);
      return [
        source,
        servePage({ html: filled, markdown }, {
          headers: allHeaders,
          waitingCount,
          carryParameters,
        }),
      ];
    }));
  const serveByMode = ({ auto, light, dark }: FramedPage<RenderedPage>) => {
    return { auto: serveBySource(auto), light: serveBySource(light), dark: serveBySource(dark) };
  };
  const inFrame = serveByMode(framed);
  const inWindow = serveByMode({
    auto: withBackground(framed.auto),
    light: withBackground(framed.light),
    dark: withBackground(framed.dark),
  });
  return (request) => {
    if (answerWhole && !isForFrame(request.headers)) return answerWhole(request);
    const answers = (isForWindow(request.headers) ? inWindow : inFrame)[modeOf(request)];
    // `serveBySource` always has an answer for "", which stands for an absent `source`.
    return (answers[sourceOf(request) ?? ""] ?? answers[""]!)(request);
  };
}
