/**
 * The texts of the overview.
 *
 * @module
 */
import type { Overview } from "../../../shared/operator_schemas.ts";
import type { Lang } from "../../waitlist/mod.ts";

/** A warning about what is still a placeholder. */
type LaunchSubject = Overview["warnings"][number]["about"];

/** The texts of one language. */
interface OverviewTexts {
  figures: Record<"total" | "today" | "last7Days" | "last30Days", string>;
  nobody: string;
  days: Record<
    "heading" | "added" | "total" | "table" | "day" | "signUps" | "people",
    string
  >;
  /** Describes the chart of the days in a sentence. */
  describeDays: (added: string, total: string) => string;
  states: Record<"heading" | "caption" | "state" | "people" | "share", string>;
  answers: Record<"heading" | "scale" | "answer" | "people" | "none" | "all", string>;
  maps: Record<"byLang" | "byRole" | "byBuilding" | "bySource", string>;
  /** How the values of the languages and forms are called. */
  values: Record<string, string>;
  others: (kinds: number) => string;
  outbox: Record<
    "heading" | "off" | "due" | "oldestDue" | "held" | "refused" | "sentToday" | "nothing" | "open",
    string
  >;
  regular: Record<"heading" | "backup" | "verify" | "never", string>;
  warnings: {
    heading: string;
    standsStill: string;
    standsStillHint: string;
    /** Says how many were refused, and how many were tried. */
    refusals: Record<"letters" | "events", (refused: string, tried: string) => string>;
    drifted: string;
    repair: string;
    noBackup: string;
    oldBackup: string;
    backUp: string;
    /** Absent where the operator's API says it in this language. */
    launch: Partial<Record<LaunchSubject, string>>;
  };
  generated: string;
}

