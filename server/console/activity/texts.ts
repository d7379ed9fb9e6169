/**
 * The texts of the page about what operators did.
 *
 * @module
 */

/** The texts in each language. */
export const ACTIVITY_TEXTS = {
  en: {
    about:
      "Every change, export and backup, and every call with a wrong key, by whatever way it came: this " +
      "console, the CLI or the API. Entries are kept for 400 days.",
    operator: "Operator",
    operatorHint: "name of an operator",
    since: "From (UTC)",
    until: "Until (UTC)",
    show: "Show",
    all: "Show everything",
    caption: "What operators did, the newest first",
    time: "Time",
    action: "Action",
    on: "On",
    details: "Details",
    nobody: "nobody",
    badFilter: (operator: string, since: string, until: string) =>
      `The filter cannot be used: operator ‘${operator}’, from ‘${since}’, until ‘${until}’. Give a name of ` +
      "small letters, digits, - and _, and days such as 2026-11-21.",
    address: "an address",
    nothing: "Nothing is in the log that fits.",
    nothingYet: "Nothing that fits is among the entries that were read. Go on to older ones.",
    older: "Older",
    newest: "Newest",
    unreadable: (count: string) => `Entries that cannot be read, and are left out: ${count}.`,
    actions: {
      createClient: "Created a client",
      rotateClient: "Replaced a client’s secret",
      disableClient: "Disabled a client",
      enableClient: "Enabled a client",
      rotateKeys: "Rotated the signing key",
      exportSignups: "Exported the list",
      importSignups: "Imported sign-ups",
      eraseSignup: "Erased a person",
      eraseSignups: "Erased people by state",
      remindSignups: "Sent confirmations again",
      markUndeliverable: "Marked as undeliverable",
      inviteSignups: "Invited people",
      retryOutbox: "Tried letters and events again",
      repairCounters: "Repaired the counters",
      backUp: "Made a backup",
      beginRestore: "Began a restore",
      restoreLines: "Restored a part",
      finishRestore: "Finished a restore",
      failedSignIn: "Calls with a wrong key",
    },
  },
  de: {
    about:
      "Jede Änderung, jeder Export und jede Sicherung sowie Aufrufe mit falschem Schlüssel, gleich auf " +
      "welchem Weg: über diese Konsole, das CLI oder die API. Einträge werden 400 Tage aufbewahrt.",
    operator: "Betreiber",
    operatorHint: "Name eines Betreibers",
    since: "Von (UTC)",
    until: "Bis (UTC)",
    show: "Anzeigen",
    all: "Alles anzeigen",
    caption: "Was Betreiber getan haben, das Neueste zuerst",
    time: "Zeit",
    action: "Handlung",
    on: "Betrifft",
    details: "Einzelheiten",
    nobody: "niemand",
    badFilter: (operator: string, since: string, until: string) =>
      `Dieser Filter ist nicht möglich: Betreiber „${operator}“, von „${since}“, bis „${until}“. Geben Sie einen ` +
      "Namen aus Kleinbuchstaben, Ziffern, - und _ an, und Tage wie 2026-11-21.",
    address: "eine Adresse",
    nothing: "Im Protokoll steht nichts, das dazu passt.",
    nothingYet:
      "Unter den gelesenen Einträgen passt keiner. Gehen Sie weiter zu den älteren Einträgen.",
    older: "Ältere",
    newest: "Neueste",
    unreadable: (count: string) => `Nicht lesbare Einträge, die hier fehlen: ${count}.`,
    actions: {
      createClient: "Client angelegt",
      rotateClient: "Secret eines Clients ersetzt",
      disableClient: "Client gesperrt",
      enableClient: "Client freigegeben",
      rotateKeys: "Signaturschlüssel gewechselt",
      exportSignups: "Liste exportiert",
      importSignups: "Anmeldungen importiert",
      eraseSignup: "Person gelöscht",
      eraseSignups: "Personen nach Status gelöscht",
      remindSignups: "Noch einmal um Bestätigung gebeten",
      markUndeliverable: "Als unzustellbar gekennzeichnet",
      inviteSignups: "Personen eingeladen",
      retryOutbox: "E-Mails und Ereignisse erneut versucht",
      repairCounters: "Zähler repariert",
      backUp: "Sicherung erstellt",
      beginRestore: "Wiederherstellung begonnen",
      restoreLines: "Einen Teil wiederhergestellt",
      finishRestore: "Wiederherstellung beendet",
      failedSignIn: "Aufrufe mit falschem Schlüssel",
    },
  },
} as const;

/** The texts of one language. */
export type ActivityTexts = typeof ACTIVITY_TEXTS["en" | "de"];
