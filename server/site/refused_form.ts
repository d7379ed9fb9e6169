/** The page for a refused form without scripts: the form again, with the fault beside its field. @module */
import { fill, fillHtml, Html, type Language, renderInline, type Texts } from "../content/mod.ts";
import { hasConsent, type RefusedForm, type ShowRefusedForm, SOURCES } from "../waitlist/mod.ts";
import { slotHtml } from "./markers.ts";
import { placeholdersIn, type RendererOptions, type RenderPage } from "./render.ts";
import { type FormAgain, signUpForm } from "./sign_up_form.ts";

interface RefusedFormOptions extends RendererOptions {
  render: RenderPage;
  headers: Record<string, string>;
}

/** Makes the function that renders the page. @throws an Error that names a file and what is wrong with it */
export function createRefusedForms(options: RefusedFormOptions): ShowRefusedForm {
  const { languages, mail, headers } = options;
  const pages = new Map(languages.map((language) => [language.lang, parts(language, options)]));
  return (refused) => {
    const { lang, inFrame, values } = refused;
    const { plain, framed, texts, renderText } = pages.get(lang)!;
    const source = SOURCES.find((source) => source === values?.get("source"));
    const again: FormAgain = {
      action: refused.action,
      email: values?.get("email") ?? "",
      consent: values !== undefined && hasConsent(values),
      fault: faultOf(refused, texts),
    };
    const form = signUpForm({ id: "sign-up-again", source, lang, texts, renderText, mail, again });
    return { html: (inFrame ? framed : plain).replace(slotHtml("form"), () => form.text), headers };
  };
}

/** The parts of the page in a language, with their placeholders filled. */
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
    framed: options.render({ ...refused, layout: "embed" }, language).forms.html,
    texts: { ...Object.fromEntries(filled) as Texts["sign_up"], ...markdown },
    renderText: (text: string) => new Html(fillHtml(renderInline(text), placeholders)),
  };
}

/** Says what is wrong in the words of the page. The API's own message is for programs and their makers. */
function faultOf(
  { error, retryAfter = "60", values }: RefusedForm,
  texts: Texts["sign_up"],
): FormAgain["fault"] {
  switch (error) {
    case "invalid_email": {
      // deno-lint-ignore no-control-regex -- ASCII is what the API takes.
      const isAscii = /^[\x00-\x7f]*$/.test(values?.get("email") ?? "");
      return { field: "email", text: isAscii ? texts.invalid_email : texts.not_ascii };
    }
    case "consent_required":
      return { field: "consent", text: texts.consent_required };
    case "rate_limited":
      return { text: texts.rate_limited.replace("{seconds}", retryAfter) };
    case "internal_error":
      return { text: texts.failed };
    default:
      return { text: texts.invalid_request };
  }
}
