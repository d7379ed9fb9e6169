/**
 * Renders the Markdown of a letter as HTML and as plain text. The HTML loads nothing, because the letter carries its
 * pictures as MIME parts. @module
 */
import { Marked, type Token, type Tokens } from "marked";
import type { BrandColors, Mode } from "./colors.ts";
import { Html, markup } from "./html.ts";
import { withoutComments } from "./markdown.ts";
import { fill, type Placeholders } from "./placeholders.ts";

// The values of the attributes `style` in a letter. They are needed because some mail programs drop style sheets.
const LETTER = "padding:1.5em;font:1em/1.5 system-ui,sans-serif";
const COLUMN = "max-width:36em;margin:0 auto;overflow-wrap:break-word";
const NAME = "margin:0 0 1.5em;font-size:1.125em;font-weight:600";
const LOGO = "vertical-align:middle;border:0";
const PICTURE = "display:block;width:100%;height:auto;margin:0 0 1.5em;border:0";
const HEADING = "margin:0 0 .8em;font-size:1.5em;line-height:1.25;font-weight:700";
/** Hides the preheader (the preview text that mail programs show in their list of letters) in the open letter. */
const HIDDEN = "display:none;max-height:0;overflow:hidden;opacity:0";
const BUTTON =
  "display:inline-block;padding:.7em 1.4em;border-radius:.4em;font-weight:600;text-decoration:none";
const RULE = "border:0;border-top:1px solid;opacity:.3;margin:2em 0";

/** A picture that the letter carries as a MIME part. */
export interface MailPicture {
  /** The `Content-ID` of the part, without angle brackets (RFC 2392). */
  contentId: string;
  /** The size at which the letter shows the picture, in CSS pixels. */
  width: number;
  height: number;
  /** The alternative text, which may have placeholders. */
  alt: string;
}

interface MailHtmlOptions {
  lang: string;
  /** The title of the document, which some mail programs show in place of the subject. */
  title: string;
  markdown: string;
  preheader?: string | undefined;
  /** The logo. The site's name stands beside it, unless the logo shows the name itself. */
  logo?: MailPicture & { isWordmark: boolean } | undefined;
  /** A picture between the site's name and the text. */
  picture?: MailPicture | undefined;
}

/**
 * Renders a letter as an HTML document with the logo and the site's name at the top. Placeholders are not filled,
 * because the caller fills them. A link that stands alone in a paragraph becomes a button.
 */
export function renderMailHtml(
  { lang, title, markdown, preheader, logo, picture }: MailHtmlOptions,
  colors: Readonly<Record<Mode, BrandColors>>,
): string {
  const { ink, paper } = colors.light;
  // The body and the letter both have these colours, because some mail programs drop the styles of the body.
  const ground = `background:${paper};color:${ink}`;
  return markup`<!DOCTYPE html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>
${new Html(darkStyle(colors))}
</style>
</head>
<body style="margin:0;${ground}">
${preheader && markup`<div style="${HIDDEN}">${preheader}</div>`}
<div class="letter" style="${LETTER};${ground}">
<div style="${COLUMN}">
<p style="${NAME}">${logo && renderPicture(logo, "logo", LOGO)}${
    !logo?.isWordmark && new Html(`${logo ? "&nbsp; " : ""}{{site_name}}`)
  }</p>
${picture && renderPicture(picture, "picture", PICTURE)}
${renderBody(markdown, colors.light)}</div>
</div>
</body>
</html>
`.text;
}

function renderPicture(
  { contentId, width, height, alt }: MailPicture,
  name: string,
  style: string,
): Html {
  return markup`<img class="${name}" src="cid:${contentId}" alt="${alt}" width="${width}" height="${height}" style="${style}">`;
}

/** The style sheet for dark mode. It takes precedence over the attributes `style` with the colours for light mode. */
function darkStyle({ light, dark: { accent, ink, paper } }: Readonly<Record<Mode, BrandColors>>) {
  const ground = (background: string, color: string) =>
    `{ background: ${background} !important; color: ${color} !important; }`;
  return `@media (prefers-color-scheme: dark) {
  body, .letter ${ground(paper, ink)}
  .letter a { color: ${accent} !important; }
  .letter .button ${ground(accent, paper)}
  /* A dark logo can be seen on its light ground. */
  .letter .logo { background: ${light.paper} !important; padding: 4px; border-radius: 4px; }
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
      heading(token: Tokens.Heading) {
        const inner = this.parser.parseInline(token.tokens);
        const style = token.depth === 1 ? ` style="${HEADING}"` : "";
        return `<h${token.depth}${style}>${inner}</h${token.depth}>\n`;
      },
      hr: () => `<hr style="${RULE}">\n`,
    },
  });
  const html = marked.parse(withoutComments(markdown), { async: false });
  return new Html(html.replaceAll("<a href", `${link}href`));
}

/** The longest line of plain text, in characters. It leaves room for the `>` before quoted lines in replies. */
const MAX_LINE_LENGTH = 72;

/** The line before the sender's signature (RFC 3676 §4.3). */
const SIGNATURE = "-- ";

/**
 * Makes the function that renders a letter as plain text with the values of its placeholders. The function throws an
 * Error for Markdown that plain text cannot show: an image, a table or HTML.
 */
export function textRenderer(markdown: string): (values: Placeholders) => string {
  const tokens = new Marked().lexer(withoutComments(markdown));
  return (values) => renderBlocks(tokens, MAX_LINE_LENGTH, values) + "\n";
}

/** Returns the link of a paragraph that has nothing but this link; `undefined` for any other paragraph. */
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
      // The URL gets its own line, because every mail program turns a URL on its own line into a link.
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
    const bullet = list.ordered ? `${Number(list.start) + index}. ` : "- ";
    const text = renderBlocks(item.tokens, width - bullet.length, values);
    return indent(text, bullet, " ".repeat(bullet.length));
  }).join(list.loose ? "\n\n" : "\n");
}

/** Indents a text. @param first the indent of its first line @param others the indent of all other lines */
const indent = (text: string, first: string, others: string): string =>
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
  return text.split("\n").map((long) => long.trim().replace(line, "$1\n").trimEnd()).join("\n");
}
