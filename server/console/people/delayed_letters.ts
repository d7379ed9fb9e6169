/**
 * The warnings of a person's page about e-mails that the mail server has not accepted yet, each with the button that
 * tries it at once.
 * @module
 */
import type { ShownSignup } from "../../../shared/operator_schemas.ts";
import { type Html, markup } from "../../content/mod.ts";
import type { LetterKind } from "../../waitlist/mod.ts";
import { showDuration } from "../components.ts";
import { button, postForm } from "../forms.ts";
import { isTriedAfterPause, type ShownPause } from "../letter_pause.ts";
import { isBeingTried } from "../outbox/mod.ts";
import type { PageContext } from "../page_context.ts";
import {
  lastRejectionOf,
  mayRetryLetters,
  rowOfLetter,
  type WaitingLetter,
  waitingLettersTo,
} from "./letters.ts";

/** An e-mail whose last try has failed and that waits for the next try. */
export interface DelayedLetter extends WaitingLetter {
  message: LetterKind;
  /** Why the last try has failed. */
  reason: string;
}

/**
 * Lists the e-mails to a person whose last try has failed and that are tried again. Leaves out an e-mail that is being
 * tried, because the outcome is not known yet, and an e-mail that the service will not send: to a person who gets no
 * e-mails, of a paused or cancelled wave, or a confirmation that the person does not need any more. During a pause of all
 * e-mails, no e-mail that is due is being tried.
 * @param options.pause the pause; `undefined` if there is none
 */
export function delayedLettersTo(
  person: ShownSignup,
  { now, pause }: { now: number; pause: ShownPause | undefined },
): DelayedLetter[] {
  if (person.undeliverableAt || person.complainedAt) return [];
  return waitingLettersTo(person).flatMap((letter): DelayedLetter[] => {
    const isAfterPause = isTriedAfterPause(letter.dueAt, { pause, now });
    // A new try by an operator removes the reason from the outbox.
    const reason = letter.reason ??
      (isAfterPause ? lastRejectionOf(letter, person)?.answer : undefined);
    if (reason === undefined || !isAfterPause && isBeingTried(letter, now)) return [];
    const message = letter.message as LetterKind;
    return isStillSent(letter, person) ? [{ ...letter, message, reason }] : [];
  });
}

/** Whether the service sends an e-mail to the person in the present state. */
function isStillSent({ message }: WaitingLetter, { state, noInvitation }: ShownSignup): boolean {
  switch (message) {
    case "confirmation":
      return state === "unconfirmed";
    case "invitation":
      return noInvitation === "in_outbox";
    default:
      return true;
  }
}

/**
 * Says of each delayed e-mail why the last try has failed, when the next try is and when the last one. A button tries
 * the e-mail at once, unless the operator may not do this. If the next try is soon, a sentence says why there is no
 * button.
 * @param options.pause the pause of all e-mails; the warning about an e-mail that is tried after the pause names no next
 * try and says why, and no warning has a button
 * @param options.action the path to which the form is sent that tries an e-mail
 */
export function delayWarnings(
  letters: DelayedLetter[],
  { pageContext, action, pause }: {
    pageContext: PageContext;
    action: string;
    pause: ShownPause | undefined;
  },
): Html[] {
  const { texts } = pageContext;
  const { person: { delayed: labels }, outbox } = texts;
  return letters.map((letter) => {
    const { id, message, reason, dueAt } = letter;
    const { lastTryAt = dueAt, canRetry, mayBeBeingSent } = rowOfLetter(letter, pageContext);
    const at = texts.date(dueAt);
    const tries = lastTryAt === dueAt
      ? labels.nextIsLast({ at })
      : labels.nextAndLast({ at, last: texts.date(lastTryAt) });
    const whyNoButton = mayBeBeingSent && mayRetryLetters(pageContext) &&
      labels.comesSoon({ wait: waitUntil(dueAt, pageContext) });
    const addition = pause ? labels.laterIfPaused : whyNoButton;
    const isAfterPause = isTriedAfterPause(dueAt, { pause, now: pageContext.now });
    const retryForm = canRetry && !pause && postForm(
      { action, fields: { act: "retry", id } },
      button(outbox.lists.waiting.retry, "primary"),
    );
    return markup`<div class="warning">
<p>${labels[message]} <small>${reason}</small></p>
<p>${isAfterPause ? labels.afterPause : markup`${tries} ${addition}`}</p>
${retryForm && markup`<div class="actions">${retryForm}</div>`}
</div>`;
  });
}

/** How long it takes until a moment, in words such as `3 minutes`. */
const waitUntil = (moment: string, { texts, now }: Pick<PageContext, "texts" | "now">): string =>
  showDuration(texts.lang, (Date.parse(moment) - now) / 1_000);
