/**
 * The warnings of a person's page about e-mails that the mail server has not accepted yet, or has rejected, and that are
 * tried again by themselves. Each warning has what the operator can do: correct the address, or try the e-mail at once.
 * @module
 */
import type { AuditEntry, ShownSignup } from "../../../shared/operator_schemas.ts";
import { type Html, markup } from "../../content/mod.ts";
import { type LetterKind, marksOf } from "../../waitlist/mod.ts";
import { showDuration } from "../components.ts";
import { button, postForm } from "../forms.ts";
import { isTriedAfterPause, pauseEnd, type ShownPause } from "../letter_pause.ts";
import { isBeingTried, saysMailboxFull, saysNoMailbox } from "../outbox/mod.ts";
import type { PageContext } from "../page_context.ts";
import { retryOfWaitingLetter } from "./history.ts";
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
  /** When the mail server rejected the last try, a date-time; absent if it has not accepted the e-mail for now. */
  rejectedAt?: string;
  /** The entry of the audit log about a new try by an operator that has failed as well; absent if there was none. */
  failedRetry?: AuditEntry;
}

/**
 * Lists the e-mails to a person that wait and that the service will send. Leaves out an e-mail to a person who gets no
 * e-mails, of a paused or cancelled wave, or a confirmation that the person does not need any more.
 */
export const lettersOnTheWayTo = (person: ShownSignup): WaitingLetter[] =>
  marksOf(person).length > 0
    ? []
    : waitingLettersTo(person).filter((letter) => isStillSent(letter, person));

/**
 * Lists the e-mails to a person whose last try has failed and that are tried again. Leaves out an e-mail that is being
 * tried, because the outcome is not known yet. During a pause of all e-mails, no e-mail that is due is being tried, and
 * an e-mail that an operator had tried again waits with the reason of its rejection.
 * @param options.pause the pause; `undefined` if there is none
 */
export function delayedLettersTo(
  person: ShownSignup,
  { now, pause }: { now: number; pause: ShownPause | undefined },
): DelayedLetter[] {
  return lettersOnTheWayTo(person).flatMap((letter): DelayedLetter[] => {
    const isAfterPause = isTriedAfterPause(letter.dueAt, { pause, now });
    const rejection = lastRejectionOf(letter, person);
    const reason = letter.reason ?? (isAfterPause ? rejection?.answer : undefined);
    if (reason === undefined || !isAfterPause && isBeingTried(letter, now)) return [];
    // A retry removes the reason of the failure before it, so a reason in the outbox is that of a later try.
    const failedRetry = letter.reason === undefined
      ? undefined
      : retryOfWaitingLetter(letter, person);
    const message = letter.message as LetterKind;
    // A try after the rejection has left another reason.
    const rejectedAt = rejection?.answer === reason ? rejection?.refusedAt : undefined;
    return [{
      ...letter,
      message,
      reason,
      ...rejectedAt !== undefined && { rejectedAt },
      ...failedRetry && { failedRetry },
    }];
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
 * Says of each delayed e-mail why the last try has failed, whether an operator has tried the e-mail again in vain, when
 * the next try is and when the last one. A button tries the e-mail at once, unless the operator may not do this or the
 * next try is soon. The warning about a rejected e-mail also has the link that corrects the address, which comes first if
 * the mail server has refused the address.
 * @param options.pause the pause of all e-mails; the warning about an e-mail that is tried after the pause says how
 * long the pause lasts in place of the next try, and no warning has a button that tries an e-mail
 * @param options.action the path to which the form is sent that tries an e-mail
 * @param options.correctPath the path of the page that corrects the address; `undefined` if the operator may not correct
 * it
 */
export function delayWarnings(
  letters: DelayedLetter[],
  { pageContext, action, correctPath, pause }: {
    pageContext: PageContext;
    action: string;
    correctPath: string | undefined;
    pause: ShownPause | undefined;
  },
): Html[] {
  const { texts } = pageContext;
  const { person: { delayed: labels, rejected, correct, mailboxFull }, outbox } = texts;
  return letters.map((letter) => {
    const { id, message, reason, rejectedAt, dueAt, failedRetry } = letter;
    const { canRetry } = rowOfLetter(letter, pageContext);
    const triedInVain = failedRetry &&
      labels.triedByOperator({
        operator: failedRetry.operator ?? "",
        at: texts.date(failedRetry.at),
      });
    const isRejected = rejectedAt !== undefined;
    const correctsFirst = isRejected && correctPath !== undefined &&
      saysNoMailbox(reason) === true;
    const canMend = isRejected && !correctsFirst && mayRetryLetters(pageContext);
    const advice = saysMailboxFull(reason)
      ? mailboxFull
      : correctsFirst
      ? rejected.correctIfWrong
      : canMend && labels.mendBefore;
    const lastTry = isRejected && rejected.rejectedAt({ at: texts.date(rejectedAt) });
    const correctLink = isRejected && correctPath !== undefined &&
      markup`<a class="button${
        correctsFirst && " primary"
      }" href="${correctPath}">${correct} …</a>`;
    const isAfterPause = isTriedAfterPause(dueAt, { pause, now: pageContext.now });
    const nextTry = pause && isAfterPause
      ? markup`${labels.afterPause} ${pauseEnd(pause, texts)}`
      : `${describeTries(letter, pageContext)}${pause ? ` ${labels.laterIfPaused}` : ""}`;
    const retryForm = canRetry && !pause && postForm(
      { action, fields: { act: "retry", id } },
      button(outbox.lists.waiting.retry, correctsFirst ? undefined : "primary"),
    );
    const actions = correctsFirst
      ? markup`${correctLink}\n${retryForm}`
      : markup`${retryForm}\n${correctLink}`;
    return markup`<div class="warning">
<p>${(isRejected ? rejected : labels)[message]} <small>${reason}</small></p>
${lastTry && markup`<p>${lastTry}</p>`}
${(advice || triedInVain) && markup`<p>${advice} ${triedInVain}</p>`}
<p>${nextTry}</p>
${(retryForm || correctLink) && markup`<div class="actions">${actions}</div>`}
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
