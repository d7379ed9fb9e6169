/**
 * Runs a wave, and shows its progress while the page is being read. Nobody needs scripts for it: the page is sent
 * piece by piece, and its style sheet shows the last piece of the progress only.
 *
 * @module
 */
import type { InvitationEnd, NotInvited, Progress } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { readAnswerLines } from "../answer_lines.ts";
import { button, doneNote, faultNote, postForm } from "../components.ts";
import { PATHS } from "../layout.ts";
import type { PageContext, View } from "../page_context.ts";
import { countReason, type PassedOver, passedOverList } from "./plan.ts";
import { afterWave, type NextWave } from "./wave.ts";

/** By how much the number of people grows until the page shows it again: a long wave has some hundred pieces. */
const GROWTH = 1.05;

type WaveLine = Partial<Progress & NotInvited & InvitationEnd>;

/** The page of a wave that runs. Who closes it stops the wave, which can be asked for again. */
export function runView(
  { texts }: PageContext,
  wave: NextWave,
  answer: ReadableStream<Uint8Array>,
): View & { rest: AsyncIterable<Html> } {
  const { invite: labels } = texts;
  return {
    // The heading is sent before the end is known, so it says neither that the wave runs nor that it is done.
    title: labels.waveTitle,
    body: markup`<p>${labels.wave}: <code>${wave.wave}</code></p>
<h2 class="running">${labels.running}</h2>
<p class="running soft">${labels.stay}</p>`,
    rest: runWave(wave, answer, texts),
  };
}

async function* runWave(
  wave: NextWave,
  answer: ReadableStream<Uint8Array>,
  texts: ConsoleTexts,
): AsyncGenerator<Html> {
  const passedOver: PassedOver = new Map();
  let end: InvitationEnd | undefined;
  let showAt = 0;
  yield markup`<ol class="progress" aria-live="polite">`;
  try {
    for await (const line of readAnswerLines<WaveLine>(answer)) {
      if (line.complete) end = line as InvitationEnd;
      if (line.notInvited) countReason(passedOver, line.notInvited);
      if (line.progress === undefined || line.progress < showAt) continue;
      showAt = line.progress * GROWTH + 1;
      yield progressItem(line.progress, wave, texts);
    }
  } catch {
    // The pipeline has logged why the answer broke off.
  }
  yield markup`</ol>`;
  yield end ? endOfWave(end, wave, passedOver, texts) : cutWave(wave, texts);
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
  { invited }: InvitationEnd,
  wave: NextWave,
  passedOver: PassedOver,
  texts: ConsoleTexts,
): Html {
  const { invite: labels, pages } = texts;
  const letters = markup` ${labels.lettersWait}
<a href="${PATHS.outbox}">${pages.outbox}</a>.`;
  return markup`<h2>${labels.complete}</h2>
${doneNote(markup`${labels.done({ count: invited })}${wave.letters && letters}`)}
${passedOverList(passedOver, texts)}
${afterWave(wave, texts)}`;
}

function cutWave(wave: NextWave, { invite: labels }: ConsoleTexts): Html {
  return markup`<h2>${labels.cutTitle}</h2>
${faultNote(labels.cut)}
${
    postForm(
      { action: PATHS.invite, fields: { ...wave, confirmed: true } },
      button(labels.goOn, "primary"),
    )
  }`;
}
