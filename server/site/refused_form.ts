/**
 * The page that shows a refused sign-up form again, with its errors. Only forms sent without scripts need it. @module
 */
import { fill, fillHtml, Html, type Language, renderInline, type Texts } from "../content/mod.ts";
import { isForFrame, type ShowError } from "../http/mod.ts";
import { hasConsent, type Lang, SOURCES } from "../waitlist/mod.ts";
import type { CarryParameters } from "./carry_parameters.ts";
import type { WaitingCount } from "./waiting_count.ts";
import { MODE_PARAMETER } from "./fixed_mode.ts";
import {
  type FramedPages,
  type FrameMode,
  modeOf,
  type RenderFramedPages,
  sourceOf,
} from "./framed_pages.ts";
import { slotHtml } from "./markers.ts";
import { placeholdersIn, type RendererOptions, type RenderPage } from "./render.ts";
import { languageOf } from "./serve.ts";
import { addressFault, type RefusedForm, signUpForm } from "./sign_up_form.ts";

/** The seconds that the page asks a visitor to wait if the answer of the API has no `Retry-After`: one window. */
const DEFAULT_RETRY_SECONDS = "60";

interface RefusedFormOptions {
  render: RenderPage;
  renderFramedPages: RenderFramedPages;
  /** The headers of the page. */
  headers: Record<string, string>;
  carryParameters: CarryParameters;
  waitingCount: WaitingCount;
}

/**
 * Prepares the pages. The returned function takes the path to which a form is sent, and returns the function that shows
 * a refused form again.
 *
 * @throws an Error that names a file of `content/` and its fault
 */
export function createRefusedForms(
  options: RendererOptions,
  { render, renderFramedPages, headers, carryParameters, waitingCount }: RefusedFormOptions,
): (action: string) => ShowError {
  const { languages, sendsLetters } = options;
  const pagesByLanguage = new Map(
    languages.map((language) => [
      language.lang,
      preparePages(language, options, { render, renderFramedPages }),
    ]),
  );

  // `json` and `isShared` of the API's answer are left out, because the page replaces them.
  return (action) => ({ json: _, isShared: _isShared, errorCode, ...answer }, call) => {
    // The fields of the form are `undefined` if the form could not be read.
    const fields = call.form?.values;
    const lang = fields ? languageIn(fields) : languageOf(call);
    // The pages exist, because the start fails if `content/` lacks a language of `LANGS`.
    const { wholeHtml, framedPages, texts, renderText } = pagesByLanguage.get(lang)!;
    const frameMode = isForFrame(call.headers) ? modeOf(call) : undefined;
    const email = fields?.get("email") ?? "";
    const consent = fields !== undefined && hasConsent(fields);
    const retrySeconds = answer.headers?.["Retry-After"] ?? DEFAULT_RETRY_SECONDS;
    const form = signUpForm({
      id: "sign-up-again",
      source: SOURCES.find((source) => source === fields?.get("source")) ?? sourceOf(call),
      lang,
      texts,
      renderText,
      sendsLetters,
      refusedForm: {
        action: action + modeQuery(frameMode),
        email,
        consent,
        faults: faultsOf(errorCode, { email, consent, retrySeconds, texts }),
      },
    });
    const emptyPage = frameMode ? framedPages[frameMode].html : wholeHtml;
    const page = waitingCount.fillHtml(emptyPage).replace(slotHtml("form"), () => form.text);
    const html = carryParameters(page, call.url) ?? page;
    return { ...answer, kind: "page", html, headers: { ...headers, ...answer.headers } };
  };
}

/** Returns the query by which the next page in a frame gets the same colour mode; empty for the mode `auto`. */
const modeQuery = (frameMode: FrameMode | undefined): string =>
  frameMode === undefined || frameMode === "auto" ? "" : `?${MODE_PARAMETER}=${frameMode}`;

/** Returns the language of a form: German if the form names German, and otherwise English, as in the API. */
function languageIn(fields: ReadonlyMap<string, string>): Lang {
  return fields.get("lang") === "de" ? "de" : "en";
}

/** The pages in one language, and the texts of their form. The HTML has a slot for the form. */
interface PreparedPages {
  /** The page outside a frame. */
  wholeHtml: string;
  /** The page in a frame. */
  framedPages: FramedPages;
  /** The texts of the form. Texts in Markdown still have placeholders, which `renderText` fills. */
  texts: Texts["sign_up"];
  renderText: (text: string) => Html;
}

/** Renders the pages in one language, and fills the placeholders in the texts of the form. */
function preparePages(
  language: Language,
  options: RendererOptions,
  { render, renderFramedPages }: Pick<RefusedFormOptions, "render" | "renderFramedPages">,
): PreparedPages {
  const { refused: refusedPage, texts: { sign_up } } = language;
  const wholeHtml = render(refusedPage, language).rendered.html;
  if (!wholeHtml.includes(slotHtml("form"))) {
    throw new Error(`${refusedPage.label}: {{sign-up again}} is missing`);
  }
  const placeholders = placeholdersIn(language, options);
  const filledTexts = Object.entries(sign_up)
    .map(([name, text]) => [name, fill(text, placeholders)]);
  const { consent, done_text, letter_text, letter_help } = sign_up;
  // `renderText` fills the placeholders of these texts after rendering, so that no value is read as Markdown.
  const markdownTexts = { consent, done_text, letter_text, letter_help };
  return {
    wholeHtml,
    // In a frame, the page has only the form, because a frame has little height.
    framedPages: renderFramedPages({ ...refusedPage, body: "{{sign-up again}}" }, language),
    // The cast is needed because the type of `Object.fromEntries()` loses the names of the members.
    texts: { ...Object.fromEntries(filledTexts) as Texts["sign_up"], ...markdownTexts },
    renderText: (text: string) => new Html(fillHtml(renderInline(text), placeholders)),
  };
}

/**
 * Returns the error messages of the page. The API's own message is not shown, because it is for programmers.
 *
 * @param retrySeconds how many seconds the visitor must wait after too many requests
 */
function faultsOf(
  errorCode: string | undefined,
  { email, consent, retrySeconds, texts }: Pick<RefusedForm, "email" | "consent"> & {
    retrySeconds: string;
    texts: Texts["sign_up"];
  },
): RefusedForm["faults"] {
  // The consent is checked here as well, because the API names only the first error.
  const consentFault = consent ? {} : { consent: texts.consent_required };
  switch (errorCode) {
    case "invalid_email":
      return { email: addressFault(email, texts), ...consentFault };
    case "consent_required":
      return consentFault;
    case "rate_limited":
      return { form: texts.rate_limited.replace("{seconds}", retrySeconds) };
    case "internal_error":
      return { form: texts.failed };
    default:
      return { form: texts.invalid_request };
  }
}
