/**
 * Answers requests for pages that other sites may show in a frame. The other site chooses the colour mode and the
 * `source` of the form by the query of the frame's URL. @module
 */
import { type Mode, MODES } from "../content/mod.ts";
import { isForFrame, isForWindow, rawQuery } from "../http/mod.ts";
import { SOURCES } from "../waitlist/mod.ts";
import { MODE_PARAMETER } from "./fixed_mode.ts";
import type { RenderedPage } from "./page.ts";
import { type AnswerPage, servePage, type ServePageOptions } from "./serve.ts";

/** Stands for the absent `source` of a form. */
const NO_SOURCE = "";

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

/** Returns the mode that a site has chosen for its frame; `auto` if the site has chosen no mode. */
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
 * Gives a page for frames the background that the page needs outside a frame, where no other page is around it.
 */
function withBackground({ html, markdown }: RenderedPage): RenderedPage {
  return { html: html.replace('<body class="embed', "$& alone"), markdown };
}

/**
 * Makes the function that answers with a page that other sites may show in a frame.
 *
 * @param whole the page outside a frame, with its navigation; absent for a page that has no navigation anywhere
 * @param framed the page in a frame
 */
export function serveForFrames(
  whole: RenderedPage | undefined,
  framed: FramedPage<RenderedPage>,
  options: Omit<ServePageOptions, "status">,
): AnswerPage {
  const vary = `${options.headers.Vary}, Sec-Fetch-Dest, Referer`;
  const serve = (page: RenderedPage) =>
    servePage(page, { ...options, headers: { ...options.headers, "Vary": vary } });
  const answerWhole = whole && serve(whole);
  // Without `whole`, the page has the sign-up form, which gets a hidden field with the `source` that the other site has
  // chosen.
  const sources = whole ? [NO_SOURCE] : [NO_SOURCE, ...SOURCES];
  const serveBySource = (page: RenderedPage) =>
    Object.fromEntries(sources.map((source) => [source, serve(withSource(page, source))]));
  const inFrame = forEachMode(framed, serveBySource);
  const inWindow = forEachMode(framed, (page) => serveBySource(withBackground(page)));
  return (request) => {
    if (answerWhole && !isForFrame(request.headers)) return answerWhole(request);
    const answers = (isForWindow(request.headers) ? inWindow : inFrame)[modeOf(request)];
    // `serveBySource` always has an answer for `NO_SOURCE`.
    return (answers[sourceOf(request) ?? NO_SOURCE] ?? answers[NO_SOURCE]!)(request);
  };
}

/** Adds a hidden field with a `source` to the sign-up form of a page. */
function withSource({ html, markdown }: RenderedPage, source: string): RenderedPage {
  if (source === NO_SOURCE) return { html, markdown };
  const field = `<input type="hidden" name="source" value="${source}">\n`;
  return { html: html.replace('<input type="hidden" name="lang"', `${field}$&`), markdown };
}

/** Calls a function with the page of each colour mode. */
function forEachMode<Page, Result>(
  { auto, light, dark }: FramedPage<Page>,
  convert: (page: Page) => Result,
): FramedPage<Result> {
  return { auto: convert(auto), light: convert(light), dark: convert(dark) };
}
