/** Renders Markdown with sections (`::: hero`) and markers (`{{try-it}}`, which the site replaces) as HTML. @module */
import {
  Marked,
  type RendererObject,
  type Token,
  type TokenizerAndRendererExtension,
  type Tokens,
} from "marked";
import { highlight } from "./code.ts";
import { escapeHtml, Html, markup } from "./html.ts";
import { picture } from "./html_parts.ts";

/** The names of sections. The style sheet `site.css` has rules for each of them. */
const SECTIONS = [
  "hero",
  "about",
  "steps",
  "facts",
  "quotes",
  "logos",
  "split",
  "questions",
  "call",
  "quiet",
  "thanks",
  "letter",
  "lost",
  "kept",
  "choices",
  "recommend",
  "more",
  "rows",
];

/**
 * Matches an opening parenthesis and the code after it. Without a `span`, browsers could break the line between them.
 */
const BRACKET_AND_CODE = /\(<code>[^<]*<\/code>/g;

/** A marker on a line of its own. Its name has a hyphen, unlike the name of a placeholder. */
const MARKER_PATTERN = String.raw`\{\{([a-z]+-[a-z-]+(?: [a-z]+)?)\}\} *`;

/** A picture of a page. */
export interface Picture {
  /** The URL with a digest of the content, so that browsers can cache the picture. */
  src: string;
  /** The URL of the picture for dark mode, if there is one. */
  dark?: string | undefined;
  /** The size of the picture in CSS pixels. */
  width: number;
  height: number;
}

/** The options for rendering the Markdown of pages. */
export interface MarkdownOptions {
  /** Returns the HTML that replaces a marker such as `{{sign-up hero}}`, whose name is `sign-up hero`. */
  replaceMarker: (name: string) => string;
  /** Finds a picture by the path in the Markdown, such as `/assets/dawn.svg`. */
  image: (path: string) => Picture;
  /**
   * The accessible name of tables. A table needs a name because it can have the focus, so that people can scroll it
   * with the keyboard.
   */
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
    extensions: [sectionExtension, markerExtension(options)],
    renderer: createRenderer(options, headings),
  });
  const html = marked.parser(marked.lexer(withoutComments(text)));
  return { html: html.replace(BRACKET_AND_CODE, '<span class="bracket">$&</span>'), headings };
}

/** Renders one line of Markdown, such as a label with a link, without a paragraph around it. */
export const renderInline = (text: string): string =>
  new Marked().parseInline(text, { async: false });

/**
 * Returns the Markdown that the site serves to programs: without notes, without the `:::` lines of sections, and
 * without decorative images.
 *
 * @param replaceMarker returns the Markdown that replaces a marker
 */
export function plainMarkdown(text: string, replaceMarker: (name: string) => string): string {
  return withoutComments(text)
    .replace(/^:::.*\n+/gm, "")
    .replace(/^!\[\]\(.*\)\n+/gm, "")
    .replace(
      new RegExp(`^${MARKER_PATTERN}$`, "gm"),
      (_, name: string) => `${replaceMarker(name)}\n`,
    )
    .replace(/\n{3,}/g, "\n\n")
    .trim() + "\n";
}

/** Removes HTML comments, which are notes for the writers of the texts. */
export const withoutComments = (text: string): string => text.replace(/<!--[\s\S]*?-->\n*/g, "");

/** Returns the link of a paragraph that has nothing but this link; `undefined` for any other paragraph. */
export function onlyLink({ tokens }: Tokens.Generic): Tokens.Link | undefined {
  const [token, ...others] = tokens ?? [];
  return token?.type === "link" && others.length === 0 ? token as Tokens.Link : undefined;
}

const sectionExtension: TokenizerAndRendererExtension = {
  name: "section",
  level: "block",
  start: (source) => source.match(/^:::/m)?.index,
  tokenizer(source) {
    const match = /^::: *([a-z]*) *\n([\s\S]*?)\n::: *(?:\n+|$)/.exec(source);
    if (!match) return undefined;
    const [raw, name = "", inner = ""] = match;
    if (!SECTIONS.includes(name)) {
      throw new Error(`::: ${name} is not a section; the sections are ${SECTIONS.join(", ")}`);
    }
    return { type: "section", raw, name, tokens: this.lexer.blockTokens(inner) };
  },
  renderer(token) {
    const { name, tokens = [] } = token;
    if (name === "more") {
      const [heading, ...folded] = tokens.filter(({ type }) => type !== "space");
      if (heading?.type !== "heading") throw new Error("::: more must begin with a heading");
      const summary = this.parser.parse([heading]).trim();
      return `<section class="more">\n<details class="inside">\n<summary>${summary}</summary>\n` +
        `${this.parser.parse(folded)}</details>\n</section>\n`;
    }
    const heroPicture = name === "hero" && findPicture(tokens);
    if (heroPicture) heroPicture.isHero = true;
    const inner = this.parser.parse(tokens);
    return `<section class="${name}">\n<div class="inside">\n${inner}</div>\n</section>\n`;
  },
};

