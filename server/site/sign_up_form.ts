/** The forms of visitors, which also work without scripts, and the panel to try the API. @module */
import { findInvisible } from "../../shared/invisible.ts";
import { Html, markup, renderInline, type Texts } from "../content/mod.ts";
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
  /** Renders a text in Markdown: the label of the consent, and the text after a sign-up. */
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

/** The sign-up form. The `data-` attributes hold the texts for the script `sign_up.js`. */
export function signUpForm(options: SignUpFormOptions): Html {
  const { id, source, lang, texts, renderText, refused } = options;
  const { action = SIGN_UP_ACTION, faults = {} } = refused ?? {};
  const focusOf = (field: keyof typeof faults) =>
    Object.keys(faults)[0] === field && new Html(" autofocus");
  const invalidOf = (field: keyof typeof faults) =>
    field in faults && markup` aria-invalid="true"${focusOf(field)}`;
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
<p class="fault message" role="alert" tabindex="-1"${focusOf("form")}>${faults.form}</p>
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

/**
 * The panel to try the API. The script `try_it.js` calls the sandbox, and reads the texts that it shows from the
 * `data-` attributes. All `details` have the same name, so that browsers keep only one of them open.
 */
export function tryItPanel(texts: Texts["try_it"]): Html {
  const items = Object.entries(texts.steps).map(([name, text], index) =>
    markup`<li><details name="try-it" data-step="${name}"${index === 0 && markup` open`}>
<summary><span>${new Html(renderInline(text))}</span></summary>
</details></li>`
  );
  return markup`<div class="try-it" data-client="{{sandbox_client}}" data-run="${texts.run}"
 data-next="${texts.next}" data-again="${texts.again}" data-curl="${texts.curl}"
 data-copied="${texts.copied}" data-address="${texts.address}" data-running="${texts.running}"
 data-finished="${texts.finished}" data-failed="${texts.failed}"
 data-rate-limited="${texts.rate_limited}" data-request="${texts.request}"
 data-response="${texts.response}" data-totals="${texts.totals}" data-total="${texts.total}"
 data-last7-days="${texts.last_7_days}" data-last30-days="${texts.last_30_days}"
 data-by-lang="${texts.by_lang}" data-by-role="${texts.by_role}"
 data-by-building="${texts.by_building}" data-by-source="${texts.by_source}">
<noscript><p>${texts.without_scripts}</p></noscript>
<ol>
${items}
</ol>
<p role="status"></p>
</div>`;
}

/** The form by which a person asks for a letter with the link to their own page. */
export function askForm(path: string, texts: Texts["place"], hint: string): Html {
  return markup`<form class="place" method="post" action="${path}">
<div class="field">
<label for="place-email">${texts.ask_label}</label>
<input id="place-email" name="email" type="email" required maxlength="254" title="${hint}"
 autocomplete="email" autocapitalize="none" spellcheck="false"${NO_FAULT.input}>
${NO_FAULT.text}
</div>
<button class="button" type="submit">${texts.ask}</button>
</form>`;
}

/** The pieces of HTML in {@linkcode askForm} that {@linkcode withRefusedAddress} replaces. */
const NO_FAULT = {
  input: new Html(' aria-describedby="place-email-fault"'),
  text: new Html('<p class="fault" id="place-email-fault"></p>'),
};

/** Puts a refused address and its error message into a page with {@linkcode askForm}. */
export function withRefusedAddress(page: string, email: string, fault: string): string {
  const input = markup`${NO_FAULT.input} aria-invalid="true" autofocus value="${email}"`;
  const text = markup`<p class="fault" id="place-email-fault">${fault}</p>`;
  return page.replace(`${NO_FAULT.input}`, () => input.text)
    .replace(`${NO_FAULT.text}`, () => text.text);
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
