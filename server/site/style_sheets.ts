/**
 * Prepares the style sheets of `assets/` for browsers: writes the URLs of files in place of their names, removes
 * comments, refuses URLs on other hosts, and finds the fonts, which pages load early. @module
 */
import type { ContentFile } from "../content/mod.ts";

/**
 * Matches a string or a comment in a style sheet, and captures a string with its quotation marks. A comment that begins
 * with `!` is not matched, because such a comment holds a licence and must stay.
 */
const STRING_OR_COMMENT = /("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|\/\*(?!!)[^]*?\*\//g;

/** Matches a URL on another host in a style sheet, and captures the URL. */
const OTHER_HOST = /(?:url\(\s*["']?|@import\s+["'])((?:https?:)?\/\/[^"')\s]*)/i;

/**
 * Matches a reference to a file in a style sheet, such as `url("name")`, and captures the quotation mark and the name
 * of the file. The only files in a folder are those of the brand, such as `brand/logo.svg`.
 */
const FILE_REFERENCE = /url\((["']?)((?:brand\/)?[\w.-]+)\1\)/g;

/**
 * Removes the comments of a style sheet, and replaces the names of files by their URLs with a digest. Refuses a URL on
 * another host, and the name of a file that does not exist.
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
    (_, quotedText?: string) => quotedText ?? " ",
  );
  const [, otherHost] = OTHER_HOST.exec(withoutComments) ?? [];
  if (otherHost !== undefined) {
    throw new Error(
      `${label}: '${otherHost}' is on another host, from which the pages load nothing; ` +
        "put the file into assets/, and write its name",
    );
  }
  const fontUrls = new Set<string>();
  const text = withoutComments.replace(FILE_REFERENCE, (_, _quote, name: string) => {
    const url = urlOf(name);
    if (url === undefined) throw new Error(`${label}: there is no file '${name}' beside it`);
    if (name.endsWith(".woff2")) fontUrls.add(url);
    return `url("${url}")`;
  });
  return { file: { ...sheet, bytes: new TextEncoder().encode(text) }, fontUrls: [...fontUrls] };
}
