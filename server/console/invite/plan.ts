/**
 * Shows who a wave would invite, and the letter; its form begins the wave.
 *
 * @module
 */
import type {
  InvitationEnd,
  NotInvited,
  Progress,
  StoredSignup,
  WouldInvite,
} from "../../../shared/operator_schemas.ts";
import { type Html, markup } from "../../content/mod.ts";
import { digestSha256 } from "../../runtime/mod.ts";
import { readAnswerLines } from "../answer_lines.ts";
import { hidden } from "../fields.ts";
import { PATHS } from "../layout.ts";
import { faultNote, showNumber, showTime, table } from "../components.ts";
import { PEOPLE_TEXTS } from "../people_texts.ts";
import type { PageContext, View } from "../page_context.ts";
import { afterWave } from "./codes.ts";
import { letterPreviews } from "./letter_previews.ts";
import { INVITE_TEXTS, type InviteTexts } from "./texts.ts";
import { hiddenWave, type NextWave } from "./wave.ts";

/** The most people who are named. */
const MAX_NAMED = 50;

/** The steps after which the page is shown, however many people are left: it would take too long else. */
const MAX_STEPS = 50;

/** The lines of a dry run. */
type PlanLine = Partial<Progress & NotInvited & WouldInvite & InvitationEnd>;

/** Why people are passed over. */
export type PassedOver = Map<NotInvited["notInvited"]["reason"], number>;

/** What a dry run has said, as far as it was read. */
export interface Plan {
  /** The people whom the wave would invite now. */
  count: number;
  /** The first of them. */
  people: StoredSignup[];
  /** How many the wave has invited before. */
  before: number;
  passedOver: PassedOver;
  isWhole: boolean;
}

/**
 * Shows a plan.
 *
 * @param hasChanged whether the operator has seen a plan with other people
 */
export function planView(
  { lang, previewInvitation }: PageContext,
  wave: NextWave,
  plan: Plan,
  { hasChanged = false } = {},
): View {
  const texts = INVITE_TEXTS[lang];
  const { count, people, isWhole, before } = plan;
  // Who goes back to the plan of a wave that is complete cannot change it any more.
  if (before >= wave.next || before > 0 && count === 0 && isWhole) {
    return {
      title: texts.title,
      body: markup`<p><b>${texts.complete}</b></p>
<p>${texts.already(showNumber(lang, before))}</p>
${afterWave(wave, texts)}`,
    };
  }
  const number = showNumber(lang, count);
  const isEmpty = count === 0 && isWhole;
  const headline = isEmpty
    ? texts.nobody
    : count === 0
    ? texts.nobodyYet
    : isWhole
    ? texts.wouldInvite(number)
    : texts.wouldInviteMore(number);
  const fields = hiddenWave(wave);
  // One second look is enough: a list that grows all the time would never be the same.
  const shown = hidden("shown", digestOfPlan(plan));
  return {
    title: texts.title,
    ...hasChanged && { status: 409 },
    body: markup`${hasChanged && faultNote(texts.hasChanged)}
<p><b>${headline}</b></p>
${before > 0 && markup`<p>${texts.already(showNumber(lang, before))}</p>`}
${passedOverList(plan.passedOver, texts)}
${!isEmpty && markup`<p id="undo">${texts.cannotUndo}</p>`}
<div class="actions">
${!isEmpty && beginForm(hasChanged ? fields : [...fields, shown], wave, texts)}
<form method="post" action="${PATHS.invite}">
${fields}
${hidden("change", "yes")}
<button type="submit">${texts.change}</button>
</form>
</div>
${people.length > 0 && markup`<div class="rows">${peopleTable(people, texts)}</div>`}
${wave.letters && previewInvitation && letterPreviews(lang, previewInvitation, wave.link)}`,
  };
}

/** Reads what a dry run says; `undefined` where its answer broke off, of which the log tells. */
export async function readPlan(answer: ReadableStream<Uint8Array>): Promise<Plan | undefined> {
  const plan: Plan = {
    count: 0,
    people: [],
    before: 0,
    passedOver: new Map(),
    isWhole: false,
  };
  let steps = 0;
  try {
    for await (const line of readAnswerLines<PlanLine>(answer)) {
      if (line.complete) plan.isWhole = true;
      if (line.notInvited) countReason(plan.passedOver, line.notInvited);
      if (line.wouldInvite && ++plan.count <= MAX_NAMED) plan.people.push(line.wouldInvite);
      if (line.progress === undefined) continue;
      // The first line has what the wave has invited before.
      if (steps === 0) plan.before = line.progress;
      if (steps++ === MAX_STEPS) break;
    }
  } catch {
    return undefined;
  }
  return plan;
}

/** A digest of the people whom a plan names, by which a form says whom the operator has seen. */
export function digestOfPlan({ people }: Plan): string {
  return digestSha256(people.map(({ email }) => email).join(" ")).toString("base64url");
}

/** Counts a person who is passed over. */
export function countReason(passedOver: PassedOver, { reason }: NotInvited["notInvited"]): void {
  passedOver.set(reason, (passedOver.get(reason) ?? 0) + 1);
}

/** Says how many people are passed over, and why. */
export function passedOverList(passedOver: PassedOver, texts: InviteTexts): Html | undefined {
  if (passedOver.size === 0) return undefined;
  const count = [...passedOver.values()].reduce((sum, each) => sum + each, 0);
  const items = [...passedOver].map(([reason, each]) =>
    markup`<li>${texts.reasons[reason]}: ${showNumber(texts.lang, each)}</li>`
  );
  return markup`<p>${texts.passedOver(showNumber(texts.lang, count))}</p>
<ul class="bullets">
${items}
</ul>`;
}

function beginForm(fields: Html[], { letters }: NextWave, texts: InviteTexts): Html {
  return markup`<form method="post" action="${PATHS.invite}">
${fields}
${hidden("confirmed", "yes")}
<button class="primary" type="submit" aria-describedby="undo">${
    letters ? texts.send : texts.sendWithout
  }</button>
</form>`;
}

function peopleTable(people: StoredSignup[], texts: InviteTexts): Html {
  const { langs, sources } = PEOPLE_TEXTS[texts.lang];
  const rows = people.map(({ email, createdAt, lang, source }) => [
    markup`<th scope="row">${email}</th>`,
    showTime(createdAt),
    langs[lang],
    source ? sources[source] : "",
  ]);
  const caption = texts.caption(showNumber(texts.lang, people.length));
  return table({ caption, head: [texts.address, texts.since, texts.language, texts.form], rows });
}
