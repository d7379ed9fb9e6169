/** Renders the Markdown of a letter as plain text. `letter_html.ts` renders the letter as HTML. @module */
import { Marked, type Token, type Tokens } from "marked";
import { onlyLink, withoutComments } from "./markdown.ts";
import { fill, type Placeholders } from "./placeholders.ts";

/** The longest line of plain text, in characters. It leaves room for the `>` before quoted lines in replies. */
const MAX_LINE_LENGTH = 72;

/** The beginning of each line of a quote. */
const QUOTE_MARK = "> ";

const CODE_INDENT = "    ";

/** The line before the sender's signature (RFC 3676 §4.3). */
const SIGNATURE = "-- ";

/**
 * Makes the function that renders a letter as plain text with the values of its placeholders. The function throws an
 * Error for Markdown that plain text cannot show: an image, a table or HTML.
 */
export function createLetterTextRenderer(markdown: string): (values: Placeholders) => string {
  const tokens = new Marked().lexer(withoutComments(markdown));
  return (values) => renderBlocks(tokens, MAX_LINE_LENGTH, values) + "\n";
}

function renderBlocks(tokens: Token[], width: number, values: Placeholders): string {
  return tokens.filter(({ type }) => type !== "space" && type !== "def")
    .map((token) => renderBlock(token, width, values))
    .join("\n\n")
    .replaceAll(`${SIGNATURE}\n\n`, `${SIGNATURE}\n`);
}

function renderBlock(token: Tokens.Generic, width: number, values: Placeholders): string {
  switch (token.type) {
    case "paragraph": {
      const link = onlyLink(token);
      if (!link) return wrap(renderInline(token, values), width);
      // The URL gets its own line, because every mail program turns a URL on its own line into a link.
      return `${wrap(`${renderInline(link, values)}:`, width)}\n${fill(link.href, values)}`;
    }
    case "heading":
    case "text":
      return wrap(renderInline(token, values), width);
    case "list":
      return renderList(token as Tokens.List, width, values);
    case "blockquote":
      return indent(
        renderBlocks(token.tokens ?? [], width - QUOTE_MARK.length, values),
        QUOTE_MARK,
      );
    case "code":
      return indent(fill(token.text, values), CODE_INDENT);
    case "hr":
      return SIGNATURE;
    default:
      return refuse(token);
  }
}

function renderList(list: Tokens.List, width: number, values: Placeholders): string {
  return list.items.map((item, index) => {
    const bullet = list.ordered ? `${Number(list.start) + index}. ` : "- ";
    const text = renderBlocks(item.tokens, width - bullet.length, values);
    return indent(text, bullet, " ".repeat(bullet.length));
  }).join(list.loose ? "\n\n" : "\n");
}

/** Indents a text. @param first the indent of the first line @param others the indent of all other lines */
const indent = (text: string, first: string, others = first): string =>
  first + text.replaceAll("\n", `\n${others}`);

/** The types of tokens within a line that plain text can show. */
const INLINE_TYPES = ["text", "link", "escape", "codespan", "strong", "em", "del"];

/** Renders the tokens within a line. Each line break of the Markdown (`br`) becomes a line feed. */
function renderInline({ tokens, text }: Tokens.Generic, values: Placeholders): string {
  if (!tokens) return fill(text, values).replace(/\s+/g, " ");
  return tokens.map((inner: Tokens.Generic) => {
    if (inner.type === "br") return "\n";
    if (!INLINE_TYPES.includes(inner.type)) return refuse(inner);
    const label = renderInline(inner, values);
    if (inner.type !== "link") return label;
    const url = fill(inner.href, values);
    const isSame = url === label || url === `mailto:${label}`;
    return isSame ? label : `${label}: <${url}>`;
  }).join("");
}

function refuse({ type }: Token): never {
  throw new Error(`plain text cannot show a Markdown element of the type '${type}'`);
}

/** Breaks lines at spaces. A word that is longer than a line, such as a URL, is not broken. */
function wrap(text: string, width: number): string {
  const line = new RegExp(`(.{1,${width}}|[^ ]+)(?: |$)`, "gs");
  return text.split("\n")
    .map((longLine) => longLine.trim().replace(line, "$1\n").trimEnd())
    .join("\n");
}
