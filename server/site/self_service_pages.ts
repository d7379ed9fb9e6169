/**
 * The pages of a person. They are rendered at the start, with slots for the parts that differ from person to person.
 * This file fills the slots for each request. `self_service.ts` has the routes. @module
 */
import { ownMember } from "../../shared/own_member.ts";
import { SLUG_ANSWERS } from "../../shared/person_schema.ts";
import { timelineOf } from "../../shared/person_timeline.ts";
import { fill, Html, type Language, markup, select, type Texts, writeEnd } from "../content/mod.ts";
import {
  type ConsentText,
  consentTextId,
  type Lang,
  LEAVE_PATH,
  type LetterKind,
  type NewAnswers,
  referralUrl,
  SELF_SERVICE_PATHS,
  type SignUpRecord,
  type State,
  STATES,
} from "../waitlist/mod.ts";
import { addressFault, askAgain } from "./forms.ts";
import { letterLogPart, type ShownLetter } from "./letter_log_part.ts";
import {
  linePart,
  recommendPart,
  type RecommendView,
  type RecommendWords,
} from "./recommend_parts.ts";
import type { RenderedPage } from "./page.ts";
import {
  placeholdersIn,
  type RendererOptions,
  type RenderPage,
  type Slot,
  slotHtml,
  TOKEN_SLOT,
} from "./render.ts";

/** What a page shows of a person besides the record: the details that the store reads. */
export interface ShownDetails extends Omit<RecommendView, "referralCode"> {
  /** The wording to which the person has agreed. */
  wording?: ConsentText | undefined;
  invitationUrl?: string | undefined;
  /** The letters and events in the outbox; an event has no `letter`. */
  waiting: { letter?: LetterKind; putAt: string }[];
  /** What operators and mail providers did about the address. */
  history: { at: string; action: string }[];
  /** What became of each letter of the last 90 days, the newest letter first. */
  letterLog: ShownLetter[];
  /** The code of the person by whose link this person signed up; empty if that person is not on the list any more. */
  referredBy?: string | undefined;
}

/** What a page shows of a person. */
export interface SelfServiceView extends ShownDetails {
  /** The token of the link in letters, which the forms of the page send back. */
  token: string;
  email: string;
  record: SignUpRecord;
  /**
   * `saved` after answers were saved; `full` if they were not saved because the service has no room for another answer.
   */
  answered?: "saved" | "full" | undefined;
}

/** The pages of a person in one language. */
export interface SelfServicePages {
  /** The wording above the button that confirms. */
  consent: ConsentText;
  /** The HTML of the page of a person. */
  person: (view: SelfServiceView) => string;
  /** The HTML of the page that asks before the person leaves. */
  leaving: (view: Omit<SelfServiceView, keyof ShownDetails>) => string;
  /**
   * The HTML of the page that asks for an address to send the link to, with the error message for an address that the
   * API refuses.
   */
  refusedAddress: (email: string) => string;
  /** Reads the answers of a form. Answers that the page does not offer are left out. */
  readAnswers: (form: ReadonlyMap<string, string>) => NewAnswers;
  /** Answers a request whose token is not valid. */
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

/** The parts that the page of a person must have, whatever its text says (GDPR, articles 7, 15, 17 and 20). */
const RIGHTS: Slot[] = ["kept", "data", "leave"];

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

  /** Renders a page for each state of a person, and returns the function that fills its slots. */
  const pageAbout = (source: typeof person, neededFor: (state: State) => Slot[]) => {
    const byState = Object.fromEntries(STATES.map((state) => {
      const { html } = render(source, language, [state]).rendered;
      const missing = neededFor(state).find((slot) => !html.includes(slotHtml(slot)));
      if (!missing) return [state, html];
      throw new Error(
        `${source.label}: {{place-${missing}}} is missing for people who are ${state}`,
      );
    }));
    return (view: SelfServiceView) =>
      fillCount(byState[view.record.state]!).replaceAll(TOKEN_SLOT, view.token).replace(
        /<slot name="(\w+)"><\/slot>/g,
        (_, slot: Slot) => COMPONENTS[slot](view, words).text,
      );
  };
  const leavingPage = pageAbout(leaving, () => ["sure"]);
  const { html: entryHtml } = render(entry, language).rendered;
  return {
    consent: words.consent,
    person: pageAbout(person, (state) => state === "unconfirmed" ? ["confirm", ...RIGHTS] : RIGHTS),
    leaving: (view) => leavingPage({ ...view, waiting: [], history: [], letterLog: [] }),
    refusedAddress(email) {
      const fault = addressFault(email, language.texts.sign_up);
      return askAgain(fillCount(entryHtml), email, fill(fault, placeholdersIn(language, options)));
    },
    readAnswers(form) {
      const given = words.questions.flatMap(({ name, names }) => {
        const slug = form.get(name);
        return slug === "" || slug && names.has(slug) ? [[name, slug || null]] : [];
      });
      return Object.fromEntries(given);
    },
    noPerson: serve(render(noPerson, language).rendered, 404),
    left: serve(render(left, language).rendered),
    paths: { sent: sent.path, left: left.path },
  };
}

