/**
 * The content of the slots on the pages of the self-service: forms, buttons, and the person's own data.
 * `stored_data_part.ts` and `recommend_parts.ts` make the longer contents. @module
 */
import { SLUG_ANSWERS } from "../../shared/person_schema.ts";
import {
  fill,
  formatEnd,
  type Html,
  type Language,
  markup,
  select,
  type Texts,
} from "../content/mod.ts";
import {
  consentTextId,
  type Lang,
  LEAVE_PATH,
  referralUrl,
  SELF_SERVICE_PATHS,
  type SignUpRecord,
} from "../waitlist/mod.ts";
import type { Slot } from "./markers.ts";
import {
  linePart,
  recommendPart,
  type RecommendView,
  type RecommendWords,
} from "./recommend_parts.ts";
import { placeholdersIn, type RendererOptions } from "./render.ts";
import {
  storedDataPart,
  type StoredDataView,
  type StoredDataWords,
  titleCase,
} from "./stored_data_part.ts";

/** The data of a person that a page shows besides the record. The store reads this data. */
export interface ShownDetails
  extends Omit<RecommendView, "referralCode">, Omit<StoredDataView, "email" | "record"> {
  invitationUrl?: string | undefined;
}

/** All data of a person that a page shows. */
export interface SelfServiceView extends ShownDetails {
  /** The token of the link in letters, which the forms of the page send back. */
  token: string;
  email: string;
  record: SignUpRecord;
  /**
   * `saved` after answers were saved; `full` if no answers were saved because the service has no room for another
   * answer.
   */
  answered?: "saved" | "full" | undefined;
}

/** The texts and formats of one language for the content of the slots. */
export interface SlotWords extends RecommendWords, StoredDataWords {
  /** The wording above the button that confirms. */
  consent: { lang: Lang; text: string };
}

/** Fills the placeholders in the texts of a language, and makes the formats of the language. */
export function createSlotWords(
  lang: Lang,
  language: Language,
  options: RendererOptions,
): SlotWords {
  const { locale, place } = language.texts;
  const longTime = { dateStyle: "long", timeStyle: "short", timeZone: "UTC" } as const;
  const timeFormat = new Intl.DateTimeFormat(locale.replace("_", "-"), longTime);
  const placeholders = placeholdersIn(language, options);
  const recommendTexts = Object.entries(place.recommend)
    .map(([name, text]) => [name, fill(text, placeholders)]);
  return {
    texts: place,
    line: place.line,
    // The cast is needed because the type of `Object.fromEntries()` loses the names of the members.
    recommend: Object.fromEntries(recommendTexts) as Texts["place"]["recommend"],
    linkOf: (code) => referralUrl(options.baseUrl, lang, code),
    formatNumber: new Intl.NumberFormat(lang).format,
    consent: { lang, text: fill(place.consent, placeholders) },
    questions: SLUG_ANSWERS.flatMap((name) => {
      const offeredAnswers = Object.entries(options.brand.answers?.[name] ?? {});
      const answerNames = new Map(offeredAnswers.map(([slug, names]) => [slug, names[lang]]));
      return answerNames.size > 0 ? [{ name, answerNames }] : [];
    }),
    languages: new Map(options.languages.map(({ lang, texts }) => [lang, texts.name])),
    formatTime: (moment) =>
      moment
        ? markup`<time datetime="${moment}">${timeFormat.format(new Date(moment))} UTC</time>`
        : undefined,
    formatEnd: (moment) =>
      moment
        ? markup`<time datetime="${moment}">${formatEnd(moment, language.texts)}</time>`
        : undefined,
  };
}

/** Makes the HTML that replaces a slot. */
export const slotContent = (slot: Slot, view: SelfServiceView, words: SlotWords): string =>
  SLOT_CONTENTS[slot](view, words).text;

/** For each slot, the function that makes its content. */
const SLOT_CONTENTS: Record<Slot, (view: SelfServiceView, words: SlotWords) => Html> = {
  address: ({ email }) => markup`<p class="address">${email}</p>`,

  confirm: (view, words) =>
    markup`<form class="place" method="post" action="/place/confirm">
<p class="address">${view.email}</p>
<p class="wording">${words.consent.text}</p>
${hiddenFields(view, words)}
<input type="hidden" name="consent_text" value="${consentTextId(words.consent)}">
<button class="button" type="submit">${words.texts.confirm}</button>
</form>`,

  invitation: ({ email, record, invitationUrl }, { texts }) =>
    markup`<div class="place">
<p class="address">${email}</p>
${invitationUrl && markup`<a class="button" href="${invitationUrl}">${texts.invitation}</a>`}
<p class="code">${texts.invitation_code} <code>${record.invitationCode}</code></p>
</div>`,

  line: (view, words) => linePart(view, words),

  recommend: (view, words) =>
    recommendPart({ ...view, referralCode: view.record.referralCode }, words, (label) => {
      return buttonForm("/place/refer", label, hiddenFields(view, words));
    }),

  kept: storedDataPart,

  answers(view, words) {
    const menus = words.questions.map(({ name, answerNames }) => {
      const answer = view.record[name] ?? "";
      const choices = new Map([["", words.texts.no_answer]]);
      // The menu also has the person's present answer, because the brand may not offer it. For example, the answer may
      // have been imported.
      if (answer) choices.set(answer, titleCase(answer));
      for (const [slug, answerName] of answerNames) choices.set(slug, answerName);
      return select({ name, label: words.texts.kept[name], chosen: answer }, [...choices]);
    });
    const { answered } = view;
    const text = answered && words.texts[`answers_${answered}`];
    // The focus scrolls to the note, and makes screen readers read it.
    const note = text && markup`<p class="${answered}" tabindex="-1" autofocus>${text}</p>`;
    const content = markup`${note}${hiddenFields(view, words)}
${menus}`;
    return buttonForm("/place/answers", words.texts.answers_save, content);
  },

  data: (view, words) => buttonForm("/place/data", words.texts.data, hiddenFields(view, words)),

  leave: (view, words) => buttonForm(LEAVE_PATH, words.texts.leave, hiddenFields(view, words)),

  sure(view, words) {
    const { consent: { lang }, texts } = words;
    const fields = markup`${hiddenFields(view, words)}
<input type="hidden" name="sure" value="1">`;
    return markup`${buttonForm(LEAVE_PATH, texts.leave_sure, fields)}
<p><a href="${SELF_SERVICE_PATHS[lang]}?t=${view.token}">${texts.stay}</a></p>`;
  },
};

function buttonForm(action: string, label: string, fields: Html): Html {
  return markup`<form method="post" action="${action}">
${fields}
<button class="button plain" type="submit">${label}</button>
</form>`;
}

/** The hidden fields: the person's token, and the language in which the service answers the form. */
function hiddenFields({ token }: SelfServiceView, { consent: { lang } }: SlotWords): Html {
  return markup`<input type="hidden" name="t" value="${token}">
<input type="hidden" name="lang" value="${lang}">`;
}
