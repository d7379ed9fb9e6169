/** Marks the parts of code on a page, so that the style sheet can give them colours. @module */
import { escapeHtml } from "./html.ts";

/** A comment on a line of its own, and a text in quotes. All languages on the pages write them in this way. */
const COMMON = String
  .raw`(?<comment>^ *(?:#|\/\/) .*$)|(?<string>"(?:\\.|[^"\\\n])*"|'[^'\n]*'|${"`[^`]*`"})`;

/** The words that stand out, by language. */
const WORDS: Record<string, string> = {
  // The command at the beginning of a line, and the options.
  sh: String.raw`(?<=^|\$\(|\| )[a-z]+(?= )|(?<= )--?[A-Za-z][\w-]*`,
  js: String
    .raw`\b(?:async|await|const|else|export|from|function|if|import|let|new|return|throw|true|false)\b`,
  html: String.raw`<\/?[a-z]+|\/?>`,
};

const LANGUAGES: Record<string, string> = {
  bash: "sh",
  ts: "js",
  json: "js",
  tsx: "js",
  http: "sh",
};

/** Returns the HTML of code, with `span` elements around comments, texts and words that stand out. */
export function highlight(code: string, language = ""): string {
  const words = WORDS[LANGUAGES[language] ?? language];
  const pattern = new RegExp(words ? `${COMMON}|(?<word>${words})` : COMMON, "gm");
  let html = "";
  let end = 0;
  for (const match of code.matchAll(pattern)) {
    const [name] = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined) ?? [];
    html += `${escapeHtml(code.slice(end, match.index))}<span class="${name}">${
      escapeHtml(match[0])
    }</span>`;
    end = match.index + match[0].length;
  }
  return html + escapeHtml(code.slice(end));
}
