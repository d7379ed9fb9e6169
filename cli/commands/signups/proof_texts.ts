/**
 * The texts of a proof of consent in English and German.
 *
 * @module
 */
import { ownMember } from "../../../shared/own_member.ts";
import type { TimelineTexts } from "../../../shared/person_timeline.ts";

const ENGLISH_ACTIONS: Record<string, string> = {
  remindSignups: "Asked again to confirm",
  markUndeliverable: "Marked as undeliverable",
  markDeliverable: "Let e-mails go there again",
  mailBounced: "An e-mail came back as undeliverable",
  mailComplained: "An e-mail was reported as spam",
  startWave: "Asked for an invitation, which changed nothing",
  setAnswers: "Changed role or use case",
  setNote: "Changed the note",
  testLetter: "Sent a test e-mail",
  testInvitation: "Sent a test of an invitation",
  renewInvitation: "Invitation renewed",
  resendInvitation: "Invitation sent again",
  resumeWave: "Invitation sent again, with the rejected e-mails of the wave",
  retryOutbox: "E-mail or event tried again",
  showSignup: "Data exported",
};

const GERMAN_ACTIONS: Record<string, string> = {
  remindSignups: "Noch einmal um Bestätigung gebeten",
  markUndeliverable: "Als unzustellbar gekennzeichnet",
  markDeliverable: "Wieder E-Mails zugelassen",
  mailBounced: "Eine E-Mail kam als unzustellbar zurück",
  mailComplained: "Eine E-Mail wurde als Spam gemeldet",
  startWave: "Einladung angefordert, ohne Wirkung",
  setAnswers: "Rolle oder Einsatzzweck geändert",
  setNote: "Notiz geändert",
  testLetter: "Test-E-Mail gesendet",
  testInvitation: "Test einer Einladung gesendet",
  renewInvitation: "Einladung verlängert",
  resendInvitation: "Einladung noch einmal verschickt",
  resumeWave: "Einladung noch einmal verschickt, mit den abgelehnten E-Mails der Welle",
  retryOutbox: "E-Mail oder Ereignis erneut versucht",
  showSignup: "Daten exportiert",
};

