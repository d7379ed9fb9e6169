/** The page for a refused form without scripts: the form again, with the fault beside its field. @module */
import {
  fill,
  fillHtml,
  Html,
  type Language,
  renderInline,
  type SourcePage,
  type Texts,
} from "../content/mod.ts";
import { isForFrame, type ShowError } from "../http/mod.ts";
import { hasConsent, SOURCES } from "../waitlist/mod.ts";
import { addressFault, type FormAgain, signUpForm } from "./forms.ts";
import {
  type Forms,
  placeholdersIn,
  type RendererOptions,
  type RenderPage,
  slotHtml,
} from "./render.ts";
import { type FramedPage, languageOf, sourceOf, themeOf } from "./serve.ts";

/** Renders a page for frames. */
export type RenderFramed = (page: SourcePage, language: Language) => FramedPage<Forms>;

interface RefusedFormOptions extends RendererOptions {
  render: RenderPage;
  renderFramed: RenderFramed;
  headers: Record<string, string>;
}

/** Makes what shows a form that is posted to a path. @throws an Error that names a file and what is wrong with it */
export function createRefusedForms(options: RefusedFormOptions): (action: string) => ShowError {
  const { languages, mail, headers } = options;
  const pages = new Map(languages.map((language) => [language.lang, parts(language, options)]));
  return (action) => ({ json: _, shared: _shared, error, ...answer }, call) => {
    // Absent where the form was not read.
    const values = call.form?.values;
    const lang = values ? values.get("lang") === "de" ? "de" : "en" : languageOf(call);
    const { plain, framed, texts, renderText } = pages.get(lang)!;
    const source = SOURCES.find((source) => source === values?.get("source")) ?? sourceOf(call);
    const email = values?.get("email") ?? "";
    const consent = values !== undefined && hasConsent(values);
    const seconds = answer.headers?.["Retry-After"] ?? "60";
    const faults = faultsOf(error, { email, consent, seconds, texts });
    const theme = isForFrame(call.headers) ? themeOf(call) : undefined;
    const asked = theme === undefined || theme === "auto" ? "" : `?theme=${theme}`;
    const again = { action: action + asked, email, consent, faults };
    const form = signUpForm({ id: "sign-up-again", source, lang, texts, renderText, mail, again });
    const page = theme ? framed[theme].html : plain;
    const html = page.replace(slotHtml("form"), () => form.text);
    return { ...answer, html, headers: { ...headers, ...answer.headers } };
  };
}

function parts(language: Language, options: RefusedFormOptions) {
  const { refused, texts: { sign_up } } = language;
  const plain = options.render(refused, language).forms.html;
  if (!plain.includes(slotHtml("form"))) {
    throw new Error(`${refused.file}: {{sign-up again}} is missing`);
  }
  const placeholders = placeholdersIn(language, options);
  const filled = Object.entries(sign_up).map(([name, text]) => [name, fill(text, placeholders)]);
  const { consent, done_text, letter_text } = sign_up;
  // They are Markdown, in which a value must not count as such.
  const markdown = { consent, done_text, letter_text };
  return {
    plain,
    // A frame has little height, and the form says what is wrong.
    framed: options.renderFramed({ ...refused, body: "{{sign-up again}}" }, language),
    texts: { ...Object.fromEntries(filled) as Texts["sign_up"], ...markdown },
    renderText: (text: string) => new Html(fillHtml(renderInline(text), placeholders)),
  };
}

/** Says what is wrong in the words of the page. The API's own message is for programs and their makers. */
function faultsOf(
  error: string | undefined,
  { email, consent, seconds, texts }: Pick<FormAgain, "email" | "consent"> & {
    seconds: string;
    texts: Texts["sign_up"];
  },
): FormAgain["faults"] {
  switch (error) {
    case "invalid_email":
    case "consent_required":
      // The API names the first fault alone.
      return {
        ...error === "invalid_email" && { email: addressFault(email, texts) },
        ...!consent && { consent: texts.consent_required },
      };
    case "rate_limited":
      return { form: texts.rate_limited.replace("{seconds}", seconds) };
    case "internal_error":
      return { form: texts.failed };
    default:
      return { form: texts.invalid_request };
  }
}
