/**
 * The page of a person: what the service keeps of the person, the proof of consent and the acts. `history.ts` has the
 * history, and `acts.ts` the acts that the list of people has as well. @module
 */
import { MAP_OF } from "../../../shared/counters.ts";
import { endOfDay, momentId } from "../../../shared/moments.ts";
import type { ShownSignup } from "../../../shared/operator_schemas.ts";
import { SLUG_ANSWERS } from "../../../shared/person_schema.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { CAMPAIGN_FIELDS } from "../../waitlist/mod.ts";
import {
  breakable,
  doneNote,
  type Fact,
  facts,
  failedView,
  failureNote,
  faultNote,
  forbiddenView,
  listLink,
  nameIn,
  section,
  showTime,
  stateBadge,
  statusOf,
} from "../components.ts";
import { downloadText } from "../downloads.ts";
import {
  answerField,
  button,
  field,
  isConfirmed,
  knownValue,
  pathWith,
  postForm,
  type SentFields,
} from "../forms.ts";
import { inviteChosen } from "../invite/mod.ts";
import { letterTable } from "../letter_table.ts";
import {
  type ConsolePage,
  type PageContext,
  PATHS,
  PERSON_PATH,
  seeOther,
  type View,
} from "../page_context.ts";
import { ACT_NAMES, type ActName, ACTS, type AskedAct, confirmActView } from "./acts.ts";
import { historyOf, historyTable } from "./history.ts";
import { noteSection } from "./note.ts";
import { proofFacts } from "./proof.ts";
import { referralFacts } from "./referral_facts.ts";

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
      default:
        return await actOnPerson(pageContext, person, form);
    }
  },
};

/** Finds the person whose id is in the path, or returns the page that says why there is no such person. */
export async function findPerson(pageContext: PageContext): Promise<ShownSignup | View> {
  const { operations, personId, texts } = pageContext;
  const { person: labels, words } = texts;
  if (personId === undefined) {
    return {
      title: labels.person,
      status: 404,
      body: markup`${faultNote(labels.notOnList)}
<p><a href="${PATHS.people}">${words.back}</a></p>`,
    };
  }
  const shown = await operations.showSignup({ id: personId });
  if (!("failure" in shown)) return shown;
  const known = { not_found: labels.notOnList };
  return failedView(shown, texts, { title: labels.person, back: PATHS.people, known });
}

/**
 * The values of the query parameter `done`. Each value is the name of the sentence that the page shows after an act.
 */
const DONE = [
  "reminded",
  "marked",
  "lifted",
  "corrected",
  "answered",
  "noted",
  "renewed",
] as const;

/** Returns the path of the page of a person. The path holds the query of the list from which the operator came. */
export function pathOfPerson(
  { personPath, query }: Pick<PageContext, "personPath" | "query">,
  { id = "" }: ShownSignup,
  { done, below }: { done?: typeof DONE[number]; below?: string } = {},
): string {
  return pathWith(personPath(id, below), { done, list: query.get("list") });
}

/** @param given the fields that an operation has refused, which the page shows again */
async function personView(
  pageContext: PageContext,
  person: ShownSignup,
  { note, status, given }: { note?: Html; status?: number; given?: SentFields } = {},
): Promise<View> {
  const { texts, may, query } = pageContext;
  const { person: labels } = texts;
  const { letterLog = [] } = person;
  const letters = letterLog.length > 0 && letterTable(letterLog, { texts });
  const kept = markup`${factsOf(person, pageContext)}
${may("setAnswers") && await answersForm(person, given, pageContext)}
<p>${labels.keptElse}</p>`;
  const proofPath = pathOfPerson(pageContext, person, { below: "/proof" });
  const proof = markup`${proofFacts(person, texts)}
<p><a href="${proofPath}">${labels.openProof}</a></p>`;
  return {
    title: labels.person,
    heading: markup`${breakable(person.email)} ${stateBadge(texts, person.state ?? "waiting")}`,
    ...status !== undefined && { status },
    body: markup`${listLink(query.get("list"), labels.backToList)}
${note ?? noteAfterAct(query, texts)}
${actions(person, pageContext)}
<div class="columns">
<div>${section("kept", labels.kept, kept)}
${section("proof", labels.proof, proof)}</div>
<div>${noteSection(person, pageContext, { action: pathOfPerson(pageContext, person), given })}
${section("history", labels.history, historyTable(person, texts))}</div>
</div>
${letters && section("letters", labels.letters, letters)}`,
  };
}

function noteAfterAct(
  query: URLSearchParams,
  { person: labels, pages }: ConsoleTexts,
): Html | undefined {
  const done = knownValue(DONE, query.get("done"));
  // The note about a reminder links to the page "Letters and events", which lists the letter until it is sent.
  const outbox = done === "reminded" && markup` <a href="${PATHS.outbox}">${pages.outbox}</a>.`;
  return done && doneNote(markup`${labels[done]}${outbox}`);
}

