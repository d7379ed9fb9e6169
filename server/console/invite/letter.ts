import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { LANGS } from "../../waitlist/mod.ts";
import { section } from "../components.ts";
import { checkbox, field, knownValue, pathWith } from "../form_fields.ts";
import { FORM_ID } from "../cookies.ts";
import { type ConsolePage, type PageContext, PATHS, seeOther } from "../page_context.ts";

/** Stands in a link for the code of each person. */
export const CODE = "{code}";

/** The link of an operator's own site that is shown where one is asked for. */
const EXAMPLE = `https://app.example.com/welcome?code=${CODE}`;

/** Where the letter that is shown leads while no link is known. */
const EXAMPLE_LINK = EXAMPLE.replace(CODE, "…");

/** The fields that ask where an invitation leads, and whether letters go out, where the service sends any. */
export function invitationFields(
  { texts, previewInvitation }: PageContext,
  { link, letters }: { link: string; letters: boolean },
): Html {
  const { link: label, linkHint, sendLetters } = texts.words;
  const input = markup` type="url" required maxlength="2000" value="${link}"
 placeholder="${EXAMPLE}"`;
  return markup`${field("link", label, input, linkHint({ code: CODE }))}
${previewInvitation && checkbox({ name: "letters", label: sendLetters, checked: letters })}`;
}

export function badLink({ words }: ConsoleTexts, link: string): string {
  return words.badLink({ link, example: EXAMPLE });
}

const LETTER_PATH = "/operator/invite/letter/";

/**
 * Allows a frame of the console to show a letter, which has styles in its elements, as mail programs drop others. It
 * loads nothing, runs nothing, and opens nothing.
 */
const LETTER_POLICY = "default-src 'none'; style-src 'unsafe-inline'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox";

/** The HTML of the invitation, as it is sent. */
export const letterPage: ConsolePage = {
  path: LETTER_PATH,
  get({ previewInvitation, query, form }) {
    if (!previewInvitation) return seeOther(PATHS.invite);
    const lang = knownValue(LANGS, query.get("lang")) ?? "en";
    const { html } = previewInvitation(lang, form?.get("link")?.trim() || EXAMPLE_LINK);
    const headers = {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": LETTER_POLICY,
    };
    return new Response(html, { headers });
  },
};

/** Shows the letter in both languages, each in a frame with the HTML that is sent, where the service sends letters. */
export function letterPreviews(
  { texts: { letters: labels, words }, previewInvitation, query }: PageContext,
  link = EXAMPLE_LINK,
): Html | undefined {
  if (!previewInvitation) return undefined;
  const letters = LANGS.map((lang) => {
    const { subject, text } = previewInvitation(lang, link);
    const source = pathWith(LETTER_PATH, { lang, [FORM_ID]: query.get(FORM_ID) ?? undefined });
    return markup`<article class="letter" aria-labelledby="letter-${lang}">
<h3 id="letter-${lang}">${words.langs[lang]}</h3>
<p><span class="soft">${labels.subject}:</span> <b lang="${lang}">${subject}</b></p>
<iframe src="${source}" title="${labels.title}, ${words.langs[lang]}" sandbox></iframe>
<details>
<summary>${labels.asText}</summary>
<pre lang="${lang}" tabindex="0">${text}</pre>
</details>
</article>`;
  });
  return section(
    "letter",
    labels.title,
    markup`<p class="soft">${labels.about}</p>
<div class="letters">
${letters}
</div>`,
  );
}
