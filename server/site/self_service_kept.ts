/** What is kept of a person and what happened, in words, for the person's page. @module */
import { timelineOf } from "../../shared/person_timeline.ts";
import { Html, markup, type Texts } from "../content/mod.ts";
import type { ConsentText, LetterKind, SignUpRecord } from "../waitlist/mod.ts";

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
}

/** What the words of a language are made with. */
interface Words {
  /** What people are asked for, with the names of the answers by their slugs. */
  asked: { name: "role" | "building"; names: ReadonlyMap<string, string> }[];
  texts: Texts["place"];
  languages: ReadonlyMap<string, string>;
  time: (moment: string | undefined) => Html | string | undefined;
}

export function keptOf(view: SelfServiceView, common: Words): Html {
  const rows = Object.entries(keptValues(view, common)).flatMap(([name, value]) => {
    const label = common.texts.kept[name as keyof Texts["place"]["kept"]];
    return value === undefined ? [] : [markup`<div><dt>${label}</dt><dd>${value}</dd></div>`];
  });
  return markup`<dl>
${rows}
</dl>
<h3>${common.texts.history}</h3>
<dl>
${historyOf(view, common)}
</dl>`;
}

/** What happened, the oldest first; who did it in the company, nobody is told. */
function historyOf({ record, history }: SelfServiceView, { texts, time }: Words): Html[] {
  const { letter: letters, steps, ends } = texts;
  const actions: Partial<Record<string, string>> = texts.actions;
  const words = { letters, steps, ends, nameAction: (action: string) => actions[action] };
  return timelineOf(record, history, words)
    .map(({ at, what }) => markup`<div><dt>${time(at)}</dt><dd>${what}</dd></div>`);
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
    invitationCode: code(record.invitationCode),
    expiresAt: time(record.expiresAt),
    reference: code(record.reference),
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
    id: code(record.id),
  };
}
