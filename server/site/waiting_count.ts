/**
 * The number of waiting people, which replaces `{{waiting_count}}` in the text of a page (decisions, "Place in line").
 * A page is rendered once, with a slot for the number. `serve.ts` fills the slot again when the rounded number changes.
 * @module
 */
import { roundPeople } from "../waitlist/mod.ts";
import type { RenderedPage } from "./page.ts";

/** The placeholder in the Markdown of a page. A slot replaces the placeholder before the page is rendered. */
const PLACEHOLDER = "{{waiting_count}}";

/** The smallest number that pages show. If the number is smaller, pages leave out the paragraph with the number. */
const MIN_SHOWN_COUNT = 100;

/**
 * Matches a slot for the number, which names the language. HTML and the text of Markdown keep all characters of a slot;
 * only in a URL, Markdown percent-encodes the braces.
 */
const SLOT = /\{waiting-count:(\w+)\}/g;

/** Matches a paragraph of HTML, and the line break after it. */
const PARAGRAPH = /<p>(?:(?!<\/p>)[^])*<\/p>\n?/g;

const hasSlot = (text: string): boolean => text.search(SLOT) >= 0;

/** Returns HTML without the paragraphs that have a slot. */
const withoutSlotParagraphs = (html: string): string =>
  html.replace(PARAGRAPH, (paragraph) => hasSlot(paragraph) ? "" : paragraph);

/** Replaces the placeholder `{{waiting_count}}` in the Markdown of a page by a slot for the number. */
export const withWaitingSlots = (body: string, lang: string): string =>
  body.replaceAll(PLACEHOLDER, `{waiting-count:${lang}}`);

/**
 * Checks the slots for the number in the HTML of a page's text.
 * @param options.sendsLetters whether the service sends letters
 * @throws an Error if there is a slot although the service sends no letters, or if a slot is not in a paragraph
 */
export function checkWaitingSlots(html: string, { sendsLetters }: { sendsLetters: boolean }): void {
  // A slot with percent-encoded braces is in a URL, where it would not be filled.
  const hasSlotOrEncodedSlot = (text: string) =>
    hasSlot(text) || text.includes("%7Bwaiting-count:");
  if (!hasSlotOrEncodedSlot(html)) return;
  if (!sendsLetters) {
    throw new Error(
      `${PLACEHOLDER} needs MAIL_URL, because anybody could raise it without letters`,
    );
  }
  if (hasSlotOrEncodedSlot(withoutSlotParagraphs(html))) {
    throw new Error(
      `${PLACEHOLDER} must be in a paragraph, which is left out below ${MIN_SHOWN_COUNT}`,
    );
  }
}

/** Fills the number of waiting people into pages. */
export interface WaitingCount {
  /** Whether a page has a slot for the number. */
  hasSlot: (page: Pick<RenderedPage, "html">) => boolean;
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
    hasSlot: ({ html }) => hasSlot(html),
    roundedCount,
    fillPage: ({ html, markdown }) => ({ html: fillHtml(html), markdown: fillMarkdown(markdown) }),
    fillHtml,
  };
}