/** Does one of the acts in {@linkcode ACTS}, and leads back to the page of the person. */
async function actOnPerson(
  pageContext: PageContext,
  person: ShownSignup,
  form: SentFields,
): Promise<View | Response> {
  const { texts, may } = pageContext;
  const action = pathOfPerson(pageContext, person);
  const name = knownValue(ACT_NAMES, form.get("act"));
  if (!name) return seeOther(action);
  const act = ACTS[name];
  if (!may(act.needs)) return forbiddenView(texts);
  switch (act.kind) {
    case "invitation":
      return await inviteChosen(pageContext, [person.email], action);
    case "file":
      return await downloadPerson(pageContext, person.email);
    case "change":
      return !act.ask || isConfirmed(form)
        ? await changePerson(pageContext, person, { name, act, form })
        : askToConfirm(pageContext, person, { name, act, form });
  }
}

/** Shows the page that asks for confirmation before an act on a person. */
function askToConfirm(pageContext: PageContext, person: ShownSignup, sent: AskedAct): View {
  const { texts: { people, words } } = pageContext;
  const action = pathOfPerson(pageContext, person);
  return confirmActView(pageContext, sent, {
    people: markup`<p class="address">${person.email}</p>`,
    action,
    fields: {},
    submit: people.acts[sent.name],
    cancel: markup`<a class="button" href="${action}">${words.back}</a>`,
  });
}

async function changePerson(
  pageContext: PageContext,
  person: ShownSignup,
  { name, act, form }: AskedAct,
): Promise<View | Response> {
  const { run, done } = act;
  const fault = await run(pageContext, person.email, form);
  if (fault?.hasBadFields) {
    return askToConfirm(pageContext, person, { name, act, form, fault: fault.why });
  }
  if (fault) {
    return await personView(pageContext, person, { note: faultNote(fault.why), status: 409 });
  }
  if (done) return seeOther(pathOfPerson(pageContext, person, { done }));
  // The list of people says that the person was erased, because an erased person has no page any more.
  const erased = new Map([["erased", person.email]]);
  return seeOther(pageContext.encryptedPath(PATHS.people, erased) ?? PATHS.people);
}

/** Gives all data of a person as JSON, with the history in the words of the page. */
async function downloadPerson(
  { operations, texts, now }: PageContext,
  email: string,
): Promise<View | Response> {
  const shown = await operations.showSignup({ email, export: true });
  if ("failure" in shown) {
    const { person: { person: title } } = texts;
    return { title, status: statusOf(shown), body: failureNote(shown, texts) };
  }
  const file = JSON.stringify({ ...shown, history: historyOf(shown, texts) }, null, 2);
  return downloadText([file, "\n"], `person-${momentId(now)}.json`);
}

/** Sets role and use case. An empty field removes its answer. */
async function changeAnswers(
  pageContext: PageContext,
  person: ShownSignup,
  form: SentFields,
): Promise<View | Response> {
  const { operations, texts } = pageContext;
  const [role = null, building = null] = SLUG_ANSWERS
    .map((name) => form.get(`new_${name}`)?.trim() || null);
  const changed = await operations.setAnswers({ email: person.email, role, building });
  if (!("failure" in changed)) {
    return seeOther(pathOfPerson(pageContext, person, { done: "answered" }));
  }
  const { badAnswer, tooManyAnswers } = texts.person;
  const known = { invalid_request: badAnswer, conflict: tooManyAnswers };
  const note = failureNote(changed, texts, known);
  return await personView(pageContext, person, { note, status: statusOf(changed), given: form });
}

/** Sets the note. An empty field removes the note. */
async function changeNote(
  pageContext: PageContext,
  person: ShownSignup,
  form: SentFields,
): Promise<View | Response> {
  const { operations, texts } = pageContext;
  const note = form.get("note") ?? "";
  const changed = await operations.setNote({ email: person.email, note });
  if (!("failure" in changed)) {
    return seeOther(pathOfPerson(pageContext, person, { done: "noted" }));
  }
  const fault = failureNote(changed, texts, { invalid_request: texts.person.badNote });
  return await personView(pageContext, person, {
    note: fault,
    status: statusOf(changed),
    given: form,
  });
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
  const renewed = await operations.renewInvitation({ code, email, expires });
  if (!("failure" in renewed)) {
    return seeOther(pathOfPerson(pageContext, person, { done: "renewed" }));
  }
  const note = failureNote(renewed, texts, { invalid_request: texts.invite.badExpires });
  return await personView(pageContext, person, { note, status: statusOf(renewed), given: form });
}

