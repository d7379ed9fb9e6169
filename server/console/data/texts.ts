/**
 * The texts of the page about exports, backups and counters.
 *
 * @module
 */

/** The texts in each language. */
export const DATA_TEXTS = {
  en: {
    export: "Export the list",
    exportHint:
      "A file of the people on the list: CSV for spreadsheets, NDJSON for programs. It holds addresses and " +
      "the links of people’s pages, so keep it safe. Records that cannot be read are left out; the " +
      "check of the counters below names them.",
    format: "Format",
    formats: { csv: "CSV", ndjson: "NDJSON" },
    state: "State",
    everyState: "All",
    lang: "Language",
    everyLang: "All",
    langs: { en: "English", de: "German" },
    download: "Download the list",
    backup: "Backup",
    backupHint:
      "Everything that a new store needs, in one file. It holds addresses, so keep it safe and away " +
      "from the service.",
    restoreHint: "A restore checks that the file is whole, and is done with the CLI:",
    lastBackup: "Last backup",
    backupSubmit: "Download a backup",
    counters: "Counters",
    countersHint:
      "Counts all records and compares the result with the counters of the statistics and with the " +
      "lists of people. It changes nothing, and takes about ten seconds for a million people.",
    lastVerify: "Counters last verified",
    never: "Never",
    verify: "Check the counters",
    verified: "The counters were checked",
    repaired: "The counters were repaired",
    verdicts: {
      right: "The counters are right.",
      wrong: "The counters are wrong.",
      lists: "The lists of people are wrong.",
      none: "No counter differs. For an exact result, check while fewer records change.",
      explained:
        "The changed records can explain the differences. Check while fewer records change.",
      mended: "The lists of people are mended.",
      corrected: (count: string) => `Corrected counters: ${count}.`,
      wereRight: "The counters were right.",
      notRepaired: (recounts: string) =>
        `No counter was corrected, as records changed during each of ${recounts} recounts. Try again ` +
        "while fewer records change.",
    },
    records: "Records counted",
    changed: "Changed meanwhile",
    missing: "People who lack an entry in a list, or a state",
    surplus: "Entries of lists that belong to nobody",
    differences: "Counters that differ",
    counter: "Counter",
    kept: "Kept",
    recounted: "Counted",
    counterNames: {
      total: "People on the list",
      added: "Sign-ups of the day",
      byState: "State",
      byLang: "Language",
      byRole: "Role",
      byBuilding: "Use case",
      bySource: "Form",
    },
    unreadable: "Records that cannot be read, and are not counted",
    key: "Key",
    why: "Why",
    repair: "Repair",
    repairTitle: "Repair the counters?",
    repairBody:
      "All records are counted again. The counters of the statistics then get the values of this count, " +
      "and the lists of people get the entries that they lack and lose those that belong to nobody. The " +
      "old values go; no person’s record is changed. Sign-ups can go on meanwhile.",
    repairSubmit: "Repair the counters",
    back: "Data",
  },
  de: {
    export: "Liste exportieren",
    exportHint:
      "Eine Datei mit den Personen auf der Liste: CSV für Tabellen, NDJSON für Programme. Sie enthält " +
      "Adressen und die Links zu den Seiten der Personen; bewahren Sie sie sicher auf. Nicht lesbare " +
      "Datensätze fehlen darin; die Prüfung der Zähler unten nennt sie.",
    format: "Format",
    formats: { csv: "CSV", ndjson: "NDJSON" },
    state: "Status",
    everyState: "Alle",
    lang: "Sprache",
    everyLang: "Alle",
    langs: { en: "Englisch", de: "Deutsch" },
    download: "Liste herunterladen",
    backup: "Sicherung",
    backupHint:
      "Alles, was ein neuer Speicher braucht, in einer Datei. Sie enthält Adressen; bewahren Sie sie " +
      "sicher und getrennt vom Dienst auf.",
    restoreHint:
      "Eine Wiederherstellung prüft, ob die Datei vollständig ist; Sie starten sie mit dem CLI:",
    lastBackup: "Letzte Sicherung",
    backupSubmit: "Sicherung herunterladen",
    counters: "Zähler",
    countersHint:
      "Zählt alle Datensätze und vergleicht das Ergebnis mit den Zählern der Statistik und mit den " +
      "Listen der Personen. Das ändert nichts und dauert bei einer Million Personen etwa zehn Sekunden.",
    lastVerify: "Zähler zuletzt geprüft",
    never: "Nie",
    verify: "Zähler prüfen",
    verified: "Die Zähler sind geprüft",
    repaired: "Die Reparatur der Zähler ist beendet",
    verdicts: {
      right: "Die Zähler stimmen.",
      wrong: "Die Zähler stimmen nicht.",
      lists: "Die Listen der Personen stimmen nicht.",
      none:
        "Kein Zähler weicht ab. Prüfen Sie für ein genaues Ergebnis, wenn sich weniger Datensätze ändern.",
      explained:
        "Die geänderten Datensätze können die Abweichungen erklären. Prüfen Sie, wenn sich weniger " +
        "Datensätze ändern.",
      mended: "Die Listen der Personen sind berichtigt.",
      corrected: (count: string) => `Berichtigte Zähler: ${count}.`,
      wereRight: "Die Zähler stimmten.",
      notRepaired: (recounts: string) =>
        `Kein Zähler wurde berichtigt, weil sich während jeder der ${recounts} Zählungen Datensätze ` +
        "änderten. Versuchen Sie es noch einmal, wenn sich weniger Datensätze ändern.",
    },
    records: "Gezählte Datensätze",
    changed: "Währenddessen geändert",
    missing: "Personen, die in einer Liste fehlen oder keinen Status haben",
    surplus: "Listeneinträge, die zu niemandem gehören",
    differences: "Abweichende Zähler",
    counter: "Zähler",
    kept: "Gespeichert",
    recounted: "Gezählt",
    counterNames: {
      total: "Personen auf der Liste",
      added: "Anmeldungen des Tages",
      byState: "Status",
      byLang: "Sprache",
      byRole: "Rolle",
      byBuilding: "Einsatzzweck",
      bySource: "Formular",
    },
    unreadable: "Nicht lesbare Datensätze, die nicht mitgezählt sind",
    key: "Schlüssel",
    why: "Grund",
    repair: "Reparieren",
    repairTitle: "Zähler reparieren?",
    repairBody:
      "Alle Datensätze werden neu gezählt. Die Zähler der Statistik bekommen danach die gezählten Werte; " +
      "in den Listen der Personen werden fehlende Einträge ergänzt und solche entfernt, die zu niemandem " +
      "gehören. Die alten Werte gehen verloren; kein Datensatz einer Person wird geändert. " +
      "Währenddessen kann man sich weiter anmelden.",
    repairSubmit: "Zähler reparieren",
    back: "Daten",
  },
} as const;

/** The texts of one language. */
export type DataTexts = typeof DATA_TEXTS["en" | "de"];
