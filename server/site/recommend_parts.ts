/**
 * The parts of the self-service page that make the list grow: the place in line, and the link to recommend with its
 * buttons. `self_service_slots.ts` puts these parts into the page. @module
 */
import { Html, markup, type Texts } from "../content/mod.ts";
import { roundPeople } from "../waitlist/mod.ts";

/** The data of a person that these parts of the page show. */
export interface RecommendView {
  referralCode?: string | undefined;
  /**
   * The number of people who joined by the person's link and whose referral counts; absent for a person without a
   * referral code.
   */
  referrals?: number | undefined;
  /** The place in line, which begins at 1; absent if it is not shown. */
  place?: number | undefined;
}

/** The texts of one language for these parts, with filled placeholders, and the formats of numbers and links. */
export interface RecommendWords {
  /** The sentences about the place in line. */
  line: Texts["place"]["line"];
  recommend: Texts["place"]["recommend"];
  /** Returns the link by which a person with this referral code recommends the list. */
  linkOf: (referralCode: string) => string;
  /** Writes a number in the form of the language. */
  formatNumber: (count: number) => string;
}

/** The sentence about the people who are before the person; empty without a place in line. */
export function linePart(
  { place }: RecommendView,
  { line: texts, formatNumber }: RecommendWords,
): Html {
  if (place === undefined) return new Html("");
  const { count, isAbout } = roundPeople(place - 1);
  const text = chooseLineText(count, isAbout, texts);
  return markup`<p class="line">${text.replace("{count}", formatNumber(count))}</p>`;
}

/** Returns the sentence for a number of people. @param isAbout whether the number is rounded */
function chooseLineText(count: number, isAbout: boolean, texts: RecommendWords["line"]): string {
  if (count === 0) return texts.none;
  if (count === 1) return texts.one;
  return isAbout ? texts.about : texts.exact;
}

/**
 * The link to recommend, the buttons to share the link, and the number of people who joined by the link. The script
 * `recommend.js` shows the buttons that need scripts. The other buttons are plain links, and the page loads nothing
 * from the sites to which they lead. For a person without a referral code, there is only the form of `makeCodeForm`.
 *
 * @param makeCodeForm makes the form by which a person without a code gets a code
 */
export function recommendPart(
  { referralCode, referrals = 0 }: RecommendView,
  { recommend: texts, linkOf, formatNumber }: RecommendWords,
  makeCodeForm: (label: string) => Html,
): Html {
  if (!referralCode) return makeCodeForm(texts.refer);
  const link = linkOf(referralCode);
  const joined = chooseJoinedText(referrals, texts);
  const targets = shareTargets(link, texts).map(({ name, url }) => {
    const isSite = url.startsWith("https:");
    const target = isSite && new Html(' target="_blank" rel="noopener noreferrer"');
    return markup`<li><a class="button plain" href="${url}"${target}>${name}</a></li>`;
  });
  return markup`<div class="recommending">
<div class="field">
<label for="referral-link">${texts.label}</label>
<div class="referral-link">
<input id="referral-link" type="text" readonly value="${link}">
<button class="button" id="copy-link" type="button" data-copied="${texts.copied}" hidden>${texts.copy}</button>
</div>
<p class="copied" role="status"></p>
</div>
<ul class="share" aria-label="${texts.share_by}">
<li hidden><button class="button plain" id="share-link" type="button" data-text="${texts.message}">${texts.share}</button></li>
${targets}
</ul>
<p class="joined">${joined.replace("{count}", formatNumber(referrals))}</p>
</div>`;
}

/** Returns the sentence for a number of people who joined. */
function chooseJoinedText(referrals: number, texts: RecommendWords["recommend"]): string {
  if (referrals === 0) return texts.none;
  return referrals === 1 ? texts.one : texts.many;
}

/**
 * Lists the sites and programs with which a person can share the link. Most of these sites and programs open with a
 * text that the person can change before sending.
 */
function shareTargets(link: string, texts: RecommendWords["recommend"]) {
  const query = (values: Record<string, string>) =>
    Object.entries(values).map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
  const text = `${texts.message} ${link}`;
  return [
    { name: texts.email, url: `mailto:?${query({ subject: texts.subject, body: text })}` },
    { name: "WhatsApp", url: `https://wa.me/?${query({ text })}` },
    { name: "X", url: `https://x.com/intent/post?${query({ text: texts.message, url: link })}` },
    {
      name: "LinkedIn",
      url: `https://www.linkedin.com/sharing/share-offsite/?${query({ url: link })}`,
    },
    { name: "Bluesky", url: `https://bsky.app/intent/compose?${query({ text })}` },
  ];
}
