/** What a wave would do, before it begins: whom it would invite, who is passed over, and the letter. @module */
import type { WavePlan, WaveReport, WaveRequest } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import type { Lang } from "../../waitlist/mod.ts";
import {
  countLink,
  doneNote,
  type Fact,
  facts,
  faultNote,
  nameIn,
  progressBar,
  showTime,
  table,
} from "../components.ts";
import { button, type Fields, type HandedOn, postForm, untilEndOfDay } from "../form_fields.ts";
import { momentId, type PageContext, PATHS, type View } from "../page_context.ts";
import { lacksCode, letterPreviews, withoutCode } from "./letter.ts";
import { backLink, namedIn, passedOverTable } from "./named.ts";

/** A wave of the next people, or of those who were chosen by name, as a form hands it on; the operation checks it. */
export type AskedWave = WaveRequest & { wave: string; letters: boolean };

/** Reads a wave from a form, which has its id in `wave` if the operator has chosen one, and else in `new_wave`. */
export function waveOfForm(form: Fields, now: number): AskedWave {
  const emails = namedIn(form);
  const text = (name: string) => form.get(name)?.trim() ?? "";
  return {
    wave: text("wave") || text("new_wave") || momentId(now),
    link: text("link"),
    // Filters of a form with names are those of the list in which they were chosen.
    ...emails.length > 0 ? { emails } : {
      next: Number(text("next")),
      // The operation refuses a value that is none of these, because the wave would else have other people.
      ...text("lang") && { lang: text("lang") as Lang },
      ...text("source") && { source: text("source") as WaveRequest["source"] & string },
      ...text("role") && { role: text("role") },
      ...text("building") && { building: text("building") },
    },
    ...text("expires") && { expires: untilEndOfDay(text("expires")) },
    letters: form.has("letters"),
  };
}

/** The field of a form that has how far its plan is. */
export const POSITION = "position";

/** Whether all whom the operator has seen can still be invited; another fault is left to the wave itself. */
export async function canInvite(
  { operations }: PageContext,
  { link, letters }: AskedWave,
  emails: string[],
): Promise<boolean> {
  const plan = await operations.startWave({ emails, link, letters, dryRun: true });
  return !("wouldInvite" in plan) || plan.wouldInvite === emails.length;
}

/** What a plan is shown with. */
export interface Shown {
  wave: AskedWave;
  form: Fields;
  /** Why the plan is shown again, if it is. */
  fault?: string | undefined;
  /** Whether the operator has seen one with other people; a second look is enough, as a list can always grow. */
  isAgain?: boolean;
}

/**
 * Shows a plan. While not everybody was looked at, it shows how far the plan is, on a page that leads to the next part
 * by itself; `undefined` where a URL has no room for that.
 */
export function planView(
  pageContext: PageContext,
  plan: WavePlan,
  shown: Shown,
): View | undefined {
  const { texts, sealedPath } = pageContext;
  const { pages: { invite: title }, invite: labels } = texts;
  const { next, read, total } = plan;
  if (!next) {
    const { wave } = shown;
    const named = wave.emails && { named: wave.emails.length };
    const heading = markup`${title}: ${chosenOf({ ...wave, ...named }, texts)}`;
    return { title, heading, body: planOf(pageContext, plan, shown) };
  }
  const fields = new Map([...shown.form, [POSITION, JSON.stringify(next)]]);
  const path = sealedPath(PATHS.invite, fields);
  if (!path) return undefined;
  return {
    title,
    body: markup`<meta http-equiv="refresh" content="0; url=${path}">
<h2>${labels.looking}</h2>
${progressBar(labels.looking, read, total, labels.lookedAt({ read, total }))}`,
  };
}

/** The list of those who are passed over, by the reason. */
const LISTED = {
  unconfirmed: { state: "unconfirmed" },
  undeliverable: { state: "waiting", mark: "undeliverable" },
  complained: { state: "waiting", mark: "complained" },
  invited: { reached: "invited" },
} as const satisfies Record<keyof WavePlan["passedOver"], HandedOn>;

