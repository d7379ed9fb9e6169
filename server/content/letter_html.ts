/**
 * Renders the Markdown of a letter as HTML. The HTML loads nothing, because the letter carries its pictures as MIME
 * parts. `letter_text.ts` renders the letter as plain text. @module
 */
import { Marked, type Tokens } from "marked";
import type { BrandColors, Mode } from "./colors.ts";
import { Html, markup } from "./html.ts";
import { onlyLink, withoutComments } from "./markdown.ts";

// The values of the attributes `style` in a letter. Letters need these attributes, because some mail programs drop
// style sheets.
const LETTER_STYLE = "padding:1.5em;font:1em/1.5 system-ui,sans-serif";
const COLUMN_STYLE = "max-width:36em;margin:0 auto;overflow-wrap:break-word";
const NAME_STYLE = "margin:0 0 1.5em;font-size:1.125em;font-weight:600";
const LOGO_STYLE = "vertical-align:middle;border:0";
const PICTURE_STYLE = "display:block;width:100%;height:auto;margin:0 0 1.5em;border:0";
const HEADING_STYLE = "margin:0 0 .8em;font-size:1.5em;line-height:1.25;font-weight:700";
/** Hides the preheader (the preview text that mail programs show in their list of letters) in the open letter. */
const HIDDEN_STYLE = "display:none;max-height:0;overflow:hidden;opacity:0";
const BUTTON_STYLE =
  "display:inline-block;padding:.7em 1.4em;border-radius:.4em;font-weight:600;text-decoration:none";
const RULE_STYLE = "border:0;border-top:1px solid;opacity:.3;margin:2em 0";

/** A picture that the letter carries as a MIME part. */
export interface InlinePicture {
  /** The `Content-ID` of the part, without angle brackets (RFC 2392). */
  contentId: string;
  /** The size at which the letter shows the picture, in CSS pixels. */
  width: number;
  height: number;
  /** The alternative text, which may have placeholders. */
  alt: string;
}

interface LetterHtmlOptions {
  lang: string;
  /** The title of the document, which some mail programs show in place of the subject. */
  title: string;
  markdown: string;
  preheader?: string | undefined;
  /** The logo. The site's name stands beside it, unless the logo shows the name itself. */
  logo?: InlinePicture & { isWordmark: boolean } | undefined;
  /** A picture between the site's name and the text. */
  picture?: InlinePicture | undefined;
}

/**
 * Renders a letter as an HTML document with the logo and the site's name at the top. Placeholders are not filled,
 * because the caller fills them. A link that stands alone in a paragraph becomes a button.
 */
export function renderLetterHtml(
  { lang, title, markdown, preheader, logo, picture }: LetterHtmlOptions,
  colors: Readonly<Record<Mode, BrandColors>>,
): string {
  const { ink, paper } = colors.light;
  // The body and the letter both have these colours, because some mail programs drop the styles of the body.
  const colorStyle = `background:${paper};color:${ink}`;
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
<body style="margin:0;${colorStyle}">
${preheader && markup`<div style="${HIDDEN_STYLE}">${preheader}</div>`}
<div class="letter" style="${LETTER_STYLE};${colorStyle}">
<div style="${COLUMN_STYLE}">
<p style="${NAME_STYLE}">${logo && renderPicture(logo, "logo", LOGO_STYLE)}${
    !logo?.isWordmark && new Html(`${logo ? "&nbsp; " : ""}{{site_name}}`)
  }</p>
${picture && renderPicture(picture, "picture", PICTURE_STYLE)}
${renderBody(markdown, colors.light)}</div>
</div>
</body>
</html>
`.text;
}

function renderPicture(
  { contentId, width, height, alt }: InlinePicture,
  name: string,
  style: string,
): Html {
  return markup`<img class="${name}" src="cid:${contentId}" alt="${alt}" width="${width}" height="${height}" style="${style}">`;
}

/** The style sheet for dark mode. It takes precedence over the attributes `style` with the colours for light mode. */
function darkStyle({ light, dark: { accent, ink, paper } }: Readonly<Record<Mode, BrandColors>>) {
  const rule = (background: string, color: string) =>
    `{ background: ${background} !important; color: ${color} !important; }`;
  return `@media (prefers-color-scheme: dark) {
  body, .letter ${rule(paper, ink)}
  .letter a { color: ${accent} !important; }
  .letter .button ${rule(accent, paper)}
  /* A dark logo can be seen on its light ground. */
  .letter .logo { background: ${light.paper} !important; padding: 4px; border-radius: 4px; }
}`;
}

function renderBody(markdown: string, { accent, paper }: BrandColors): Html {
  const linkStart = `<a style="color:${accent}" `;
  const buttonStart =
    `<a class="button" style="${BUTTON_STYLE};background:${accent};color:${paper}" `;
  const marked = new Marked({
    renderer: {
      paragraph(token: Tokens.Paragraph) {
        const inner = this.parser.parseInline(token.tokens);
        return `<p>${onlyLink(token) ? inner.replace("<a ", buttonStart) : inner}</p>\n`;
      },
      heading(token: Tokens.Heading) {
        const inner = this.parser.parseInline(token.tokens);
        const style = token.depth === 1 ? ` style="${HEADING_STYLE}"` : "";
        return `<h${token.depth}${style}>${inner}</h${token.depth}>\n`;
      },
      hr: () => `<hr style="${RULE_STYLE}">\n`,
    },
  });
  const html = marked.parse(withoutComments(markdown), { async: false });
  return new Html(html.replaceAll("<a href", `${linkStart}href`));
}
