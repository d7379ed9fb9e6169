/**
 * The content of the slots on the pages of the self-service: forms, buttons, and the person's own data.
 * `stored_data_part.ts` and `recommend_parts.ts` make the longer contents. @module
 */
import { SLUG_ANSWERS } from "../../shared/person_schema.ts";
import {
  type Brand,
  fill,
  formatEnd,
  type Html,
  type Language,
  markup,
  select,
  type Texts,
} from "../content/mod.ts";
import {
  type ConsentText,
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
  answersOutcome?: SentAnswersOutcome;
}

/**
 * What became of the answers that the person has just sent: they were saved, or the service had no room for another
 * answer (`full`) and saved nothing. `undefined` if the person has sent no answers.
 */
export type SentAnswersOutcome = "saved" | "full" | undefined;

/** The texts and formats of one language for the content of the slots. */
export interface SlotWords {
  /** The member `place` of `texts.yaml`, which has the texts of the self-service page. */
  texts: Texts["place"];
  /** The wording above the button that confirms. Its language is the language of the page. */
  consent: ConsentText;
  /** For the place in line, and for the link to recommend. */
  recommendWords: RecommendWords;
  /** For the person's stored data. Its questions are also those of the form for answers. */
  storedDataWords: StoredDataWords;
}

/** Fills the placeholders in the texts of a language, and makes the formats of the language. */
export function createSlotWords(
  lang: Lang,
  language: Language,
  options: RendererOptions,
): SlotWords {
  const { place } = language.texts;
  const placeholders = placeholdersIn(language, options);
  const recommendTexts = Object.entries(place.recommend)
    .map(([name, text]) => [name, fill(text, placeholders)]);
  const formatNumber = new Intl.NumberFormat(lang).format;
  return {
    texts: place,
    consent: { lang, text: fill(place.consent, placeholders) },
    recommendWords: {
      line: place.line,
      // The cast is needed because the type of `Object.fromEntries()` loses the names of the members.
      recommend: Object.fromEntries(recommendTexts) as Texts["place"]["recommend"],
      linkOf: (code) => referralUrl(options.baseUrl, lang, code),
      formatNumber,
    },
    storedDataWords: {
      texts: place,
      questions: questionsOf(options.brand, lang),
      languages: new Map(options.languages.map(({ lang, texts }) => [lang, texts.name])),
      ...timeFormatsOf(language.texts),
      formatNumber,
    },
  };
}

/** Returns the questions for which the brand offers answers, with the names of these answers. */
function questionsOf(
  { answers = {} }: Pick<Brand, "answers">,
  lang: Lang,
): StoredDataWords["questions"] {
  return SLUG_ANSWERS.flatMap((name) => {
    const offeredAnswers = Object.entries(answers[name] ?? {});
    const answerNames = new Map(offeredAnswers.map(([slug, names]) => [slug, names[lang]]));
    return answerNames.size > 0 ? [{ name, answerNames }] : [];
  });
}

/** Makes the functions that write a date-time, and the moment at which something ends. */
function timeFormatsOf(texts: Texts): Pick<StoredDataWords, "formatTime" | "formatEnd"> {
  const longTime = { dateStyle: "long", timeStyle: "short", timeZone: "UTC" } as const;
  const timeFormat = new Intl.DateTimeFormat(texts.locale.replace("_", "-"), longTime);
  const timeElement = (moment: string, text: string) =>
    markup`<time datetime="${moment}">${text}</time>`;
  return {
    formatTime: (moment) =>
      moment ? timeElement(moment, `${timeFormat.format(new Date(moment))} UTC`) : undefined,
    formatEnd: (moment) => moment ? timeElement(moment, formatEnd(moment, texts)) : undefined,
  };
}

/** Makes the HTML that replaces a slot. */
export const slotContent = (slot: Slot, view: SelfServiceView, words: SlotWords): string =>
  SLOT_CONTENTS[slot](view, words).text;

