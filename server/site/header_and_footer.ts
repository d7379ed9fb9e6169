/** The header and the footer of a page: the logo, the navigation, and the links to the translations. @module */
import {
  Html,
  type Language,
  type ListedPage,
  markup,
  picture,
  type SourcePage,
} from "../content/mod.ts";
import type { BrandAssets } from "./brand_assets.ts";

/** A page, and the data that its header shows. */
interface HeaderOptions {
  page: SourcePage;
  language: Language;
  languages: Language[];
  /** The entry of the page in lists of pages. It has the paths of the translations. */
  entry: Pick<ListedPage, "alternates">;
  brandAssets: Pick<BrandAssets, "logo" | "hasOwnLook">;
}

/** A link of the navigation. */
interface NavigationLink {
  label: string;
  path: string;
}

/** The built-in logo: half a sun above the horizon. */
const BUILT_IN_LOGO = new Html(
  '<svg class="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">' +
    '<path class="sun" d="M6 20a10 10 0 0 1 20 0z"/>' +
    '<path d="M2 24.5h28M7 29h18" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round"/></svg>',
);

/** The header of a page. It links to the translations of the page. */
export function pageHeader(options: HeaderOptions): Html {
  const { page, language, languages, brandAssets } = options;
  const { navigation } = language.texts;
  const translations = languages.filter((other) => other !== language).map((other) => {
    const path = pathIn(other, options);
    return markup`<li><a href="${path}" hreflang="${other.lang}" lang="${other.lang}">${other.texts.name}</a></li>`;
  });
  const { logo } = brandAssets;
  return markup`<header class="site-header">
<a class="brand" href="${language.home.path}"${currentAttribute(page, language.home.path)}>${
    logoImage(brandAssets, "{{site_name}}")
  }
${!logo?.isWordmark && markup`<span>{{site_name}}</span>`}</a>
<nav aria-label="${navigation.label}">
<ul>
${navigation.links.map((link) => navigationItem(page, link))}
${translations}
</ul>
</nav>
</header>`;
}

/**
 * Returns the path of a page in another language. If the page is not translated into this language, the translation of
 * the nearest page above takes the place of the page; without such a translation, the home page does.
 */
function pathIn(
  { lang, pages, home }: Language,
  { page, language, entry }: Pick<HeaderOptions, "page" | "language" | "entry">,
): string {
  const translation = entry.alternates.find((alternate) => alternate.lang === lang);
  if (translation) return translation.path;
  const nearestAbove = language.pages
    .filter(({ path }) => page.path.startsWith(path))
    .toSorted((one, other) => other.path.length - one.path.length)
    .map((above) => pages.find(({ name }) => name === above.name))
    .find((translated) => translated !== undefined);
  return (nearestAbove ?? home).path;
}

/**
 * Makes the HTML of the logo in the header, for light and dark mode. Returns `false` if the company has its own look,
 * but no logo.
 * @param siteName the alternative text of a wordmark
 */
export function logoImage(
  { logo, hasOwnLook }: Pick<BrandAssets, "logo" | "hasOwnLook">,
  siteName: string,
): Html | false {
  if (!logo) return !hasOwnLook && BUILT_IN_LOGO;
  const { src, dark, width, height, isWordmark } = logo;
  const alt = isWordmark && siteName;
  return picture(
    markup`<img class="mark" src="${src}" alt="${alt}" width="${width}" height="${height}">`,
    dark,
  );
}

/** The footer of a page: a note, the links of the language, and the contact. */
export function pageFooter({ page, language }: { page: SourcePage; language: Language }): Html {
  const { label, note, links, contact } = language.texts.footer;
  const allLinks = [...links, { label: contact, path: "{{contact}}" }];
  return markup`<footer class="site-footer">
<p>${note}</p>
<nav aria-label="${label}">
<ul>
${allLinks.map((link) => navigationItem(page, link))}
</ul>
</nav>
</footer>`;
}

function navigationItem(page: SourcePage, { label, path }: NavigationLink): Html {
  return markup`<li><a href="${path}"${currentAttribute(page, path)}>${label}</a></li>`;
}

/** The attribute of a link that leads to the page itself. A link to another page gets no attribute. */
function currentAttribute(page: SourcePage, path: string): Html | false {
  return page.path === path && markup` aria-current="page"`;
}
