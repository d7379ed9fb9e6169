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
import { isBeingTried, saysMailboxFull } from "../outbox/mod.ts";
import type { PageContext } from "../page_context.ts";
import { retryOfWaitingLetter } from "./history.ts";
import { rowOfLetter, type WaitingLetter, waitingLettersTo } from "./letters.ts";

/** An e-mail whose last try has failed and that waits for the next try. */
export interface DelayedLetter extends WaitingLetter {
  message: LetterKind;
  /** Why the last try has failed. */
  reason: string;
}

/**
 * Lists the e-mails to a person that wait and that the service will send. Leaves out an e-mail to a person who gets no
 * e-mails, of a paused or cancelled wave, or a confirmation that the person does not need any more.
 */
export const lettersOnTheWayTo = (person: ShownSignup): WaitingLetter[] =>
  person.undeliverableAt || person.complainedAt
    ? []
    : waitingLettersTo(person).filter((letter) => isStillSent(letter, person));

/**
 * Lists the e-mails to a person whose last try has failed and that are tried again. Leaves out an e-mail that is being
 * tried, because the outcome is not known yet.
 */
export function delayedLettersTo(
  person: ShownSignup,
  { now }: Pick<PageContext, "now">,
): DelayedLetter[] {
  return lettersOnTheWayTo(person).filter((letter): letter is DelayedLetter =>
    letter.reason !== undefined && !isBeingTried(letter, now)
  );
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
 * Says of each delayed e-mail why the last try has failed, whether an operator has tried the e-mail again in vain, when
 * the next try is and when the last one. A button tries the e-mail at once, unless the operator may not do this or the
 * next try is soon.
 * @param options.isPaused whether all e-mails are paused; the warnings then name no next try, have no button and say why
 * @param options.action the path to which the form is sent that tries an e-mail
 */
export function delayWarnings(
  letters: DelayedLetter[],
  person: ShownSignup,
  { pageContext, action, isPaused }: {
    pageContext: PageContext;
    action: string;
    isPaused: boolean;
  },
): Html[] {
  const { texts } = pageContext;
  const { person: { delayed: labels, mailboxFull }, outbox } = texts;
  return letters.map((letter) => {
    const { id, message, reason } = letter;
    const { canRetry } = rowOfLetter(letter, pageContext);
    const { operator = "", at: triedAt } = retryOfWaitingLetter(letter, person) ?? {};
    // A retry removes the reason of the failure before it, so the try of the operator has failed as well.
    const triedInVain = triedAt && labels.triedByOperator({ operator, at: texts.date(triedAt) });
    const advice = saysMailboxFull(reason) && mailboxFull;
    const retryForm = canRetry && !isPaused && postForm(
      { action, fields: { act: "retry", id } },
      button(outbox.lists.waiting.retry, "primary"),
    );
    return markup`<div class="warning">
<p>${labels[message]} <small>${reason}</small></p>
${(advice || triedInVain) && markup`<p>${advice} ${triedInVain}</p>`}
<p>${isPaused ? labels.afterPause : describeTries(letter, pageContext)}</p>
${retryForm && markup`<div class="actions">${retryForm}</div>`}
</div>`;
  });
}

/** Says when the next try of an e-mail is, or in how long if this is soon, and when the last one is. */
function describeTries(letter: DelayedLetter, pageContext: PageContext): string {
  const { texts } = pageContext;
  const { person: { delayed: labels } } = texts;
  const { dueAt } = letter;
  const { lastTryAt = dueAt, mayBeBeingSent } = rowOfLetter(letter, pageContext);
  const isLast = lastTryAt === dueAt;
  const last = texts.date(lastTryAt);
  if (mayBeBeingSent) {
    const wait = waitUntil(dueAt, pageContext);
    return isLast ? labels.soonIsLast({ wait }) : labels.soonAndLast({ wait, last });
  }
  const at = texts.date(dueAt);
  return isLast ? labels.nextIsLast({ at }) : labels.nextAndLast({ at, last });
}

/** How long it takes until a moment, in words such as `3 minutes`. */
const waitUntil = (moment: string, { texts, now }: Pick<PageContext, "texts" | "now">): string =>
  showDuration(texts.lang, (Date.parse(moment) - now) / 1_000);
