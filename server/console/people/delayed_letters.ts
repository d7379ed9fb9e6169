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
import { isBeingTried } from "../outbox/mod.ts";
import type { PageContext } from "../page_context.ts";
import { mayRetryLetters, rowOfLetter, type WaitingLetter, waitingLettersTo } from "./letters.ts";

/** An e-mail whose last try has failed and that waits for the next try. */
export interface DelayedLetter extends WaitingLetter {
  message: LetterKind;
  /** Why the last try has failed. */
  reason: string;
}

/**
 * Lists the e-mails to a person whose last try has failed and that are tried again. Leaves out an e-mail that is being
 * tried, because the outcome is not known yet, and an e-mail that the service will not send: to a person who gets no
 * e-mails, of a paused or cancelled wave, or a confirmation that the person does not need any more.
 */
export function delayedLettersTo(
  person: ShownSignup,
  { now }: Pick<PageContext, "now">,
): DelayedLetter[] {
  if (person.undeliverableAt || person.complainedAt) return [];
  return waitingLettersTo(person).filter((letter): letter is DelayedLetter =>
    letter.reason !== undefined && !isBeingTried(letter, now) && isStillSent(letter, person)
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
 * Says of each delayed e-mail why the last try has failed, when the next try is and when the last one. A button tries
 * the e-mail at once, unless the operator may not do this. If the next try is soon, a sentence says why there is no
 * button.
 * @param options.isPaused whether all e-mails are paused; the warnings then name no next try, have no button and say why
 * @param options.action the path to which the form is sent that tries an e-mail
 */
export function delayWarnings(
  letters: DelayedLetter[],
  { pageContext, action, isPaused }: {
    pageContext: PageContext;
    action: string;
    isPaused: boolean;
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
    const retryForm = canRetry && !isPaused && postForm(
      { action, fields: { act: "retry", id } },
      button(outbox.lists.waiting.retry, "primary"),
    );
    return markup`<div class="warning">
<p>${labels[message]} <small>${reason}</small></p>
<p>${isPaused ? labels.afterPause : markup`${tries} ${whyNoButton}`}</p>
${retryForm && markup`<div class="actions">${retryForm}</div>`}
</div>`;
  });
}

/** How long it takes until a moment, in words such as `3 minutes`. */
const waitUntil = (moment: string, { texts, now }: Pick<PageContext, "texts" | "now">): string =>
  showDuration(texts.lang, (Date.parse(moment) - now) / 1_000);
