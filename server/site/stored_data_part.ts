/**
 * The part of the self-service page that shows a person's stored data and the history of this data.
 * `self_service_slots.ts` puts this part into the page. @module
 */
import { ownMember } from "../../shared/own_member.ts";
import type { SLUG_ANSWERS } from "../../shared/person_schema.ts";
import { describeEvent, type TimelineEvent, timelineOf } from "../../shared/person_timeline.ts";
import { Html, markup, type Texts } from "../content/mod.ts";
import type { ConsentText, LetterKind, SignUpRecord } from "../waitlist/mod.ts";
import { letterLogPart, type LetterLogWords, type ShownLetter } from "./letter_log_part.ts";

/** The data of a person that this part of the page shows. */
export interface StoredDataView {
  email: string;
  record: SignUpRecord;
  /** The wording to which the person has agreed. */
  wording?: ConsentText | undefined;
  /** The letters and events that wait in the outbox. An event has no `letter`. */
  waiting: { letter?: LetterKind; putAt: string }[];
  /** What operators and mail providers did about the address. */
  history: { at: string; action: string }[];
  /** What became of each letter of the last 90 days, the newest letter first. */
  letterLog: ShownLetter[];
  /**
   * The number of people who joined by the person's link and whose referral counts; absent for a person without a
   * referral code.
   */
  referrals?: number | undefined;
  /**
   * The code of the referrer, by whose link the person signed up; empty if the referrer is not on the list any more.
   */
  referredBy?: string | undefined;
}

/** The texts and formats of one language for this part of the page. */
export interface StoredDataWords extends LetterLogWords {
  texts: Texts["place"];
  /** The questions that the page asks, with the names of the answers by slug. */
  questions: { name: typeof SLUG_ANSWERS[number]; answerNames: Map<string, string> }[];
  /** The names of the languages, each in the language itself. */
  languages: Map<string, string>;
  /** Writes the moment at which something ends; `undefined` if there is no such moment. */
  formatEnd: (moment: string | undefined) => Html | undefined;
  /** Writes a number in the form of the language. */
  formatNumber: (count: number) => string;
}

/** The names of the facts that the page shows below the heading for technical details. */
const TECHNICAL_FACTS = ["confirmations", "letters", "waiting", "wave", "id"];

/**
 * Renders the person's stored data, and the history with its oldest event first. The names of operators are not shown.
 */
export function storedDataPart(view: StoredDataView, words: StoredDataWords): Html {
  const { texts, formatTime } = words;
  const facts = factsOf(view, words);
  // The cast is needed because the type of `Object.keys()` loses the names of the members.
  const factNames = Object.keys(facts) as (keyof typeof facts)[];
  const factRows = (names: typeof factNames) =>
    names.flatMap((name) => {
      const value = facts[name];
      return value === undefined ? [] : [row(texts.kept[name], value)];
    });
  const isTechnical = (name: string) => TECHNICAL_FACTS.includes(name);
  const { history, letterEvents } = eventsOf(view, texts);
  const eventRows = (events: TimelineEvent[]) =>
    events.map((event) => row(formatTime(event.at), describeEvent(event)));
  return markup`<dl>
${factRows(factNames.filter((name) => !isTechnical(name)))}
</dl>
<h3>${texts.history}</h3>
<dl>
${eventRows(history)}
</dl>
<details>
<summary>${texts.technical}</summary>
<dl>
${factRows(factNames.filter(isTechnical))}
${eventRows(letterEvents)}
</dl>
${letterLogPart(view.letterLog, words)}
</details>`;
}

/**
 * Returns the history of the person, and the events of those letters that are not in the log of letters any more.
 * `letterLogPart` shows the letters of the log.
 */
