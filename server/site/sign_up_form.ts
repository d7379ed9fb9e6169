/** The sign-up form, which also works without scripts. `refused_form.ts` shows a refused form again. @module */
import { findInvisible } from "../../shared/invisible.ts";
import { Html, markup, type Texts } from "../content/mod.ts";
import { SIGN_UP_ACTION } from "./carry_parameters.ts";

/**
 * Matches plausible e-mail addresses. With this pattern, browsers without scripts find most typing errors before they
 * send the form.
 */
const PLAUSIBLE_EMAIL = "[!-?A-~]+@[A-Za-z0-9.\\-]+\\.[A-Za-z0-9\\-]{2,}";

interface SignUpFormOptions {
  id: string;
  /** The contract's `source`; absent for a form without a source. */
  source?: string | undefined;
  lang: string;
  texts: Texts["sign_up"];
  /** Makes HTML from a text in Markdown, such as the label of the consent. */
  renderText: (text: string) => Html;
  /** Whether the service sends a letter that asks to confirm. */
  mail: boolean;
  /** The form as the visitor has sent it, if the API has refused it. */
  refused?: RefusedForm | undefined;
}

/** A sign-up form that the API has refused, to be shown again. */
export interface RefusedForm {
  action: string;
  email: string;
  consent: boolean;
  /**
   * Error messages by field name. The key `form` holds a message that belongs to no field and is shown beside the
   * button.
   */
  faults: Partial<Record<"email" | "consent" | "form", string>>;
}

/**
 * The sign-up form. The `data-` attributes hold the texts for the script `sign_up.js`. The hidden field `website` is the
 * honeypot: a person does not see it, and a program that fills it in is not put on the waitlist.
 */
export function signUpForm(options: SignUpFormOptions): Html {
  const { id, source, lang, texts, renderText, refused } = options;
  const { action = SIGN_UP_ACTION, faults = {} } = refused ?? {};
  const firstPlaceWithFault = (["email", "consent", "form"] as const)
    .find((place) => faults[place] !== undefined);
  const autofocusOf = (place: keyof typeof faults) =>
    place === firstPlaceWithFault && new Html(" autofocus");
  const invalidOf = (field: "email" | "consent") =>
    field in faults && markup` aria-invalid="true"${autofocusOf(field)}`;
  return markup`<div class="sign-up" id="${id}">
<form method="post" action="${action}" target="_self" data-sending="${texts.sending}"
 data-invalid-email="${texts.invalid_email}" data-not-ascii="${texts.not_ascii}"
 data-invisible-character="${texts.invisible_character}" data-space-character="${texts.space_character}"
 data-did-you-mean="${texts.did_you_mean}" data-consent-required="${texts.consent_required}" data-rate-limited="${texts.rate_limited}"
 data-failed="${texts.failed}" data-offline="${texts.offline}" data-timed-out="${texts.timed_out}">
${source && markup`<input type="hidden" name="source" value="${source}">`}
<input type="hidden" name="lang" value="${lang}">
<div class="field">
<label for="${id}-email">${texts.email}</label>
<input id="${id}-email" name="email" type="email" required maxlength="254" pattern="${PLAUSIBLE_EMAIL}"
 title="${texts.email_hint}" aria-describedby="${id}-email-fault" autocomplete="email"
 autocapitalize="none" spellcheck="false" value="${refused?.email}"${invalidOf("email")}>
<p class="fault" id="${id}-email-fault">${faults.email}</p>
<p class="hint" role="status"></p>
</div>
<div hidden>
<label for="${id}-website">${texts.trap}</label>
<input id="${id}-website" name="website" type="text" tabindex="-1" autocomplete="off">
</div>
<div class="consent">
<input id="${id}-consent" name="consent" type="checkbox" value="true" required
 aria-describedby="${id}-consent-fault"${refused?.consent && new Html(" checked")}${
    invalidOf("consent")
  }>
<label for="${id}-consent">${renderText(texts.consent)}</label>
<p class="fault" id="${id}-consent-fault">${faults.consent}</p>
</div>
<button class="button" type="submit">${texts.submit}</button>
<p class="fault message" role="alert" tabindex="-1"${autofocusOf("form")}>${faults.form}</p>
</form>
${thanksPart(options)}
</div>`;
}

/** A picture: an envelope, and in it a letter with a tick. */
const ENVELOPE = new Html(
  '<svg viewBox="0 0 48 44" aria-hidden="true" fill="var(--raised)" stroke="var(--ink)" stroke-width="2" ' +
    'stroke-linejoin="round"><path d="M2 18 24 3l22 15v24H2z"/><path fill="var(--sun)" stroke="none" ' +
    'd="M10 10h28v22H10z"/><path d="m18 18 4 4 8-8" fill="none" stroke="var(--raised)" stroke-width="3"/>' +
    '<path d="m2 18 22 14 22-14v24H2z"/></svg>',
);

/** The thanks that the script shows in place of the form after a sign-up. */
function thanksPart({ texts, mail, renderText }: SignUpFormOptions): Html {
  const [title, text] = mail
    ? [texts.letter_title, texts.letter_text]
    : [texts.done_title, texts.done_text];
  const help = mail && markup`<details>
<summary>${texts.letter_question}</summary>
<p>${renderText(texts.letter_help)}</p>
</details>
`;
  const [before = "", after = ""] = text.split("{email}");
  return markup`<div class="done" tabindex="-1" hidden>
${ENVELOPE}
<p class="done-title">${title}</p>
<p>${renderText(before)}<strong class="given"></strong>${renderText(after)}</p>
${help}<button class="correct" type="button">${texts.correct}</button>
</div>`;
}

/** Returns the error message for an address that the API refuses. */
export function addressFault(email: string, texts: Texts["sign_up"]): string {
  const invisible = findInvisible(email);
  if (invisible) {
    return texts[`${invisible.kind}_character`].replace("{character}", invisible.codePoint);
  }
  // deno-lint-ignore no-control-regex -- The API accepts ASCII only, which includes the control characters.
  return /[^\x00-\x7f]/.test(email) ? texts.not_ascii : texts.invalid_email;
}
