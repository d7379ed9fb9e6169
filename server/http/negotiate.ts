/** Content negotiation: chooses media type, language and coding by quality values (RFC 9110 §12.4.2, §12.5). @module */

/** The content codings of prepared answers, in the order of preference. */
export const CODINGS = ["br", "gzip", "identity"] as const;

/** A content coding (RFC 9110 §8.4.1). `identity` means no coding. */
export type Coding = typeof CODINGS[number];

/**
 * Whether `Accept` gives `text/markdown` at least the quality of HTML. A wildcard counts as HTML, because browsers send
 * wildcards.
 */
export function prefersMarkdown(accept: string | null): boolean {
  const qualities = parseQualities(accept);
  const markdown = qualities.get("text/markdown") ?? 0;
  const html = qualities.get("text/html") ?? qualities.get("text/*") ?? qualities.get("*/*") ?? 0;
  return markdown > 0 && markdown >= html;
}

/**
 * Whether `Accept` gives `text/html` a higher quality than JSON, as a browser does when it posts a form. If only a
 * wildcard matches JSON, the same quality is enough.
 */
export function prefersHtml(accept: string | null): boolean {
  const qualities = parseQualities(accept);
  const html = qualities.get("text/html") ?? 0;
  const json = qualities.get("application/json");
  if (json !== undefined) return html > json;
  const any = qualities.get("application/*") ?? qualities.get("*/*") ?? 0;
  return html > 0 && html >= any;
}

/** Whether a page is requested for a window of its own (Fetch Metadata, `Sec-Fetch-Dest`). */
export const isForWindow = (headers: Headers) => headers.get("sec-fetch-dest") === "document";

/** Whether a page is requested for a frame of another page. */
export const isForFrame = (headers: Headers) => headers.get("sec-fetch-dest") === "iframe";

/** Chooses the offered language with the highest quality, or the first offered language. `de-AT` counts as `de`. */
export function chooseLanguage<Lang extends string>(
  acceptLanguage: string | null,
  offered: readonly [Lang, ...Lang[]],
): Lang {
  let [chosen, best] = [offered[0], 0];
  for (const [range, quality] of parseQualities(acceptLanguage)) {
    const lang = offered.find((lang) => range === lang || range.startsWith(`${lang}-`));
    if (lang !== undefined && quality > best) [chosen, best] = [lang, quality];
  }
  return chosen;
}

/**
 * Chooses the coding of an answer. If the client accepts no other coding, it is `identity`, even if the client refuses
 * `identity`, because an answer is more useful than 406.
 */
export function chooseCoding(
  acceptEncoding: string | null,
  offered: (coding: Coding) => boolean,
): Coding {
  const qualities = parseQualities(acceptEncoding);
  const qualityOf = (coding: Coding) => qualities.get(coding) ?? qualities.get("*") ?? 0;
  // A coding with the same quality as `identity` is preferred, because it makes the answer smaller.
  const least = qualities.get("identity") ?? 0;
  const accepted = CODINGS.filter((coding) =>
    coding !== "identity" && offered(coding) && qualityOf(coding) > 0 && qualityOf(coding) >= least
  );
  return accepted.toSorted((a, b) => qualityOf(b) - qualityOf(a))[0] ?? "identity";
}

/**
 * The longest header that is parsed, in characters. Deno allows 24 KB, and parsing them would take 50 times as long as
 * an answer.
 */
const MAX_LENGTH = 1_024;

/** The form of the parameter `q`, the quality, with at most three decimals. */
const WEIGHT = /^q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/** Reads the qualities in a header by range, in lower case and without parameters. Malformed ranges are left out. */
function parseQualities(header: string | null): Map<string, number> {
  const qualities = new Map<string, number>();
  if (header === null || header.length > MAX_LENGTH) return qualities;
  for (const element of header.split(",")) {
    const [range = "", ...parameters] = element.split(";").map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => /^q\s*=/.test(parameter));
    const quality = weight === undefined ? 1 : Number(WEIGHT.exec(weight)?.[1]);
    if (range && !Number.isNaN(quality)) {
      qualities.set(range, Math.max(quality, qualities.get(range) ?? 0));
    }
  }
  return qualities;
}
