/**
 * What the page of a person says after an act that sends an e-mail: that the e-mail is being sent, or what became of it.
 * The page loads again by itself until the outcome is there. @module
 */
import type { ShownSignup } from "../../../shared/operator_schemas.ts";
import { type Html, markup } from "../../content/mod.ts";
import {
  goesOnNote,
  mayReload,
  reloadElement,
  type ReloadPace,
  statusNote,
} from "../components.ts";
import { letterState } from "../letter_table.ts";
import { isBeingTried } from "../outbox/mod.ts";
import { type PageContext, PATHS } from "../page_context.ts";
import { waitingLettersTo } from "./letters.ts";

/** The acts that send an e-mail, by the names of the sentences that the page shows after each act. */
export const LETTER_ACTS = ["reminded", "resent", "retried"] as const;

/** For how long the page loads again every two seconds, in milliseconds. Most mail servers answer within this time. */
const FAST_MS = 60_000;

/**
 * After how long the page does not load again any more, in milliseconds. An e-mail can be due for so long if all e-mails
 * pause, or if very many e-mails wait.
 */
const RELOADING_MS = 60 * 60_000;

/**
 * Makes the note. After a rejection there is no note, because the page has a warning about the rejected e-mail. There is
 * no note either if the try has failed for now, because the section about e-mails says when the next try is.
 * @param act the act that has just led to the page
 * @param path the path of the page
 */
export function noteAfterLetterAct(
  act: typeof LETTER_ACTS[number],
  person: ShownSignup,
  { pageContext, path }: { pageContext: PageContext; path: string },
): Html | undefined {
  const { texts, query, now } = pageContext;
  const { person: labels, outbox, pages } = texts;
  const waitingLetters = waitingLettersTo(person);
  const triedSince = waitingLetters
    .filter((letter) => isBeingTried(letter, now))
    .map(({ dueAt }) => Date.parse(dueAt));
  if (triedSince.length === 0) {
    const [letter] = person.letterLog ?? [];
    if (waitingLetters.length > 0 || letter?.takenAt === undefined) return undefined;
    return statusNote(
      markup`${outbox.messages[letter.letter]} – ${letterState(letter, texts)}.`,
    );
  }
  const pace = paceOf(now - Math.max(...triedSince));
  const isReloading = pace !== undefined && mayReload(query);
  const outboxLink = act !== "retried" && markup` <a href="${PATHS.outbox}">${pages.outbox}</a>.`;
  const fields = { done: act, list: query.get("list") };
  const reloading = { path, query: fields, isReloading, ...pace && { pace } };
  return markup`${isReloading && reloadElement(pace)}
${statusNote(markup`${labels[act]}${outboxLink}`)}
${goesOnNote(labels.outcomeFollows, texts, reloading)}`;
}

/**
 * How often the page loads again; `undefined` if it does not.
 * @param dueForMs for how long the e-mail has been due, in milliseconds; below zero while a process is sending the e-mail
 */
function paceOf(dueForMs: number): ReloadPace | undefined {
  if (dueForMs > RELOADING_MS) return undefined;
  return dueForMs > FAST_MS ? "slow" : "fast";
}
