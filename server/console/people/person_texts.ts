import { PEOPLE_TEXTS } from "../people_texts.ts";

/** The texts of a person's pages. */
export const PERSON_TEXTS = {
  en: {
    ...PEOPLE_TEXTS.en,
    person: "Person",
    notOnList:
      "This address is not on the list. Check its spelling; perhaps the person has left it, or was erased.",
    kept: "What is kept",
    undeliverableAt: "Undeliverable since",
    consentedAt: "Latest consent",
    updatedAt: "Latest change",
    confirmations: "Confirmation letters",
    lastConfirmation: "Latest confirmation letter",
    takenAt: "Taken by the mail server",
    invitedAt: "Invited",
    wave: "Wave",
    invitationCode: "Invitation code",
    linkAt: "Latest letter with the link",
    proof: "Proof of consent",
    noProof:
      "There is none: the person was not asked to confirm, as with mail off or by an import.",
    noProofYet: "There is none yet: the person has been asked to confirm, and has not.",
    noWording: "The wording is not known to this service.",
    requestedAt: "Sign-up",
    confirmedAt: "Confirmed",
    wordingId: "Id of the wording",
    history: "History",
    historyCaption: "What happened, the newest first",
    time: "Time",
    what: "What",
    who: "By whom",
    byPerson: "The person",
    byService: "A wave of invitations",
    joined: "Signed up first",
    joinedAgain: "Signed up again",
    confirmed: "Confirmed the address",
    invitedIn: (wave: string) => `Invited in the wave ${wave}`,
    invitedInVain: "Invitation asked for, which changed nothing; wave",
    actions: {
      remindSignups: "Asked again to confirm",
      markUndeliverable: "Marked as undeliverable",
      inviteSignups: "Invited in the wave",
    },
    backToList: "Back to the list",

    remind: "Send the confirmation again",
    reminded: "The letter was added to those that go out; see",
    notReminded: {
      unknown: "No letter is sent, as the address is not on the list.",
      confirmed: "No letter is sent, as the person has confirmed.",
      undeliverable: "No letter is sent, as the address is marked as undeliverable.",
      asked: "No letter is sent: the last one is less than 24 hours old, or it was the third.",
      unreadable: "No letter is sent, as the record cannot be read. Verify the counters.",
    },
    markAddress: "Mark as undeliverable …",
    markTitle: "Mark this address as undeliverable?",
    markWhat:
      "No letter goes to this address any more, and the person cannot be invited. The mark cannot be " +
      "taken back here; it ends when the person signs up again.",
    markUndeliverable: "Mark as undeliverable",
    marked: "The address is marked: no letter goes to it until the person signs up again.",
    export: "Export as JSON",

    erase: "Erase …",
    eraseTitle: "Erase this person?",
    eraseWhat: "This removes for good:",
    eraseRecord: "the address with everything that is kept of it, also from the statistics",
    eraseProof: "the proof of consent",
    eraseInvitation: "the invitation with its code",
    eraseOutbox: "letters and events that still wait for this person",
    eraseMark:
      "A keyed hash of the address remains, so that no import and no restore of a backup brings it back. " +
      "Backups that you have made still contain the person.",
    eraseNow: "Erase for good",
    cancel: "Cancel",

    invite: "Invite …",
    inviteTitle: "Invite this person",
    link: "Where the invitation leads",
    linkHint: "An https: address. {code} in it becomes the person's invitation code.",
    letters: "Send the invitation letter",
    lettersOff: "The service sends no letters, as MAIL_URL is not set. You get the link here.",
    inviteNow: "Invite",
    invited: "The person is invited, and the letter was added to those that go out; see",
    invitedLink: "The person is invited. This is the link for the person:",
    notInvited: {
      unknown: "Nobody is invited, as the address is not on the list.",
      unconfirmed: "Nobody is invited, as the person has not confirmed yet.",
      invited: "The person was invited before.",
      undeliverable: "Nobody is invited, as the address is marked as undeliverable.",
      unreadable: "Nobody is invited, as the record cannot be read. Verify the counters.",
    },
  },
  de: {
    ...PEOPLE_TEXTS.de,
    person: "Person",
    notOnList:
      "Diese Adresse steht nicht auf der Liste. Prüfen Sie die Schreibweise; vielleicht hat die Person die Liste verlassen oder wurde gelöscht.",
    kept: "Was gespeichert ist",
    undeliverableAt: "Unzustellbar seit",
    consentedAt: "Letzte Einwilligung",
    updatedAt: "Letzte Änderung",
    confirmations: "Bitten um Bestätigung",
    lastConfirmation: "Letzte Bitte um Bestätigung",
    takenAt: "Vom Mailserver angenommen",
    invitedAt: "Eingeladen",
    wave: "Einladungswelle",
    invitationCode: "Einladungscode",
    linkAt: "Letzte E-Mail mit dem Link",
    proof: "Nachweis der Einwilligung",
    noProof:
      "Es gibt keinen: Die Person wurde nicht um Bestätigung gebeten, etwa ohne Mailversand oder bei einem Import.",
    noProofYet:
      "Es gibt noch keinen: Die Person wurde um Bestätigung gebeten und hat noch nicht bestätigt.",
    noWording: "Der Wortlaut ist diesem Dienst nicht bekannt.",
    requestedAt: "Anmeldung",
    confirmedAt: "Bestätigt",
    wordingId: "Kennung des Wortlauts",
    history: "Verlauf",
    historyCaption: "Was geschehen ist, das Neueste zuerst",
    time: "Zeit",
    what: "Was",
    who: "Durch wen",
    byPerson: "Die Person",
    byService: "Eine Einladungswelle",
    joined: "Zum ersten Mal angemeldet",
    joinedAgain: "Noch einmal angemeldet",
    confirmed: "Adresse bestätigt",
    invitedIn: (wave: string) => `Eingeladen in der Welle ${wave}`,
    invitedInVain: "Einladung angefordert, ohne Wirkung; Welle",
    actions: {
      remindSignups: "Noch einmal um Bestätigung gebeten",
      markUndeliverable: "Als unzustellbar gekennzeichnet",
      inviteSignups: "Eingeladen in der Welle",
    },
    backToList: "Zurück zur Liste",

    remind: "Bestätigungsmail noch einmal verschicken",
    reminded: "Die E-Mail wurde zum Versand vorgemerkt, siehe",
    notReminded: {
      unknown: "Es geht keine E-Mail hinaus, denn die Adresse steht nicht auf der Liste.",
      confirmed: "Es geht keine E-Mail hinaus, denn die Person hat bestätigt.",
      undeliverable:
        "Es geht keine E-Mail hinaus, denn die Adresse ist als unzustellbar gekennzeichnet.",
      asked:
        "Es geht keine E-Mail hinaus: Die letzte ist keine 24 Stunden alt, oder es war die dritte.",
      unreadable:
        "Es geht keine E-Mail hinaus, denn der Datensatz ist nicht lesbar. Prüfen Sie die Zähler.",
    },
    markAddress: "Als unzustellbar kennzeichnen …",
    markTitle: "Diese Adresse als unzustellbar kennzeichnen?",
    markWhat:
      "An diese Adresse geht keine E-Mail mehr, und die Person kann nicht eingeladen werden. Die Kennzeichnung lässt " +
      "sich hier nicht zurücknehmen; sie endet, wenn die Person sich wieder anmeldet.",
    markUndeliverable: "Als unzustellbar kennzeichnen",
    marked:
      "Die Adresse ist gekennzeichnet: Sie bekommt keine E-Mails mehr, bis die Person sich wieder anmeldet.",
    export: "Als JSON exportieren",

    erase: "Löschen …",
    eraseTitle: "Diese Person löschen?",
    eraseWhat: "Damit verschwindet endgültig:",
    eraseRecord: "die Adresse mit allem, was dazu gespeichert ist, auch aus der Statistik",
    eraseProof: "der Nachweis der Einwilligung",
    eraseInvitation: "die Einladung mit ihrem Code",
    eraseOutbox: "E-Mails und Ereignisse zu dieser Person, die noch warten",
    eraseMark:
      "Es bleibt ein Hashwert der Adresse mit geheimem Schlüssel, damit kein Import und kein Einspielen einer " +
      "Sicherung sie zurückbringt. Sicherungen, die Sie gemacht haben, enthalten die Person weiterhin.",
    eraseNow: "Endgültig löschen",
    cancel: "Abbrechen",

    invite: "Einladen …",
    inviteTitle: "Diese Person einladen",
    link: "Wohin die Einladung führt",
    linkHint: "Eine https:-Adresse. Darin wird {code} zum Einladungscode der Person.",
    letters: "Einladung per E-Mail schicken",
    lettersOff:
      "Der Dienst verschickt keine E-Mails, denn MAIL_URL ist nicht gesetzt. Sie bekommen den Link hier.",
    inviteNow: "Einladen",
    invited: "Die Person ist eingeladen, und die E-Mail wurde zum Versand vorgemerkt, siehe",
    invitedLink: "Die Person ist eingeladen. Das ist der Link für sie:",
    notInvited: {
      unknown: "Niemand wird eingeladen, denn die Adresse steht nicht auf der Liste.",
      unconfirmed: "Niemand wird eingeladen, denn die Person hat noch nicht bestätigt.",
      invited: "Die Person wurde schon eingeladen.",
      undeliverable:
        "Niemand wird eingeladen, denn die Adresse ist als unzustellbar gekennzeichnet.",
      unreadable:
        "Niemand wird eingeladen, denn der Datensatz ist nicht lesbar. Prüfen Sie die Zähler.",
    },
  },
} as const;

/** The texts in one language. */
export type PersonTexts = (typeof PERSON_TEXTS)["en" | "de"];