function eventsOf(
  { record, history, letterLog }: StoredDataView,
  texts: StoredDataWords["texts"],
): { history: TimelineEvent[]; letterEvents: TimelineEvent[] } {
  const actions: Partial<Record<string, string>> = texts.actions;
  const { letter: letters, steps, ends: outcomes } = texts;
  const nameAction = (action: string) => ownMember(actions, action);
  const options = { history, texts: { letters, steps, outcomes, nameAction } };
  const loggedTimes = new Set(
    letterLog.flatMap(({ putAt, takenAt, refusedAt }) => [putAt, takenAt, refusedAt]),
  );
  return {
    history: timelineOf(record, { ...options, isBrief: true }),
    letterEvents: timelineOf(record, options)
      .filter(({ letter, at }) => letter && !loggedTimes.has(at)),
  };
}

/** Makes a name from a slug for which the brand has no name, such as `Site Manager` from `site-manager`. */
export const titleCase = (slug: string): string =>
  slug.split(/[-_]+/).map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(" ");

function row(label: string | Html | undefined, value: string | Html): Html {
  return markup`<div><dt>${label}</dt><dd>${value}</dd></div>`;
}

/** The facts about a person that the page shows, in words; `undefined` for a fact that the service does not have. */
function factsOf(
  { email, record, wording, waiting, referrals, referredBy }: StoredDataView,
  { questions, texts, languages, formatTime, formatEnd, formatNumber }: StoredDataWords,
): Record<keyof Texts["place"]["kept"], string | Html | undefined> {
  const showCode = (text: string | undefined) => text && markup`<code>${text}</code>`;
  const { confirmations, proof, letters: letterTimes } = record;
  const nameAnswer = (name: "role" | "building") => {
    const slug = record[name];
    return slug &&
      (questions.find((question) => question.name === name)?.answerNames.get(slug) ??
        titleCase(slug));
  };
  const yesOrNo = (isTrue: boolean | undefined) => {
    if (isTrue === undefined) return undefined;
    return isTrue ? texts.yes : texts.no;
  };
  const proofSource = proof?.source && markup`, ${texts.sources[proof.source]}`;
  const proofLang = proof?.lang && markup`, ${languages.get(proof.lang)}`;
  const waitingLines = waiting.map(({ letter, putAt }) =>
    markup`${texts.letter[letter ?? "event"]}, ${formatTime(putAt)}`
  );
  const confirmationsText = confirmations && new Html(
    texts.letters.replace("{count}", String(confirmations.count))
      .replace("{time}", `${formatTime(confirmations.lastAt)}`),
  );
  return {
    email,
    state: texts.states[record.state],
    createdAt: formatTime(record.createdAt),
    consentedAt: formatTime(record.consentedAt),
    wording: wording && markup`<q lang="${wording.lang}">${wording.text}</q>`,
    requestedAt: proof && markup`${formatTime(proof.requestedAt)}${proofSource}${proofLang}`,
    updatedAt: formatTime(record.updatedAt),
    lang: languages.get(record.lang),
    source: record.source && texts.sources[record.source],
    role: nameAnswer("role"),
    building: nameAnswer("building"),
    utmSource: showCode(record.utmSource),
    utmMedium: showCode(record.utmMedium),
    utmCampaign: showCode(record.utmCampaign),
    note: record.note &&
      new Html(record.note.split("\n").map((line) => markup`${line}`).join("<br>")),
    referralCode: showCode(record.referralCode),
    referrals: referrals === undefined ? undefined : formatNumber(referrals),
    referredBy: referredBy === "" ? texts.referrer_gone : showCode(referredBy),
    referralCounts: yesOrNo(record.referralCounts),
    confirmations: confirmationsText,
    letters: letterTimes && new Html(letterTimes.map(formatTime).join("<br>")),
    undeliverableAt: formatTime(record.undeliverableAt),
    complainedAt: formatTime(record.complainedAt),
    waiting: waitingLines.length > 0 ? new Html(waitingLines.join("<br>")) : undefined,
    wave: showCode(record.wave),
    invitationCode: showCode(record.invitationCode),
    expiresAt: formatEnd(record.expiresAt),
    reference: showCode(record.reference),
    id: showCode(record.id),
  };
}