/** The token of a picture in parsed Markdown. The section `hero` sets `isHero` for the first picture in it. */
type PictureToken = Tokens.Image & { isHero?: boolean };

/** Finds the first picture in tokens. The picture may be inside a paragraph or a link. */
function findPicture(tokens: readonly Token[]): PictureToken | undefined {
  for (const token of tokens) {
    if (token.type === "image") return token as PictureToken;
    const inner = "tokens" in token && token.tokens ? findPicture(token.tokens) : undefined;
    if (inner) return inner;
  }
  return undefined;
}

function markerExtension(options: MarkdownOptions): TokenizerAndRendererExtension {
  return {
    name: "marker",
    level: "block",
    start: (source) => source.match(/^\{\{/m)?.index,
    tokenizer(source) {
      const [raw, name] = new RegExp(`^${MARKER_PATTERN}(?:\\n+|$)`).exec(source) ?? [];
      return raw === undefined ? undefined : { type: "marker", raw, name };
    },
    renderer: ({ name }) => `${options.replaceMarker(name)}\n`,
  };
}

function createRenderer(options: MarkdownOptions, headings: Heading[]): RendererObject {
  return {
    heading({ tokens, depth }: Tokens.Heading) {
      const text = this.parser.parseInline(tokens);
      if (depth === 1) return `<h1>${text}</h1>\n`;
      const id = unusedId(idOf(text), headings);
      headings.push({ level: depth, id, text });
      return `<h${depth} id="${id}">${text}</h${depth}>\n`;
    },
    code({ text, lang }: Tokens.Code) {
      const language = lang ? ` data-language="${escapeHtml(lang)}"` : "";
      // `tabindex` lets the code have the focus, so that people can scroll wide code with the keyboard.
      return `<pre tabindex="0"${language}><code>${highlight(text, lang)}\n</code></pre>\n`;
    },
    table({ header, rows }: Tokens.Table) {
      const cellOf = (tag: "th" | "td", attribute: string, { align, tokens }: Tokens.TableCell) => {
        const alignment = align ? ` align="${align}"` : "";
        return `<${tag} ${attribute}${alignment}>${this.parser.parseInline(tokens)}</${tag}>\n`;
      };
      const rowOf = (cells: string[]) => `<tr>\n${cells.join("")}</tr>\n`;
      const head = rowOf(header.map((cell) => cellOf("th", 'scope="col"', cell)));
      // Each cell has the name of its column, because the style sheet for phones shows the name beside the cell.
      const labels = header.map(({ text }) =>
        `data-label="${escapeHtml(text.replaceAll("`", ""))}"`
      );
      const bodyRows = rows.map((cells) =>
        rowOf(cells.map((cell, column) => cellOf("td", labels[column]!, cell)))
      );
      const body = bodyRows.join("");
      const tableLabel = escapeHtml(options.tableLabel);
      return `<div class="table" role="group" aria-label="${tableLabel}" tabindex="0">` +
        `<table>\n<thead>\n${head}</thead>\n${body && `<tbody>${body}</tbody>`}</table>\n</div>\n`;
    },
    image({ href, text, isHero }: PictureToken) {
      const { src, dark, width, height } = options.image(href);
      // The hero is at the top of the page, so browsers load its picture first. They load any other picture when the
      // reader scrolls near it.
      const loading = new Html(isHero ? 'fetchpriority="high"' : 'loading="lazy"');
      // A browser that knows the size keeps the space free, so that the text does not move when the image arrives.
      return picture(
        markup`<img src="${src}" alt="${text}" width="${width}" height="${height}" ${loading}>`,
        dark,
      ).text;
    },
  };
}

/** Makes an `id` from the text of a heading. */
function idOf(html: string): string {
  return html.replace(/<[^>]*>|&[^;]*;/g, "").toLowerCase()
    .replaceAll("ä", "ae").replaceAll("ö", "oe").replaceAll("ü", "ue").replaceAll("ß", "ss")
    .replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "") || "section";
}

/** Adds a number to an `id` that another heading already has. */
function unusedId(id: string, headings: Heading[]): string {
  const isUsed = (candidate: string) => headings.some((heading) => heading.id === candidate);
  let candidate = id;
  for (let number = 2; isUsed(candidate); number++) candidate = `${id}-${number}`;
  return candidate;
}
