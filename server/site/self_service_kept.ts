/** What is kept of a person and what happened, in words, for the person's page. @module */
import { ownMember } from "../../shared/own_member.ts";
import { timelineOf } from "../../shared/person_timeline.ts";
import { fill, Html, type Language, markup, type Texts } from "../content/mod.ts";
import {
  type ConsentText,
  type Lang,
  type LetterKind,
  type SignUpRecord,
  SLUG_ANSWERS,
} from "../waitlist/mod.ts";
import { placeholdersIn, type RendererOptions } from "./render.ts";

/** What belongs to a record and is not in it. */
export interface SelfServiceRest {
  wording?: ConsentText | undefined;
  invitationUrl?: string | undefined;
  waiting: { letter?: LetterKind; putAt: string }[];
  /** What operators and mail providers did about the address. */
  history: { at: string; action: string }[];
}

export interface SelfServiceView extends SelfServiceRest {
  /** The token of the link, which the page's forms send back. */
  token: string;
  email: string;
  record: SignUpRecord;
  /** Whether the answers that the person has just given were saved, or had no room. */
  answered?: "saved" | "full" | undefined;
}

export type Words = ReturnType<typeof wordsOf>;

/** Makes what the words of a language are made with. */
export function wordsOf(lang: Lang, language: Language, options: RendererOptions) {
  const { locale, place } = language.texts;
  const format = { dateStyle: "long", timeStyle: "short", timeZone: "UTC" } as const;
  const times = new Intl.DateTimeFormat(locale.replace("_", "-"), format);
  const text = fill(place.consent, placeholdersIn(language, options));
  return {
    texts: place,
    /** The wording above the button that confirms. */
    consent: { lang, text },
    /** What people are asked for, with the names of the answers by their slugs. */
    asked: SLUG_ANSWERS.flatMap((name) => {
      const offered = Object.entries(options.answers?.[name] ?? {});
      const names = offered.map(([slug, names]) => [slug, names[lang]] as const);
      return names.length > 0 ? [{ name, names: new Map(names) }] : [];
    }),
    /** The names of the languages, in the languages themselves. */
    languages: new Map(options.languages.map(({ lang, texts }) => [lang, texts.name])),
    time: (moment: string | undefined) =>
      moment && markup`<time datetime="${moment}">${times.format(new Date(moment))} UTC</time>`,
  };
}

const rowOf = (label: string | Html | undefined, value: string | Html) =>
  markup`<div><dt>${label}</dt><dd>${value}</dd></div>`;

/** What only a technician reads. */
const TECHNICAL = ["confirmations", "letters", "waiting", "wave", "id"];

/** What happened stands behind what is kept, the oldest first; who did it in the company, nobody is told. */
export function keptOf(view: SelfServiceView, common: Words): Html {
  const { texts, time } = common;
  const values = keptValues(view, common);
  const names = Object.keys(values) as (keyof typeof values)[];
  const rows = (isTechnical: boolean) =>
    names.filter((name) => TECHNICAL.includes(name) === isTechnical).flatMap((name) => {
      const value = values[name];
      return value === undefined ? [] : [rowOf(texts.kept[name], value)];
    });
  const actions: Partial<Record<string, string>> = texts.actions;
  const nameAction = (action: string) => ownMember(actions, action);
  const words = { letters: texts.letter, steps: texts.steps, ends: texts.ends, nameAction };
  const history = timelineOf(view.record, view.history, { ...words, brief: true });
  const letters = timelineOf(view.record, view.history, words).filter(({ letter }) => letter);
  const listed = (events: typeof history) => events.map(({ at, what }) => rowOf(time(at), what));
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
${listed(letters)}
</dl>
</details>`;
}

/** Everything that is kept, in words; what is not kept has no value. */
function keptValues(
  { email, record, wording, waiting }: SelfServiceView,
  { asked, texts, languages, time }: Words,
): Record<keyof Texts["place"]["kept"], string | Html | undefined> {
  const code = (text: string | undefined) => text && markup`<code>${text}</code>`;
  const { confirmations, proof, letters: lettersAt } = record;
  const answer = (name: "role" | "building") => {
    const slug = record[name];
    return slug && (asked.find((each) => each.name === name)?.names.get(slug) ?? slug);
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
    confirmations: letters,
    letters: lettersAt && new Html(lettersAt.map(time).join("<br>")),
    undeliverableAt: time(record.undeliverableAt),
    complainedAt: time(record.complainedAt),
    waiting: items.length > 0 ? new Html(items.join("<br>")) : undefined,
    wave: code(record.wave),
    invitationCode: code(record.invitationCode),
    expiresAt: time(record.expiresAt),
    reference: code(record.reference),
    id: code(record.id),
  };
}