/** For each slot, the function that makes its content. */
const SLOT_CONTENTS: Record<Slot, (view: SelfServiceView, words: SlotWords) => Html> = {
  address: ({ email }) => markup`<p class="address">${email}</p>`,
  confirm: confirmForm,
  invitation: invitationPart,
  line: (view, { recommendWords }) => linePart(view, recommendWords),
  recommend: (view, words) =>
    recommendPart(
      { ...view, referralCode: view.record.referralCode },
      words.recommendWords,
      (label) => buttonForm("/place/refer", label, hiddenFields(view, words)),
    ),
  kept: (view, { storedDataWords }) => storedDataPart(view, storedDataWords),
  answers: answersForm,
  data: (view, words) => buttonForm("/place/data", words.texts.data, hiddenFields(view, words)),
  leave: (view, words) => buttonForm(LEAVE_PATH, words.texts.leave, hiddenFields(view, words)),
  sure: leaveQuestion,
};

/** The address, the wording of the consent, and the button that confirms. */
function confirmForm(view: SelfServiceView, words: SlotWords): Html {
  const { consent, texts } = words;
  return markup`<form class="place" method="post" action="/place/confirm">
<p class="address">${view.email}</p>
<p class="wording">${consent.text}</p>
${hiddenFields(view, words)}
<input type="hidden" name="consent_text" value="${consentTextId(consent)}">
<button class="button" type="submit">${texts.confirm}</button>
</form>`;
}

/** The address, the link of the invitation, and its code. */
function invitationPart(
  { email, record, invitationUrl }: SelfServiceView,
  { texts }: SlotWords,
): Html {
  return markup`<div class="place">
<p class="address">${email}</p>
${invitationUrl && markup`<a class="button" href="${invitationUrl}">${texts.invitation}</a>`}
<p class="code">${texts.invitation_code} <code>${record.invitationCode}</code></p>
</div>`;
}

/** The form with a menu for each question. After the person has sent answers, a note says what became of them. */
function answersForm(view: SelfServiceView, words: SlotWords): Html {
  const { texts, storedDataWords: { questions } } = words;
  const menus = questions.map(({ name, answerNames }) => {
    const answer = view.record[name] ?? "";
    const choices = new Map([["", texts.no_answer]]);
    // The menu also has the person's present answer, because the brand may not offer it. For example, the answer may
    // have been imported.
    if (answer) choices.set(answer, titleCase(answer));
    for (const [slug, answerName] of answerNames) choices.set(slug, answerName);
    return select({ name, label: texts.kept[name], chosen: answer }, [...choices]);
  });
  const { answersOutcome } = view;
  const noteText = answersOutcome && texts[`answers_${answersOutcome}`];
  // The focus scrolls to the note, and makes screen readers read it.
  const note = noteText &&
    markup`<p class="${answersOutcome}" tabindex="-1" autofocus>${noteText}</p>`;
  const content = markup`${note}${hiddenFields(view, words)}
${menus}`;
  return buttonForm("/place/answers", texts.answers_save, content);
}

/** The button by which a person leaves the list for good, and the link back to the self-service page. */
function leaveQuestion(view: SelfServiceView, words: SlotWords): Html {
  const { consent: { lang }, texts } = words;
  const fields = markup`${hiddenFields(view, words)}
<input type="hidden" name="sure" value="1">`;
  return markup`${buttonForm(LEAVE_PATH, texts.leave_sure, fields)}
<p><a href="${SELF_SERVICE_PATHS[lang]}?t=${view.token}">${texts.stay}</a></p>`;
}

/** A form with one button. @param content the fields, and what else stands above the button */
function buttonForm(action: string, label: string, content: Html): Html {
  return markup`<form method="post" action="${action}">
${content}
<button class="button plain" type="submit">${label}</button>
</form>`;
}

/** The hidden fields: the person's token, and the language in which the service answers the form. */
function hiddenFields({ token }: SelfServiceView, { consent: { lang } }: SlotWords): Html {
  return markup`<input type="hidden" name="t" value="${token}">
<input type="hidden" name="lang" value="${lang}">`;
}
