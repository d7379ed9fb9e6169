/**
 * What the console says where an operation failed: what happened and what helps, in the language of the page.
 *
 * @module
 */
import type { OperatorError } from "../../shared/operator_schemas.ts";
import { type Html, markup } from "../content/mod.ts";
import type { Lang } from "../waitlist/mod.ts";
import { faultNote } from "./components.ts";
import { FORM_ID } from "./form_cookie.ts";
import type { PageContext, View } from "./page_context.ts";

/** What an operation of the operator's API answered instead of a result. */
export interface FailedCall {
  error?: OperatorError;
  response: Response;
}

/** Sentences of a page about failures that it knows more about, by their codes. */
export type KnownFailures = Partial<Record<OperatorError["error"], string>>;

interface FailureTexts {
  codes: KnownFailures;
  /** For a failure without a sentence of its own. */
  other: string;
  /** For too many calls; the seconds are those to wait. */
  rateLimited: (seconds: string) => string;
  /** Introduces the operation's own sentence, which is English. */
  detail: string;
  back: string;
  /** For a page whose form the browser has no more. */
  expired: string;
}

const TEXTS: Record<Lang, FailureTexts> = {
  en: {
    codes: {
      unauthorized:
        "Your operator key is not valid any more. Sign out, and sign in with another key.",
      not_found: "This is not there any more. Go back, and load the page again.",
      payload_too_large: "The form is too large. Shorten what you have typed, and send it again.",
      body_cut: "The form did not arrive whole. Send it again.",
      internal_error:
        "Something went wrong in the service; its log says why. If you were changing something, look " +
        "whether it was done before you try again.",
    },
    other: "The service could not do this at the moment. Try again.",
    rateLimited: (seconds) => `Too many requests from your address. Try again in ${seconds} s.`,
    detail: "",
    back: "Back",
    expired: "The page that you asked for has expired. Begin again here.",
  },
  de: {
    codes: {
      invalid_request:
        "Der Dienst hat eine Angabe nicht angenommen. Ändern Sie sie und senden Sie das " +
        "Formular noch einmal ab.",
      unauthorized:
        "Ihr Schlüssel gilt nicht mehr. Melden Sie sich ab und mit einem anderen Schlüssel " +
        "wieder an.",
      not_found: "Das gibt es nicht mehr. Gehen Sie zurück und laden Sie die Seite neu.",
      conflict: "Das geht gerade nicht.",
      payload_too_large:
        "Das Formular ist zu groß. Kürzen Sie Ihre Angaben und senden Sie es noch " +
        "einmal ab.",
      body_cut: "Das Formular ist nicht vollständig angekommen. Senden Sie es noch einmal ab.",
      internal_error:
        "Im Dienst ist etwas schiefgegangen; den Grund nennt sein Protokoll. Wenn Sie gerade etwas ändern " +
        "wollten, sehen Sie nach, ob es geschehen ist, bevor Sie es noch einmal versuchen.",
    },
    other: "Der Dienst konnte das gerade nicht ausführen. Versuchen Sie es noch einmal.",
    rateLimited: (seconds) =>
      `Zu viele Anfragen von Ihrer Adresse. Versuchen Sie es in ${seconds} s noch einmal.`,
    detail: "Die Meldung des Dienstes auf Englisch:",
    back: "Zurück",
    expired: "Die aufgerufene Seite ist abgelaufen. Beginnen Sie hier noch einmal.",
  },
};

/**
 * Says why an operation failed, by the code of its error. The operation's own sentence, which names the field or the
 * reason, is kept where the code alone says too little.
 *
 * @param known sentences of the page, which come first
 */
export function failureNote(
  { error, response }: FailedCall,
  lang: Lang,
  known?: KnownFailures,
): Html {
  const texts = TEXTS[lang];
  if (!error) return faultNote(texts.other);
  if (error.error === "rate_limited") {
    return faultNote(texts.rateLimited(response.headers.get("retry-after") ?? "60"));
  }
  const own = known?.[error.error];
  const text = own ?? texts.codes[error.error];
  if (own !== undefined || text && !NEEDS_DETAIL.has(error.error)) return faultNote(text!);
  if (lang === "en") return faultNote(error.message);
  return faultNote(
    markup`${text ?? texts.other} ${texts.detail} <span lang="en">${error.message}</span>`,
  );
}

/** Codes with many reasons. */
const NEEDS_DETAIL = new Set<OperatorError["error"]>(["invalid_request", "conflict"]);

/**
 * Shows the failure of an operation as a page, with its status.
 *
 * @param back the page to go on with
 */
export function failedView(
  failed: FailedCall,
  { lang, title, back, known }: {
    lang: Lang;
    title: string;
    back?: string;
    known?: KnownFailures;
  },
): View {
  const { response } = failed;
  return {
    title,
    status: response.ok ? 500 : response.status,
    body: markup`${failureNote(failed, lang, known)}
${back !== undefined && markup`<p><a href="${back}">${TEXTS[lang].back}</a></p>`}`,
  };
}

/** Says that the browser has the form no more that led to a page, where that is so. */
export function expiredNote({ lang, query, form }: PageContext): Html | undefined {
  return query.has(FORM_ID) && !form ? faultNote(TEXTS[lang].expired) : undefined;
}
