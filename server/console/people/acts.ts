/**
 * The acts: what an operator can do with people, in one table. The page of a person (`person.ts`) acts on one person,
 * the page of the chosen people (`chosen.ts`) on several people, and `selection.ts` on everybody who fits the filters
 * of the list. @module
 */
import type { ListedSignup, StoredSignup } from "../../../shared/operator_schemas.ts";
import type { OperationId } from "../../../shared/roles.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { field, type SentFields } from "../forms.ts";
import { linesOf, type PageContext, type PageFailure } from "../page_context.ts";
import { rejectedLettersTo } from "./rejected_letters.ts";

/** The names of the acts, which are also the values of the form field `act`. */
export type ActName = keyof ConsoleTexts["people"]["acts"];

/** Something that an operator can do with people. */
export type Act =
  /** Leads to the page "Invite", where the operator completes the wave. */
  | { kind: "invite_page"; operation: OperationId }
  /** Gives the data of the people as a file. */
  | { kind: "download"; operation: OperationId }
  | ChangeAct;

/** An act that changes people, one person after the other. */
export interface ChangeAct {
  kind: "change";
  /** The operation that the operator's role must allow. */
  operation: OperationId;
  /** The text of the page that asks for confirmation. An act without this text needs no confirmation. */
  question?: (labels: ConsoleTexts["person"]) => Html;
  /** The key of the texts that the list of people shows after the act. The texts say how many people it concerned. */
  doneForText: keyof ConsoleTexts["people"]["doneForMany"];
  /**
   * The name of the sentence that the page of the person shows after the act. Absent for an act that removes the
   * person's page; the list of people is shown after such an act.
   */
  doneText?: "reminded" | "retried" | "marked" | "lifted";
  /** Whether the act cannot be undone. */
  isFinal?: true;
  /** The fields of the form that asks for confirmation. @param form the sent form, whose values are shown again */
  fields?: (labels: ConsoleTexts["person"], form: SentFields) => Html;
  /** Changes one person, or says why the person was not changed. @param form the form with `fields` */
  run: (
    pageContext: PageContext,
    email: string,
    form: SentFields,
  ) => Promise<ActRefusal | undefined>;
}

/** Why an act has changed nothing for a person. */
export interface ActRefusal {
  /** The reason, as a sentence in the language of the operator. */
  reason: string;
  /**
   * Present if the operation refused the `fields`. It would refuse the same `fields` for every person, so the console
   * asks again.
   */
  hasBadFields?: true;
}

/**
 * Returns the label of an act on a number of people, such as "Erase 3 people".
 * @param act the act as a word of the operator's language, such as "Erase"
 */
export function actLabel(
  act: string,
  count: number,
  { people: labels }: Pick<ConsoleTexts, "people">,
): string {
  return count === 1 ? labels.actOnOne({ act }) : labels.actOnMany({ act, count });
}

/** Says what an erasure removes and what remains. */
export function eraseQuestion(labels: ConsoleTexts["person"]): Html {
  const { eraseRecord, eraseProof, eraseInvitation, eraseOutbox } = labels;
  return markup`<p>${labels.eraseWhat}</p>
<ul class="bullets">
${
    [eraseRecord, eraseProof, eraseInvitation, eraseOutbox].map((sentence) =>
      markup`<li>${sentence}</li>`
    )
  }
</ul>
<p>${labels.eraseMark}</p>`;
}

/** Whether an act makes sense for a person: not, for example, an invitation for somebody who is invited. */
export function fitsPerson(
  name: ActName,
  { state, undeliverableAt, complainedAt, refusedLetter }:
    & StoredSignup
    & Pick<ListedSignup, "refusedLetter">,
): boolean {
  const canGetLetters = !undeliverableAt && !complainedAt;
  switch (name) {
    case "invite":
      return canGetLetters && state === "waiting";
    case "remind":
      // A new try of the rejected confirmation helps this person, and not another confirmation.
      return canGetLetters && state === "unconfirmed" && refusedLetter !== "confirmation";
    case "retry":
      // A new try lifts the mark as undeliverable.
      return refusedLetter !== undefined && !complainedAt;
    case "undeliverable":
      return canGetLetters;
    case "deliverable":
      return !canGetLetters;
    case "export":
    case "erase":
      return true;
  }
}

