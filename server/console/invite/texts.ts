/** The texts of the pages that invite people. */
export const INVITE_TEXTS = {
  en: {
    lang: "en",
    title: "Invite people",
    about:
      "Invites the next of those who wait, in the order of their first sign-up. You see first who would come.",
    waiting: (count: string) => `People who wait: ${count}`,
    mailOff:
      "The service sends no letters, as MAIL_URL is not set. People are invited all the same, and you get their codes as a file to write to them yourself.",
    next: "How many",
    all: "All",
    form: "Form",
    language: "Language",
    role: "Role",
    building: "Use case",
    link: "Where the invitation leads",
    linkHint: "An https: address. {code} in it becomes each person's invitation code.",
    letters: "Send each of them the invitation letter",
    wave: "Id of the wave",
    waveHint: "Leave it empty for a new wave, or give the id of one that was cut to go on with it.",
    more: "More choices",
    preview: "Show who would come",
    change: "Change the choices",

    wouldInvite: (count: string) => `People whom this wave would invite: ${count}`,
    wouldInviteMore: (count: string) => `People whom this wave would invite: more than ${count}`,
    hasChanged:
      "The list has changed since you looked. Nobody is invited yet; this is what the wave would do now.",
    nobody: "Nobody would be invited: nobody who waits fits these choices.",
    nobodyYet: "Nobody among the first who wait fits these choices. The wave looks at everybody.",
    already: (count: string) => `Invited by this wave before: ${count}`,
    caption: (count: string) => `Who would come: the first ${count}`,
    address: "Address",
    since: "Waits since",
    passedOver: (count: string) => `Passed over: ${count}`,
    reasons: {
      unknown: "Not on the list",
      unconfirmed: "Not confirmed yet",
      invited: "Invited before",
      undeliverable: "Undeliverable",
      unreadable: "The record cannot be read",
    },
    send: "Send the invitations",
    sendWithout: "Invite, without letters",
    cannotUndo: "This cannot be undone.",

    waveTitle: "A wave of invitations",
    running: "Inviting people …",
    complete: "The wave is complete",
    cutTitle: "The wave was cut",
    stay:
      "Leave this page open until the wave is complete. If it is cut, load the page again or use the id of the wave: nobody is invited twice.",
    soFar: (count: string) => `Invited so far: ${count}`,
    progress: "Progress of the wave",
    done: (count: string) => `People whom the wave has invited: ${count}.`,
    lettersWait: "Their letters go out one after another; see",
    cut: "Not everybody is invited yet. Go on with the wave; nobody is invited twice.",
    goOn: "Go on",
    badNumber: "‘How many’ must be a whole number from 1 on.",
    otherChoices: (wave: string) =>
      `The wave ‘${wave}’ was begun with other choices and cannot be changed. Empty ‘Id of the wave’ for a new wave, or repeat the choices that it was begun with.`,
    noLetters:
      "The service sends no letters, as MAIL_URL is not set. Invite without letters, or set it and start the service again.",
    codes: "Download the people and their codes (CSV)",
    people: "People who are invited",
    another: "Another wave",
  },
  de: {
    lang: "de",
    title: "Personen einladen",
    about:
      "Lädt die nächsten Wartenden ein, in der Reihenfolge ihrer ersten Anmeldung. Vorher sehen Sie, wer käme.",
    waiting: (count: string) => `Wartende Personen: ${count}`,
    mailOff:
      "Der Dienst verschickt keine E-Mails, denn MAIL_URL ist nicht gesetzt. Die Personen werden trotzdem eingeladen, und Sie bekommen ihre Codes als Datei, um ihnen selbst zu schreiben.",
    next: "Wie viele",
    all: "Alle",
    form: "Formular",
    language: "Sprache",
    role: "Rolle",
    building: "Einsatzzweck",
    link: "Wohin die Einladung führt",
    linkHint: "Eine https:-Adresse. Darin wird {code} zum Einladungscode jeder Person.",
    letters: "Allen die Einladung per E-Mail schicken",
    wave: "Kennung der Welle",
    waveHint:
      "Lassen Sie das Feld für eine neue Welle leer, oder geben Sie die Kennung einer abgebrochenen Welle an, um sie fortzusetzen.",
    more: "Weitere Auswahl",
    preview: "Zeigen, wer käme",
    change: "Auswahl ändern",

    wouldInvite: (count: string) => `Personen, die diese Welle einladen würde: ${count}`,
    wouldInviteMore: (count: string) =>
      `Personen, die diese Welle einladen würde: mehr als ${count}`,
    hasChanged:
      "Die Liste hat sich inzwischen geändert. Noch ist niemand eingeladen; das würde die Welle jetzt tun.",
    nobody: "Niemand würde eingeladen: Zu dieser Auswahl passt niemand, der wartet.",
    nobodyYet:
      "Unter den ersten Wartenden passt niemand zu dieser Auswahl. Die Welle sieht alle durch.",
    already: (count: string) => `Von dieser Welle schon eingeladen: ${count}`,
    caption: (count: string) => `Wer käme: die ersten ${count}`,
    address: "Adresse",
    since: "Wartet seit",
    passedOver: (count: string) => `Übergangen: ${count}`,
    reasons: {
      unknown: "Nicht auf der Liste",
      unconfirmed: "Noch nicht bestätigt",
      invited: "Schon eingeladen",
      undeliverable: "Unzustellbar",
      unreadable: "Der Datensatz ist nicht lesbar",
    },
    send: "Einladungen verschicken",
    sendWithout: "Einladen, ohne E-Mails",
    cannotUndo: "Das lässt sich nicht rückgängig machen.",

    waveTitle: "Einladungswelle",
    running: "Personen werden eingeladen …",
    complete: "Die Welle ist fertig",
    cutTitle: "Die Welle wurde abgebrochen",
    stay:
      "Lassen Sie diese Seite offen, bis die Welle fertig ist. Wird sie abgebrochen, laden Sie die Seite neu oder geben Sie die Kennung der Welle an: Niemand wird zweimal eingeladen.",
    soFar: (count: string) => `Bisher eingeladen: ${count}`,
    progress: "Fortschritt der Welle",
    done: (count: string) => `Personen, die diese Welle eingeladen hat: ${count}.`,
    lettersWait: "Ihre E-Mails werden nacheinander verschickt, siehe",
    cut:
      "Noch sind nicht alle eingeladen. Setzen Sie die Welle fort; niemand wird zweimal eingeladen.",
    goOn: "Fortsetzen",
    badNumber: "„Wie viele“ muss eine ganze Zahl ab 1 sein.",
    otherChoices: (wave: string) =>
      `Die Welle „${wave}“ wurde mit einer anderen Auswahl begonnen und lässt sich nicht ändern. Leeren Sie „Kennung der Welle“ für eine neue Welle, oder wiederholen Sie die Auswahl, mit der sie begonnen wurde.`,
    noLetters:
      "Der Dienst verschickt keine E-Mails, denn MAIL_URL ist nicht gesetzt. Laden Sie ohne E-Mails ein, oder setzen Sie MAIL_URL und starten Sie den Dienst neu.",
    codes: "Personen und Codes herunterladen (CSV)",
    people: "Eingeladene Personen",
    another: "Noch eine Welle",
  },
} as const;

/** The texts in one language. */
export type InviteTexts = (typeof INVITE_TEXTS)["en" | "de"];
