import { type Html, markup } from "../content/html.ts";
import type { Texts } from "../content/texts.ts";

/** The forms that a page can hold, by the contract's `source`. */
export const SOURCES = ["hero", "cta"] as const;

/**
 * An address that the server has a chance to accept; it is the one to validate. Without scripts, this keeps
 * a slip of the keyboard from ending at an error in JSON.
 */
const PLAUSIBLE = "[!-?A-~]+@[A-Za-z0-9.\\-]+\\.[A-Za-z0-9\\-]{2,}";

/** What a sign-up form is made with. */
export interface SignUpFormOptions {
  source: typeof SOURCES[number];
  lang: string;
  texts: Texts["sign_up"];
  /** The consent's label, with its link. */
  consent: Html;
}

/**
 * A sign-up form. It works as it is; `sign_up.js` sends it without leaving the page and finds its words
 * in the attributes.
 */
export function signUpForm({ source, lang, texts, consent }: SignUpFormOptions): Html {
  const id = `sign-up-${source}`;
  return markup`<div class="sign-up" id="${id}">
<form method="post" action="/api/v1/waitlist" data-sending="${texts.sending}"
 data-invalid-email="${texts.invalid_email}" data-consent-required="${texts.consent_required}"
 data-rate-limited="${texts.rate_limited}" data-failed="${texts.failed}">
<input type="hidden" name="source" value="${source}">
<input type="hidden" name="lang" value="${lang}">
<div class="field">
<label for="${id}-email">${texts.email}</label>
<input id="${id}-email" name="email" type="email" required maxlength="254" pattern="${PLAUSIBLE}"
 title="${texts.email_hint}" autocomplete="email" autocapitalize="none" spellcheck="false">
</div>
<div class="trap" aria-hidden="true">
<label for="${id}-website">${texts.trap}</label>
<input id="${id}-website" name="website" type="text" tabindex="-1" autocomplete="off">
</div>
<div class="consent">
<input id="${id}-consent" name="consent" type="checkbox" value="true" required>
<label for="${id}-consent">${consent}</label>
</div>
<button class="button" type="submit">${texts.submit}</button>
<p class="message" id="${id}-message" role="alert" tabindex="-1"></p>
</form>
<div class="done" tabindex="-1" hidden>
<p class="done-title">${texts.done_title}</p>
<p>${texts.done_text}</p>
</div>
</div>`;
}
