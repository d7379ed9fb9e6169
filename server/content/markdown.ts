/**
 * Markdown to HTML, with two additions: sections, which give a part of a page its looks, and markers,
 * which the site puts something else in the place of.
 *
 * ```md
 * ::: hero
 *
 * # A heading
 *
 * {{sign-up hero}}
 *
 * :::
 * ```
 *
 * @module
 */
import {
  Marked,
  type RendererObject,
  type TokenizerAndRendererExtension,
  type Tokens,
} from "marked";
import { escapeHtml } from "./html.ts";

/** The sections; the style sheet knows each of them. */
export const SECTIONS = ["hero", "steps", "facts", "split", "questions", "call", "quiet"] as const;

/** What rendering takes from the page. */
export interface MarkdownOptions {
  /** The HTML for a marker such as `{{sign-up hero}}`: its name and its argument, if it has one. */
  marker: (name: string, argument: string | undefined) => string;
  /** An image's attributes by its address, such as `/assets/dawn.svg`. */
  image: (address: string) => { src: string; width: number; height: number };
  /** What a table is called for those who reach it by keyboard, to scroll it. */
  tableLabel: string;
}

/** A heading that can be linked to. */
export interface Heading {
  level: number;
  id: string;
  /** HTML. */
  text: string;
}

/** Renders Markdown; the headings of the second level are listed too. */
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

/** Renders a line of Markdown, such as a label with a link. */
export function renderInline(text: string): string {
  return new Marked().parseInline(text, { async: false });
}

/**
 * The page's Markdown for agents: without the notes to editors, without the signs of sections and
 * images that are mere decoration, and with text in the place of markers.
 */
export function plainMarkdown(text: string, marker: MarkdownOptions["marker"]): string {
  return withoutComments(text)
    .replace(/^:::.*\n+/gm, "")
    .replace(/^!\[\]\(.*\)\n+/gm, "")
    .replace(
      MARKER_LINES,
      (_, name: string, argument: string | undefined) => `${marker(name, argument)}\n`,
    )
    .replace(/\n{3,}/g, "\n\n")
    .trim() + "\n";
}

/** A word with a hyphen or an argument on a line of its own; placeholders have neither. */
const MARKER_LINES = /^\{\{([a-z]+-[a-z-]+)(?: ([a-z]+))?\}\} *$/gm;

/** HTML comments are notes to those who edit the texts. */
function withoutComments(text: string): string {
  return text.replace(/<!--[\s\S]*?-->\n*/g, "");
}

const section: TokenizerAndRendererExtension = {
  name: "section",
  level: "block",
  start: (source) => source.match(/^:::/m)?.index,
  tokenizer(source) {
    const match = /^::: *([a-z]*) *\n([\s\S]*?)\n::: *(?:\n+|$)/.exec(source);
    if (!match) return undefined;
    const [raw, name = "", inner = ""] = match;
    if (!SECTIONS.some((section) => section === name)) {
      throw new Error(`::: ${name} is no section; the sections are ${SECTIONS.join(", ")}`);
    }
    return { type: "section", raw, name, tokens: this.lexer.blockTokens(inner) };
  },
  renderer(token) {
    const inner = this.parser.parse(token.tokens ?? []);
    return `<section class="${token.name}">\n<div class="inside">\n${inner}</div>\n</section>\n`;
  },
};

function marker(options: MarkdownOptions): TokenizerAndRendererExtension {
  return {
    name: "marker",
    level: "block",
    start: (source) => source.match(/^\{\{/m)?.index,
    tokenizer(source) {
      const match = /^\{\{([a-z]+-[a-z-]+)(?: ([a-z]+))?\}\} *(?:\n+|$)/.exec(source);
      return match && { type: "marker", raw: match[0], name: match[1], argument: match[2] } ||
        undefined;
    },
    renderer: (token) => `${options.marker(token.name, token.argument)}\n`,
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
      // Wide code scrolls, and what scrolls must be reachable by keyboard.
      return `<pre tabindex="0"${language}><code>${lines}\n</code></pre>\n`;
    },
    table(token: Tokens.Table) {
      const row = (cells: Tokens.TableCell[], name: "th" | "td") =>
        `<tr>${
          cells.map((cell) => {
            const scope = name === "th" ? ' scope="col"' : "";
            return `<${name}${scope}>${this.parser.parseInline(cell.tokens)}</${name}>`;
          }).join("")
        }</tr>\n`;
      const label = escapeHtml(options.tableLabel);
      return `<div class="table" role="group" aria-label="${label}" tabindex="0"><table>\n` +
        `<thead>\n${row(token.header, "th")}</thead>\n` +
        `<tbody>\n${token.rows.map((cells) => row(cells, "td")).join("")}</tbody>\n` +
        `</table></div>\n`;
    },
    image({ href, text }: Tokens.Image) {
      const { src, width, height } = options.image(href);
      // With its size known, the browser keeps the place and nothing moves once it is there.
      return `<img src="${escapeHtml(src)}" alt="${escapeHtml(text)}" ` +
        `width="${width}" height="${height}" loading="lazy">`;
    },
  };
}

function slug(html: string): string {
  return html.replace(/<[^>]*>|&[^;]*;/g, "").toLowerCase()
    .replaceAll("ä", "ae").replaceAll("ö", "oe").replaceAll("ü", "ue").replaceAll("ß", "ss")
    .replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "") || "section";
}

function unused(id: string, headings: Heading[]): string {
  const taken = (candidate: string) => headings.some((heading) => heading.id === candidate);
  if (!taken(id)) return id;
  let number = 2;
  while (taken(`${id}-${number}`)) number++;
  return `${id}-${number}`;
}
