/**
 * Answers requests for pages, as HTML or as Markdown. `framed_pages.ts` answers requests for pages that other sites
 * show in a frame. @module
 */
import { chooseLanguage, prefersMarkdown, prepareAnswer, representText } from "../http/mod.ts";
import { type Lang, LANGS } from "../waitlist/mod.ts";
import type { CarryParameters } from "./carry_parameters.ts";
import type { RenderedPage } from "./page.ts";
import type { WaitingCount } from "./waiting_count.ts";

/** Answers GET and HEAD of a page. */
export type AnswerPage = (request: Request) => Response;

/** Returns the language that the browser prefers among the languages of the pages. */
export function languageOf({ headers }: { headers: Headers }): Lang {
  return chooseLanguage(headers.get("accept-language"), LANGS);
}

/** The options for answering requests for one page. */
export interface ServePageOptions {
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
export function servePage(page: RenderedPage, options: ServePageOptions): AnswerPage {
  const { waitingCount } = options;
  if (!waitingCount.isOnPage(page)) return serveFixed(page, options);
  let filledCount = waitingCount.roundedCount();
  let answer = serveFixed(waitingCount.fillPage(page), options);
  return (request) => {
    const count = waitingCount.roundedCount();
    if (count !== filledCount) {
      filledCount = count;
      answer = serveFixed(waitingCount.fillPage(page), options);
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
  { headers, status = 200, carryParameters }: ServePageOptions,
): AnswerPage {
  const options = { status, headers };
  const answerHtml = prepareAnswer(representText(page.html, "text/html"), options);
  const answerMarkdown = prepareAnswer(representText(page.markdown, "text/markdown"), options);
  return (request) => {
    if (prefersMarkdown(request.headers.get("accept"))) return answerMarkdown(request);
    const htmlWithParameters = carryParameters?.(page.html, request.url);
    if (htmlWithParameters === undefined) return answerHtml(request);
    return prepareAnswer(representText(htmlWithParameters, "text/html"), options)(request);
  };
}
