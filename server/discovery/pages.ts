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

const HOME = [{ lang: "en", path: "/" }, { lang: "de", path: "/de/" }];
const PRIVACY = [{ lang: "en", path: "/privacy/" }, { lang: "de", path: "/de/datenschutz/" }];
const IMPRINT = [{ lang: "en", path: "/imprint/" }, { lang: "de", path: "/de/impressum/" }];
const THANKS = [{ lang: "en", path: "/thanks/" }, { lang: "de", path: "/de/danke/" }];

/** The pages that are part of the service. */
export const DOCUMENTED_PAGES: ListedPage[] = [
  {
    path: "/",
    title: "Early access",
    description: "What is coming, and the form that joins the waitlist.",
    lang: "en",
    alternates: HOME,
    indexed: true,
  },
  {
    path: "/developers/",
    title: "For developers",
    description: "Quick start, endpoints, errors and limits of the API.",
    lang: "en",
    alternates: [],
    indexed: true,
  },
  {
    path: "/privacy/",
    title: "Privacy",
    description: "What is stored, why, for how long, and how to have it erased.",
    lang: "en",
    alternates: PRIVACY,
    indexed: true,
  },
  {
    path: "/imprint/",
    title: "Imprint",
    description: "Who runs this service.",
    lang: "en",
    alternates: IMPRINT,
    indexed: true,
  },
  {
    path: "/thanks/",
    title: "Thank you",
    description: "You are on the list.",
    lang: "en",
    alternates: THANKS,
    indexed: false,
  },
  {
    path: "/de/",
    title: "Früher Zugang",
    description: "Was kommt, und das Formular für die Warteliste.",
    lang: "de",
    alternates: HOME,
    indexed: true,
  },
  {
    path: "/de/datenschutz/",
    title: "Datenschutz",
    description: "Was gespeichert wird, warum, wie lange, und wie es gelöscht wird.",
    lang: "de",
    alternates: PRIVACY,
    indexed: true,
  },
  {
    path: "/de/impressum/",
    title: "Impressum",
    description: "Wer diesen Dienst betreibt.",
    lang: "de",
    alternates: IMPRINT,
    indexed: true,
  },
  {
    path: "/de/danke/",
    title: "Danke",
    description: "Die Adresse steht auf der Liste.",
    lang: "de",
    alternates: THANKS,
    indexed: false,
  },
];
