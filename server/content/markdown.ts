/** Renders Markdown as HTML, with sections (`::: hero`) and markers (`{{try-it}}`), which the site replaces. @module */
import {
  Marked,
  Renderer,
  type RendererObject,
  type TokenizerAndRendererExtension,
  type Tokens,
} from "marked";
import { escapeHtml, markup, picture } from "./html.ts";

/** The names of sections. The style sheet `site.css` has rules for each of them. */
const SECTIONS =
  "hero, about, steps, facts, quotes, logos, split, questions, call, quiet, thanks, letter, lost, kept, choices, recommend";

/** A picture of a page. */
export interface Picture {
  /** The address with a digest of the content, so that browsers can keep the picture. */
  src: string;
  /** The address of the picture for dark mode, if there is one. */
  dark?: string | undefined;
  /** The size in CSS pixels. */
  width: number;
  height: number;
}

/** What the Markdown of pages is rendered with. */
export interface MarkdownOptions {
  /** Returns the HTML that replaces a marker such as `sign-up hero`. */
  marker: (marker: string) => string;
  /** Finds a picture by the address in the Markdown, such as `/assets/dawn.svg`. */
  image: (address: string) => Picture;
  /** The accessible name of tables, which can have the focus so that the keyboard can scroll them. */
  tableLabel: string;
}

/** A heading below the first level. */
export interface Heading {
  /** The level of the heading, from 2 to 6. */
  level: number;
  id: string;
  /** The text of the heading, as HTML. */
  text: string;
}

/** Renders Markdown as HTML, and lists the headings below the first level. */
export function renderMarkdown(
  text: string,
  options: MarkdownOptions,
): { html: string; headings: Heading[] } {
  const headings: Heading[] = [];
  const marked = new Marked({
    extensions: [section, marker(options)],
    renderer: renderer(options, headings),
  });
  return { html: marked.parser(marked.lexer(withoutComments(text))), headings };
}

/** Renders one line of Markdown, such as a label with a link, without a paragraph around it. */
export const renderInline = (text: string): string =>
  new Marked().parseInline(text, { async: false });

/**
 * Returns the Markdown that the site serves to programs: without notes, sections and decorative images.
 *
 * @param marker returns the Markdown that replaces a marker
 */
export function plainMarkdown(text: string, marker: (marker: string) => string): string {
  return withoutComments(text)
    .replace(/^:::.*\n+/gm, "")
    .replace(/^!\[\]\(.*\)\n+/gm, "")
    .replace(new RegExp(`^${MARKER}$`, "gm"), (_, name: string) => `${marker(name)}\n`)
    .replace(/\n{3,}/g, "\n\n")
    .trim() + "\n";
}

/** A marker on a line of its own. Its name has a hyphen, unlike the name of a placeholder. */
const MARKER = String.raw`\{\{([a-z]+-[a-z-]+(?: [a-z]+)?)\}\} *`;

/** Removes HTML comments, which are notes for the writers of the texts. */
export const withoutComments = (text: string): string => text.replace(/<!--[\s\S]*?-->\n*/g, "");

const section: TokenizerAndRendererExtension = {
  name: "section",
  level: "block",
  start: (source) => source.match(/^:::/m)?.index,
  tokenizer(source) {
    const match = /^::: *([a-z]*) *\n([\s\S]*?)\n::: *(?:\n+|$)/.exec(source);
    if (!match) return undefined;
    const [raw, name = "", inner = ""] = match;
    if (!SECTIONS.split(", ").includes(name)) {
      throw new Error(`::: ${name} is not a section; the sections are ${SECTIONS}`);
    }
    return { type: "section", raw, name, tokens: this.lexer.blockTokens(inner) };
  },
  renderer(token) {
    const parsed = this.parser.parse(token.tokens ?? []);
    // The picture of this section is at the top of the page, so that a browser should load it first.
    const inner = token.name === "hero"
      ? parsed.replace(' loading="lazy">', ' fetchpriority="high">')
      : parsed;
    return `<section class="${token.name}">\n<div class="inside">\n${inner}</div>\n</section>\n`;
  },
};

function marker(options: MarkdownOptions): TokenizerAndRendererExtension {
  return {
    name: "marker",
    level: "block",
    start: (source) => source.match(/^\{\{/m)?.index,
    tokenizer(source) {
      const [raw, name] = new RegExp(`^${MARKER}(?:\\n+|$)`).exec(source) ?? [];
      return raw === undefined ? undefined : { type: "marker", raw, name };
    },
    renderer: ({ name }) => `${options.marker(name)}\n`,
  };
}

function renderer(options: MarkdownOptions, headings: Heading[]): RendererObject {
  return {
    heading({ tokens, depth }: Tokens.Heading) {
      const text = this.parser.parseInline(tokens);
      if (depth === 1) return `<h1>${text}</h1>\n`;
      const id = unused(slug(text), headings);
      headings.push({ level: depth, id, text });
      return `<h${depth} id="${id}">${text}</h${depth}>\n`;
    },
    code({ text, lang }: Tokens.Code) {
      const lines = escapeHtml(text).replace(
        /^( *(?:#|\/\/) .*)$/gm,
        '<span class="comment">$1</span>',
      );
      const language = lang ? ` data-language="${escapeHtml(lang)}"` : "";
      // `tabindex` lets the code have the focus, because the keyboard can scroll wide code only then.
      return `<pre tabindex="0"${language}><code>${lines}\n</code></pre>\n`;
    },
    table(token: Tokens.Table) {
      const table = Renderer.prototype.table.call(this, token).replace(/<th\b/g, '$& scope="col"');
      const label = escapeHtml(options.tableLabel);
      const names = token.header.map(({ text }) => escapeHtml(text.replaceAll("`", "")));
      let cells = 0;
      // Each cell gets the name of its column, because the style sheet shows both on one line on a phone.
      const nameOfNext = () => names[cells++ % names.length];
      const labelled = table.replace(/<td\b/g, () => `<td data-label="${nameOfNext()}"`);
      return `<div class="table" role="group" aria-label="${label}" tabindex="0">${labelled}</div>\n`;
    },
    image({ href, text }: Tokens.Image) {
      const { src, dark, width, height } = options.image(href);
      // A browser that knows the size keeps the space free, so that the text does not move when the image arrives.
      return picture(
        markup`<img src="${src}" alt="${text}" width="${width}" height="${height}" loading="lazy">`,
        dark,
      ).text;
    },
  };
}

/** Makes an `id` from the text of a heading. */
function slug(html: string): string {
  return html.replace(/<[^>]*>|&[^;]*;/g, "").toLowerCase()
    .replaceAll("ä", "ae").replaceAll("ö", "oe").replaceAll("ü", "ue").replaceAll("ß", "ss")
    .replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "") || "section";
}

/** Adds a number to an `id` that another heading has already. */
function unused(id: string, headings: Heading[]): string {
  const isUsed = (candidate: string) => headings.some((heading) => heading.id === candidate);
  let unusedId = id;
  for (let number = 2; isUsed(unusedId); number++) unusedId = `${id}-${number}`;
  return unusedId;
}