/** All acts by name, in the order of their buttons. */
export const ACTS: Record<ActName, Act> = {
  invite: { kind: "invite_page", operation: "startWave" },
  retry: {
    kind: "change",
    operation: "retryOutbox",
    question: ({ retryWhat }) => markup`<p>${retryWhat}</p>`,
    doneForText: "retry",
    doneText: "retried",
    async run(pageContext, email) {
      const { operations, texts } = pageContext;
      const person = await operations.showSignup({ email });
      if ("failure" in person) return refusalOfAct(person, texts);
      const ids = rejectedLettersTo(person, pageContext).flatMap(({ retriable }) =>
        retriable?.id ?? []
      );
      if (ids.length === 0) return { reason: texts.people.nothingToRetry };
      const work = await operations.retryOutbox({ ids });
      if ("failure" in work) return refusalOfAct(work, texts);
      const lines = await linesOf(work, pageContext);
      const isRetried = lines.some((line) => "complete" in line && line.retried > 0);
      return isRetried ? undefined : { reason: texts.person.notRetried };
    },
  },
  remind: {
    kind: "change",
    operation: "remindSignups",
    doneForText: "remind",
    doneText: "reminded",
    async run(pageContext, email) {
      const { operations, texts } = pageContext;
      const work = await operations.remindSignups({ emails: [email] });
      if ("failure" in work) return refusalOfAct(work, texts);
      const lines = await linesOf(work, pageContext);
      for (const line of lines) {
        // The last line, which has `complete`, is left out, because its `notReminded` is a number of people.
        if (!("notReminded" in line) || "complete" in line) continue;
        return { reason: texts.person.notReminded[line.notReminded.reason] };
      }
      return undefined;
    },
  },
  undeliverable: {
    kind: "change",
    operation: "markUndeliverable",
    question: ({ markWhat }) => markup`<p>${markWhat}</p>`,
    // The operation `markUndeliverable` has the same rule for the reason.
    fields: ({ reason, reasonHint }, form) =>
      field("reason", {
        label: reason,
        attributes: markup` value="${form.get("reason") ?? ""}" maxlength="200" pattern="[^@]*"`,
        hint: reasonHint,
      }),
    doneForText: "undeliverable",
    doneText: "marked",
    async run({ operations, texts }, email, form) {
      const reason = form.get("reason")?.trim();
      const report = await operations.markUndeliverable({
        emails: [email],
        ...reason && { reason },
      });
      if (reason && "failure" in report && report.failure === "invalid_request") {
        return { reason: texts.person.reasonHint, hasBadFields: true };
      }
      return "failure" in report
        ? refusalOfAct(report, texts)
        : refusalUnlessChanged(report.marked, texts);
    },
  },
  deliverable: {
    kind: "change",
    operation: "markDeliverable",
    doneForText: "deliverable",
    doneText: "lifted",
    async run({ operations, texts }, email) {
      const report = await operations.markDeliverable({ emails: [email] });
      return "failure" in report
        ? refusalOfAct(report, texts)
        : refusalUnlessChanged(report.lifted, texts);
    },
  },
  export: { kind: "download", operation: "exportSignups" },
  erase: {
    kind: "change",
    operation: "eraseSignup",
    doneForText: "erase",
    isFinal: true,
    question: eraseQuestion,
    async run({ operations, texts }, email) {
      const outcome = await operations.eraseSignup({ email });
      return "failure" in outcome ? refusalOfAct(outcome, texts) : undefined;
    },
  },
};

// The cast is needed because the type of `Object.keys()` loses the names of the members.
export const ACT_NAMES = Object.keys(ACTS) as ActName[];

/**
 * Says why an operation on one person has changed nothing. A failure other than an unknown address has only a general
 * sentence.
 */
export function refusalOfAct(
  { failure }: PageFailure,
  { person, failures }: ConsoleTexts,
): ActRefusal {
  return { reason: failure === "unknown" ? person.notOnList : failures.other };
}

/**
 * Returns `undefined` if the operation has changed the person. Otherwise, the sentence names two possible reasons,
 * because the operation does not say whether the address is unknown or the data of the person cannot be read.
 * @param changed the number of people that the operation has changed: 0 or 1
 */
function refusalUnlessChanged(changed: number, { person }: ConsoleTexts): ActRefusal | undefined {
  return changed === 1 ? undefined : { reason: person.notChanged };
}
