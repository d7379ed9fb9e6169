/**
 * The changes of a wave on its page: the buttons, the questions before a change, what a change did, and why it failed.
 * @module
 */
import type { WaveReport } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { failedView, failureNote, statusNote } from "../components.ts";
import { button, confirmView, type FieldValues, postForm } from "../forms.ts";
import { type PageContext, type PageFailure, PATHS, type View } from "../page_context.ts";
import { CODES_PATH } from "./codes.ts";
import { describeNotSentAgain } from "./not_sent_again.ts";
import { fieldsOfWave, SHOW_FORM_FIELD } from "./wave_of_form.ts";
import { WAVE_PATH, wavePath } from "./waves.ts";

/** The changes of a wave, as the field `change` of a form names them. */
export const CHANGES = ["pause", "resume", "cancel"] as const;

/**
 * The query parameter with which the page says how many letters were put into the outbox again. The form for this
 * action has a field of the same name.
 */
export const AGAIN_PARAMETER = "again";

/** Asks whether to cancel a wave, because nobody can undo this. */
export function askToCancel(id: string, { invite: labels, words }: ConsoleTexts): View {
  return confirmView({
    title: labels.cancelTitle,
    body: markup`<p><code>${id}</code></p>
<p>${labels.cancelBody}</p>`,
    action: WAVE_PATH,
    fields: { id, change: "cancel" },
    submit: labels.changes.cancel,
    cancel: markup`<a class="button" href="${wavePath(id)}">${words.back}</a>`,
    cannotUndo: words.cannotUndo,
  });
}

/** Asks whether to send the refused letters of a wave again, because three refusals in a row pause all letters. */
export async function askToSendAgain(
  id: string,
  { operations, texts }: Pick<PageContext, "operations" | "texts">,
): Promise<View> {
  const { invite: labels, outbox, words, number } = texts;
  const title = labels.sendAgainTitle;
  const wave = await operations.showWave({ id });
  if ("failure" in wave) return failedView(wave, texts, { title, back: PATHS.invite });
  const notSentAgain = await describeNotSentAgain(wave, { operations, texts });
  return confirmView({
    title,
    body: markup`<ul class="bullets">
<li>${labels.sendAgainCount({ count: number(wave.sendableAgain ?? 0) })}</li>
${notSentAgain && markup`<li>${notSentAgain}</li>`}
<li>${outbox.allPause}</li>
</ul>`,
    action: WAVE_PATH,
    fields: { id, change: "resume", [AGAIN_PARAMETER]: true },
    submit: labels.changes.sendAgain,
    cancel: markup`<a class="button" href="${wavePath(id)}">${words.back}</a>`,
  });
}

/** Says why a change of the wave failed. A paused wave whose invitations have expired meanwhile cannot be resumed. */
export function changeFailureNote(
  changeFailure: PageFailure,
  wave: WaveReport,
  { texts, now }: PageContext,
): Html {
  const hasEnded = wave.state === "paused" && isOver(wave, now);
  return failureNote(changeFailure, texts, hasEnded ? { conflict: texts.invite.isOver } : {});
}

/**
 * Says how many letters were put into the outbox again. If these are none, although a mail server has rejected letters
 * of the wave, also says why. Says nothing of a wave that is not done: a running wave is still looking for such letters,
 * and a pause or a cancellation has taken the letters out of the outbox since.
 */
export function againNote(
  { state, refused, lettersAgain = 0 }: WaveReport,
  { invite: labels, number }: ConsoleTexts,
): Html {
  if (state !== "done") return markup``;
  const isNoneAgain = lettersAgain === 0 && refused > 0;
  const message = `${labels.lettersAgain}: ${number(lettersAgain)}.`;
  return isNoneAgain
    ? statusNote(`${message} ${labels.noneAgain}`, "neutral")
    : statusNote(message);
}

/** Whether the invitations of a wave are no longer valid, so that the wave cannot be resumed. */
const isOver = ({ expires }: WaveReport, now: number): boolean =>
  expires !== undefined && Date.parse(expires) <= now;

