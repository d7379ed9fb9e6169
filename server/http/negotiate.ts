/**
 * Content negotiation: chooses media type, language and coding by quality values (RFC 9110 §12.4.2, §12.5), and tells
 * for what a browser requests a page (Fetch Metadata). @module
 */

/** The content codings of prepared answers, the preferred coding first. */
export const CODINGS = ["br", "gzip", "identity"] as const;

/** A content coding (RFC 9110 §8.4.1). `identity` means no coding. */
export type Coding = typeof CODINGS[number];

/**
 * The longest header that is parsed, in characters. Deno accepts headers of 24 KB; parsing such a header would take 50
 * times as long as an answer.
 */
const MAX_HEADER_LENGTH = 1_024;

/** The form of the parameter `q`, which gives the quality: a number from 0 to 1 with at most three decimals. */
const QUALITY = /^q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/**
 * Whether the header `Accept` prefers Markdown: it names `text/markdown`, with at least the quality of HTML. A wildcard
 * counts as HTML, because browsers send wildcards.
 */
export function prefersMarkdown(accept: string | null): boolean {
  const qualities = parseQualities(accept);
  const markdown = qualities.get("text/markdown") ?? 0;
  const html = qualities.get("text/html") ?? qualities.get("text/*") ?? qualities.get("*/*") ?? 0;
  return markdown > 0 && markdown >= html;
}

/**
 * Whether the header `Accept` prefers HTML to JSON: `text/html` has a higher quality, as in the request of a
 * browser that posts a form. If JSON is matched only by a wildcard, the same quality is enough.
 */
export function prefersHtml(accept: string | null): boolean {
  const qualities = parseQualities(accept);
  const html = qualities.get("text/html") ?? 0;
  const json = qualities.get("application/json");
  if (json !== undefined) return html > json;
  const wildcard = qualities.get("application/*") ?? qualities.get("*/*") ?? 0;
  return html > 0 && html >= wildcard;
}

/** Whether the browser requests the page for a window or a tab. */
export const isForWindow = (headers: Headers) => headers.get("sec-fetch-dest") === "document";

/** Whether the browser requests the page for a frame (`<iframe>`) of another page. */
export const isForFrame = (headers: Headers) => headers.get("sec-fetch-dest") === "iframe";

/**
 * Chooses the offered language with the highest quality in `Accept-Language`. If the header has no offered language,
 * gives the first offered language. `de-AT` counts as `de`.
 */
export function chooseLanguage<Lang extends string>(
  acceptLanguage: string | null,
  offered: readonly [Lang, ...Lang[]],
): Lang {
  let [chosenLang] = offered;
  let bestQuality = 0;
  for (const [range, quality] of parseQualities(acceptLanguage)) {
    const lang = offered.find((lang) => range === lang || range.startsWith(`${lang}-`));
    if (lang !== undefined && quality > bestQuality) {
      chosenLang = lang;
      bestQuality = quality;
    }
  }
  return chosenLang;
}

/**
 * Chooses the coding of an answer. If the client accepts no offered coding, the coding is `identity`, even if the
 * client refuses `identity`, because an answer is more useful to the client than status 406.
 */
export function chooseCoding(
  acceptEncoding: string | null,
  isOffered: (coding: Coding) => boolean,
): Coding {
  const qualities = parseQualities(acceptEncoding);
  const qualityOf = (coding: Coding) => qualities.get(coding) ?? qualities.get("*") ?? 0;
  // A coding with the same quality as `identity` is preferred, because it makes the answer smaller.
  const leastQuality = qualities.get("identity") ?? 0;
  const acceptedCodings = CODINGS.filter((coding) => {
    const quality = qualityOf(coding);
    return coding !== "identity" && isOffered(coding) && quality > 0 && quality >= leastQuality;
  });
  const [bestCoding] = acceptedCodings.toSorted((a, b) => qualityOf(b) - qualityOf(a));
  return bestCoding ?? "identity";
}

/**
 * Reads the qualities in a header such as `Accept`, by range (such as `text/html` or `*`). Ranges are in lower case and
 * without parameters. A range with a malformed quality is left out, and a header that is too long gives no ranges.
 */
function parseQualities(header: string | null): Map<string, number> {
  const qualities = new Map<string, number>();
  if (header === null || header.length > MAX_HEADER_LENGTH) return qualities;
  for (const element of header.split(",")) {
    const [range = "", ...parameters] = element.split(";").map((part) => part.trim().toLowerCase());
    const parameter = parameters.find((parameter) => /^q\s*=/.test(parameter));
    const quality = parameter === undefined ? 1 : Number(QUALITY.exec(parameter)?.[1]);
    if (range && !Number.isNaN(quality)) {
      qualities.set(range, Math.max(quality, qualities.get(range) ?? 0));
    }
  }
  return qualities;
}
