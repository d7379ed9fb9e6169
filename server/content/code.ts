/** Marks comments, strings and words in code on a page, so that the style sheet can give them colours. @module */
import { escapeHtml } from "./html.ts";

/** Matches a text in quotes, or a comment on a line of its own that begins with `#` or `//`, in every language. */
const COMMENT_OR_STRING = String
  .raw`(?<comment>^ *(?:#|\/\/) .*$)|(?<string>"(?:\\.|[^"\\\n])*"|'[^'\n]*'|${"`[^`]*`"})`;

/** The patterns of the words that get a colour of their own, by programming language. */
const WORD_PATTERNS: Record<string, string> = {
  // A command (at the beginning of a line, after `$(` or after a pipe), or an option.
  sh: String.raw`(?<=^|\$\(|\| )[a-z]+(?= )|(?<= )--?[A-Za-z][\w-]*`,
  js: String
    .raw`\b(?:async|await|const|else|export|from|function|if|import|let|new|return|throw|true|false)\b`,
  html: String.raw`<\/?[a-z]+|\/?>`,
};

/** For the other languages that pages use, the language in `WORD_PATTERNS` whose pattern fits. */
const SIMILAR_LANGUAGES: Record<string, string> = {
  bash: "sh",
  ts: "js",
  json: "js",
  tsx: "js",
  http: "sh",
};

/** Returns the HTML of code, with `span` elements around comments, texts in quotes and the words in `WORD_PATTERNS`. */
export function highlight(code: string, language = ""): string {
  const wordPattern = WORD_PATTERNS[SIMILAR_LANGUAGES[language] ?? language];
  const pattern = new RegExp(
    wordPattern ? `${COMMENT_OR_STRING}|(?<word>${wordPattern})` : COMMENT_OR_STRING,
    "gm",
  );
  let html = "";
  let endOfLastMatch = 0;
  for (const match of code.matchAll(pattern)) {
    const [text] = match;
    // Exactly one of the named groups has matched. Its name is the class in the style sheet.
    const groups = Object.entries(match.groups ?? {});
    const [groupName] = groups.find(([, groupText]) => groupText !== undefined) ?? [];
    html += escapeHtml(code.slice(endOfLastMatch, match.index));
    html += `<span class="${groupName}">${escapeHtml(text)}</span>`;
    endOfLastMatch = match.index + text.length;
  }
  return html + escapeHtml(code.slice(endOfLastMatch));
}