function planOf(
  pageContext: PageContext,
  plan: WavePlan,
  { wave, form, fault, isAgain }: Shown,
): Html {
  const { texts } = pageContext;
  const { invite: labels, words, number } = texts;
  const { wouldInvite: count, people, notInvited: left } = plan;
  const { length } = people;
  const caption = labels.caption({
    count: length < count ? labels.first({ count: length }) : length,
  });
  const head = [words.address, labels.since, words.fields.lang, words.fields.source];
  const rows = people.map(({ email, createdAt, lang, source }) => [
    { row: email },
    showTime(createdAt, texts),
    words.langs[lang],
    source ? words.sources[source] : "",
  ]);
  const handedOn = [...form].filter(([name]) => name !== "without_code" && name !== POSITION);
  const fields = Object.fromEntries(handedOn);
  const seen = isAgain || left ? undefined : people.map(({ email }) => email).join(" ");
  const sends = wave.letters ? labels.send({ count }) : labels.sendWithout({ count });
  const send = postForm(
    { action: PATHS.invite, fields: { ...fields, shown: seen, confirmed: true } },
    markup`${wave.letters && withoutCode(wave.link, texts)}
<p id="undo">${labels.cannotUndo}</p>
<button class="primary" type="submit" aria-describedby="undo">${sends}</button>`,
  );
  const { lang, source, role, building } = wave;
  const passedOver = left
    ? [[labels.passedOverNamed, number(left.length)] satisfies Fact]
    : Object.entries(LISTED).map(([reason, listed]): Fact => {
      const each = plan.passedOver[reason as keyof typeof LISTED];
      return [
        labels.passedOver({ reason: nameIn(labels.reasons, reason) }),
        each > 0 && countLink(each, { ...listed, lang, source, role, building }, texts),
      ];
    });
  return markup`${fault && faultNote(fault)}
${count === 0 && doneNote(left ? labels.nobodyNamed : labels.nobody, "warning")}
${facts([[labels.wouldInvite, number(count)], ...passedOver], "figures")}
<section>${facts([[labels.wave, markup`<code>${wave.wave}</code>`], ...choicesOf(wave, texts)])}
<div class="actions">
${count > 0 && send}
${postForm({ action: PATHS.invite, fields: { ...fields, change: true } }, button(labels.change))}
${left && backLink(form, words.back)}
</div></section>
${left && left.length > 0 && passedOverTable(left, texts)}
${wave.letters && count > 0 && letterPreviews(pageContext, wave.link)}
${length > 0 && markup`<div class="rows">${table({ caption, head, rows })}</div>`}`;
}

type Choices = Omit<AskedWave, "wave" | "letters"> & Pick<WaveReport, "named">;

/** Whom a wave is limited to, in a few words. */
export function chosenOf(
  { named, next = 0, lang, source, role, building }: Choices,
  { invite: labels, words, answers }: ConsoleTexts,
): string {
  const whom = named === undefined
    ? labels.theNext({ count: next })
    : labels.byName({ count: named });
  const filters = [
    lang && words.langs[lang],
    source && words.sources[source],
    nameIn(answers.role, role ?? ""),
    nameIn(answers.building, building ?? ""),
  ];
  return [whom, ...filters.filter(Boolean)].join(", ");
}

/** What a wave was or is to be begun with. */
export function choicesOf(wave: Choices, texts: ConsoleTexts): Fact[] {
  const { words, person, invite: labels } = texts;
  const { link, expires } = wave;
  return [
    [labels.chosen, !wave.emails && chosenOf(wave, texts)],
    [words.link, markup`<code>${link}</code>${lacksCode(link) && ` (${labels.withoutCode})`}`],
    [person.expiresAt, expires && showTime(expires, texts)],
  ];
}
