/** Renders the Markdown of a letter to HTML that loads nothing, and to plain text for mail programs. @module */
import { Marked, type Token, type Tokens } from "marked";
import type { BrandColors, Mode } from "./colors.ts";
import { Html, markup } from "./html.ts";
import { withoutComments } from "./markdown.ts";
import { fill, type Placeholders } from "./placeholders.ts";

const LETTER = "padding:1.5em;font:1em/1.5 system-ui,sans-serif";
const COLUMN = "max-width:36em;margin:0 auto;overflow-wrap:break-word";
const NAME = "margin:0 0 1.5em;font-size:1.125em;font-weight:600";
const BUTTON =
  "display:inline-block;padding:.7em 1.4em;border-radius:.4em;font-weight:600;text-decoration:none";
const RULE = "border:0;border-top:1px solid;opacity:.3;margin:2em 0";

/** Renders a document below the site's name; placeholders stay. A link alone in a paragraph becomes a button. */
export function renderMailHtml(
  { lang, title, markdown }: { lang: string; title: string; markdown: string },
  colors: Readonly<Record<Mode, BrandColors>>,
): string {
  const { ink, paper } = colors.light;
  // A ground that goes with its text: what drops the body's keeps that of the letter.
  const ground = `background:${paper};color:${ink}`;
  return markup`<!DOCTYPE html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>
${new Html(darkStyle(colors.dark))}
</style>
</head>
<body style="margin:0;${ground}">
<div class="letter" style="${LETTER};${ground}">
<div style="${COLUMN}">
<p style="${NAME}">{{site_name}}</p>
${renderBody(markdown, colors.light)}</div>
</div>
</body>
</html>
`.text;
}

/** Takes precedence over the light colours, which stand in the elements as some mail programs drop style sheets. */
function darkStyle({ accent, ink, paper }: BrandColors): string {
  const ground = (background: string, color: string) =>
    `{ background: ${background} !important; color: ${color} !important; }`;
  return `@media (prefers-color-scheme: dark) {
  body, .letter ${ground(paper, ink)}
  .letter a { color: ${accent} !important; }
  .letter .button ${ground(accent, paper)}
}`;
}

function renderBody(markdown: string, { accent, paper }: BrandColors): Html {
  const link = `<a style="color:${accent}" `;
  const button = `<a class="button" style="${BUTTON};background:${accent};color:${paper}" `;
  const marked = new Marked({
    renderer: {
      paragraph(token: Tokens.Paragraph) {
        const inner = this.parser.parseInline(token.tokens);
        return `<p>${onlyLink(token) ? inner.replace("<a ", button) : inner}</p>\n`;
      },
      hr: () => `<hr style="${RULE}">\n`,
    },
  });
  const html = marked.parse(withoutComments(markdown), { async: false });
  return new Html(html.replaceAll("<a href", `${link}href`));
}

/** The length of a line, which leaves room for the marks of quoting in answers. */
const WIDTH = 72;

/** Begins the lines that mail programs show as the sender's signature (RFC 3676 §4.3). */
const SIGNATURE = "-- ";

/** Makes a renderer of Markdown to text, which throws an Error that names an image, a table or HTML. */
export function textRenderer(markdown: string): (values: Placeholders) => string {
  const tokens = new Marked().lexer(withoutComments(markdown));
  return (values) => renderBlocks(tokens, WIDTH, values) + "\n";
}

/** The link that is all that a paragraph has, `undefined` where there is more or none. */
function onlyLink({ tokens }: Tokens.Generic): Tokens.Link | undefined {
  const [token, ...others] = tokens ?? [];
  return token?.type === "link" && others.length === 0 ? token as Tokens.Link : undefined;
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
      return refuse(token);
  }
}

function renderList(list: Tokens.List, width: number, values: Placeholders): string {
  return list.items.map((item, index) => {
    const mark = list.ordered ? `${Number(list.start) + index}. ` : "- ";
    const text = renderBlocks(item.tokens, width - mark.length, values);
    return indent(text, mark, " ".repeat(mark.length));
  }).join(list.loose ? "\n\n" : "\n");
}

const indent = (text: string, first: string, others: string): string =>
  first + text.replaceAll("\n", `\n${others}`);

/** What stands in a line, of which text shows the words. */
const IN_LINE = ["text", "link", "escape", "codespan", "strong", "em", "del"];

/** Renders what is in a line; its line feeds are the breaks that the writer set. */
function renderInline({ tokens, text }: Tokens.Generic, values: Placeholders): string {
  if (!tokens) return fill(text, values).replace(/\s+/g, " ");
  return tokens.map((inner: Tokens.Generic) => {
    if (inner.type === "br") return "\n";
    if (!IN_LINE.includes(inner.type)) return refuse(inner);
    const label = renderInline(inner, values);
    if (inner.type !== "link") return label;
    const address = fill(inner.href, values);
    const saysAll = address === label || address === `mailto:${label}`;
    return saysAll ? label : `${label}: <${address}>`;
  }).join("");
}

function refuse({ type }: Token): never {
  throw new Error(`plain text cannot show a Markdown element of the type '${type}'`);
}

/** Breaks lines at spaces; a word that is longer than a line, such as an address, stays whole. */
function wrap(text: string, width: number): string {
  const line = new RegExp(`(.{1,${width}}|[^ ]+)(?: |$)`, "gs");
  return text.split("\n").map((long) => long.trim().replace(line, "$1\n").trimEnd()).join("\n");
}
