import { Html, markup } from "../../content/mod.ts";
import type { Lang } from "../../waitlist/mod.ts";
import type { PreviewInvitation } from "../page_context.ts";

const TEXTS = {
  en: {
    title: "The letter",
    about: "A letter has both forms; the mail program shows one of them.",
    langs: { en: "In English", de: "In German" },
    subject: "Subject",
    asText: "As plain text",
  },
  de: {
    title: "Die E-Mail",
    about: "Eine E-Mail hat beide Formen; das Mailprogramm zeigt eine davon.",
    langs: { en: "Auf Englisch", de: "Auf Deutsch" },
    subject: "Betreff",
    asText: "Als reiner Text",
  },
} as const;

/** Where the link leads in a letter that is only looked at. */
const EXAMPLE = "https://app.example.com/welcome?code=…";

/**
 * Shows the invitation as it will look in both languages, made by the code that makes the real one.
 *
 * @param invitationUrl where it leads; an example while no link is known
 */
export function letterPreviews(
  lang: Lang,
  previewInvitation: PreviewInvitation,
  invitationUrl = EXAMPLE,
): Html {
  const texts = TEXTS[lang];
  const letters = (["en", "de"] as const).map((each) => {
    const { subject, text, html } = previewInvitation(each, invitationUrl);
    return markup`<article class="letter" aria-labelledby="letter-${each}">
<h3 id="letter-${each}">${texts.langs[each]}</h3>
<p><span class="soft">${texts.subject}:</span> <b lang="${each}">${subject}</b></p>
<div class="mail" lang="${each}">
${bodyOf(html)}
</div>
<details>
<summary>${texts.asText}</summary>
<pre lang="${each}" tabindex="0">${text}</pre>
</details>
</article>`;
  });
  return markup`<section aria-labelledby="letter">
<h2 id="letter">${texts.title}</h2>
<p class="soft">${texts.about}</p>
<div class="letters">
${letters}
</div>
</section>`;
}

/**
 * Gives what a letter's HTML has between the tags of its body. Its inline styles, which the pages' policy does not
 * allow, are replaced by those of the style sheet.
 */
function bodyOf(html: string): Html {
  const [, body = ""] = /<body[^>]*>([\s\S]*)<\/body>/.exec(html) ?? [];
  return new Html(
    body.replace(/<a style="[^"]*"/g, '<a class="button"').replace(/ style="[^"]*"/g, ""),
  );
}
