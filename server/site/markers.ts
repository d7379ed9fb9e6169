/**
 * The HTML that replaces the markers of a page: the sign-up form and the panel for trying the API.
 *
 * @module
 */
import { type Html, markup } from "../content/html.ts";
import type { Texts } from "../content/texts.ts";

/** The sign-up forms that a page can have, by the contract's `source`. */
export const SOURCES = ["hero", "cta"] as const;

/**
 * A rough pattern of an e-mail address; the API validates the address. Without scripts, the pattern keeps a
 * typing error from leading to an error page in JSON.
 */
const PLAUSIBLE = "[!-?A-~]+@[A-Za-z0-9.\\-]+\\.[A-Za-z0-9\\-]{2,}";

/** The options of a sign-up form. */
export interface SignUpFormOptions {
  source: typeof SOURCES[number];
  lang: string;
  texts: Texts["sign_up"];
  /** The label of the consent, with its link. */
  consent: Html;
  /** Whether an address that is not confirmed yet gets a letter. */
  mail: boolean;
}

/**
 * Renders a sign-up form. It works without scripts; `sign_up.js` sends it without leaving the page and
 * reads its texts from the attributes.
 */
export function signUpForm(options: SignUpFormOptions): Html {
  const { source, lang, texts, consent, mail } = options;
  const id = `sign-up-${source}`;
  const [before = "", after = ""] = texts.letter_text.split("{email}");
  const [title, text] = mail
    ? [texts.letter_title, markup`${before}<strong class="given"></strong>${after}`]
    : [texts.done_title, texts.done_text];
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
<p class="done-title">${title}</p>
<p>${text}</p>
</div>
</div>`;
}

/**
 * Renders the panel that calls the sandbox from the browser. `try_it.js` makes the calls and reads its
 * texts from the attributes.
 *
 * @param steps the description of each step, in their order
 */
export function tryItPanel(texts: Texts["try_it"], steps: Record<string, Html>): Html {
  const items = Object.entries(steps).map(([name, text]) =>
    markup`<li data-step="${name}"><p>${text}</p></li>`
  );
  return markup`<div class="try-it" data-client="{{sandbox_client}}" data-again="${texts.again}"
 data-running="${texts.running}" data-finished="${texts.finished}" data-failed="${texts.failed}"
 data-rate-limited="${texts.rate_limited}" data-request="${texts.request}"
 data-response="${texts.response}" data-totals="${texts.totals}" data-total="${texts.total}"
 data-last7-days="${texts.last_7_days}" data-last30-days="${texts.last_30_days}"
 data-by-lang="${texts.by_lang}" data-by-role="${texts.by_role}"
 data-by-building="${texts.by_building}" data-by-source="${texts.by_source}">
<noscript><p>${texts.without_scripts}</p></noscript>
<p class="try-it-bar"><button class="button" type="button" disabled>${texts.run}</button>
<span role="status"></span></p>
<ol>
${items}
</ol>
</div>`;
}
