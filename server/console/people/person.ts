/**
 * The page of a person: its routes, and what its forms do. `person_view.ts` shows the page, and `acts.ts` has the acts
 * that are also possible in the list of people. @module
 */
import { endOfDay, momentId } from "../../../shared/moments.ts";
import type { ShownSignup } from "../../../shared/operator_schemas.ts";
import type { SLUG_ANSWERS } from "../../../shared/person_schema.ts";
import { markup } from "../../content/mod.ts";
import {
  failedView,
  type FailureMessages,
  failureNote,
  faultNote,
  forbiddenView,
  statusOf,
} from "../components.ts";
import { downloadText } from "../downloads.ts";
import { isConfirmed, knownValue, type SentFields } from "../forms.ts";
import { inviteChosenPeople } from "../invite/mod.ts";
import {
  type ConsolePage,
  linesOf,
  type PageContext,
  type PageFailure,
  PATHS,
  PERSON_PATH,
  seeOther,
  type View,
} from "../page_context.ts";
import { ACT_NAMES, ACTS } from "./acts.ts";
import { newAnswerField } from "./answers_form.ts";
import { confirmActView, type RequestedAct } from "./confirm_act.ts";
import { findPerson, pathOfPerson } from "./find_person.ts";
import { historyOf } from "./history.ts";
import { personView } from "./person_view.ts";

export const personPage: ConsolePage = {
  path: PERSON_PATH,
  async get(pageContext) {
    const person = await findPerson(pageContext);
    return "body" in person ? person : await personView(pageContext, person);
  },
  async post(pageContext, form) {
    const person = await findPerson(pageContext);
    if ("body" in person) return person;
    switch (form.get("act")) {
      case "answers":
        return await changeAnswers(pageContext, person, form);
      case "note":
        return await changeNote(pageContext, person, form);
      case "renew":
        return await renewInvitation(pageContext, person, form);
      case "resend":
        return await resendInvitation(pageContext, person);
      case "retry":
        return await retryLetter(pageContext, person, form);
      default:
        return await actOnPerson(pageContext, person, form);
    }
  },
};

/** Does one of the acts in {@linkcode ACTS}. An act that is not in this table leads back to the page of the person. */
async function actOnPerson(
  pageContext: PageContext,
  person: ShownSignup,
  form: SentFields,
): Promise<View | Response> {
  const { texts, may } = pageContext;
  const pagePath = pathOfPerson(pageContext, person);
  const name = knownValue(ACT_NAMES, form.get("act"));
  if (!name) return seeOther(pagePath);
  const act = ACTS[name];
  if (!may(act.operation)) return forbiddenView(texts);
  switch (act.kind) {
    case "invite_page":
      return await inviteChosenPeople(pageContext, [person.email], pagePath);
    case "download":
      return await downloadPerson(pageContext, person.email);
    case "change":
      return !act.question || isConfirmed(form)
        ? await changePerson(pageContext, person, { name, act, form })
        : askToConfirm(pageContext, person, { name, act, form });
  }
}

/** Shows the page that asks for confirmation before an act on a person. */
function askToConfirm(
  pageContext: PageContext,
  person: ShownSignup,
  requestedAct: RequestedAct,
): View {
  const { texts: { people, words } } = pageContext;
  const pagePath = pathOfPerson(pageContext, person);
  return confirmActView(pageContext, requestedAct, {
    people: markup`<p class="address">${person.email}</p>`,
    action: pagePath,
    fields: {},
    submit: people.acts[requestedAct.name],
    cancel: markup`<a class="button" href="${pagePath}">${words.back}</a>`,
  });
}

/** Does an act that changes the person, and shows the result. If the operation refuses the act's fields, asks again. */
async function changePerson(
  pageContext: PageContext,
  person: ShownSignup,
  { name, act, form }: RequestedAct,
): Promise<View | Response> {
  const refusal = await act.run(pageContext, person.email, form);
  if (refusal?.hasBadFields) {
    return askToConfirm(pageContext, person, { name, act, form, fault: refusal.reason });
  }
  if (refusal) {
    return await personView(pageContext, person, {
      refusalNote: faultNote(refusal.reason),
      status: 409,
    });
  }
  if (act.doneText) return seeOther(pathOfPerson(pageContext, person, { done: act.doneText }));
  // The list of people says that the person was erased, because an erased person has no page any more.
  const erased = new Map([["erased", person.email]]);
  return seeOther(pageContext.encryptedPath(PATHS.people, erased) ?? PATHS.people);
}

/** Gives all data of a person as JSON, with the history in the words of the page. */
async function downloadPerson(
  { operations, texts, now }: PageContext,
  email: string,
): Promise<View | Response> {
  const outcome = await operations.showSignup({ email, export: true });
  if ("failure" in outcome) {
    return failedView(outcome, texts, { title: texts.person.person });
  }
  const file = JSON.stringify({ ...outcome, history: historyOf(outcome, texts) }, null, 2);
  return downloadText([file, "\n"], `person-${momentId(now)}.json`);
}

