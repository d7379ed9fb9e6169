/**
 * Shows the page of a person: what the service keeps of the person, the proof of consent, the buttons for the acts, the
 * note and the history. `person.ts` acts on the forms of the page. @module
 */
import { MAP_OF_ANSWER } from "../../../shared/counters.ts";
import type { ShownSignup } from "../../../shared/operator_schemas.ts";
import { SLUG_ANSWERS } from "../../../shared/person_schema.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { CAMPAIGN_FIELDS } from "../../waitlist/mod.ts";
import {
  breakable,
  type Fact,
  facts,
  failedView,
  faultNote,
  listLink,
  nameIn,
  section,
  showTime,
  stateBadge,
  statusNote,
} from "../components.ts";
import {
  answerField,
  button,
  field,
  knownValue,
  pathWith,
  postForm,
  type SentFields,
} from "../forms.ts";
import { letterTable } from "../letter_table.ts";
import { type PageContext, PATHS, type View } from "../page_context.ts";
import { type ActName, ACTS } from "./acts.ts";
import { historyTable } from "./history.ts";
import { noteSection } from "./note.ts";
import { proofFacts } from "./proof.ts";
import { referralFacts } from "./referral_facts.ts";

/** Finds the person whose id is in the path, or returns the page that says why the person cannot be shown. */
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
  const messages = { not_found: labels.notOnList };
  return failedView(shown, texts, { title: labels.person, back: PATHS.people, messages });
}

/**
 * The values of the query parameter `done`. Each value is the name of a sentence that the page shows after an act.
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

/**
 * Returns the path of the page of a person, with the query of the list from which the operator came.
 * @param options.subpath the rest of the path, such as `/correct`
 */
export function pathOfPerson(
  { personPath, query }: Pick<PageContext, "personPath" | "query">,
  { id = "" }: ShownSignup,
  { done, subpath }: { done?: typeof DONE[number]; subpath?: string } = {},
): string {
  return pathWith(personPath(id, subpath), { done, list: query.get("list") });
}

/** The page of a person. @param options.refusedForm a form that an operation has refused, which the page shows again */
export async function personView(
  pageContext: PageContext,
  person: ShownSignup,
  { note, status, refusedForm }: { note?: Html; status?: number; refusedForm?: SentFields } = {},
): Promise<View> {
  const { texts, may, query } = pageContext;
  const { person: labels } = texts;
  const { letterLog = [] } = person;
  const letters = letterLog.length > 0 && letterTable(letterLog, { texts });
  const kept = markup`${factsOf(person, pageContext)}
${may("setAnswers") && await answersForm(person, refusedForm, pageContext)}
<p>${labels.keptElse}</p>`;
  const proofPath = pathOfPerson(pageContext, person, { subpath: "/proof" });
  const proof = markup`${proofFacts(person, texts)}
<p><a href="${proofPath}">${labels.openProof}</a></p>`;
  return {
    title: labels.person,
    heading: markup`${breakable(person.email)} ${stateBadge(texts, person.state ?? "waiting")}`,
    ...status !== undefined && { status },
    body: markup`${listLink(query.get("list"), labels.backToList)}
${note ?? noteAfterAct(query, texts)}
${actionButtons(person, pageContext)}
<div class="columns">
<div>${section("kept", labels.kept, kept)}
${section("proof", labels.proof, proof)}</div>
<div>${noteSection(person, pageContext, { action: pathOfPerson(pageContext, person), refusedForm })}
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
  return done && statusNote(markup`${labels[done]}${outbox}`);
}

/** The buttons for what can be done with the person in the present state. */
function actionButtons(person: ShownSignup, pageContext: PageContext): Html {
  const { texts: { person: labels, pages, words }, may } = pageContext;
  const { state, undeliverableAt, complainedAt } = person;
  const action = pathOfPerson(pageContext, person);
  const actForm = (act: ActName, label: string, kind?: "danger") =>
    may(ACTS[act].operation) && postForm({ action, fields: { act } }, button(label, kind));
  const correctPath = pathOfPerson(pageContext, person, { subpath: "/correct" });
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

/**
 * Says why an unconfirmed person cannot be reminded, and until when. Returns `undefined` for a person who can be
 * reminded now, or who is in another state.
 */
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

/**
 * What the service keeps of a person, and the facts about referrals. Leaves out what other parts of the page show.
 */
function factsOf(person: ShownSignup, pageContext: PageContext): Html {
  const { texts } = pageContext;
  const { source, confirmations, wave, invitationCode } = person;
  const { person: labels, people, words, number, answers } = texts;
  const showMoment = (moment: string | undefined) => moment && showTime(moment, texts);
  const showCode = (text: string | undefined) => text && markup`<code>${text}</code>`;
  return facts([
    [labels.undeliverableAt, showMoment(person.undeliverableAt)],
    [labels.complainedAt, showMoment(person.complainedAt)],
    [people.createdAt, showMoment(person.createdAt)],
    [labels.consentedAt, showMoment(person.consentedAt)],
    [labels.updatedAt, showMoment(person.updatedAt)],
    [words.fields.lang, words.langs[person.lang]],
    [words.fields.source, source && words.sources[source]],
    [words.fields.role, nameIn(answers.role, person.role ?? "")],
    [words.fields.building, nameIn(answers.building, person.building ?? "")],
    ...CAMPAIGN_FIELDS.map((field): Fact => [words.fields[field], person[field]]),
    [labels.confirmations, confirmations && number(confirmations.count)],
    [words.states.invited, showMoment(person.invitedAt)],
    [texts.invite.wave, showCode(wave)],
    [labels.invitationCode, showCode(invitationCode)],
    [labels.expiresAt, showMoment(person.expiresAt)],
    [words.states.accepted, showMoment(person.acceptedAt)],
    [labels.reference, showCode(person.reference)],
    ...referralFacts(person, pageContext),
  ]);
}

/** The form for role and use case. It suggests the answers of the brand and the answers of other people. */
async function answersForm(
  person: ShownSignup,
  refusedForm: SentFields | undefined,
  pageContext: PageContext,
): Promise<Html> {
  const { operations, texts } = pageContext;
  const { person: labels } = texts;
  const overview = await operations.getOverview({});
  const fields = SLUG_ANSWERS.map((name) => {
    const id = `new_${name}`;
    const suggestions = "failure" in overview ? [] : Object.keys(overview[MAP_OF_ANSWER[name]]);
    return answerField(name, {
      texts,
      id,
      value: refusedForm?.get(id) ?? person[name] ?? "",
      suggestions,
    });
  });
  const isTyped = SLUG_ANSWERS.some((name) => Object.keys(texts.answers[name]).length === 0);
  const action = pathOfPerson(pageContext, person);
  const form = postForm(
    { action, fields: { act: "answers" }, attributes: markup` class="filters"` },
    markup`${fields}
${button(labels.saveAnswers)}`,
  );
  const open = refusedForm?.has("new_role") && markup` open`;
  return markup`<details${open}><summary>${labels.changeAnswers}</summary>
${isTyped && markup`<p class="hint">${labels.answerHint}</p>`}
${form}
</details>`;
}
