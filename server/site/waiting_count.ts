/**
 * The number of waiting people in the text of a page (decisions, "Place in line"). It takes three steps, because a page
 * is rendered once, but the number changes: a slot replaces the placeholder `{{waiting_count}}` in the Markdown, the
 * page is rendered with its slots, and `serve.ts` fills the slots again when the rounded number changes. @module
 */
import { roundPeople } from "../waitlist/mod.ts";
import type { RenderedPage } from "./page.ts";

/** The placeholder that an author writes in the Markdown of a page. */
const PLACEHOLDER = "{{waiting_count}}";

/** The smallest number that pages show. If the number is smaller, pages leave out the paragraph with the number. */
const MIN_SHOWN_COUNT = 100;

/** Matches a slot for the number in Markdown or HTML. The slot names the language in which the number is written. */
const SLOT = /\{waiting-count:(\w+)\}/g;

/**
 * How a slot in the URL of a link begins after rendering, which percent-encodes the braces of a URL. Such a slot would
 * not be filled, so the start refuses it.
 */
const SLOT_IN_URL = "%7Bwaiting-count:";

/** Matches a paragraph of HTML, and the line break after it. */
const PARAGRAPH = /<p>(?:(?!<\/p>)[^])*<\/p>\n?/g;

const hasSlot = (text: string): boolean => text.search(SLOT) >= 0;

/** Returns HTML without the paragraphs that have a slot. */
const withoutSlotParagraphs = (html: string): string =>
  html.replace(PARAGRAPH, (paragraph) => hasSlot(paragraph) ? "" : paragraph);

/** Replaces the placeholder in the Markdown of a page by a slot for the number. */
export const withWaitingSlots = (body: string, lang: string): string =>
  body.replaceAll(PLACEHOLDER, `{waiting-count:${lang}}`);

/**
 * Checks the slots for the number in the HTML of a page's text.
 * @param options.sendsLetters whether the service sends letters
 * @throws an Error if there is a slot although the service sends no letters, or if a slot is in a URL or outside of a
 * paragraph
 */
export function checkWaitingSlots(html: string, { sendsLetters }: { sendsLetters: boolean }): void {
  const hasSlotAnywhere = (text: string) => hasSlot(text) || text.includes(SLOT_IN_URL);
  if (!hasSlotAnywhere(html)) return;
  if (!sendsLetters) {
    throw new Error(
      `${PLACEHOLDER} needs MAIL_URL, because anybody could raise it without letters`,
    );
  }
  if (hasSlotAnywhere(withoutSlotParagraphs(html))) {
    throw new Error(
      `${PLACEHOLDER} must be in a paragraph, which is left out below ${MIN_SHOWN_COUNT}`,
    );
  }
}

/** Fills the number of waiting people into pages. */
export interface WaitingCount {
  /** Whether a page shows the number, as soon as the number is large enough. */
  isOnPage: (page: Pick<RenderedPage, "html">) => boolean;
  /** Returns the rounded number of waiting people; `undefined` if pages do not show the number. */
  roundedCount: () => number | undefined;
  /** Returns a page with the present number, or without the paragraphs that have a slot for the number. */
  fillPage: (page: RenderedPage) => RenderedPage;
  /** Does the same as `fillPage()` for HTML alone. */
  fillHtml: (html: string) => string;
}

/**
 * Makes the functions that fill in the number of waiting people.
 * @param countWaiting returns the number of waiting people from memory; `undefined` if the number is not known
 */
export function createWaitingCount(countWaiting: () => number | undefined): WaitingCount {
  function roundedCount(): number | undefined {
    const count = countWaiting();
    return count === undefined || count < MIN_SHOWN_COUNT ? undefined : roundPeople(count).count;
  }
  const fillSlots = (text: string, count: number) =>
    text.replace(SLOT, (_, lang: string) => new Intl.NumberFormat(lang).format(count));
  function fillHtml(html: string): string {
    if (!hasSlot(html)) return html;
    const count = roundedCount();
    return count === undefined ? withoutSlotParagraphs(html) : fillSlots(html, count);
  }
  function fillMarkdown(markdown: string): string {
    const count = roundedCount();
    if (count !== undefined) return fillSlots(markdown, count);
    return markdown.split("\n\n").filter((paragraph) => !hasSlot(paragraph)).join("\n\n");
  }
  return {
    isOnPage: ({ html }) => hasSlot(html),
    roundedCount,
    fillPage: ({ html, markdown }) => ({ html: fillHtml(html), markdown: fillMarkdown(markdown) }),
    fillHtml,
  };
}