/** The texts and formats of one language for the parts of a page. */
interface Words extends RecommendWords {
  texts: Texts["place"];
  /** The wording above the button that confirms. */
  consent: { lang: Lang; text: string };
  /** The questions that the page asks, with the names of the answers by slug. */
  questions: { name: typeof SLUG_ANSWERS[number]; names: Map<string, string> }[];
  /** The names of the languages, each in the language itself. */
  languages: Map<string, string>;
  /** Writes a date-time in the form of the language. */
  time: (moment: string | undefined) => Html | undefined | "";
  /** Writes the moment at which something ends, in the form of the language. */
  end: (moment: string | undefined) => Html | undefined | "";
}

function wordsOf(lang: Lang, language: Language, options: RendererOptions): Words {
  const { locale, place } = language.texts;
  const format = { dateStyle: "long", timeStyle: "short", timeZone: "UTC" } as const;
  const times = new Intl.DateTimeFormat(locale.replace("_", "-"), format);
  const placeholders = placeholdersIn(language, options);
  const text = fill(place.consent, placeholders);
  const recommend = Object.entries(place.recommend).map(([name, text]) => [
    name,
    fill(text, placeholders),
  ]);
  return {
    texts: place,
    line: place.line,
    recommend: Object.fromEntries(recommend) as Texts["place"]["recommend"],
    linkOf: (code) => referralUrl(options.baseUrl, lang, code),
    formatNumber: new Intl.NumberFormat(lang).format,
    consent: { lang, text },
    questions: SLUG_ANSWERS.flatMap((name) => {
      const offered = Object.entries(options.brand.answers?.[name] ?? {});
      const names = offered.map(([slug, names]) => [slug, names[lang]] as const);
      return names.length > 0 ? [{ name, names: new Map(names) }] : [];
    }),
    languages: new Map(options.languages.map(({ lang, texts }) => [lang, texts.name])),
    time: (moment) =>
      moment && markup`<time datetime="${moment}">${times.format(new Date(moment))} UTC</time>`,
    end: (moment) =>
      moment && markup`<time datetime="${moment}">${writeEnd(moment, language.texts)}</time>`,
  };
}

