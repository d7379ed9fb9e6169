/** Marks comments, strings and words in code on a page, so that the style sheet can give them colours. @module */
import { escapeHtml } from "./html.ts";

/** Matches a text in quotes, or a comment on a line of its own that begins with `#` or `//`. */
const COMMON = String
  .raw`(?<comment>^ *(?:#|\/\/) .*$)|(?<string>"(?:\\.|[^"\\\n])*"|'[^'\n]*'|${"`[^`]*`"})`;

/** Patterns for the words that get a colour of their own, by programming language. */
const WORDS: Record<string, string> = {
  // A command (at the beginning of a line, after `$(` or after a pipe), or an option.
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

/** Returns the HTML of code, with `span` elements around comments, texts in quotes and the words in `WORDS`. */
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
