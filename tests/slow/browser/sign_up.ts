/**
 * What tests of the sign-up form in a browser share.
 *
 * @module
 */
import type { Locator } from "playwright-core";
import type { WaitlistStats } from "../../../shared/schemas.ts";

/** What the form says in each language. */
export const LANGUAGES = [
  {
    lang: "en",
    home: "/",
    embed: "/embed/",
    submit: "Join the waitlist",
    sending: "Sending …",
    done: "You are on the list.",
    echo: "Thank you. We will write to {email} as soon as there is a place for you.",
    correct: "Not the right address? Change it",
    thanks: { path: "/thanks/", heading: "You are on the list" },
    refused: "Not quite there yet",
    back: "Back to the home page",
    invalidEmail: "Please enter an e-mail address such as ada@example.com.",
    notAscii: /^We can only write to addresses without letters such as ä/,
    consentRequired: "Please tick the box; without your consent we cannot sign you up.",
    rateLimited: /^That was a few attempts too many\. Please try again in ([1-9]\d?) seconds\.$/,
    failed: "Something went wrong on our side. Please try again in a moment.",
    offline: "We cannot reach the server. Please check your internet connection and try again.",
    timedOut: /^The server has not answered for 15 seconds\./,
  },
  {
    lang: "de",
    home: "/de/",
    embed: "/de/embed/",
    submit: "Auf die Warteliste",
    sending: "Wird gesendet …",
    done: "Sie stehen auf der Liste.",
    echo: "Vielen Dank. Wir schreiben an {email}, sobald ein Platz für Sie frei ist.",
    correct: "Falsche Adresse? Hier ändern",
    thanks: { path: "/de/danke/", heading: "Sie stehen auf der Liste" },
    refused: "Noch nicht ganz",
    back: "Zurück zur Startseite",
    invalidEmail: "Bitte geben Sie eine E-Mail-Adresse wie ada@example.com ein.",
    notAscii: /^An Adressen mit Umlauten oder anderen Sonderzeichen/,
    consentRequired: "Bitte setzen Sie das Häkchen; ohne Ihre Einwilligung geht es nicht.",
    rateLimited:
      /^Das waren zu viele Versuche\. Bitte versuchen Sie es in ([1-9]\d?) Sekunden noch einmal\.$/,
    failed: "Bei uns ist etwas schiefgegangen. Bitte versuchen Sie es gleich noch einmal.",
    offline: "Wir erreichen den Server nicht. Bitte prüfen Sie Ihre Internetverbindung und " +
      "versuchen Sie es noch einmal.",
    timedOut: /^Der Server hat 15 Sekunden lang nicht geantwortet\./,
  },
] as const;

/** The forms of the home page, by the contract's `source`. */
export const SOURCES = ["hero", "cta"] as const;

let addresses = 0;

/** An address that nobody has signed up with, partly in capitals. */
export const newAddress = () => `Visitor.${++addresses}@Example.com`;

/** Statistics without the moment of their reading, to be compared. */
export function withoutTime(stats: WaitlistStats) {
  return { ...stats, generatedAt: undefined };
}

/** The statistics with one more sign-up of a language, by a form if it has a source. */
export function oneMore(stats: WaitlistStats, lang: string, source?: string): WaitlistStats {
  const { bySource } = stats;
  return {
    ...stats,
    total: stats.total + 1,
    last7Days: stats.last7Days + 1,
    last30Days: stats.last30Days + 1,
    byLang: { ...stats.byLang, [lang]: (stats.byLang[lang] ?? 0) + 1 },
    bySource: source ? { ...bySource, [source]: (bySource[source] ?? 0) + 1 } : bySource,
  };
}

/** Fills a form as a person does, and sends it. */
export async function signUp(form: Locator, email: string): Promise<void> {
  await form.getByRole("textbox").fill(email);
  await form.getByRole("checkbox").check();
  await form.getByRole("button").click();
}

/** What stands beside a field of a form. */
export function faultBeside(form: Locator, field: "email" | "consent"): Locator {
  return form.locator(`[id$="-${field}-fault"]`);
}

/** Whether an element has the focus. */
export const focused = (locator: Locator) =>
  locator.evaluate((element) => element === element.ownerDocument.activeElement);
