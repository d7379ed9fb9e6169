/**
 * Renders Markdown to the HTML of an e-mail: styles are inline, as mail programs drop others, and nothing is
 * loaded from anywhere. Without colours of its own, it is readable on light and dark paper.
 *
 * @module
 */
import { Marked, type Tokens } from "marked";
import { Html, markup } from "./html.ts";
import { withoutComments } from "./markdown.ts";
import { onlyLink } from "./text.ts";

const BODY = "max-width:36em;margin:0 auto;padding:1.5em;font:1em/1.5 system-ui,sans-serif";
const BUTTON =
  "display:inline-block;padding:.6em 1.2em;border:2px solid;border-radius:.4em;font-weight:bold";

/** The parts of an e-mail's HTML; all of them may have placeholders. */
export interface MailHtmlOptions {
  lang: string;
  title: string;
  markdown: string;
}

/** Renders a whole document. A link that stands alone in a paragraph becomes a button. */
export function renderMailHtml({ lang, title, markdown }: MailHtmlOptions): string {
  const marked = new Marked({
    renderer: {
      paragraph(token: Tokens.Paragraph) {
        const link = onlyLink(token);
        const inner = this.parser.parseInline(token.tokens);
        const html = link ? inner.replace("<a ", `<a style="${BUTTON}" `) : inner;
        return `<p>${html}</p>\n`;
      },
      hr: () => `<hr style="border:0;border-top:1px solid;opacity:.3;margin:2em 0">\n`,
    },
  });
  const body = new Html(marked.parse(withoutComments(markdown), { async: false }));
  return markup`<!DOCTYPE html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
</head>
<body style="${BODY}">
${body}</body>
</html>
`.text;
}
