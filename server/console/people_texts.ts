/** The texts of the page of people, and of what it shares with a person's pages. */
export const PEOPLE_TEXTS = {
  en: {
    lang: "en",
    search: "Address begins with",
    all: "All",
    show: "Show",
    address: "Address",
    createdAt: "First sign-up",
    role: "Role",
    building: "Use case",
    state: "State",
    language: "Language",
    langs: { en: "English", de: "German" },
    form: "Form",
    sources: { hero: "Top of the page", cta: "End of the page" },
    order: "Order",
    newest: "Newest first",
    oldest: "Oldest first",
    byAddress: "By address",
    caption: (count: string, order: string) => `${order}; people on this page: ${count}`,
    none: "Nobody is on the list, or nobody fits these choices.",
    noOthers: "There are no others.",
    noneYet: "Nobody among the 2,000 people looked at fits these choices. There may be others.",
    readMuch:
      "This page stopped after looking at 2,000 people; few of them fit. There may be others.",
    undeliverable: "Undeliverable",
    badLink: (link: string) =>
      `‘${link}’ is no address that an invitation can lead to. Give an https: address without spaces, such as https://app.example.com/welcome?code={code}.`,
    erased: "The person is erased.",
  },
  de: {
    lang: "de",
    search: "Adresse beginnt mit",
    all: "Alle",
    show: "Anzeigen",
    address: "Adresse",
    createdAt: "Erste Anmeldung",
    role: "Rolle",
    building: "Einsatzzweck",
    state: "Status",
    language: "Sprache",
    langs: { en: "Englisch", de: "Deutsch" },
    form: "Formular",
    sources: { hero: "Seitenanfang", cta: "Seitenende" },
    order: "Reihenfolge",
    newest: "Neueste zuerst",
    oldest: "Älteste zuerst",
    byAddress: "Nach Adresse",
    caption: (count: string, order: string) => `${order}; Personen auf dieser Seite: ${count}`,
    none: "Niemand steht auf der Liste, oder zu dieser Auswahl passt niemand.",
    noOthers: "Es gibt keine weiteren.",
    noneYet:
      "Unter den 2.000 durchgesehenen Personen passt niemand zu dieser Auswahl. Es kann weitere geben.",
    readMuch:
      "Diese Seite endet nach 2.000 durchgesehenen Personen, von denen wenige passen. Es kann weitere geben.",
    undeliverable: "Unzustellbar",
    badLink: (link: string) =>
      `„${link}“ ist keine Adresse, zu der eine Einladung führen kann. Geben Sie eine https:-Adresse ohne Leerzeichen an, etwa https://app.example.com/welcome?code={code}.`,
    erased: "Die Person ist gelöscht.",
  },
} as const;

/** The texts in one language. */
export type PeopleTexts = (typeof PEOPLE_TEXTS)["en" | "de"];