/** The texts of the overview. */
export const OVERVIEW_TEXTS: Record<Lang, OverviewTexts> = {
  en: {
    figures: {
      total: "on the list",
      today: "signed up today",
      last7Days: "in the last 7 days",
      last30Days: "in the last 30 days",
    },
    nobody: "Nobody is on the list yet. People sign up on the home page, or you import a list.",
    days: {
      heading: "Sign-ups of the last 90 days",
      added: "Sign-ups of a day (left)",
      total: "People on the list (right)",
      table: "The days as a table",
      day: "Day (UTC)",
      signUps: "Sign-ups",
      people: "On the list",
    },
    describeDays: (added, total) =>
      `Bars of the sign-ups of each day, ${added} in 90 days, and a line of the people on the list, ${total} today.`,
    states: {
      heading: "States",
      caption: "People by state",
      state: "State",
      people: "People",
      share: "Share",
    },
    answers: {
      heading: "What people said",
      scale: "All bars have the same scale. People without an answer are in none.",
      answer: "Answer",
      people: "People",
      none: "No answers yet.",
      all: "All answers as a table",
    },
    maps: { byLang: "Language", byRole: "Role", byBuilding: "Use case", bySource: "Form" },
    values: { en: "English", de: "German", hero: "Top of the page", cta: "End of the page" },
    others: (kinds) => `${kinds} others`,
    outbox: {
      heading: "Letters and events",
      off: "The service sends no letters, as MAIL_URL is not set.",
      due: "Waiting for a try",
      oldestDue: "The first is due at",
      held: "Held back, as one network caused many",
      refused: "Not tried any more",
      sentToday: "Letters sent today",
      nothing: "Nothing waits.",
      open: "Open letters and events",
    },
    regular: {
      heading: "Regular work",
      backup: "Last backup",
      verify: "Counters last verified",
      never: "never",
    },
    warnings: {
      heading: "Needs attention",
      standsStill: "Letters or events should have been sent at",
      standsStillHint:
        "This is as it should be while a large wave is being sent. Otherwise, see what waits and why.",
      refusals: {
        letters: (refused, tried) =>
          `${refused} of ${tried} letters were refused. The refused ones name the reason.`,
        events: (refused, tried) =>
          `${refused} of ${tried} tries to deliver events failed. Look at the receiver and at WEBHOOK_URL.`,
      },
      drifted: "The counters differed from the records at",
      repair: "Repair the counters",
      noBackup: "There is no backup yet.",
      oldBackup: "There has been no backup since",
      backUp: "Make a backup",
      launch: {},
    },
    generated: "As of",
  },
  de: {
    figures: {
      total: "auf der Liste",
      today: "heute angemeldet",
      last7Days: "in den letzten 7 Tagen",
      last30Days: "in den letzten 30 Tagen",
    },
    nobody:
      "Noch steht niemand auf der Liste. Anmelden kann man sich auf der Startseite; Sie können auch eine Liste importieren.",
    days: {
      heading: "Anmeldungen der letzten 90 Tage",
      added: "Anmeldungen eines Tages (links)",
      total: "Personen auf der Liste (rechts)",
      table: "Die Tage als Tabelle",
      day: "Tag (UTC)",
      signUps: "Anmeldungen",
      people: "Auf der Liste",
    },
    describeDays: (added, total) =>
      `Balken mit den Anmeldungen jedes Tages, ${added} in 90 Tagen, und eine Linie mit den Personen auf der Liste, heute ${total}.`,
    states: {
      heading: "Status der Personen",
      caption: "Personen nach Status",
      state: "Status",
      people: "Personen",
      share: "Anteil",
    },
    answers: {
      heading: "Angaben der Personen",
      scale: "Alle Balken haben denselben Maßstab. Wer nichts angegeben hat, zählt hier nicht mit.",
      answer: "Angabe",
      people: "Personen",
      none: "Noch keine Angaben.",
      all: "Alle Angaben als Tabelle",
    },
    maps: { byLang: "Sprache", byRole: "Rolle", byBuilding: "Einsatzzweck", bySource: "Formular" },
    values: { en: "Englisch", de: "Deutsch", hero: "Seitenanfang", cta: "Seitenende" },
    others: (kinds) => `${kinds} weitere`,
    outbox: {
      heading: "E-Mails und Ereignisse",
      off: "Der Dienst verschickt keine E-Mails, denn MAIL_URL ist nicht gesetzt.",
      due: "Warten auf einen Versuch",
      oldestDue: "Der erste ist fällig am",
      held: "Zurückgehalten, da ein Netz viele auslöste",
      refused: "Werden nicht mehr versucht",
      sentToday: "Heute verschickte E-Mails",
      nothing: "Nichts wartet.",
      open: "E-Mails und Ereignisse öffnen",
    },
    regular: {
      heading: "Regelmäßige Arbeiten",
      backup: "Letzte Sicherung",
      verify: "Zähler zuletzt geprüft",
      never: "noch nie",
    },
    warnings: {
      heading: "Bitte beachten",
      standsStill: "E-Mails oder Ereignisse warten schon seit dem",
      standsStillHint:
        "Solange eine große Welle verschickt wird, ist das in Ordnung. Sehen Sie sonst nach, was wartet und warum.",
      refusals: {
        letters: (refused, tried) =>
          `${refused} von ${tried} E-Mails wurden abgelehnt. Bei den abgelehnten steht der Grund.`,
        events: (refused, tried) =>
          `${refused} von ${tried} Versuchen, Ereignisse zuzustellen, sind fehlgeschlagen. Prüfen Sie den Empfänger und WEBHOOK_URL.`,
      },
      drifted: "Die Zähler wichen von den Datensätzen ab, festgestellt am",
      repair: "Zähler reparieren",
      noBackup: "Es gibt noch keine Sicherung.",
      oldBackup: "Die letzte Sicherung ist vom",
      backUp: "Sicherung herunterladen",
      launch: {
        name:
          "Auf den Seiten und in den E-Mails steht der Beispielname „Example Company“. Setzen Sie SITE_NAME oder „name“ in brand.yaml.",
        picture:
          "Das Vorschaubild für geteilte Links ist das mitgelieferte und nennt niemanden. Legen Sie Ihr eigenes als assets/social.png in den Ordner von CONTENT_PATH; der Task „picture“ nimmt es von Ihrer Startseite auf.",
        contact:
          "Die Kontaktadresse ist nur geraten: hello@ und der Host aus BASE_URL. Setzen Sie CONTACT auf eine Adresse, die jemand liest.",
        texts:
          "In den Texten stehen noch Notizen (<!-- … -->) zu dem, was zu schreiben ist. Legen Sie Ihre eigenen Texte in den Ordner von CONTENT_PATH.",
        letters:
          "E-Mails werden nur in einem Ordner dieses Rechners abgelegt und erreichen niemanden. Setzen Sie MAIL_URL auf einen Mailserver oder eine Mail-API.",
        proxy:
          "BASE_URL beginnt mit https:, also steht ein Proxy davor, doch TRUSTED_PROXY_HOPS ist 0: Alle Besucher teilen sich die Grenzen für die Adresse des Proxys. Setzen Sie TRUSTED_PROXY_HOPS auf die Zahl Ihrer Proxys.",
      },
    },
    generated: "Zahlen vom",
  },
};
