/**
 * The form by which a person asks for a letter with the link to the self-service page, and the same form with an
 * address that was refused. @module
 */
import { Html, markup, type Texts } from "../content/mod.ts";

/** The last attribute of the field. {@linkcode withRefusedAddress} adds further attributes behind it. */
const LAST_ATTRIBUTE = new Html(' aria-describedby="place-email-fault"');

/** The paragraph for an error message. {@linkcode withRefusedAddress} writes the message into it. */
const EMPTY_FAULT = new Html('<p class="fault" id="place-email-fault"></p>');

/**
 * The form, with empty places for an error message.
 * @param path the path to which the form is sent @param hint the title of the field, which says what to type
 */
export function linkRequestForm(path: string, texts: Texts["place"], hint: string): Html {
  return markup`<form class="place" method="post" action="${path}">
<div class="field">
<label for="place-email">${texts.ask_label}</label>
<input id="place-email" name="email" type="email" required maxlength="254" title="${hint}"
 autocomplete="email" autocapitalize="none" spellcheck="false"${LAST_ATTRIBUTE}>
${EMPTY_FAULT}
</div>
<button class="button" type="submit">${texts.ask}</button>
</form>`;
}

/** Puts a refused address and its error message into a page with {@linkcode linkRequestForm}. */
export function withRefusedAddress(page: string, email: string, fault: string): string {
  const attributes = markup`${LAST_ATTRIBUTE} aria-invalid="true" autofocus value="${email}"`;
  const message = markup`<p class="fault" id="place-email-fault">${fault}</p>`;
  return page.replace(LAST_ATTRIBUTE.text, () => attributes.text)
    .replace(EMPTY_FAULT.text, () => message.text);
}
