/** What the lists of pages (`/sitemap.xml`, `/llms.txt`) need to know of a page. */
export interface ListedPage {
  /** With its slashes, such as `/developers/`. */
  path: string;
  title: string;
  /** One sentence. */
  description: string;
  lang: string;
  /** All languages' versions of the page, its own included; empty where there are no others. */
  alternates: { lang: string; path: string }[];
  /** Whether it is meant to be found. */
  indexed: boolean;
}
