/**
 * The pages of the self-service. They are rendered at the start, with slots for the content that differs from person to
 * person. This file fills the slots for each request. `stored_data_part.ts` and `recommend_parts.ts` make the longer
 * contents, and `self_service.ts` has the routes. @module
 */
import { SLUG_ANSWERS } from "../../shared/person_schema.ts";
import {
  fill,
  formatEnd,
  Html,
  type Language,
  markup,
  select,
  type SourcePage,
  type Texts,
} from "../content/mod.ts";
import {
  type AnswerChanges,
  type ConsentText,
  consentTextId,
  type Lang,
  LEAVE_PATH,
  referralUrl,
  SELF_SERVICE_PATHS,
  type SignUpRecord,
  type State,
  STATES,
} from "../waitlist/mod.ts";
import { withRefusedAddress } from "./link_request_form.ts";
import {
  linePart,
  recommendPart,
  type RecommendView,
  type RecommendWords,
} from "./recommend_parts.ts";
import { type Slot, slotHtml, TOKEN_SLOT } from "./markers.ts";
import type { RenderedPage } from "./page.ts";
import { placeholdersIn, type RendererOptions, type RenderPage } from "./render.ts";
import { addressFault } from "./sign_up_form.ts";
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

/** The pages of the self-service in one language. */
export interface SelfServicePages {
  /** The wording above the button that confirms. */
  consent: ConsentText;
  /** The HTML of the self-service page. */
  person: (view: SelfServiceView) => string;
  /** The HTML of the page that asks before the person leaves. */
  leaving: (view: Omit<SelfServiceView, keyof ShownDetails>) => string;
  /**
   * The HTML of the page where a person asks for the link. The page shows the refused e-mail address again, with an
   * error message.
   */
  refusedAddress: (email: string) => string;
  /**
   * Reads the answers of a form. An empty field removes the answer. Answers that the page does not offer are left out.
   */
  readAnswers: (form: ReadonlyMap<string, string>) => AnswerChanges;
  /** Answers a request whose token names nobody on the list. */
  noPerson: (request: Request) => Response;
  /** Answers with the page that follows after a person has left. */
  left: (request: Request) => Response;
  /** The paths of the pages that follow after a person has asked for a letter, and after a person has left. */
  paths: { sent: string; left: string };
}

/** The functions that render and serve pages. */
interface PageFunctions {
  render: RenderPage;
  /** Fills the number of waiting people into HTML. */
  fillCount: (html: string) => string;
  serve: (page: RenderedPage, status?: number) => (request: Request) => Response;
}

/** The slots that the self-service page must have, whatever its text says (GDPR, articles 7, 15, 17 and 20). */
const SLOTS_OF_RIGHTS: Slot[] = ["kept", "data", "leave"];

/** Makes the pages of all languages. @throws an Error that names a file of `content/` and its fault */
export function createSelfServicePages(
  options: RendererOptions,
  functions: PageFunctions,
): Record<Lang, SelfServicePages> {
  return { en: createPages("en", options, functions), de: createPages("de", options, functions) };
}

function createPages(
  lang: Lang,
  options: RendererOptions,
  { render, serve, fillCount }: PageFunctions,
): SelfServicePages {
  const language = options.languages.find((language) => language.lang === lang);
  if (!language) throw new Error(`content/${lang}/ is missing, in which people are written to`);
  const { person, leaving, noPerson, entry, left, sent } = language.selfService;
  const path = SELF_SERVICE_PATHS[lang];
  if (entry.path !== path) {
    throw new Error(`${entry.label}: the path must be ${path}, to which letters lead`);
  }
  const words = wordsOf(lang, language, options);

  /** Renders a page for each state of a person. Returns the function that fills the slots of the page. */
  const createPage = (source: SourcePage, requiredSlots: (state: State) => Slot[]) => {
    const htmlByState = Object.fromEntries(STATES.map((state) => {
      const { html } = render(source, language, [state]).rendered;
      const missingSlot = requiredSlots(state).find((slot) => !html.includes(slotHtml(slot)));
      if (!missingSlot) return [state, html];
      throw new Error(
        `${source.label}: {{place-${missingSlot}}} is missing for people who are ${state}`,
      );
    }));
    // `htmlByState` has the HTML of every state.
    return (view: SelfServiceView) =>
      fillCount(htmlByState[view.record.state]!).replaceAll(TOKEN_SLOT, view.token).replace(
        /<slot name="(\w+)"><\/slot>/g,
        (_, slot: Slot) => SLOT_CONTENTS[slot](view, words).text,
      );
  };
  const leavingPage = createPage(leaving, () => ["sure"]);
  const { html: entryHtml } = render(entry, language).rendered;
  return {
    consent: words.consent,
    person: createPage(
      person,
      (state) => state === "unconfirmed" ? ["confirm", ...SLOTS_OF_RIGHTS] : SLOTS_OF_RIGHTS,
    ),
    leaving: (view) => leavingPage({ ...view, waiting: [], history: [], letterLog: [] }),
    refusedAddress(email) {
      const fault = addressFault(email, language.texts.sign_up);
      return withRefusedAddress(
        fillCount(entryHtml),
        email,
        fill(fault, placeholdersIn(language, options)),
      );
    },
    readAnswers(form) {
      const answers: AnswerChanges = {};
      for (const { name, answerNames } of words.questions) {
        const slug = form.get(name);
        if (slug === "") answers[name] = null;
        else if (slug !== undefined && answerNames.has(slug)) answers[name] = slug;
      }
      return answers;
    },
    noPerson: serve(render(noPerson, language).rendered, 404),
    left: serve(render(left, language).rendered),
    paths: { sent: sent.path, left: left.path },
  };
}

/** The texts and formats of one language for the content of the slots. */
interface SlotWords extends RecommendWords, StoredDataWords {
  /** The wording above the button that confirms. */
  consent: { lang: Lang; text: string };
}

function wordsOf(lang: Lang, language: Language, options: RendererOptions): SlotWords {
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
      moment &&
      markup`<time datetime="${moment}">${timeFormat.format(new Date(moment))} UTC</time>`,
    formatEnd: (moment) =>
      moment && markup`<time datetime="${moment}">${formatEnd(moment, language.texts)}</time>`,
  };
}

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
