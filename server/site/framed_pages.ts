/**
 * Answers requests for pages that other sites may show in a frame. The other site chooses the colour mode and the
 * `source` of the form by the query of the frame's URL. @module
 */
import { type Language, type Mode, MODES, type SourcePage } from "../content/mod.ts";
import { isForFrame, isForWindow, rawQuery } from "../http/mod.ts";
import { SOURCES } from "../waitlist/mod.ts";
import { MODE_PARAMETER } from "./fixed_mode.ts";
import type { RenderedPage } from "./page.ts";
import { type AnswerPage, servePage, type ServePageOptions } from "./serve.ts";

/** The colour mode of a page in a frame. `auto` is the mode for which the visitor's system asks. */
export type FrameMode = "auto" | Mode;

/** The same page for each colour mode. */
export type FramedPages = Record<FrameMode, RenderedPage>;

/** Renders a page that is shown in frames, once for each colour mode. */
export type RenderFramedPages = (page: SourcePage, language: Language) => FramedPages;

/** The contract's `source` of a sign-up form. */
type Source = typeof SOURCES[number];

/** The part of a request that names the mode and the `source`. */
type FrameRequest = Pick<Request, "url" | "headers">;

/** Returns a query parameter of a page in a frame, or of the page that was in the frame before. */
function frameParameter({ url, headers }: FrameRequest, name: string): string | null {
  const valueIn = (pageUrl: string) => new URLSearchParams(rawQuery(pageUrl)).get(name);
  return valueIn(url) ?? valueIn(headers.get("referer") ?? "");
}

/** Returns the mode that a site has chosen for its frame; `auto` if the site has chosen no mode. */
export function modeOf(request: FrameRequest): FrameMode {
  const value = frameParameter(request, MODE_PARAMETER);
  return MODES.find((mode) => mode === value) ?? "auto";
}

/** Returns the contract's `source` that a site has chosen for the form in its frame. */
export function sourceOf(request: FrameRequest): Source | undefined {
  const value = frameParameter(request, "source");
  return SOURCES.find((source) => source === value);
}

/** The answers with one page in a frame, by the `source` that the other site has chosen for the form. */
interface AnswersBySource {
  withoutSource: AnswerPage;
  /** Empty for a page without a sign-up form. */
  bySource: ReadonlyMap<Source, AnswerPage>;
}

/**
 * Makes the function that answers with a page that other sites may show in a frame.
 *
 * @param wholePage the page outside a frame, with its navigation; absent for a page with only the sign-up form, which
 * has no navigation anywhere
 * @param framedPages the page in a frame
 */
export function serveForFrames(
  wholePage: RenderedPage | undefined,
  framedPages: FramedPages,
  options: Omit<ServePageOptions, "status">,
): AnswerPage {
  const vary = `${options.headers.Vary}, Sec-Fetch-Dest, Referer`;
  const serve = (page: RenderedPage) =>
    servePage(page, { ...options, headers: { ...options.headers, "Vary": vary } });
  const sources = wholePage ? [] : SOURCES;
  const serveBySource = (page: RenderedPage): AnswersBySource => ({
    withoutSource: serve(page),
    bySource: new Map(sources.map((source) => [source, serve(withSource(page, source))])),
  });

  const answerWhole = wholePage && serve(wholePage);
  const answersInFrame = mapModes(framedPages, serveBySource);
  const answersInWindow = mapModes(framedPages, (page) => serveBySource(withBackground(page)));
  return (request) => {
    if (answerWhole && !isForFrame(request.headers)) return answerWhole(request);
    const answersByMode = isForWindow(request.headers) ? answersInWindow : answersInFrame;
    const { withoutSource, bySource } = answersByMode[modeOf(request)];
    const source = sourceOf(request);
    const answer = source && bySource.get(source) || withoutSource;
    return answer(request);
  };
}

/**
 * Gives a page for frames the background that the page needs outside a frame, where no other page is around it.
 */
function withBackground({ html, markdown }: RenderedPage): RenderedPage {
  return { html: html.replace('<body class="embed', "$& alone"), markdown };
}

/** Adds a hidden field with a `source` to the sign-up form of a page. */
function withSource({ html, markdown }: RenderedPage, source: Source): RenderedPage {
  const field = `<input type="hidden" name="source" value="${source}">\n`;
  return { html: html.replace('<input type="hidden" name="lang"', `${field}$&`), markdown };
}

/** Calls a function with the page of each colour mode. */
function mapModes<Result>(
  { auto, light, dark }: FramedPages,
  convert: (page: RenderedPage) => Result,
): Record<FrameMode, Result> {
  return { auto: convert(auto), light: convert(light), dark: convert(dark) };
}
