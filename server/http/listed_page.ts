/** A page, as lists of pages (`/sitemap.xml`, `/llms.txt`) name it. */
export interface ListedPage {
  /** With its slashes, such as `/developers/`. */
  path: string;
  /** Plain text, as the description is. */
  title: string;
  /** One sentence. */
  description: string;
  lang: string;
  /** All languages' versions of the page, its own included; empty where there are no others. */
  alternates: { lang: string; path: string }[];
  /** Whether it may be listed; a page of thanks is of no use to those who come from elsewhere. */
  indexed: boolean;
}
