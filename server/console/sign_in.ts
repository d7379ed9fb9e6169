import { timingSafeEqual } from "node:crypto";
import type { Operator } from "../config/mod.ts";
import { digestSha256 } from "../runtime/mod.ts";
import { markup } from "../content/mod.ts";
import type { Lang } from "../waitlist/mod.ts";
import { hidden } from "./fields.ts";
import { PATHS, SIGN_IN_PATH } from "./layout.ts";
import { doneNote, faultNote } from "./components.ts";
import type { Operations, View } from "./page_context.ts";

const TEXTS = {
  en: {
    title: "Sign in",
    key: "Operator key",
    hint: "The value of OPERATOR_KEY, or your own key of OPERATOR_KEYS.",
    submit: "Sign in",
    signedOut: "You are signed out.",
    ended: "Your session has ended, and nothing was changed. Sign in, and send the form again.",
    wrong: "This key is not known. Check that you have copied all of it.",
    later: (seconds: string) => `Too many tries from this address; try again in ${seconds} s.`,
    failed: "The service cannot check the key at the moment; try again.",
  },
  de: {
    title: "Anmelden",
    key: "Schlüssel des Betreibers",
    hint: "Der Wert von OPERATOR_KEY oder Ihr eigener Schlüssel aus OPERATOR_KEYS.",
    submit: "Anmelden",
    signedOut: "Sie sind abgemeldet.",
    ended:
      "Ihre Sitzung ist abgelaufen, und es wurde nichts geändert. Melden Sie sich an, und senden Sie das " +
      "Formular noch einmal ab.",
    wrong: "Dieser Schlüssel ist nicht bekannt. Prüfen Sie, ob Sie ihn ganz kopiert haben.",
    later: (seconds: string) =>
      `Zu viele Versuche von dieser Adresse; versuchen Sie es in ${seconds} s noch einmal.`,
    failed: "Der Dienst kann den Schlüssel gerade nicht prüfen; versuchen Sie es noch einmal.",
  },
} as const;

/** What the form for the key shows besides. */
interface SignInViewOptions {
  /** The page to open afterwards. */
  back: string;
  /** Why the operator sees the form: for having signed out, or for a form that came after the session's end. */
  reason?: "signedOut" | "ended" | undefined;
  /** What was wrong with the last try. */
  fault?: { message: string; status: number };
}

/** Shows the form for the key. */
export function signInView(lang: Lang, { back, reason, fault }: SignInViewOptions): View {
  const texts = TEXTS[lang];
  return {
    title: texts.title,
    ...fault && { status: fault.status },
    body: markup`<form method="post" action="${SIGN_IN_PATH}">
${reason === "signedOut" && doneNote(texts.signedOut)}
${reason === "ended" && faultNote(texts.ended)}
${fault && faultNote(fault.message)}
${back !== PATHS.overview && hidden("to", back)}
<div class="field"><label for="key">${texts.key}</label>
<input id="key" name="key" type="password" required autocomplete="current-password" autofocus
 aria-describedby="key-hint">
<p class="hint" id="key-hint">${texts.hint}</p></div>
<button class="primary" type="submit">${texts.submit}</button>
</form>`,
  };
}

/** What {@linkcode signIn} needs. */
interface SignInOptions {
  /** Gives the operator's API for a key, right or wrong. */
  operationsOf: (key: string) => Operations;
  operators: Operator[];
  lang: Lang;
  /** The page to open afterwards. */
  back: string;
}

/**
 * Finds the operator of a key. It asks the operator's API with the key, which counts wrong keys under the limit of
 * calls without one, and writes them to the audit log.
 *
 * @param typed the key, with the spaces that copying may have put around it
 * @returns the operator, or the page that says why nobody is signed in
 */
export async function signIn(
  typed: string,
  { operationsOf, operators, lang, back }: SignInOptions,
): Promise<Operator | View> {
  const key = typed.trim();
  // No header could carry another key, and no operator has one; the API counts it all the same.
  const operations = operationsOf(/^[\x21-\x7e]+$/.test(key) ? key : "");
  const { response } = await operations.GET("/operator/v1/openapi.json", { parseAs: "text" });
  const texts = TEXTS[lang];
  switch (response.status) {
    case 200: {
      const digest = digestSha256(key);
      return operators.find((each) => timingSafeEqual(digest, digestSha256(each.key)))!;
    }
    case 401:
      return signInView(lang, { back, fault: { message: texts.wrong, status: 403 } });
    case 429: {
      const message = texts.later(response.headers.get("retry-after") ?? "60");
      return signInView(lang, { back, fault: { message, status: 429 } });
    }
    default:
      return signInView(lang, { back, fault: { message: texts.failed, status: 500 } });
  }
}
