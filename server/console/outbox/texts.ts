/**
 * The texts of the page about letters and events.
 *
 * @module
 */

/** The texts in each language. */
export const OUTBOX_TEXTS = {
  en: {
    due: "Waiting",
    oldest: "the first at",
    refused: "Not tried any more",
    sentToday: "Letters sent today (UTC)",
    pause: "All letters are paused, as the mail server refuses every one. The next try is at",
    reason: "Reason:",
    lettersOff:
      "The service sends no letters. Set MAIL_URL to turn them on, and start the service again.",
    eventsOff:
      "The service sends no events. Set WEBHOOK_URL to turn them on, and start the service again.",
    lists: "Lists",
    waitingTab: "What waits",
    refusedTab: "What was refused",
    waitingCaption: "Letters and events that wait, the first due first",
    refusedCaption: "Letters and events that are not tried any more, the oldest first",
    nothingWaits: "Nothing waits.",
    nothingRefused: "Nothing was refused.",
    what: "What",
    to: "To or about",
    dueAt: "Due",
    refusedAt: "Refused",
    tries: "Tries",
    why: "Why the last try failed",
    again: "Action",
    retry: "Try again now",
    all: "Try all again",
    allHint:
      "Everything that was refused becomes due at once. Addresses that were marked as undeliverable " +
      "for it get another chance.",
    messages: {
      confirmation: "Letter: confirmation",
      invitation: "Letter: invitation",
      link: "Letter: link to the person’s page",
      "signup.joined": "Event: joined",
      "signup.confirmed": "Event: confirmed",
      "signup.invited": "Event: invited",
      "signup.left": "Event: left",
    },
    retried: (count: string) => `Made due at once: ${count}.`,
    left: (count: string) =>
      `Left as they are: ${count}, because they are gone, are being sent at this moment, or are due ` +
      "within five minutes.",
    test: "Test event",
    testHint:
      "Sends one event of the type webhook.test to WEBHOOK_URL, and says whether it was taken.",
    testSubmit: "Send a test event",
    taken: "The test event was taken.",
    notTaken: "The test event was not taken.",
    back: "Letters and events",
  },
  de: {
    due: "Wartend",
    oldest: "fällig ab",
    refused: "Nicht mehr versucht",
    sentToday: "Heute verschickte E-Mails (UTC)",
    pause: "Alle E-Mails ruhen, weil der Mailserver jede abweist. Der nächste Versuch ist am",
    reason: "Grund:",
    lettersOff:
      "Der Dienst verschickt keine E-Mails. Setzen Sie MAIL_URL, um sie einzuschalten, und starten Sie ihn neu.",
    eventsOff:
      "Der Dienst sendet keine Ereignisse. Setzen Sie WEBHOOK_URL, um sie einzuschalten, und starten Sie ihn neu.",
    lists: "Listen",
    waitingTab: "Was wartet",
    refusedTab: "Was abgewiesen wurde",
    waitingCaption: "Wartende E-Mails und Ereignisse, die nächsten zuerst",
    refusedCaption: "E-Mails und Ereignisse, die nicht mehr versucht werden, die ältesten zuerst",
    nothingWaits: "Nichts wartet.",
    nothingRefused: "Nichts wurde abgewiesen.",
    what: "Was",
    to: "An oder über",
    dueAt: "Fällig",
    refusedAt: "Abgewiesen",
    tries: "Versuche",
    why: "Letzter Fehler",
    again: "Aktion",
    retry: "Erneut versuchen",
    all: "Alle erneut versuchen",
    allHint:
      "Alles Abgewiesene wird sofort fällig. Adressen, die deshalb als unzustellbar gelten, bekommen " +
      "eine neue Chance.",
    messages: {
      confirmation: "E-Mail: Bestätigung",
      invitation: "E-Mail: Einladung",
      link: "E-Mail: Link zur Seite der Person",
      "signup.joined": "Ereignis: angemeldet",
      "signup.confirmed": "Ereignis: bestätigt",
      "signup.invited": "Ereignis: eingeladen",
      "signup.left": "Ereignis: Liste verlassen",
    },
    retried: (count: string) => `Sofort fällig gemacht: ${count}.`,
    left: (count: string) =>
      `Unverändert gelassen: ${count}, weil es sie nicht mehr gibt, sie gerade verschickt werden oder ` +
      "innerhalb von fünf Minuten fällig sind.",
    test: "Testereignis",
    testHint:
      "Sendet ein Ereignis der Art webhook.test an WEBHOOK_URL und sagt, ob es angenommen wurde.",
    testSubmit: "Testereignis senden",
    taken: "Das Testereignis wurde angenommen.",
    notTaken: "Das Testereignis wurde nicht angenommen.",
    back: "E-Mails und Ereignisse",
  },
} as const;

/** The texts of one language. */
export type OutboxTexts = typeof OUTBOX_TEXTS["en" | "de"];
