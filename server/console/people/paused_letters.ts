/**
 * The warnings of a person's page about e-mails that wait only because all e-mails are paused. E-mails whose last try
 * has failed have warnings of their own (`delayed_letters.ts`). @module
 */
import type { ShownSignup } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import type { LetterKind } from "../../waitlist/mod.ts";
import { isTriedAfterPause, pauseEnd, type ShownPause } from "../letter_pause.ts";
import { lettersOnTheWayTo } from "./delayed_letters.ts";
import type { WaitingLetter } from "./letters.ts";

/**
 * Lists the e-mails to a person that go out after the pause of all e-mails, and whose last try has not failed.
 * @param options.pause the pause; `undefined` if there is none
 */
export const pausedLettersTo = (
  person: ShownSignup,
  { now, pause }: { now: number; pause: ShownPause | undefined },
): WaitingLetter[] =>
  lettersOnTheWayTo(person).filter(({ reason, dueAt }) =>
    reason === undefined && isTriedAfterPause(dueAt, { pause, now })
  );

/** Says of each e-mail that it goes out after the pause, and how long the pause lasts. */
export function pausedLetterWarnings(
  letters: WaitingLetter[],
  pause: ShownPause,
  texts: ConsoleTexts,
): Html[] {
  const { inPause } = texts.person;
  return letters.map(({ message }) =>
    markup`<p class="warning">${inPause[message as LetterKind]} ${pauseEnd(pause, texts)}</p>`
  );
}
