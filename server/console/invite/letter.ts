import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { LANGS } from "../../waitlist/mod.ts";
import { doneNote, section } from "../components.ts";
import { button, checkbox, field, type Fields, knownValue, pathWith } from "../form_fields.ts";
import { type ConsolePage, type PageContext, PATHS, seeOther } from "../page_context.ts";

/** Stands in a link for the code of each person. */
export const CODE = "{code}";

/** The link of an operator's own site that is shown where one is asked for. */
const EXAMPLE = `https://app.example.com/welcome?code=${CODE}`;

/** Where the letter that is shown leads while no link is known. */
const EXAMPLE_LINK = EXAMPLE.replace(CODE, "…");

export const lacksCode = (link: string) => !link.includes(CODE);

export const linkOf = (form: Fields) => form.get("link")?.trim() ?? "";

/** Whether letters would go out without a code, and nobody has said that this is meant. */
export const isUnsure = (form: Fields) =>
  form.has("letters") && lacksCode(linkOf(form)) && !form.has("without_code");

/** Where the last wave led; empty where there was none. */
export async function lastLink({ operations }: PageContext): Promise<string> {
  const listed = await operations.listWaves({});
  return "waves" in listed ? listed.waves[0]?.link ?? "" : "";
}

/** What asks where an invitation leads, until when it holds, whether letters go out, and for the name of the wave. */
export function invitationFields({ texts, previewInvitation }: PageContext, given: Fields): Html {
  const { words, invite: labels } = texts;
  const { link: label, linkHint, sendLetters, expires, expiresHint } = words;
  const input = markup` type="url" required maxlength="2000" value="${given.get("link") ?? ""}"
 placeholder="${EXAMPLE}"`;
  const date = markup` type="date" value="${given.get("expires") ?? ""}"`;
  const checked = given.has("letters");
  const wave = given.get("wave") ?? "";
  const name = markup` maxlength="64" value="${wave}" pattern="[\\-A-Za-z0-9_]+"`;
  return markup`${field("link", label, input, linkHint({ code: CODE }))}
${field("expires", expires, date, expiresHint)}
${previewInvitation && checkbox({ name: "letters", label: sendLetters, checked })}
${field("wave", labels.waveName, name, labels.waveHint)}
${button(labels.preview, "primary")}`;
}

/** Asks whether letters are to go out though their link has no code; nothing where it has one. */
export function withoutCode(link: string, { invite: labels }: ConsoleTexts): Html | undefined {
  if (!lacksCode(link)) return undefined;
  return markup`${doneNote(labels.noCode({ code: CODE }), "warning")}
${checkbox({ name: "without_code", label: labels.sureWithoutCode, checked: false })}`;
}

export function badLink({ words }: ConsoleTexts, link: string): string {
  return words.badLink({ link, example: EXAMPLE });
}

export const LETTER_PATH = "/operator/invite/letter/";

/** Lets a frame show a letter, which has styles in its elements. It loads nothing, runs nothing, and opens nothing. */
const LETTER_POLICY = "default-src 'none'; style-src 'unsafe-inline'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox";

/** The HTML of the invitation, as it is sent. */
export const letterPage: ConsolePage = {
  path: LETTER_PATH,
  get({ previewInvitation, query, sealed }) {
    if (!previewInvitation) return seeOther(PATHS.invite);
    const lang = knownValue(LANGS, query.get("lang")) ?? "en";
    const { html } = previewInvitation(lang, sealed?.get("link")?.trim() || EXAMPLE_LINK);
    const headers = {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": LETTER_POLICY,
    };
    return new Response(html, { headers });
  },
};

/** Shows the letter in both languages, each in a frame with the HTML that is sent, where the service sends letters. */
export function letterPreviews(
  { texts: { letters: labels, words }, previewInvitation, sealedPath }: PageContext,
  link: string,
): Html | undefined {
  if (!previewInvitation) return undefined;
  const letters = LANGS.map((lang) => {
    const { subject, text } = previewInvitation(lang, link);
    const source = sealedPath(pathWith(LETTER_PATH, { lang }), new Map([["link", link]]));
    return markup`<article class="letter" aria-labelledby="letter-${lang}">
<h3 id="letter-${lang}">${words.langs[lang]}</h3>
<p><span class="soft">${labels.subject}:</span> <b lang="${lang}">${subject}</b></p>
<iframe src="${source ?? LETTER_PATH}" title="${labels.title}, ${
      words.langs[lang]
    }" sandbox></iframe>
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
