import { createFormat, INVITED_FIELDS } from "../../../shared/signup_formats.ts";
import { type ConsoleTexts, Html, markup } from "../../content/mod.ts";
import { downloadPeople, readAnswerLines } from "../answer_lines.ts";
import { doneNote, failedView, faultNote } from "../components.ts";
import { button, pathWith, postForm, withValues } from "../form_fields.ts";
import { type ConsolePage, type PageContext, PATHS, seeOther, type View } from "../page_context.ts";
import {
  askForInvitations,
  countReason,
  type NextWave,
  type PassedOver,
  passedOverList,
  type Plan,
  type WaveLine,
  waveOfForm,
} from "./plan.ts";

/** By how much the number of people grows until the page shows it again: a long wave has some hundred pieces. */
const GROWTH = 1.05;

const CODES_PATH = "/operator/invite/codes/";

/**
 * The page of a wave that runs. It is sent piece by piece, and its style sheet shows the last piece of the progress
 * only, so that nobody needs scripts. Who closes it stops the wave, which can be asked for again. At its end it leads
 * to {@linkcode endedView}, so that the browser has no form to send again where somebody comes back.
 */
export async function runView(
  { texts, keep }: PageContext,
  wave: NextWave,
  answer: ReadableStream<Uint8Array>,
): Promise<View> {
  const { invite: labels } = texts;
  const kept = await keep(PATHS.invite, withValues(wave));
  return {
    ...kept && { cookie: kept.cookie },
    // The heading is sent before the end is known, so it says neither that the wave runs nor that it is done.
    title: labels.waveTitle,
    body: markup`${waveId(wave, texts)}
<h2 class="running">${labels.running}</h2>
<p class="running soft">${labels.stay}</p>`,
    rest: runWave(wave, answer, { texts, path: kept?.path }),
  };
}

async function* runWave(
  wave: NextWave,
  answer: ReadableStream<Uint8Array>,
  { texts, path }: { texts: ConsoleTexts; path: string | undefined },
): AsyncGenerator<Html> {
  const passedOver: PassedOver = new Map();
  let invited: number | undefined;
  let shown = 0;
  let showAt = 0;
  yield markup`<ol class="progress" aria-live="polite">`;
  try {
    for await (const line of readAnswerLines<WaveLine>(answer)) {
      if ("complete" in line) invited = line.invited;
      else if ("notInvited" in line) countReason(passedOver, line.notInvited);
      else if ("progress" in line && line.progress >= showAt) {
        shown = line.progress;
        showAt = shown * GROWTH + 1;
        yield progressItem(shown, wave, texts);
      }
    }
    if (invited !== undefined && invited !== shown) yield progressItem(invited, wave, texts);
  } catch {
    // The pipeline has logged why the answer broke off.
  }
  yield markup`</ol>`;
  yield invited === undefined
    ? cutWave(wave, texts)
    : endOfWave(invited, { wave, passedOver, texts });
  if (path === undefined) return;
  const query = new URLSearchParams({ ended: invited === undefined ? "cut" : "complete" });
  for (const [reason, count] of passedOver) query.set(reason, String(count));
  // Browsers put the page that a refresh at once leads to in the place of this one.
  yield markup`<meta http-equiv="refresh" content="0; url=${new Html(`${path}&amp;${query}`)}">`;
}

/** The page of a wave that is complete, or that was cut, as the query says; else there is a plan to show. */
export function endedView(
  { texts, query }: PageContext,
  wave: NextWave,
  { before, count, isWhole }: Plan,
): View | undefined {
  const isComplete = before >= wave.next || before > 0 && count === 0 && isWhole;
  if (!isComplete && query.get("ended") !== "cut") return undefined;
  const { reasons, waveTitle } = texts.invite;
  const passedOver: PassedOver = new Map();
  for (const reason of Object.keys(reasons) as (keyof typeof reasons)[]) {
    const count = Number(query.get(reason));
    if (Number.isSafeInteger(count) && count > 0) passedOver.set(reason, count);
  }
  return {
    title: waveTitle,
    body: markup`${waveId(wave, texts)}
${isComplete ? endOfWave(before, { wave, passedOver, texts }) : cutWave(wave, texts)}`,
  };
}

function waveId({ wave }: NextWave, { invite: labels }: ConsoleTexts): Html {
  return markup`<p>${labels.wave}: <code>${wave}</code></p>`;
}

function progressItem(
  progress: number,
  { next }: NextWave,
  { invite: labels }: ConsoleTexts,
): Html {
  return markup`<li><progress max="${next}" value="${progress}" aria-label="${labels.progress}"></progress> ${
    labels.soFar({ count: progress })
  }</li>`;
}

function endOfWave(
  count: number,
  { wave, passedOver, texts }: { wave: NextWave; passedOver: PassedOver; texts: ConsoleTexts },
): Html {
  const { invite: labels, pages } = texts;
  const letters = markup` ${labels.lettersWait}
<a href="${PATHS.outbox}">${pages.outbox}</a>.`;
  const codes = button(labels.codes, wave.letters ? undefined : "primary");
  return markup`<h2>${labels.complete}</h2>
${doneNote(markup`${labels.done({ count })}${wave.letters && letters}`)}
${passedOverList(passedOver, texts)}
<div class="actions">
${postForm({ action: CODES_PATH, fields: wave }, codes)}
<a class="button" href="${pathWith(PATHS.people, { state: "invited" })}">${labels.people}</a>
<a class="button" href="${PATHS.invite}">${labels.another}</a>
</div>`;
}

function cutWave(wave: NextWave, { invite: labels }: ConsoleTexts): Html {
  const fields = { ...wave, confirmed: true };
  return markup`<h2>${labels.cutTitle}</h2>
${faultNote(labels.cut)}
${postForm({ action: PATHS.invite, fields }, button(labels.goOn, "primary"))}`;
}

/**
 * The people of a wave and their codes as CSV, for those who write to people by other means. It asks for the wave
 * again, which invites nobody else once it is done.
 */
export const codesPage: ConsolePage = {
  path: CODES_PATH,
  get: () => seeOther(PATHS.invite),
  async post(pageContext, form) {
    const { texts, now } = pageContext;
    const wave = waveOfForm(form, now);
    const answer = await askForInvitations(pageContext, wave);
    if (!answer.data) {
      return failedView(answer, texts, { title: texts.pages.invite, back: PATHS.invite });
    }
    const format = createFormat("csv", INVITED_FIELDS);
    return downloadPeople(answer.data, format, `invited-${wave.wave}.csv`);
  },
};