/** Sets role and use case. An empty field removes its answer. */
async function changeAnswers(
  pageContext: PageContext,
  person: ShownSignup,
  form: SentFields,
): Promise<View | Response> {
  const { operations, texts } = pageContext;
  const answerTo = (question: typeof SLUG_ANSWERS[number]) =>
    form.get(newAnswerField(question))?.trim() || null;
  const outcome = await operations.setAnswers({
    email: person.email,
    role: answerTo("role"),
    building: answerTo("building"),
  });
  if (!("failure" in outcome)) {
    return seeOther(pathOfPerson(pageContext, person, { done: "answered" }));
  }
  const { badAnswer, tooManyAnswers } = texts.person;
  const messages = { invalid_request: badAnswer, conflict: tooManyAnswers };
  return await showFormAgain(pageContext, person, { form, failure: outcome, messages });
}

/** Sets the note. An empty field removes the note. */
async function changeNote(
  pageContext: PageContext,
  person: ShownSignup,
  form: SentFields,
): Promise<View | Response> {
  const { operations, texts } = pageContext;
  const note = form.get("note") ?? "";
  const outcome = await operations.setNote({ email: person.email, note });
  if (!("failure" in outcome)) {
    return seeOther(pathOfPerson(pageContext, person, { done: "noted" }));
  }
  const messages = { invalid_request: texts.person.badNote };
  return await showFormAgain(pageContext, person, { form, failure: outcome, messages });
}

/** Sets the last day of an invitation. The operation refuses a day in the past. */
async function renewInvitation(
  pageContext: PageContext,
  person: ShownSignup,
  form: SentFields,
): Promise<View | Response> {
  const { operations, texts } = pageContext;
  const { email, invitationCode: code = "" } = person;
  const expires = endOfDay(form.get("expires") ?? "");
  const outcome = await operations.renewInvitation({ code, email, expires });
  if (!("failure" in outcome)) {
    return seeOther(pathOfPerson(pageContext, person, { done: "renewed" }));
  }
  const messages = { invalid_request: texts.invite.badExpires };
  return await showFormAgain(pageContext, person, { form, failure: outcome, messages });
}

/** Sends the invitation again. The page of a person to whom it cannot be sent says why. */
async function resendInvitation(
  pageContext: PageContext,
  person: ShownSignup,
): Promise<View | Response> {
  const { operations, texts } = pageContext;
  const outcome = await operations.resendInvitation({ email: person.email });
  if (!("failure" in outcome)) {
    return seeOther(pathOfPerson(pageContext, person, { done: "resent" }));
  }
  // Reads the person again, so that the page says why the invitation cannot be sent now.
  const present = await findPerson(pageContext);
  if ("body" in present) return present;
  const { notResent } = texts.person;
  const refusalNote = failureNote(outcome, texts, { conflict: notResent, expired: notResent });
  return await personView(pageContext, present, { refusalNote, status: statusOf(outcome) });
}

/** Sends an e-mail at once that waits or was rejected. The page says if the e-mail cannot be sent again now. */
async function retryLetter(
  pageContext: PageContext,
  person: ShownSignup,
  form: SentFields,
): Promise<View | Response> {
  const { operations, texts } = pageContext;
  const id = form.get("id") ?? "";
  // The outbox has items of other people as well, which this page must not change.
  const isOfPerson = person.outboxItems?.some((item) => item.id === id) ?? false;
  const outcome = isOfPerson ? await operations.retryOutbox({ ids: [id] }) : undefined;
  if (outcome && "failure" in outcome) {
    const refusalNote = failureNote(outcome, texts);
    return await personView(pageContext, person, { refusalNote, status: statusOf(outcome) });
  }
  const lines = outcome ? await linesOf(outcome, pageContext) : [];
  const isRetried = lines.some((line) => "complete" in line && line.retried > 0);
  if (isRetried) return seeOther(pathOfPerson(pageContext, person, { done: "retried" }));
  // Reads the person again, so that the page shows the present e-mails.
  const present = await findPerson(pageContext);
  if ("body" in present) return present;
  const refusalNote = faultNote(texts.person.notRetried);
  return await personView(pageContext, present, { refusalNote, status: 409 });
}

/**
 * Shows the page of the person with a form that an operation has refused.
 * @param options.messages the sentences that explain the refusal, by error code
 */
async function showFormAgain(
  pageContext: PageContext,
  person: ShownSignup,
  { form, failure, messages }: {
    form: SentFields;
    failure: PageFailure;
    messages: FailureMessages;
  },
): Promise<View> {
  return await personView(pageContext, person, {
    refusalNote: failureNote(failure, pageContext.texts, messages),
    status: statusOf(failure),
    refusedForm: form,
  });
}
