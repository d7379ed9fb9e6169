/** What tests of the sign-up form in a browser share. @module */
import type { Locator } from "playwright-core";
import { readContent } from "../../../server/content/mod.ts";
import { CONTENT_FOLDER } from "../../../server/site/mod.ts";
import type { Statistics } from "./support.ts";

/** What the pages around the form say, and where they are. */
const PAGES = {
  en: {
    embed: "/embed/",
    thanks: { path: "/thanks/", heading: "You are on the list" },
    refused: "Not quite there yet",
    back: "Back to the home page",
  },
  de: {
    embed: "/de/embed/",
    thanks: { path: "/de/danke/", heading: "Sie stehen auf der Liste" },
    refused: "Fast geschafft",
    back: "Zurück zur Startseite",
  },
};

const pattern = (text: string) => new RegExp(`^${RegExp.escape(text)}$`);

const { languages } = await readContent(CONTENT_FOLDER);

/** What the form says in each language. */
export const LANGUAGES = (["en", "de"] as const).map((lang) => {
  const { home, texts: { sign_up } } = languages.find((language) => language.lang === lang)!;
  const [before = "", after = ""] = sign_up.rate_limited.split("{seconds}");
  return {
    ...PAGES[lang],
    ...sign_up,
    lang,
    home: home.path,
    done: sign_up.done_title,
    echo: sign_up.done_text,
    invalidEmail: sign_up.invalid_email,
    didYouMean: sign_up.did_you_mean,
    notAscii: pattern(sign_up.not_ascii),
    invisible: sign_up.invisible_character.replace("{character}", "U+200B"),
    space: sign_up.space_character.replace("{character}", "U+00A0"),
    consentRequired: sign_up.consent_required,
    rateLimited: new RegExp(`^${RegExp.escape(before)}([1-9]\\d?)${RegExp.escape(after)}$`),
    timedOut: pattern(sign_up.timed_out),
  };
});

let addresses = 0;

/** An address that nobody has signed up with, partly in capitals. */
export const newAddress = () => `Visitor.${++addresses}@Example.com`;

/** The statistics with one more sign-up of a language, by a form if it has a source. */
export function oneMore(stats: Statistics, lang: string, source?: string): Statistics {
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
