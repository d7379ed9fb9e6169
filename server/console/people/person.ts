/** The page of a person: what is kept, what happened, the proof of consent, and what can be done. @module */
import { MAP_OF } from "../../../shared/counters.ts";
import type { ShownSignup } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { DAY } from "../../runtime/mod.ts";
import { SLUG_ANSWERS } from "../../waitlist/mod.ts";
import {
  breakable,
  doneNote,
  facts,
  failureNote,
  faultNote,
  forbiddenView,
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
  confirmView,
  field,
  type Fields,
  isConfirmed,
  knownValue,
  pathWith,
  postForm,
  untilEndOfDay,
} from "../form_fields.ts";
import { inviteNamed } from "../invite/mod.ts";
import {
  type ConsolePage,
  momentId,
  type PageContext,
  PATHS,
  PERSON_PATH,
  seeOther,
  type View,
} from "../page_context.ts";
import { ACT_NAMES, type ActName, ACTS } from "./acts.ts";
import { findPerson } from "./find_person.ts";
import { historyOf, historyTable } from "./history.ts";
import { listLink } from "./list_query.ts";

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
      case "renew":
        return await renewInvitation(pageContext, person, form);
      default:
        return await act(pageContext, person, form);
    }
  },
};

/** What the page says once, after an act. */
const DONE = ["reminded", "marked", "lifted", "corrected", "answered", "renewed"] as const;

/** The path of the page of a person, which says what was done. Its query keeps the query of the list. */
export function pathOfPerson(
  { personPath, query }: Pick<PageContext, "personPath" | "query">,
  { id = "" }: ShownSignup,
  { done, below }: { done?: typeof DONE[number]; below?: string } = {},
): string {
  return pathWith(personPath(id, below), { done, list: query.get("list") });
}

/** @param given what the operator has typed, if it was refused */
async function personView(
  pageContext: PageContext,
  person: ShownSignup,
  { note, status, given }: { note?: Html; status?: number; given?: Fields } = {},
): Promise<View> {
  const { texts, may, query } = pageContext;
  const { person: labels } = texts;
  const kept = markup`${factsOf(person, texts)}
${may("setAnswers") && await answersForm(person, given, pageContext)}
<p>${labels.keptElse}</p>`;
  return {
    title: labels.person,
    heading: markup`${breakable(person.email)} ${stateBadge(texts, person.state ?? "waiting")}`,
    ...status !== undefined && { status },
    body: markup`${listLink(query.get("list"), labels.backToList)}
${note ?? doneTo(query, texts)}
${actions(person, pageContext)}
<div class="columns">
${section("kept", labels.kept, kept)}
<div>${section("history", labels.history, historyTable(person, texts))}
${section("proof", labels.proof, proofOf(person, texts))}</div>
</div>`,
  };
}

/** Says what was done to a person, and where to see the letter that it brings. */
function doneTo(query: URLSearchParams, { person: labels, pages }: ConsoleTexts): Html | undefined {
  const done = knownValue(DONE, query.get("done"));
  const outbox = done === "reminded" && markup` <a href="${PATHS.outbox}">${pages.outbox}</a>.`;
  return done && doneNote(markup`${labels[done]}${outbox}`);
}

/** Does one of the acts that people in the list have as well, and leads back to the page. */
async function act(
  pageContext: PageContext,
  person: ShownSignup,
  form: Fields,
): Promise<View | Response> {
  const { texts, may, sealedPath } = pageContext;
  const { people: { acts } } = texts;
  const action = pathOfPerson(pageContext, person);
  const name = knownValue(ACT_NAMES, form.get("act"));
  if (!name) return seeOther(action);
  const { needs, ask, done, run } = ACTS[name];
  if (!may(needs)) return forbiddenView(texts);
  if (name === "invite") return await inviteNamed(pageContext, [person.email], action);
  if (!run) return await downloadPerson(pageContext, person.email);
  if (ask && !isConfirmed(form)) {
    return confirmView({
      title: `${acts[name]}?`,
      body: markup`<p class="address">${person.email}</p>
${ask(texts.person)}`,
      action,
      fields: { act: name },
      submit: acts[name],
      cancel: markup`<a class="button" href="${action}">${texts.words.back}</a>`,
    });
  }
  const why = await run(pageContext, person.email);
  if (why) return await personView(pageContext, person, { note: faultNote(why), status: 409 });
  if (done) return seeOther(pathOfPerson(pageContext, person, { done }));
  const erased = new Map([["erased", person.email]]);
  return seeOther(sealedPath(PATHS.people, erased) ?? PATHS.people);
}

