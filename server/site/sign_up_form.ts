/**
 * The sign-up form, which also works without scripts, and the error message for an address that the API refuses.
 * `refused_form.ts` shows a refused form again. The self-service page shows the same message. @module
 */
import { findInvisible } from "../../shared/invisible.ts";
import { Html, markup, type Texts } from "../content/mod.ts";
import { SIGN_UP_ACTION } from "./carry_parameters.ts";

/**
 * Matches plausible e-mail addresses. With this pattern, browsers without scripts find most typing errors before they
 * send the form.
 */
const PLAUSIBLE_EMAIL = "[!-?A-~]+@[A-Za-z0-9.\\-]+\\.[A-Za-z0-9\\-]{2,}";

/** What the form shows, and the data that it sends besides the fields that the visitor fills in. */
interface SignUpFormOptions {
  /** The `id` of the element around the form. All other ids in the form begin with this id. */
  id: string;
  /** The contract's `source`; absent for a form without a source. */
  source?: string | undefined;
  lang: string;
  texts: Texts["sign_up"];
  /** Makes HTML from a text in Markdown, such as the label of the consent. */
  renderText: (text: string) => Html;
  /** Whether the service sends a letter that asks to confirm. */
  sendsLetters: boolean;
  /** The form as the visitor has sent it, if the API has refused it. */
  refusedForm?: RefusedForm | undefined;
}

/** A sign-up form that the API has refused, to be shown again. */
export interface RefusedForm {
  /** The path to which the form is sent. */
  action: string;
  /** The address that the visitor has typed. */
  email: string;
  /** Whether the visitor has consented. */
  consent: boolean;
  faults: FormFaults;
}

/** The field to which an error message belongs. A message about no field belongs to the `form`. */
type FaultPlace = "email" | "consent" | "form";

/** The error messages of a form. The message of the `form` is shown beside the button. */
type FormFaults = Partial<Record<FaultPlace, string>>;

/**
 * The sign-up form. The `data-` attributes hold the texts for the script `sign_up.js`. The hidden field `website` is
 * the honeypot: a person does not see it, and a program that fills it in is not put on the waitlist. The text `trap` is
 * the label of the honeypot.
 */
export function signUpForm(options: SignUpFormOptions): Html {
  const { id, source, lang, texts, refusedForm } = options;
  const { action = SIGN_UP_ACTION, faults = {} } = refusedForm ?? {};
  return markup`<div class="sign-up" id="${id}">
<form method="post" action="${action}" target="_self" data-sending="${texts.sending}"
 data-invalid-email="${texts.invalid_email}" data-not-ascii="${texts.not_ascii}"
 data-invisible-character="${texts.invisible_character}" data-space-character="${texts.space_character}"
 data-did-you-mean="${texts.did_you_mean}" data-consent-required="${texts.consent_required}" data-rate-limited="${texts.rate_limited}"
 data-failed="${texts.failed}" data-offline="${texts.offline}" data-timed-out="${texts.timed_out}">
${source && markup`<input type="hidden" name="source" value="${source}">`}
<input type="hidden" name="lang" value="${lang}">
${emailField(options)}
<div hidden>
<label for="${id}-website">${texts.trap}</label>
<input id="${id}-website" name="website" type="text" tabindex="-1" autocomplete="off">
</div>
${consentField(options)}
<button class="button" type="submit">${texts.submit}</button>
<p class="fault message" role="alert" tabindex="-1"${
    autofocusAttribute("form", faults)
  }>${faults.form}</p>
</form>
${thanksPart(options)}
</div>`;
}

/** The field for the address. The script shows its guess of a mistyped address in the paragraph `hint`. */
function emailField({ id, texts, refusedForm }: SignUpFormOptions): Html {
  const { email, faults = {} } = refusedForm ?? {};
  return markup`<div class="field">
<label for="${id}-email">${texts.email}</label>
<input id="${id}-email" name="email" type="email" required maxlength="254" pattern="${PLAUSIBLE_EMAIL}"
 title="${texts.email_hint}" aria-describedby="${id}-email-fault" autocomplete="email"
 autocapitalize="none" spellcheck="false" value="${email}"${faultAttributes("email", faults)}>
<p class="fault" id="${id}-email-fault">${faults.email}</p>
<p class="hint" role="status"></p>
</div>`;
}

/** The box to tick for the consent. */
function consentField({ id, texts, renderText, refusedForm }: SignUpFormOptions): Html {
  const { consent = false, faults = {} } = refusedForm ?? {};
  return markup`<div class="consent">
<input id="${id}-consent" name="consent" type="checkbox" value="true" required
 aria-describedby="${id}-consent-fault"${consent && new Html(" checked")}${
    faultAttributes("consent", faults)
  }>
<label for="${id}-consent">${renderText(texts.consent)}</label>
<p class="fault" id="${id}-consent-fault">${faults.consent}</p>
</div>`;
}

/**
 * The attributes of a field with a fault: they mark the field as invalid, and put the focus on the field if its fault
 * is the first one. A field without a fault gets no attributes.
 */
function faultAttributes(field: "email" | "consent", faults: FormFaults): Html | false {
  return field in faults && markup` aria-invalid="true"${autofocusAttribute(field, faults)}`;
}

/** The attribute that puts the focus on the first place with a fault. All other places get no attribute. */
function autofocusAttribute(place: FaultPlace, faults: FormFaults): Html | false {
  const places: FaultPlace[] = ["email", "consent", "form"];
  const firstFaultyPlace = places.find((place) => faults[place] !== undefined);
  return place === firstFaultyPlace && new Html(" autofocus");
}

/** A picture: an envelope, and in it a letter with a tick. */
const ENVELOPE = new Html(
  '<svg viewBox="0 0 48 44" aria-hidden="true" fill="var(--raised)" stroke="var(--ink)" stroke-width="2" ' +
    'stroke-linejoin="round"><path d="M2 18 24 3l22 15v24H2z"/><path fill="var(--sun)" stroke="none" ' +
    'd="M10 10h28v22H10z"/><path d="m18 18 4 4 8-8" fill="none" stroke="var(--raised)" stroke-width="3"/>' +
    '<path d="m2 18 22 14 22-14v24H2z"/></svg>',
);

/**
 * The thanks that the script `sign_up.js` shows in place of the form after a sign-up. If the service sends a letter
 * that asks to confirm, the thanks have the texts `letter_…`, and otherwise the texts `done_…`.
 */
function thanksPart({ texts, sendsLetters, renderText }: SignUpFormOptions): Html {
  const title = sendsLetters ? texts.letter_title : texts.done_title;
  const text = sendsLetters ? texts.letter_text : texts.done_text;
  const help = sendsLetters && markup`<details>
<summary>${texts.letter_question}</summary>
<p>${renderText(texts.letter_help)}</p>
</details>
`;
  // The script writes the address of the visitor in place of `{email}`.
  const [beforeEmail = "", afterEmail = ""] = text.split("{email}");
  return markup`<div class="done" tabindex="-1" hidden>
${ENVELOPE}
<p class="done-title">${title}</p>
<p>${renderText(beforeEmail)}<strong class="given"></strong>${renderText(afterEmail)}</p>
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