/** The buttons for what can be done with the person in the present state. */
function actions(person: ShownSignup, pageContext: PageContext): Html {
  const { texts: { person: labels, pages, words }, may } = pageContext;
  const { state, undeliverableAt, complainedAt } = person;
  const action = pathOfPerson(pageContext, person);
  const actForm = (act: ActName, label: string, kind?: "danger") =>
    may(ACTS[act].needs) && postForm({ action, fields: { act } }, button(label, kind));
  const correctPath = pathOfPerson(pageContext, person, { below: "/correct" });
  const correct = may("correctSignup") &&
    markup`<a class="button" href="${correctPath}">${labels.correct} …</a>`;
  const canGetLetters = !undeliverableAt && !complainedAt;
  const whyNoReminder = reasonNotToRemind(person, pageContext);
  const canBeReminded = state === "unconfirmed" && whyNoReminder === undefined;
  const expires = field("expires", {
    label: words.expires,
    attributes: markup` type="date" required`,
    hint: labels.renewHint,
  });
  const renewal = state === "invited" && person.expiresAt && may("renewInvitation") &&
    postForm(
      { action, fields: { act: "renew" } },
      markup`${expires}
${button(labels.renew)}`,
    );
  return markup`<div class="actions">
${canBeReminded && actForm("remind", labels.remind)}
${canGetLetters && state === "waiting" && actForm("invite", `${pages.invite} …`)}
${correct}
${canGetLetters && actForm("undeliverable", `${labels.markUndeliverable} …`)}
${!canGetLetters && actForm("deliverable", labels.lift)}
${actForm("export", labels.export)}
${actForm("erase", labels.erase, "danger")}
</div>
${may("remindSignups") && whyNoReminder && markup`<p class="hint">${whyNoReminder}</p>`}
${renewal && markup`<details><summary>${labels.renew} …</summary>${renewal}</details>`}`;
}

/** Says why an unconfirmed person cannot be asked again, and until when. */
function reasonNotToRemind(
  { state, undeliverableAt, complainedAt, nextReminder = "", noReminder }: ShownSignup,
  { texts, now, previewInvitation }: PageContext,
): Html | string | undefined {
  const { person: { notRemindedYet: labels }, words } = texts;
  if (state !== "unconfirmed") return undefined;
  if (!previewInvitation) return words.noMail;
  if (undeliverableAt) return labels.undeliverable;
  if (noReminder === "unreadable") return labels.unreadable;
  if (complainedAt || !nextReminder) return labels.complained;
  if (Date.parse(nextReminder) <= now) return undefined;
  return markup`${labels.until} ${showTime(nextReminder, texts)}.`;
}

/** Everything that the service keeps of a person, except the proof and the link of the person's own page. */
function factsOf(person: ShownSignup, pageContext: PageContext): Html {
  const { texts } = pageContext;
  const { source, confirmations, wave, invitationCode } = person;
  const { person: labels, people, words, number, answers } = texts;
  const time = (moment: string | undefined) => moment && showTime(moment, texts);
  const code = (text: string | undefined) => text && markup`<code>${text}</code>`;
  return facts([
    [labels.undeliverableAt, time(person.undeliverableAt)],
    [labels.complainedAt, time(person.complainedAt)],
    [people.createdAt, time(person.createdAt)],
    [labels.consentedAt, time(person.consentedAt)],
    [labels.updatedAt, time(person.updatedAt)],
    [words.fields.lang, words.langs[person.lang]],
    [words.fields.source, source && words.sources[source]],
    [words.fields.role, nameIn(answers.role, person.role ?? "")],
    [words.fields.building, nameIn(answers.building, person.building ?? "")],
    ...CAMPAIGN_FIELDS.map((field): Fact => [words.fields[field], person[field]]),
    [labels.confirmations, confirmations && number(confirmations.count)],
    [words.states.invited, time(person.invitedAt)],
    [texts.invite.wave, code(wave)],
    [labels.invitationCode, code(invitationCode)],
    [labels.expiresAt, time(person.expiresAt)],
    [words.states.accepted, time(person.acceptedAt)],
    [labels.reference, code(person.reference)],
    ...referralFacts(person, pageContext),
  ]);
}

/** The form for role and use case. It suggests the answers of the brand and those that other people have. */
async function answersForm(
  person: ShownSignup,
  given: SentFields | undefined,
  pageContext: PageContext,
): Promise<Html> {
  const { operations, texts } = pageContext;
  const { person: labels } = texts;
  const overview = await operations.getOverview({});
  const fields = SLUG_ANSWERS.map((name) => {
    const id = `new_${name}`;
    const known = "failure" in overview ? [] : Object.keys(overview[MAP_OF[name]]);
    return answerField(name, { texts, id, value: given?.get(id) ?? person[name] ?? "", known });
  });
  const isTyped = SLUG_ANSWERS.some((name) => Object.keys(texts.answers[name]).length === 0);
  const action = pathOfPerson(pageContext, person);
  const form = postForm(
    { action, fields: { act: "answers" }, attributes: markup` class="filters"` },
    markup`${fields}
${button(labels.saveAnswers)}`,
  );
  const open = given?.has("new_role") && markup` open`;
  return markup`<details${open}><summary>${labels.changeAnswers}</summary>
${isTyped && markup`<p class="hint">${labels.answerHint}</p>`}
${form}
</details>`;
}
