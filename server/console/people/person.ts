import { MAP_OF } from "../../../shared/counters.ts";
import type { ShownSignup } from "../../../shared/operator_schemas.ts";
import { DAY } from "../../runtime/mod.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { SLUG_ANSWERS } from "../../waitlist/mod.ts";
import { breakable, doneNote, facts, nameIn, section } from "../components.ts";
import { showTime, stateBadge } from "../components.ts";
import { answerField, button, field, type Fields, knownValue } from "../form_fields.ts";
import { postForm, withValues } from "../form_fields.ts";
import type { OperationId } from "../../../shared/roles.ts";
import { type PageContext, PATHS, PERSON_PATH, type View } from "../page_context.ts";
import { historyTable } from "./history.ts";
import { listFields } from "./list_query.ts";
import { ANSWERS_PATH, CHOSEN_PATH, failedPerson } from "./page_about_person.ts";
import { pageAboutPerson, personFields, showPerson } from "./page_about_person.ts";

/** What can be done to a person, and the operation that it calls. */
export const NEEDED = {
  remind: "remindSignups",
  invite: "startWave",
  correct: "correctSignup",
  undeliverable: "markUndeliverable",
  deliverable: "markDeliverable",
  export: "exportSignups",
  erase: "eraseSignup",
} as const satisfies Record<string, OperationId>;

type Act = keyof typeof NEEDED;

/** None of these paths has an address in it; forms bring it. */
export const CORRECT_PATH = "/operator/people/correct/", RENEW_PATH = "/operator/people/renew/";

export const personPage = pageAboutPerson({ path: PERSON_PATH, show: personView });

/** Leads to the page of a person, which says what was done. */
export async function showDone(
  pageContext: PageContext,
  form: Fields,
  done: typeof DONE[number],
): Promise<View | Response> {
  const fields = withValues({ ...personFields(form), done });
  return await pageContext.redirectWith(PERSON_PATH, fields) ??
    await personView(pageContext, fields);
}

/** Shows the person whose address `given` has, and what was done: as `note` says, or where `showDone` led here. */
export async function personView(
  pageContext: PageContext,
  given: Fields,
  { note, status = 200 }: { note?: Html; status?: number } = {},
): Promise<View> {
  const { texts, may } = pageContext;
  const { person: labels } = texts;
  const shown = await showPerson(pageContext, given);
  if (!shown.data) return failedPerson(shown, pageContext);
  const person = shown.data;
  const back = button(labels.backToList, "link");
  const kept = markup`${factsOf(person, texts)}
${may("setAnswers") && await answersForm(person, given, pageContext)}
<p>${labels.keptElse}</p>`;
  return {
    title: labels.person,
    heading: markup`${breakable(person.email)} ${stateBadge(texts, person.state ?? "waiting")}`,
    status,
    body: markup`${postForm({ action: PATHS.people, fields: listFields(given) }, back)}
${note ?? doneTo(given, texts)}
${actions(person, given, pageContext)}
<div class="columns">
${section("kept", labels.kept, kept)}
<div>${section("history", labels.history, historyTable(person, texts))}
${section("proof", labels.proof, proofOf(person, texts))}</div>
</div>`,
  };
}

const DONE = ["reminded", "marked", "lifted", "corrected", "answered", "renewed"] as const;

/** Says what was done to a person, and where to see the letter that it brings. */
function doneTo(given: Fields, { person: labels, pages }: ConsoleTexts): Html | undefined {
  const done = knownValue(DONE, given.get("done"));
  const outbox = done === "reminded" && markup` <a href="${PATHS.outbox}">${pages.outbox}</a>.`;
  return done && doneNote(markup`${labels[done]}${outbox}`);
}

function actions(
  { state, undeliverableAt, complainedAt, confirmations, linkAt, ...invitation }: ShownSignup,
  given: Fields,
  { texts: { person: labels, pages, words }, previewInvitation, now, may }: PageContext,
): Html {
  const chosen = { ...listFields(given), chosen_0: given.get("email") };
  const action = (act: Act, label: string, kind?: "danger") => {
    const form = act === "correct"
      ? { action: CORRECT_PATH, fields: personFields(given) }
      : { action: CHOSEN_PATH, fields: { ...chosen, act } };
    return may(NEEDED[act]) && postForm(form, button(label, kind));
  };
  const canGetLetters = !undeliverableAt && !complainedAt;
  // Only then does the service send another letter to who has not confirmed.
  const canBeReminded = canGetLetters && state === "unconfirmed" && previewInvitation &&
    [confirmations?.lastAt, linkAt].every((at = "") => !(now - Date.parse(at) < DAY));
  const renewal = state === "invited" && invitation.expiresAt && may("renewInvitation") && postForm(
    { action: RENEW_PATH, fields: { ...personFields(given), code: invitation.invitationCode } },
    markup`${field("expires", words.expires, markup` type="date" required`, labels.renewHint)}
${button(labels.renew)}`,
  );
  return markup`<div class="actions">
${canBeReminded && action("remind", labels.remind)}
${canGetLetters && state === "waiting" && action("invite", `${pages.invite} …`)}
${action("correct", `${labels.correct} …`)}
${canGetLetters && action("undeliverable", `${labels.markUndeliverable} …`)}
${!canGetLetters && action("deliverable", labels.lift)}
${action("export", labels.export)}
${action("erase", labels.erase, "danger")}
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
  given: Fields,
  { operations, texts }: PageContext,
): Promise<Html> {
  const { person: labels } = texts;
  const { data } = await operations.GET("/operator/v1/overview");
  const fields = SLUG_ANSWERS.map((name) => {
    const id = `new_${name}`, known = Object.keys(data?.[MAP_OF[name]] ?? {});
    return answerField(texts, name, { id, value: given.get(id) ?? person[name] ?? "", known });
  });
  const isTyped = SLUG_ANSWERS.some((name) => Object.keys(texts.answers[name]).length === 0);
  const form = postForm(
    { action: ANSWERS_PATH, fields: personFields(given), attributes: markup` class="filters"` },
    markup`${fields}
${button(labels.saveAnswers)}`,
  );
  const open = given.has("new_role") && markup` open`;
  return markup`<details${open}><summary>${labels.changeAnswers}</summary>
${isTyped && markup`<p class="hint">${labels.answerHint}</p>`}
${form}
</details>`;
}
