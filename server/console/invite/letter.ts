/** The preview of the invitation letter. A frame shows the HTML of the letter, without pictures. @module */
import { type Html, markup } from "../../content/mod.ts";
import { type Lang, LANGS } from "../../waitlist/mod.ts";
import { section } from "../components.ts";
import { knownValue, pathWith, toFields } from "../forms.ts";
import { type ConsolePage, type PageContext, PATHS, seeOther } from "../page_context.ts";
import { PREVIEW_LINK } from "./form_parts.ts";

const LETTER_PATH = "/operator/invite/letter/";

/**
 * The Content-Security-Policy of a letter in a frame. It allows only the styles that stand in the HTML of the letter.
 */
const LETTER_POLICY = "default-src 'none'; style-src 'unsafe-inline'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox";

/** The HTML of the letter, for the frame. */
export const letterPage: ConsolePage = {
  path: LETTER_PATH,
  get({ previewInvitation, query, encryptedFields }) {
    if (!previewInvitation) return seeOther(PATHS.invite);
    const lang = knownValue(LANGS, query.get("lang")) ?? "en";
    const link = encryptedFields?.get("link")?.trim() || PREVIEW_LINK;
    const expiresAt = encryptedFields?.get("expires");
    const { html } = previewInvitation(lang, {
      invitationUrl: link,
      ...expiresAt !== undefined && { expiresAt },
    });
    const headers = {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": LETTER_POLICY,
    };
    return new Response(html, { headers });
  },
};

/**
 * The previews of the letter in the given languages, as HTML and as text; `undefined` if the service sends no letters.
 * @param options.expires the date-time at which the invitations expire
 */
export function letterPreviews(
  { texts: { letters: labels, words }, previewInvitation, encryptedPath }: PageContext,
  { link, expires, langs = LANGS }: {
    link: string;
    expires?: string | undefined;
    langs?: readonly Lang[];
  },
): Html | undefined {
  if (!previewInvitation) return undefined;
  const letters = langs.map((lang) => {
    const invitation = { invitationUrl: link, ...expires !== undefined && { expiresAt: expires } };
    const { subject, text, sender } = previewInvitation(lang, invitation);
    const letterPath = encryptedPath(
      pathWith(LETTER_PATH, { lang }),
      toFields({ link, expires }),
    );
    // If the link is too long for a URL, the frame shows the English letter with the example link.
    const framePath = letterPath ?? LETTER_PATH;
    const language = words.langs[lang];
    return markup`<article class="letter" aria-labelledby="letter-${lang}">
<h3 id="letter-${lang}">${language}</h3>
<p><span class="soft">${labels.from}:</span> ${formatSender(sender)}</p>
<p><span class="soft">${labels.subject}:</span> <b lang="${lang}">${subject}</b></p>
<iframe src="${framePath}" title="${labels.title}, ${language}" sandbox></iframe>
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

/** Writes the sender as mail programs show it, such as `Example Company <hello@example.com>`. */
function formatSender({ name, address }: { name: string; address: string }): string {
  return name === "" ? address : `${name} <${address}>`;
}
