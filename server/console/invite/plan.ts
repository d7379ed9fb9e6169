import type * as Schemas from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { digestSha256 } from "../../runtime/mod.ts";
import { LANGS, SOURCES } from "../../waitlist/mod.ts";
import { readAnswerLines } from "../answer_lines.ts";
import { doneNote, faultNote, showTime, table } from "../components.ts";
import { button, type Fields, knownValue, postForm } from "../form_fields.ts";
import { momentId, type PageContext, PATHS, type View } from "../page_context.ts";
import { CODE, letterPreviews } from "./letter.ts";

/** A wave of the next people, as a form hands it on; the operation checks it. */
export type NextWave =
  & Pick<
    Schemas.InvitationRequest,
    "wave" | "link" | "lang" | "source" | "role" | "building" | "letters"
  >
  & { next: number };

/** Reads a wave from a form, which has its id in `wave` if the operator has chosen one, and else in `new_wave`. */
export function waveOfForm(form: Fields, now: number): NextWave {
  const text = (name: string) => form.get(name)?.trim() ?? "";
  const lang = knownValue(LANGS, form.get("lang"));
  const source = knownValue(SOURCES, form.get("source"));
  return {
    wave: text("wave") || text("new_wave") || momentId(now),
    next: Number(text("next")),
    link: text("link"),
    ...lang && { lang },
    ...source && { source },
    ...text("role") && { role: text("role") },
    ...text("building") && { building: text("building") },
    letters: form.has("letters"),
  };
}

export function askForInvitations({ operations }: PageContext, body: Schemas.InvitationRequest) {
  return operations.POST("/operator/v1/signups/invite", { body, parseAs: "stream" });
}

/** A line of the answer to {@linkcode askForInvitations}. */
export type WaveLine =
  | Schemas.Progress
  | Schemas.NotInvited
  | Schemas.WouldInvite
  | Schemas.InvitedSignup
  | Schemas.InvitationEnd;

/** How many people a plan names. */
const MAX_NAMED = 50;

/** The steps after which the page is shown, however many people are left: it would take too long else. */
const MAX_STEPS = 50;

export type PassedOver = Map<Schemas.NotInvited["notInvited"]["reason"], number>;

/** What a dry run has said, as far as it was read. */
export interface Plan {
  /** The people whom the wave would invite now. */
  count: number;
  /** The first of them. */
  people: Schemas.StoredSignup[];
  /** How many the wave has invited before. */
  before: number;
  passedOver: PassedOver;
  isWhole: boolean;
}

/** Shows a plan. @param hasChanged whether the operator has seen one with other people */
export function planView(
  pageContext: PageContext,
  wave: NextWave,
  plan: Plan,
  { hasChanged = false } = {},
): View {
  const { texts } = pageContext;
  const { invite: labels, words } = texts;
  const { count, people, isWhole, before } = plan;
  const { length } = people;
  const caption = labels.caption({
    count: length < count ? labels.first({ count: length }) : length,
  });
  const head = [words.address, labels.since, words.fields.lang, words.fields.source];
  const rows = people.map(({ email, createdAt, lang, source }) => [
    { row: email },
    showTime(createdAt),
    words.langs[lang],
    source ? words.sources[source] : "",
  ]);
  const isEmpty = count === 0 && isWhole;
  const headline = isEmpty
    ? labels.nobody
    : count === 0
    ? labels.nobodyYet
    : isWhole
    ? labels.wouldInvite({ count })
    : labels.wouldInviteMore({ count });
  // One second look is enough: a list that grows all the time would never be the same.
  const shown = hasChanged ? undefined : digestOfPlan(plan);
  const begin = markup`<button class="primary" type="submit" aria-describedby="undo">${
    wave.letters ? labels.send : labels.sendWithout
  }</button>`;
  return {
    title: texts.pages.invite,
    ...hasChanged && { status: 409 },
    body: markup`${hasChanged && faultNote(labels.hasChanged)}
<p><b>${headline}</b></p>
${before > 0 && markup`<p>${labels.already({ count: before })}</p>`}
${passedOverList(plan.passedOver, texts)}
${wave.letters && !wave.link.includes(CODE) && doneNote(labels.noCode({ code: CODE }), "warning")}
${!isEmpty && markup`<p id="undo">${labels.cannotUndo}</p>`}
<div class="actions">
${
      !isEmpty &&
      postForm({ action: PATHS.invite, fields: { ...wave, shown, confirmed: true } }, begin)
    }
${postForm({ action: PATHS.invite, fields: { ...wave, change: true } }, button(labels.change))}
</div>
${people.length > 0 && markup`<div class="rows">${table({ caption, head, rows })}</div>`}
${wave.letters && letterPreviews(pageContext, wave.link)}`,
  };
}

/** Reads what a dry run says; `undefined` where its answer broke off, of which the log tells. */
export async function readPlan(answer: ReadableStream<Uint8Array>): Promise<Plan | undefined> {
  const plan: Plan = { count: 0, people: [], before: 0, passedOver: new Map(), isWhole: false };
  let steps = 0;
  try {
    for await (const line of readAnswerLines<WaveLine>(answer)) {
      if ("complete" in line) plan.isWhole = true;
      else if ("notInvited" in line) countReason(plan.passedOver, line.notInvited);
      else if ("progress" in line) {
        // The first line has what the wave has invited before.
        if (steps === 0) plan.before = line.progress;
        if (steps++ === MAX_STEPS) break;
      } else if ("wouldInvite" in line && ++plan.count <= MAX_NAMED) {
        plan.people.push(line.wouldInvite);
      }
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

export function countReason(
  passedOver: PassedOver,
  { reason }: Schemas.NotInvited["notInvited"],
): void {
  passedOver.set(reason, (passedOver.get(reason) ?? 0) + 1);
}

export function passedOverList(
  passedOver: PassedOver,
  { invite: labels, number }: ConsoleTexts,
): Html | undefined {
  if (passedOver.size === 0) return undefined;
  const count = [...passedOver.values()].reduce((sum, each) => sum + each, 0);
  const items = [...passedOver].map(([reason, each]) =>
    markup`<li>${labels.reasons[reason]}: ${number(each)}</li>`
  );
  return markup`<p>${labels.passedOver({ count })}</p>
<ul class="bullets">
${items}
</ul>`;
}
