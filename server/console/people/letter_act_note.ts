/**
 * What the page of a person says after an act that sends an e-mail: that the e-mail is being sent, or what became of it.
 * The page loads again by itself until the outcome is there. @module
 */
import type { ShownSignup } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import {
  goesOnNote,
  mayReload,
  reloadElement,
  type ReloadPace,
  statusNote,
} from "../components.ts";
import { letterState } from "../letter_table.ts";
import { isTriedAfterPause, type ShownPause } from "../letter_pause.ts";
import { isBeingTried } from "../outbox/mod.ts";
import { type PageContext, PATHS } from "../page_context.ts";
import { waitingLettersTo } from "./letters.ts";
import { pausedLettersTo } from "./paused_letters.ts";

/** The acts that send an e-mail, by the names of the sentences that the page shows after each act. */
export const LETTER_ACTS = ["reminded", "resent", "retried", "corrected"] as const;

/** For how long the page loads again every two seconds, in milliseconds. Most mail servers answer within this time. */
const FAST_MS = 60_000;

/**
 * After how long the page does not load again any more, in milliseconds. An e-mail can be due for so long if all e-mails
 * pause, or if very many e-mails wait.
 */
const RELOADING_MS = 60 * 60_000;

/**
 * Makes the note. After a rejection there is no note, because the page has a warning about the rejected e-mail. There is
 * no note either if the try has failed for now, because a warning says when the next try is. The note about an e-mail
 * that goes out after a pause of all e-mails says this, and the page does not load again.
 * @param act the act that has just led to the page
 * @param options.path the path of the page
 * @param options.pause the pause of all e-mails; `undefined` if there is none
 */
export function noteAfterLetterAct(
  act: typeof LETTER_ACTS[number],
  person: ShownSignup,
  { pageContext, path, pause }: {
    pageContext: PageContext;
    path: string;
    pause: ShownPause | undefined;
  },
): Html | undefined {
  const { texts, query, now } = pageContext;
  const { person: labels, pages } = texts;
  const triedSince = waitingLettersTo(person)
    .filter((letter) =>
      isBeingTried(letter, now) && !isTriedAfterPause(letter.dueAt, { pause, now })
    )
    .map(({ dueAt }) => Date.parse(dueAt));
  const outboxLink = (act === "reminded" || act === "resent") &&
    markup` <a href="${PATHS.outbox}">${pages.outbox}</a>.`;
  if (triedSince.length === 0) {
    const isPaused = pausedLettersTo(person, { now, pause }).length > 0;
    if (!isPaused) return noteAfterOutcome(act, person, texts);
    const { tests, goesOut } = labels.inPause;
    return statusNote(
      markup`${act === "retried" ? tests : labels[act]}${outboxLink} ${goesOut}`,
    );
  }
  const pace = paceOf(now - Math.max(...triedSince));
  const isReloading = pace !== undefined && mayReload(query);
  const fields = { done: act, list: query.get("list") };
  const reloading = { path, query: fields, isReloading, ...pace && { pace } };
  return markup`${isReloading && reloadElement(pace)}
${statusNote(markup`${labels[act]}${outboxLink}`)}
${goesOnNote(labels.outcomeFollows, texts, reloading)}`;
}

/**
 * Says what became of the e-mail that the act has sent, if a mail server has taken the e-mail and no other e-mail waits.
 * After a correction, the note also says that the address is corrected, because not every correction sends an e-mail.
 */
function noteAfterOutcome(
  act: typeof LETTER_ACTS[number],
  person: ShownSignup,
  texts: ConsoleTexts,
): Html | undefined {
  const { person: labels, outbox } = texts;
  const { letterLog: [letter] = [], corrections = [] } = person;
  const isCorrection = act === "corrected";
  const since = isCorrection ? corrections.at(-1)?.at ?? "" : "";
  const isTaken = letter?.takenAt !== undefined && letter.takenAt >= since &&
    waitingLettersTo(person).length === 0;
  const outcome = isTaken &&
    markup`${outbox.messages[letter.letter]} – ${letterState(letter, texts)}.`;
  if (!outcome && !isCorrection) return undefined;
  return statusNote(markup`${isCorrection && labels.corrected} ${outcome}`);
}

/**
 * How often the page loads again; `undefined` if it does not.
 * @param dueForMs for how long the e-mail has been due, in milliseconds; below zero while a process is sending the e-mail
 */
function paceOf(dueForMs: number): ReloadPace | undefined {
  if (dueForMs > RELOADING_MS) return undefined;
  return dueForMs > FAST_MS ? "slow" : "fast";
}