/** The texts by language. */
export const PROOF_TEXTS = {
  en: {
    locale: "en-GB",
    title: "Proof of consent",
    address: "E-mail address",
    state: "Status",
    states: {
      unconfirmed: "Asked to confirm, has not yet",
      waiting: "On the list",
      invited: "Invited",
      accepted: "Accepted the invitation",
    },
    requestedAt: "Signed up",
    source: "Form",
    sources: { hero: "At the top of the page", cta: "At the end of the page" },
    lang: "Language",
    langs: { en: "English", de: "German" },
    wording: "Wording of the consent, as it was shown",
    takenAt: "Confirmation e-mail taken by the mail server",
    answer: "Answer of the mail server",
    messageId: "Message-ID of the e-mail",
    confirmedAt: "Confirmed",
    history: "What happened",
    by: "by",
    noProof: {
      notYet: "There is no confirmation yet.",
      imported: "There is no confirmation: the person was asked for one and did not give it. " +
        "An import put the person on the list.",
      importedUnasked:
        "There is no confirmation: the service did not ask the person to confirm this address.",
      notAsked:
        "There is no confirmation: nobody was asked for one, as with mail off or by an import.",
    },
    consentInFile: "An imported file gives the time of the consent:",
    noSourceAddress: "The network address (IP) that a sign-up comes from is not kept.",
    proofIsEnough:
      "The proof is the e-mail that the mail server has accepted for the mailbox and the " +
      "confirmation by the link in it; it does not need more, so no more is collected.",
    evidenceElsewhere:
      "What proves this consent is kept by the tool that the list comes from, for example in its " +
      "log of opt-ins. Keep this evidence together with this proof.",
    times: "All times are in UTC.",
    timeline: {
      steps: {
        joined: "First signed up",
        joinedAgain: "Signed up again",
        joinedInFile: "First signed up, as an imported file says",
        consentedInFile: "Gave consent, as an imported file says",
        imported: "Imported from a file",
        confirmed: "Confirmed the address",
        confirmedFormer: "Confirmed the address before the correction",
        corrected: "Address corrected",
        invited: "Invited",
        accepted: "Accepted the invitation",
      },
      letters: {
        confirmation: "E-mail that asks to confirm",
        invitation: "E-mail with the invitation",
        link: "E-mail with the link of the person's page",
      },
      outcomes: {
        put: "put into the outbox",
        taken: "taken by the mail server",
        refused: "refused for good",
      },
      nameAction: (action: string) => ownMember(ENGLISH_ACTIONS, action) ?? action,
    } satisfies TimelineTexts,
  },
  de: {
    locale: "de-DE",
    title: "Nachweis der Einwilligung",
    address: "E-Mail-Adresse",
    state: "Status",
    states: {
      unconfirmed: "Um Bestätigung gebeten, noch nicht bestätigt",
      waiting: "Auf der Liste",
      invited: "Eingeladen",
      accepted: "Einladung angenommen",
    },
    requestedAt: "Angemeldet",
    source: "Formular",
    sources: { hero: "Oben auf der Seite", cta: "Am Ende der Seite" },
    lang: "Sprache",
    langs: { en: "Englisch", de: "Deutsch" },
    wording: "Wortlaut der Einwilligung, wie er angezeigt wurde",
    takenAt: "Bestätigungsmail vom Mailserver angenommen",
    answer: "Antwort des Mailservers",
    messageId: "Message-ID der E-Mail",
    confirmedAt: "Bestätigt",
    history: "Was geschehen ist",
    by: "durch",
    noProof: {
      notYet: "Es gibt noch keine Bestätigung.",
      imported:
        "Es gibt keine Bestätigung: Die Person wurde darum gebeten und hat nicht bestätigt. " +
        "Auf die Liste kam sie durch einen Import.",
      importedUnasked:
        "Es gibt keine Bestätigung: Der Dienst hat die Person nicht gebeten, diese Adresse zu " +
        "bestätigen.",
      notAsked: "Es gibt keine Bestätigung: Es wurde nicht darum gebeten, etwa ohne Mailversand " +
        "oder bei einem Import.",
    },
    consentInFile: "Den Zeitpunkt der Einwilligung nennt eine importierte Datei:",
    noSourceAddress:
      "Die Netzwerkadresse (IP), von der eine Anmeldung kommt, wird nicht gespeichert.",
    proofIsEnough:
      "Der Nachweis besteht aus der E-Mail, die der Mailserver für das Postfach angenommen hat, und " +
      "der Bestätigung über den Link darin; mehr braucht er nicht, also wird nicht mehr erhoben.",
    evidenceElsewhere:
      "Was diese Einwilligung belegt, hat das Werkzeug, aus dem die Liste stammt, zum Beispiel in " +
      "seinem Protokoll der Einwilligungen. Bewahren Sie diesen Beleg zusammen mit diesem Nachweis auf.",
    times: "Alle Zeiten sind in UTC.",
    timeline: {
      steps: {
        joined: "Zum ersten Mal angemeldet",
        joinedAgain: "Noch einmal angemeldet",
        joinedInFile: "Zum ersten Mal angemeldet, laut einer importierten Datei",
        consentedInFile: "Eingewilligt, laut einer importierten Datei",
        imported: "Aus einer Datei importiert",
        confirmed: "Adresse bestätigt",
        confirmedFormer: "Adresse vor der Berichtigung bestätigt",
        corrected: "Adresse berichtigt",
        invited: "Eingeladen",
        accepted: "Einladung angenommen",
      },
      letters: {
        confirmation: "E-Mail mit der Bitte um Bestätigung",
        invitation: "E-Mail mit der Einladung",
        link: "E-Mail mit dem Link zur Seite der Person",
      },
      outcomes: {
        put: "zum Versand vorgemerkt",
        taken: "vom Mailserver angenommen",
        refused: "endgültig abgelehnt",
      },
      nameAction: (action: string) => ownMember(GERMAN_ACTIONS, action) ?? action,
    } satisfies TimelineTexts,
  },
};

/** A language in which a proof can be shown. */
export type ProofLang = keyof typeof PROOF_TEXTS;