/** For each slot, the function that makes the part of the page in this slot. */
const COMPONENTS: Record<Slot, (view: SelfServiceView, words: Words) => Html> = {
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

  kept: keptAndHistory,

  answers(view, words) {
    const fields = words.questions.map(({ name, names }) => {
      const given = view.record[name] ?? "";
      // The menu also has the person's present answer, because the brand may not offer it, for example if it was
      // imported.
      const all = new Map([["", words.texts.no_answer], [given, titleCase(given)], ...names]);
      all.set("", words.texts.no_answer);
      return select({ name, label: words.texts.kept[name], chosen: given }, [...all]);
    });
    const { answered } = view;
    const text = answered && words.texts[`answers_${answered}`];
    // The focus scrolls to the note, and makes screen readers read it.
    const note = text && markup`<p class="${answered}" tabindex="-1" autofocus>${text}</p>`;
    const content = markup`${note}${hiddenFields(view, words)}
${fields}`;
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

/** The hidden fields with the person's token and with the language in which the form is answered. */
function hiddenFields({ token }: SelfServiceView, { consent: { lang } }: Words): Html {
  return markup`<input type="hidden" name="t" value="${token}">
<input type="hidden" name="lang" value="${lang}">`;
}

/** The facts that the page shows among the technical details. */
const TECHNICAL = ["confirmations", "letters", "waiting", "wave", "id"];

/**
 * Renders what the service keeps of a person, and what happened, with the oldest event first. The names of operators
 * are not shown.
 */
function keptAndHistory(view: SelfServiceView, words: Words): Html {
  const { texts, time } = words;
  const values = keptValues(view, words);
  const names = Object.keys(values) as (keyof typeof values)[];
  const rows = (isTechnical: boolean) =>
    names.filter((name) => TECHNICAL.includes(name) === isTechnical).flatMap((name) => {
      const value = values[name];
      return value === undefined ? [] : [factRow(texts.kept[name], value)];
    });
  const actions: Partial<Record<string, string>> = texts.actions;
  const nameAction = (action: string) => ownMember(actions, action);
  const { letter: letters, steps, ends: outcomes } = texts;
  const timelineOptions = {
    history: view.history,
    texts: { letters, steps, outcomes, nameAction },
  };
  const history = timelineOf(view.record, { ...timelineOptions, isBrief: true });
  // Events of letters that the log of letters shows are left out here. The log has the letters of the last 90 days.
  const loggedTimes = new Set(
    view.letterLog.flatMap(({ putAt, takenAt, refusedAt }) => [putAt, takenAt, refusedAt]),
  );
  const letterEvents = timelineOf(view.record, timelineOptions)
    .filter(({ letter, at }) => letter && !loggedTimes.has(at));
  const listed = (events: typeof history) => events.map(({ at, what }) => factRow(time(at), what));
  return markup`<dl>
${rows(false)}
</dl>
<h3>${texts.history}</h3>
<dl>
${listed(history)}
</dl>
<details>
<summary>${texts.technical}</summary>
<dl>
${rows(true)}
${listed(letterEvents)}
</dl>
${letterLogPart(view.letterLog, words)}
</details>`;
}

/** Writes a slug for which the brand has no name, such as `site-manager`, as `Site Manager`. */
const titleCase = (slug: string): string =>
  slug.split(/[-_]+/).map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(" ");

function factRow(label: string | Html | undefined, value: string | Html): Html {
  return markup`<div><dt>${label}</dt><dd>${value}</dd></div>`;
}

/** Everything that the service keeps of a person, in words; `undefined` for what it does not keep. */
function keptValues(
  { email, record, wording, waiting, referrals, referredBy }: SelfServiceView,
  { questions, texts, languages, time, end, formatNumber }: Words,
): Record<keyof Texts["place"]["kept"], string | Html | undefined> {
  const code = (text: string | undefined) => text && markup`<code>${text}</code>`;
  const { confirmations, proof, letters: lettersAt } = record;
  const answer = (name: "role" | "building") => {
    const slug = record[name];
    return slug &&
      (questions.find((each) => each.name === name)?.names.get(slug) ?? titleCase(slug));
  };
  const yesOrNo = (fact: boolean | undefined) => {
    if (fact === undefined) return undefined;
    return fact ? texts.yes : texts.no;
  };
  const items = waiting.map(({ letter, putAt }) =>
    markup`${texts.letter[letter ?? "event"]}, ${time(putAt)}`
  );
  const letters = confirmations && new Html(
    texts.letters.replace("{count}", String(confirmations.count))
      .replace("{time}", `${time(confirmations.lastAt)}`),
  );
  return {
    email,
    state: texts.states[record.state],
    createdAt: time(record.createdAt),
    consentedAt: time(record.consentedAt),
    wording: wording && markup`<q lang="${wording.lang}">${wording.text}</q>`,
    requestedAt: proof &&
      markup`${time(proof.requestedAt)}${proof.source && markup`, ${texts.sources[proof.source]}`}${
        proof.lang && markup`, ${languages.get(proof.lang)}`
      }`,
    updatedAt: time(record.updatedAt),
    lang: languages.get(record.lang),
    source: record.source && texts.sources[record.source],
    role: answer("role"),
    building: answer("building"),
    utmSource: code(record.utmSource),
    utmMedium: code(record.utmMedium),
    utmCampaign: code(record.utmCampaign),
    note: record.note &&
      new Html(record.note.split("\n").map((line) => markup`${line}`).join("<br>")),
    referralCode: code(record.referralCode),
    referrals: referrals === undefined ? undefined : formatNumber(referrals),
    referredBy: referredBy === "" ? texts.referrer_gone : code(referredBy),
    referralCounts: yesOrNo(record.referralCounts),
    confirmations: letters,
    letters: lettersAt && new Html(lettersAt.map(time).join("<br>")),
    undeliverableAt: time(record.undeliverableAt),
    complainedAt: time(record.complainedAt),
    waiting: items.length > 0 ? new Html(items.join("<br>")) : undefined,
    wave: code(record.wave),
    invitationCode: code(record.invitationCode),
    expiresAt: end(record.expiresAt),
    reference: code(record.reference),
    id: code(record.id),
  };
}
