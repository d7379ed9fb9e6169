/**
 * Warns of faults in pages, such as a broken link, and of a wrong size of the picture of link previews. These faults do
 * not stop the start, but visitors see them. @module
 */
import type { Language, LaunchWarning, Picture, SourcePage } from "../content/mod.ts";
import { createFaultList } from "./fault_list.ts";

/**
 * The size that a picture of link previews should have, in pixels. Sites that show link previews cut any other size.
 */
const SOCIAL_WIDTH = 1200;
const SOCIAL_HEIGHT = 630;

/** The warning about a line with `:::` that neither begins nor ends a section. */
const LONE_COLONS =
  "A line with ::: is not part of a pair. Begin a section with ::: and its name, and end it with :::.";

/** The warning about a home page without a sign-up form. */
const NO_FORM =
  "There is no form, so nobody can join on this page. Put {{sign-up hero}} on a line of its own.";

interface WarningOptions {
  baseUrl: string;
  languages: Language[];
  /** Whether the service answers a path. */
  hasPath: (path: string) => boolean;
  socialImage: Picture;
}

/** Returns a warning for each fault, with the files that have the fault. @param pages the pages, with their HTML */
export function contentWarnings(
  pages: { page: SourcePage; html: string }[],
  options: WarningOptions,
): LaunchWarning[] {
  const faultList = createFaultList();
  for (const { page, html } of pages) {
    const { label, lang } = page;
    // The text of the page is in the element `article`, between the header and the footer.
    const [header, article = "", footer] = html.split(/<\/?article[^>]*>/);
    for (const path of brokenLinksIn(article, page, options)) {
      faultList.add(describeBrokenLink(path), label);
    }
    // Faults in the header and the footer are reported for `texts.yaml`, because their texts come from that file.
    for (const path of brokenLinksIn(`${header}${footer}`, page, options)) {
      faultList.add(describeBrokenLink(path), `${lang}/texts.yaml`);
    }
    if (hasLoneColons(article)) faultList.add(LONE_COLONS, label);
    const isHomePage = options.languages.some(({ home }) => home.label === label);
    if (isHomePage && !article.includes('class="sign-up"')) faultList.add(NO_FORM, label);
  }
  const warnings = faultList.messages().map((message): LaunchWarning => ({
    about: "texts",
    message,
  }));
  const { width, height } = options.socialImage;
  if (width === SOCIAL_WIDTH && height === SOCIAL_HEIGHT) return warnings;
  const message = `The picture of link previews has ${width} by ${height} pixels. ` +
    `Save it with ${SOCIAL_WIDTH} by ${SOCIAL_HEIGHT} pixels, because other sites cut a picture of any other size.`;
  return [...warnings, { about: "picture", message }];
}

/** Lists the paths on this origin to which HTML links although the service does not answer them. */
function brokenLinksIn(
  html: string,
  { path }: SourcePage,
  { baseUrl, hasPath }: WarningOptions,
): string[] {
  const links = html.matchAll(/<a [^>]*?href="([^"]*)"/g);
  return Array.from(links, ([, href = ""]) => URL.parse(href, baseUrl + path))
    .filter((url) => url?.origin === baseUrl && !hasPath(url.pathname))
    .map((url) => url!.pathname);
}

const describeBrokenLink = (path: string): string =>
  `The link '${path}' leads to no page. Correct the link, or add the page.`;

/** Whether HTML, apart from code, has a line with `:::` that neither begins nor ends a section. */
const hasLoneColons = (html: string): boolean =>
  /^(?:<p>)?:::/m.test(html.replaceAll(/<pre[^]*?<\/pre>/g, ""));
