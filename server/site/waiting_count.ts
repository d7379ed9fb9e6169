/**
 * The number of waiting people in the text of a page, `{{waiting_count}}` (decisions, "Place in line"). A page is
 * rendered once with a slot for the number. The slot is filled when the rounded number changes. @module
 */
import { roundPeople } from "../waitlist/mod.ts";
import type { RenderedPage } from "./page.ts";

const PLACEHOLDER = "{{waiting_count}}";

/** Below this number, the paragraph is left out. */
const LEAST_SHOWN = 100;

/** The slot of the number in a language. It has no characters that HTML or Markdown would escape. */
const SLOT = /\{waiting-count:(\w+)\}/g;

/** A paragraph of HTML, with the line end behind it. */
const PARAGRAPH = /<p>(?:(?!<\/p>)[^])*<\/p>\n?/g;

const hasSlot = (text: string): boolean => text.search(SLOT) >= 0;

/** Puts slots into the Markdown of a page, in place of the placeholder. */
export const withWaitingSlots = (body: string, lang: string): string =>
  body.replaceAll(PLACEHOLDER, `{waiting-count:${lang}}`);

/**
 * Checks where the slots are in the HTML of a page's text.
 * @param options.mail whether the service sends letters
 * @throws an Error where the number may not stand
 */
export function checkWaitingCount(html: string, { mail }: { mail: boolean }): void {
  // Markdown percent-encodes the braces of a slot in a URL.
  const has = (text: string) => hasSlot(text) || text.includes("%7Bwaiting-count:");
  if (!has(html)) return;
  if (!mail) {
    throw new Error(
      `${PLACEHOLDER} needs MAIL_URL, because anybody could raise it without letters`,
    );
  }
  const rest = html.replace(PARAGRAPH, (paragraph) => hasSlot(paragraph) ? "" : paragraph);
  if (has(rest)) {
    throw new Error(
      `${PLACEHOLDER} must be in a paragraph, which is left out below ${LEAST_SHOWN}`,
    );
  }
}

/** Fills the number into pages. */
export interface WaitingCount {
  /** Whether a page has the number. */
  isIn: (page: Pick<RenderedPage, "html">) => boolean;
  /** Returns the rounded number; `undefined` where it is not shown. */
  shown: () => number | undefined;
  /** Returns a page with the present number, or without the paragraphs that have it. */
  fill: (page: RenderedPage) => RenderedPage;
  fillHtml: (html: string) => string;
}

/** @param read returns the number of waiting people from memory; `undefined` where it is not known */
export function createWaitingCount(read: () => number | undefined): WaitingCount {
  function shown(): number | undefined {
    const count = read();
    return count === undefined || count < LEAST_SHOWN ? undefined : roundPeople(count).count;
  }
  const fillText = (text: string, count: number) =>
    text.replace(SLOT, (_, lang: string) => new Intl.NumberFormat(lang).format(count));
  function fillHtml(html: string): string {
    if (!hasSlot(html)) return html;
    const count = shown();
    if (count !== undefined) return fillText(html, count);
    return html.replace(PARAGRAPH, (paragraph) => hasSlot(paragraph) ? "" : paragraph);
  }
  function fillMarkdown(markdown: string): string {
    const count = shown();
    if (count !== undefined) return fillText(markdown, count);
    return markdown.split("\n\n").filter((paragraph) => !hasSlot(paragraph)).join("\n\n");
  }
  return {
    isIn: ({ html }) => hasSlot(html),
    shown,
    fill: ({ html, markdown }) => ({ html: fillHtml(html), markdown: fillMarkdown(markdown) }),
    fillHtml,
  };
}
