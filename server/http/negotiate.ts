/** Content negotiation with quality values (RFC 9110 §12.4.2, §12.5). @module */

/** The content codings that representations are kept in, in the order of preference. */
export const CODINGS = ["br", "gzip", "identity"] as const;

/** A content coding (RFC 9110 §8.4.1); `identity` is none. */
export type Coding = typeof CODINGS[number];

/** Whether `Accept` prefers `text/markdown`, or likes it as HTML. Wildcards mean HTML, as browsers send them. */
export function prefersMarkdown(accept: string | null): boolean {
  const qualities = parseQualities(accept);
  const markdown = qualities.get("text/markdown") ?? 0;
  const html = qualities.get("text/html") ?? qualities.get("text/*") ?? qualities.get("*/*") ?? 0;
  return markdown > 0 && markdown >= html;
}

/**
 * Whether a value of `Accept` names `text/html` with a quality above JSON's, as a browser does that posts a form. A
 * wildcard does not name JSON, and only must not be preferred to HTML.
 */
export function prefersHtml(accept: string | null): boolean {
  const qualities = parseQualities(accept);
  const html = qualities.get("text/html") ?? 0;
  const json = qualities.get("application/json");
  if (json !== undefined) return html > json;
  const any = qualities.get("application/*") ?? qualities.get("*/*") ?? 0;
  return html > 0 && html >= any;
}

/** Whether a page is asked for by a frame of another page (Fetch Metadata, `Sec-Fetch-Dest`). */
export const isForFrame = (headers: Headers) => headers.get("sec-fetch-dest") === "iframe";

/** Chooses the offered language with the highest quality, by default the first one. `de-AT` counts as `de`. */
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

/** Chooses the coding of an answer: `identity` where no other is listed, even if it is refused, rather than 406. */
export function chooseCoding(acceptEncoding: string | null, offered: (coding: Coding) => boolean) {
  const qualities = parseQualities(acceptEncoding);
  const qualityOf = (coding: Coding) => qualities.get(coding) ?? qualities.get("*") ?? 0;
  // A coding with the quality of `identity` is chosen, as it is smaller. Of equal codings the first is.
  const least = qualities.get("identity") ?? 0;
  const accepted = CODINGS.filter((coding) =>
    coding !== "identity" && offered(coding) && qualityOf(coding) > 0 && qualityOf(coding) >= least
  );
  return accepted.toSorted((a, b) => qualityOf(b) - qualityOf(a))[0] ?? "identity";
}

/** The most characters that are read: 24 KB, which Deno lets through, take 50 times as long as an answer. */
const MAX_LENGTH = 1_024;

/** The weight of a range, with three decimals at most. */
const WEIGHT = /^q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/** The qualities of the ranges, which are in lower case and without parameters. Malformed ranges are left out. */
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
