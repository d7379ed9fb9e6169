/**
 * Renders Markdown to plain text that reads well in a mail program: lines of at most 72 characters, and
 * links with their addresses in full.
 *
 * @module
 */
import { Marked, type Token, type Tokens } from "marked";
import { withoutComments } from "./markdown.ts";
import { fill, type Placeholders } from "./placeholders.ts";

/** The length of a line, which leaves room for the marks of quoting in answers. */
const WIDTH = 72;

/** Begins the lines that mail programs show as the sender's signature (RFC 3676 §4.3). */
const SIGNATURE = "-- ";

/**
 * Makes a function that renders Markdown to text with the values of its placeholders.
 *
 * Text has no place for images, tables and HTML: the function throws an Error that names them.
 */
export function textRenderer(markdown: string): (values: Placeholders) => string {
  const tokens = new Marked().lexer(withoutComments(markdown));
  return (values) => renderBlocks(tokens, WIDTH, values) + "\n";
}

/** Returns the link that is all that a paragraph has, `undefined` where there is more or none. */
export function onlyLink({ tokens }: Tokens.Generic): Tokens.Link | undefined {
  const [token, ...others] = tokens ?? [];
  return token?.type === "link" && others.length === 0 ? token as Tokens.Link : undefined;
}

function renderBlocks(tokens: Token[], width: number, values: Placeholders): string {
  return tokens.filter(({ type }) => type !== "space" && type !== "def")
    .map((token) => renderBlock(token as Tokens.Generic, width, values))
    .join("\n\n")
    .replaceAll(`${SIGNATURE}\n\n`, `${SIGNATURE}\n`);
}

function renderBlock(token: Tokens.Generic, width: number, values: Placeholders): string {
  switch (token.type) {
    case "paragraph": {
      const link = onlyLink(token);
      if (!link) return wrap(renderInline(token, values), width);
      // An address on a line of its own is a link in every mail program.
      return `${wrap(`${renderInline(link, values)}:`, width)}\n${fill(link.href, values)}`;
    }
    case "heading":
    case "text":
      return wrap(renderInline(token, values), width);
    case "list":
      return renderList(token as Tokens.List, width, values);
    case "blockquote":
      return indent(renderBlocks(token.tokens ?? [], width - 2, values), "> ", "> ");
    case "code":
      return indent(fill(token.text, values), "    ", "    ");
    case "hr":
      return SIGNATURE;
    default:
      throw new Error(`plain text cannot show a Markdown element of the type '${token.type}'`);
  }
}

function renderList(list: Tokens.List, width: number, values: Placeholders): string {
  return list.items.map((item, index) => {
    const mark = list.ordered ? `${Number(list.start) + index}. ` : "- ";
    const text = renderBlocks(item.tokens, width - mark.length, values);
    return indent(text, mark, " ".repeat(mark.length));
  }).join(list.loose ? "\n\n" : "\n");
}

function indent(text: string, first: string, others: string): string {
  return text.split("\n").map((line, index) => (index === 0 ? first : others) + line).join("\n");
}

/** Renders what is in a line; its line feeds are the breaks that the writer set. */
function renderInline({ tokens, text }: Tokens.Generic, values: Placeholders): string {
  if (!tokens) return fill(text, values).replace(/\s+/g, " ");
  return tokens.map((token) => {
    const inner = token as Tokens.Generic;
    switch (inner.type) {
      case "br":
        return "\n";
      case "link": {
        const label = renderInline(inner, values);
        const address = fill(inner.href, values);
        const saysAll = address === label || address === `mailto:${label}`;
        return saysAll ? label : `${label}: <${address}>`;
      }
      case "text":
      case "escape":
      case "codespan":
      case "strong":
      case "em":
      case "del":
        return renderInline(inner, values);
      default:
        throw new Error(`plain text cannot show a Markdown element of the type '${inner.type}'`);
    }
  }).join("");
}

/** Breaks lines at spaces; a word that is longer than a line, such as an address, stays whole. */
function wrap(text: string, width: number): string {
  return text.split("\n").flatMap((line) => {
    const lines: string[] = [];
    let current = "";
    for (const word of line.trim().split(" ")) {
      if (current && current.length + 1 + word.length > width) {
        lines.push(current);
        current = word;
      } else {
        current = current ? `${current} ${word}` : word;
      }
    }
    return [...lines, current];
  }).join("\n");
}
