import type { OperatorError } from "../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../content/mod.ts";
import { faultNote } from "./components.ts";
import type { View } from "./page_context.ts";

/** What an operation answered instead of a result. */
export interface FailedCall {
  error?: OperatorError;
  response: Response;
}

/** Sentences of a page about failures that it knows more about, by their codes. */
export type KnownFailures = Partial<Record<OperatorError["error"], string | null>>;

/** Codes with many reasons. */
const NEEDS_DETAIL = new Set<OperatorError["error"]>(["invalid_request", "conflict"]);

/**
 * Says why an operation failed, by the code of its error; the sentences in `known` come first. The operation's own
 * sentence, which names the field or the reason, is kept where the code alone says too little.
 */
export function failureNote(
  { error, response }: FailedCall,
  { failures: texts }: ConsoleTexts,
  known: KnownFailures = {},
): Html {
  if (!error) return faultNote(texts.other);
  const { error: code, message } = error;
  if (code === "rate_limited") {
    return faultNote(texts.rateLimited({ seconds: response.headers.get("retry-after") ?? "60" }));
  }
  const text = known[code] ?? (texts.codes as KnownFailures)[code];
  if (text && (known[code] || !NEEDS_DETAIL.has(code))) return faultNote(text);
  // The operation's own sentence is English.
  if (texts.detail === null) return faultNote(message);
  return faultNote(
    markup`${text ?? texts.other} ${texts.detail} <span lang="en">${message}</span>`,
  );
}

/** Shows the failure of an operation as a page, with its status. @param back the page to go on with */
export function failedView(
  failed: FailedCall,
  texts: ConsoleTexts,
  { title, back, known }: { title: string; back?: string; known?: KnownFailures },
): View {
  const { response } = failed;
  return {
    title,
    status: response.ok ? 500 : response.status,
    body: markup`${failureNote(failed, texts, known)}
${back !== undefined && markup`<p><a href="${back}">${texts.failures.back}</a></p>`}`,
  };
}
