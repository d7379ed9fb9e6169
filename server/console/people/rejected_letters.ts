/**
 * The warnings of a person's page about e-mails that the mail server has rejected, each with the buttons that mend it.
 * @module
 */
import type { AuditEntry, ListedItem, ShownSignup } from "../../../shared/operator_schemas.ts";
import { type Html, markup } from "../../content/mod.ts";
import { type LetterKind, rejectedLettersOf } from "../../waitlist/mod.ts";
import { button, postForm } from "../forms.ts";
import { saysMailboxFull, saysNoMailbox } from "../outbox/mod.ts";
import type { PageContext } from "../page_context.ts";

/** An e-mail that was rejected. */
interface RejectedLetter {
  kind: LetterKind;
  /** The answer of the mail server, if it gave one. */
  answer: string | undefined;
  /** When the last try was rejected, a date-time. */
  refusedAt: string | undefined;
  /** The entry of the audit log about the operator who had the last try made; absent after the first try. */
  retry?: AuditEntry | undefined;
  /** The rejected e-mail in the outbox, if the operator can have it sent again. */
  retriable?: ListedItem | undefined;
}

/**
 * Lists the e-mails to a person that were rejected and that the person still needs. Leaves out an e-mail of which
 * another try waits, because the outcome of this try is not known yet, and an e-mail with the link of the person's page
 * that has left the outbox, because nobody can do anything about this e-mail.
 */
export function rejectedLettersTo(
  person: ShownSignup,
  pageContext: Pick<PageContext, "may" | "previewInvitation">,
): RejectedLetter[] {
  const { outboxItems = [], lastLetters = {} } = person;
  return rejectedLettersOf(person).flatMap((kind): RejectedLetter[] => {
    const items = outboxItems.filter(({ message }) => message === kind);
    if (isTriedAgain(kind, items, person)) return [];
    const { refusedAt, answer } = lastLetters[kind] ?? {};
    const item = items.find((each) => each.refusedAt === refusedAt);
    if (kind === "link" && !item) return [];
    const retriable = isSentIfRetried(kind, person, pageContext) ? item : undefined;
    return [{ kind, answer, refusedAt, retry: lastRetryOf(kind, person), retriable }];
  });
}

/** The actions by which an operator has a rejected e-mail sent again. */
const RETRY_ACTIONS = ["retryOutbox", "resendInvitation", "resumeWave", "remindSignups"];

/**
 * Finds the entry of the audit log about the last try of a rejected e-mail, which an operator has made after an earlier
 * rejection of an e-mail of this kind.
 */
function lastRetryOf(
  kind: LetterKind,
  { lastLetters = {}, letterLog = [], history }: ShownSignup,
): AuditEntry | undefined {
  const { putAt = "" } = lastLetters[kind] ?? {};
  const rejectedBefore = letterLog.find((letter) =>
    letter.letter === kind && letter.putAt < putAt && letter.refusedAt !== undefined
  )?.refusedAt;
  if (rejectedBefore === undefined) return undefined;
  return history.find(({ action, at }) =>
    RETRY_ACTIONS.includes(action) && rejectedBefore <= at && at <= putAt
  );
}

/** Whether another try of the e-mail waits. A waiting invitation of a paused or cancelled wave does not go out. */
const isTriedAgain = (kind: LetterKind, items: ListedItem[], { noInvitation }: ShownSignup) =>
  kind === "invitation"
    ? noInvitation === "in_outbox"
    : items.some(({ dueAt }) => dueAt !== undefined);

/** Whether the operator may try a rejected e-mail again, and the service then sends it. */
function isSentIfRetried(
  kind: LetterKind,
  { complainedAt, noInvitation, noReminder }: ShownSignup,
  { may, previewInvitation }: Pick<PageContext, "may" | "previewInvitation">,
): boolean {
  if (!may("retryOutbox") || previewInvitation === undefined || complainedAt) return false;
  switch (kind) {
    case "confirmation":
      return noReminder !== "complained";
    case "invitation":
      // A new try lifts the mark as undeliverable. It changes nothing about any other reason.
      return noInvitation === undefined || noInvitation === "undeliverable";
    case "link":
      return true;
  }
}

/**
 * Says of each rejected e-mail what the mail server answered and what the operator can do. If the mail server has refused
 * the address, correcting the address comes first, and otherwise another try.
 * @param options.action the path to which the form is sent that tries an e-mail again
 * @param options.correctPath the path of the page that corrects the address; `undefined` if the operator may not correct
 * it
 */
export function rejectionWarnings(
  letters: RejectedLetter[],
  { undeliverableAt }: ShownSignup,
  { pageContext: { texts }, action, correctPath }: {
    pageContext: Pick<PageContext, "texts">;
    action: string;
    correctPath: string | undefined;
  },
): Html[] {
  const { person: { rejected: labels, correct, lift, mailboxFull }, outbox } = texts;
  return letters.map(({ kind, answer, refusedAt, retry, retriable }) => {
    // Without an extended code, only the mark says that the address was refused.
    const isAboutAddress = saysNoMailbox(answer) ?? undeliverableAt !== undefined;
    const correctsFirst = correctPath !== undefined && (!retriable || isAboutAddress);
    const canGoAway = isAboutAddress || saysMailboxFull(answer);
    const adviceOnRetry = canGoAway ? labels.retryIfGone : labels.retryIfMended;
    const advice = [
      ...saysMailboxFull(answer) ? [mailboxFull] : [],
      ...correctsFirst ? [labels.correctIfWrong] : [],
      ...retriable ? [adviceOnRetry] : [],
      ...retriable && undeliverableAt
        ? [labels.retryLiftsMark({ retry: outbox.lists.refused.retry, lift })]
        : [],
    ].join(" ");
    const retryForm = retriable && postForm(
      { action, fields: { act: "retry", id: retriable.id } },
      button(outbox.lists.refused.retry, correctsFirst ? undefined : "primary"),
    );
    const linkClass = correctsFirst ? "button primary" : "button";
    const correctLink = correctPath !== undefined &&
      markup`<a class="${linkClass}" href="${correctPath}">${correct} …</a>`;
    const actions = correctsFirst
      ? markup`${correctLink}\n${retryForm}`
      : markup`${retryForm}\n${correctLink}`;
    const at = refusedAt && texts.date(refusedAt);
    const { operator = "", at: triedAt } = retry ?? {};
    const lastTry = at &&
      (triedAt === undefined
        ? labels.rejectedAt({ at })
        : labels.rejectedAgain({ at, operator, triedAt: texts.date(triedAt) }));
    return markup`<div class="warning">
<p>${labels[kind]} ${answer && markup`<small>${answer}</small>`}</p>
${lastTry && markup`<p>${lastTry}</p>`}
${advice && markup`<p>${advice}</p>`}
${(retryForm || correctLink) && markup`<div class="actions">${actions}</div>`}
</div>`;
  });
}