/** Gives all data of a person as a file, with the history as the page shows it. */
async function downloadPerson({ operations, texts, now }: PageContext, email: string) {
  const shown = await operations.showSignup({ email, export: true });
  if ("failure" in shown) {
    const { person: { person: title } } = texts;
    return { title, status: statusOf(shown), body: failureNote(shown, texts) };
  }
  const file = JSON.stringify({ ...shown, history: historyOf(shown, texts) }, null, 2);
  // The name of the file has no address, because browsers keep their lists of downloads for long.
  return downloadText([file, "\n"], `person-${momentId(now)}.json`);
}

/** Sets both answers; an empty field takes an answer away. */
async function changeAnswers(
  pageContext: PageContext,
  person: ShownSignup,
  form: Fields,
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

/** Lets the invitation of a person hold until another day. A day that is over is refused. */
async function renewInvitation(
  pageContext: PageContext,
  person: ShownSignup,
  form: Fields,
): Promise<View | Response> {
  const { operations, texts } = pageContext;
  const { email, invitationCode: code = "" } = person;
  const expires = untilEndOfDay(form.get("expires") ?? "");
  const renewed = await operations.renewInvitation({ code, email, expires });
  if (!("failure" in renewed)) {
    return seeOther(pathOfPerson(pageContext, person, { done: "renewed" }));
  }
  const note = failureNote(renewed, texts, { invalid_request: texts.invite.badExpires });
  return await personView(pageContext, person, { note, status: statusOf(renewed), given: form });
}

function actions(person: ShownSignup, pageContext: PageContext): Html {
  const { texts: { person: labels, pages, words }, previewInvitation, now, may } = pageContext;
  const { state, undeliverableAt, complainedAt, confirmations, linkAt } = person;
  const action = pathOfPerson(pageContext, person);
  const actForm = (act: ActName, label: string, kind?: "danger") =>
    may(ACTS[act].needs) && postForm({ action, fields: { act } }, button(label, kind));
  const correctPath = pathOfPerson(pageContext, person, { below: "/correct" });
  const correct = may("correctSignup") &&
    markup`<a class="button" href="${correctPath}">${labels.correct} …</a>`;
  const canGetLetters = !undeliverableAt && !complainedAt;
  // Only then does the service send another letter to a person who has not confirmed.
  const canBeReminded = canGetLetters && state === "unconfirmed" && previewInvitation &&
    [confirmations?.lastAt, linkAt].every((at = "") => !(now - Date.parse(at) < DAY));
  const renewal = state === "invited" && person.expiresAt && may("renewInvitation") &&
    postForm(
      { action, fields: { act: "renew" } },
      markup`${field("expires", words.expires, markup` type="date" required`, labels.renewHint)}
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
${renewal && markup`<details><summary>${labels.renew} …</summary>${renewal}</details>`}`;
}

/** Everything that is kept of a person, but the proof, and the link of the person's page, which holds the address. */
function factsOf(person: ShownSignup, texts: ConsoleTexts): Html {
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
    [labels.confirmations, confirmations && number(confirmations.count)],
    [words.states.invited, time(person.invitedAt)],
    [texts.invite.wave, code(wave)],
    [labels.invitationCode, code(invitationCode)],
    [labels.expiresAt, time(person.expiresAt)],
    [words.states.accepted, time(person.acceptedAt)],
    [labels.reference, code(person.reference)],
  ]);
}

function proofOf({ proof, wording, state }: ShownSignup, texts: ConsoleTexts): Html {
  const { person: labels, words: { fields, langs, sources } } = texts;
  const why = markup`<p>${labels.noSourceAddress}</p>`;
  if (!proof) {
    return markup`<p>${state === "unconfirmed" ? labels.noProofYet : labels.noProof}</p>
${why}`;
  }
  const words = wording
    ? markup`<blockquote lang="${wording.lang}">${wording.text}</blockquote>`
    : markup`<p>${labels.noWording}</p>`;
  const known = facts([
    [labels.requestedAt, showTime(proof.requestedAt, texts)],
    [fields.source, proof.source && sources[proof.source]],
    [fields.lang, proof.lang && langs[proof.lang]],
    [labels.takenAt, proof.takenAt && showTime(proof.takenAt, texts)],
    [labels.answer, proof.answer],
    [labels.messageId, proof.messageId],
    [labels.confirmedAt, showTime(proof.confirmedAt, texts)],
    [labels.wordingId, markup`<code>${proof.consentText}</code>`],
  ]);
  return markup`${words}
${known}
${why}`;
}

/** The form for role and use case, which offers those that the brand names and that other people have. */
async function answersForm(
  person: ShownSignup,
  given: Fields | undefined,
  pageContext: PageContext,
): Promise<Html> {
  const { operations, texts } = pageContext;
  const { person: labels } = texts;
  const overview = await operations.getOverview({});
  const fields = SLUG_ANSWERS.map((name) => {
    const id = `new_${name}`;
    const known = "failure" in overview ? [] : Object.keys(overview[MAP_OF[name]]);
    return answerField(texts, name, { id, value: given?.get(id) ?? person[name] ?? "", known });
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