/**
 * Says of a paused wave why it cannot be resumed, or that a resumption also sends refused letters again. Says of a
 * finished wave why all or some of its refused letters cannot be sent again.
 */
async function resumeNote(wave: WaveReport, pageContext: PageContext): Promise<Html | false> {
  const { texts: { invite: labels, number }, now } = pageContext;
  const { state, letters, refused, sendableAgain = 0 } = wave;
  const note = (text: string | Html) => markup`<p class="soft">${text}</p>`;
  if (state === "paused" && isOver(wave, now)) return note(labels.isOver);
  if (state === "paused" && sendableAgain > 0) {
    return note(labels.resumeSendsAgain({ count: number(sendableAgain) }));
  }
  if (state !== "done" || !letters || refused === 0) return false;
  if (isOver(wave, now)) return note(labels.cannotSendAgainOver);
  const notSentAgain = await describeNotSentAgain(wave, pageContext);
  if (notSentAgain === undefined) return false;
  return note(
    sendableAgain === 0 ? markup`${notSentAgain} ${labels.cannotSendAgain}` : notSentAgain,
  );
}

/**
 * The form that opens the page "Invite" with the choices of a wave of the next people, if this wave invites nobody any
 * more.
 */
function anotherWaveForm(
  wave: WaveReport,
  { texts: { invite: labels }, may, now }: PageContext,
): Html | false {
  const hasEnded = wave.state === "done" || wave.state === "cancelled" || isOver(wave, now);
  if (!hasEnded || wave.next === undefined || !may("startWave")) return false;
  const fields = { ...fieldsOfWave(wave, now), [SHOW_FORM_FIELD]: true };
  return postForm({ action: PATHS.invite, fields }, button(labels.anotherWave));
}

/** The buttons for what can be done with the wave in its present state. */
export async function changeButtons(wave: WaveReport, pageContext: PageContext): Promise<Html> {
  const { texts: { invite: labels, number }, may, now } = pageContext;
  const { wave: id, state, letters, refused, lettersWaiting = 0, sendableAgain = 0 } = wave;
  // A wave that has invited everybody can still be paused or cancelled while the outbox has letters of the wave.
  const canPause = state === "running" || state === "done" && lettersWaiting > 0;
  const canCancel = canPause || state === "paused";
  const changeForm = (
    change: typeof CHANGES[number],
    content: Html,
    fields: FieldValues = {},
  ) =>
    may(`${change}Wave`) &&
    postForm({ action: WAVE_PATH, fields: { id, change, ...fields } }, content);
  const { changes } = labels;
  const pauseHint = letters && markup`<p class="soft">${labels.pauseHint}</p>`;
  // When a wave that is done is resumed, the letters that no mail server has taken go into the outbox again.
  const canSendAgain = state === "done" && sendableAgain > 0;
  const sendSomeAgain = sendableAgain === 1
    ? labels.sendOneAgain
    : labels.sendSomeAgain({ count: number(sendableAgain) });
  const sendAgain = sendableAgain < refused ? sendSomeAgain : changes.sendAgain;
  const canResume = state === "paused" && !isOver(wave, now);
  const codesForm = postForm({ action: CODES_PATH, fields: { wave: id } }, button(labels.codes));
  const note = may("resumeWave") && await resumeNote(wave, pageContext);
  return markup`${!canSendAgain && note}
<div class="actions">
${canPause && changeForm("pause", markup`${pauseHint}${button(changes.pause)}`)}
${canResume && changeForm("resume", button(changes.resume))}
${
    canSendAgain &&
    changeForm("resume", button(`${sendAgain} …`), { [AGAIN_PARAMETER]: true })
  }
${anotherWaveForm(wave, pageContext)}
${may("exportSignups") && codesForm}
${canCancel && changeForm("cancel", button(`${changes.cancel} …`, "danger"))}
</div>
${canSendAgain && note}`;
}
