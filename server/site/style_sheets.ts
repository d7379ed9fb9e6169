/**
 * Prepares the style sheets of `assets/` for browsers: writes the URLs of files in place of their names, removes comments,
 * refuses URLs on other hosts, and finds the fonts, which pages load early. @module
 */
import type { ContentFile } from "../content/mod.ts";

/**
 * Matches a string or a comment in a style sheet. A string is captured as a group. A comment that begins with `!` is
 * not matched, because such a comment holds a licence and must stay.
 */
const STRING_OR_COMMENT = /("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|\/\*(?!!)[^]*?\*\//g;

/** Matches a URL on another host in a style sheet. */
const OTHER_HOST = /(?:url\(\s*["']?|@import\s+["'])((?:https?:)?\/\/[^"')\s]*)/i;

/** Matches the name of a file in a style sheet, such as `url("name")`. The files of the brand are in a folder. */
const FILE_NAME = /url\((["']?)((?:brand\/)?[\w.-]+)\1\)/g;

/**
 * Removes the comments of a style sheet, and replaces the names of files by their URLs with a digest.
 *
 * @param urlOf returns the URL of a file; `undefined` if there is no such file
 * @returns the changed style sheet, and the URLs of the fonts that it names
 * @throws an Error that names the style sheet and its fault
 */
export function prepareStyleSheet(
  sheet: ContentFile,
  urlOf: (name: string) => string | undefined,
): { file: ContentFile; fontUrls: string[] } {
  const { label, bytes } = sheet;
  const withoutComments = new TextDecoder().decode(bytes).replaceAll(
    STRING_OR_COMMENT,
    (_, string) => string ?? " ",
  );
  const [, otherHost] = OTHER_HOST.exec(withoutComments) ?? [];
  if (otherHost !== undefined) {
    throw new Error(
      `${label}: '${otherHost}' is on another host, from which the pages load nothing; ` +
        "put the file into assets/, and write its name",
    );
  }
  const fontUrls = new Set<string>();
  const text = withoutComments.replace(FILE_NAME, (_, _quote, name: string) => {
    const url = urlOf(name);
    if (url === undefined) throw new Error(`${label}: there is no file '${name}' beside it`);
    if (name.endsWith(".woff2")) fontUrls.add(url);
    return `url("${url}")`;
  });
  return { file: { ...sheet, bytes: new TextEncoder().encode(text) }, fontUrls: [...fontUrls] };
}
