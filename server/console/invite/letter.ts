/**
 * What the pages ask and show about the letter of an invitation, to one person or to many.
 *
 * @module
 */
import { type ConsoleTexts, Html, markup } from "../../content/mod.ts";
import { checkbox, field, LANGS, section } from "../components.ts";
import type { PageContext } from "../page_context.ts";

/** Stands in a link for the code of each person. */
const CODE = "{code}";

/** The link of an operator's own site that is shown where one is asked for. */
const EXAMPLE = `https://app.example.com/welcome?code=${CODE}`;

/** The fields that ask where an invitation leads, and whether letters go out, where the service sends any. */
export function invitationFields(
  { texts, previewInvitation }: Pick<PageContext, "texts" | "previewInvitation">,
  { link, letters, about }: { link: string; letters: boolean; about: "person" | "invite" },
): Html {
  const { linkHint, letters: label } = texts[about];
  const input = markup` type="url" required maxlength="2000" value="${link}"
 placeholder="${EXAMPLE}"`;
  return markup`${field("link", texts.words.link, input, linkHint({ code: CODE }))}
${previewInvitation && checkbox({ name: "letters", label, checked: letters })}`;
}

/** Says that an invitation cannot lead to a link. */
export function badLink({ words }: ConsoleTexts, link: string): string {
  return words.badLink({ link, example: EXAMPLE });
}

/**
 * Shows the invitation as it will look in both languages, made by the code that makes the real one; nothing where the
 * service sends no letters.
 *
 * @param link where it leads; an example while no link is known
 */
export function letterPreviews(
  { texts: { letters: labels }, previewInvitation }: Pick<
    PageContext,
    "texts" | "previewInvitation"
  >,
  link = EXAMPLE.replace(CODE, "…"),
): Html | undefined {
  if (!previewInvitation) return undefined;
  const letters = LANGS.map((lang) => {
    const { subject, text, html } = previewInvitation(lang, link);
    return markup`<article class="letter" aria-labelledby="letter-${lang}">
<h3 id="letter-${lang}">${labels.langs[lang]}</h3>
<p><span class="soft">${labels.subject}:</span> <b lang="${lang}">${subject}</b></p>
<div class="mail" lang="${lang}">
${new Html(html)}
</div>
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
