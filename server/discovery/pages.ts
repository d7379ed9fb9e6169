/** What the lists of pages (`/sitemap.xml`, `/llms.txt`) say of a page. */
export interface ListedPage {
  /** Path with its slashes, such as `/developers/`. */
  path: string;
  title: string;
  /** One sentence. */
  description: string;
  lang: "en" | "de";
  /** The paths of the same page in the other languages. */
  alternates?: Partial<Record<"en" | "de", string>>;
}

/** The pages that are part of the service; the thanks pages are not meant to be found. */
export const DOCUMENTED_PAGES: ListedPage[] = [
  {
    path: "/",
    title: "Early access",
    description: "What is coming, and the form that joins the waitlist.",
    lang: "en",
    alternates: { de: "/de/" },
  },
  {
    path: "/developers/",
    title: "For developers",
    description: "Quick start, endpoints, errors and limits of the API.",
    lang: "en",
  },
  {
    path: "/privacy/",
    title: "Privacy",
    description: "What is stored, why, for how long, and how to have it erased.",
    lang: "en",
    alternates: { de: "/de/datenschutz/" },
  },
  {
    path: "/imprint/",
    title: "Imprint",
    description: "Who runs this service.",
    lang: "en",
    alternates: { de: "/de/impressum/" },
  },
  {
    path: "/de/",
    title: "Früher Zugang",
    description: "Was kommt, und das Formular für die Warteliste.",
    lang: "de",
    alternates: { en: "/" },
  },
  {
    path: "/de/datenschutz/",
    title: "Datenschutz",
    description: "Was gespeichert wird, warum, wie lange, und wie es gelöscht wird.",
    lang: "de",
    alternates: { en: "/privacy/" },
  },
  {
    path: "/de/impressum/",
    title: "Impressum",
    description: "Wer diesen Dienst betreibt.",
    lang: "de",
    alternates: { en: "/imprint/" },
  },
];
