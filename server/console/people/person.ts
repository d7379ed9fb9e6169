import type { AuditEntry, ShownSignup } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { readToEnd } from "../answer_lines.ts";
import { doneNote, facts, nameIn, section, showTime, stateBadge, table } from "../components.ts";
import { button, type Fields, postForm, withValues } from "../form_fields.ts";
import type { OperationId } from "../../../shared/roles.ts";
import { type PageContext, PATHS, type View } from "../page_context.ts";
import { listFields, PERSON_PATH } from "./list.ts";
import { failedPerson, pageAboutPerson, personFields, showPerson } from "./page_about_person.ts";

/** The paths of what can be done to a person. None of them has an address in it; forms bring it. */
export const PERSON_PATHS = {
  remind: "/operator/people/remind/",
  invite: "/operator/people/invite/",
  undeliverable: "/operator/people/undeliverable/",
  export: "/operator/people/export/",
  erase: "/operator/people/erase/",
} as const;

/** The operation that each of them calls. */
const NEEDED: Record<keyof typeof PERSON_PATHS, OperationId> = {
  remind: "remindSignups",
  invite: "inviteSignups",
  undeliverable: "markUndeliverable",
  export: "exportSignups",
  erase: "eraseSignup",
};

export const personPage = pageAboutPerson({ path: PERSON_PATH, show: personView });

/** Leads to the page of a person, which says what was done. */
export async function showDone(
  pageContext: PageContext,
  form: Fields,
  done: "reminded" | "marked" | "invited",
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
  const { texts } = pageContext;
  const { person: labels } = texts;
  const shown = await showPerson(pageContext, given);
  if (!shown.data) return failedPerson(shown, pageContext);
  const person = shown.data;
  const back = button(labels.backToList, "link");
  return {
    title: labels.person,
    status,
    body: markup`${postForm({ action: PATHS.people, fields: listFields(given) }, back)}
<p class="address">${person.email}</p>
${note ?? doneTo(person, given.get("done"), texts)}
${actions(person, given, pageContext)}
${
      section(
        "kept",
        labels.kept,
        markup`${factsOf(person, texts)}
<p>${labels.keptElse}</p>`,
      )
    }
${section("proof", labels.proof, proofOf(person, texts))}
${section("history", labels.history, await historyTable(person, pageContext))}`,
  };
}

/** Says what was done to a person, where it still holds: the page can be loaded again much later. */
function doneTo(
  { undeliverableAt }: ShownSignup,
  done: string | undefined,
  { person: labels, pages }: ConsoleTexts,
): Html | undefined {
  if (done === "reminded" || done === "invited") {
    return doneNote(markup`${labels[done]} <a href="${PATHS.outbox}">${pages.outbox}</a>.`);
  }
  return done === "marked" && undeliverableAt !== undefined ? doneNote(labels.marked) : undefined;
}

const DAY_MS = 24 * 60 * 60 * 1000;

function actions(
  { state, undeliverableAt, confirmations, linkAt }: ShownSignup,
  given: Fields,
  { texts: { person: labels, pages }, previewInvitation, now, may }: PageContext,
): Html {
  const action = (name: keyof typeof PERSON_PATHS, label: string, kind?: "danger") =>
    may(NEEDED[name]) &&
    postForm({ action: PERSON_PATHS[name], fields: personFields(given) }, button(label, kind));
  const canGetLetters = !undeliverableAt;
  // Only then does the service send another letter to who has not confirmed.
  const canBeReminded = canGetLetters && state === "unconfirmed" && previewInvitation &&
    [confirmations?.lastAt, linkAt].every((at = "") => !(now - Date.parse(at) < DAY_MS));
  return markup`<div class="actions">
${canBeReminded && action("remind", labels.remind)}
${canGetLetters && state === "waiting" && action("invite", `${pages.invite} …`)}
${canGetLetters && action("undeliverable", `${labels.markUndeliverable} …`)}
${action("export", labels.export)}
${action("erase", labels.erase, "danger")}
</div>`;
}

/**
 * Everything that is kept of a person, but for the proof. The address of the person's own page is left out, as it
 * holds the e-mail address in an encrypted form; the download has it.
 */
function factsOf(person: ShownSignup, texts: ConsoleTexts): Html {
  const { state = "waiting", source, confirmations, wave, invitationCode } = person;
  const { person: labels, people, words, number } = texts;
  const time = (moment: string | undefined) => moment && showTime(moment);
  const code = (text: string | undefined) => text && markup`<code>${text}</code>`;
  return facts([
    [words.address, person.email],
    [words.fields.state, stateBadge(texts, state)],
    [labels.undeliverableAt, time(person.undeliverableAt)],
    [people.createdAt, time(person.createdAt)],
    [labels.consentedAt, time(person.consentedAt)],
    [labels.updatedAt, time(person.updatedAt)],
    [words.fields.lang, words.langs[person.lang]],
    [words.fields.source, source && words.sources[source]],
    [words.fields.role, person.role],
    [words.fields.building, person.building],
    [labels.confirmations, confirmations && number(confirmations.count)],
    [labels.lastConfirmation, time(confirmations?.lastAt)],
    [labels.takenAt, time(confirmations?.takenAt)],
    [words.states.invited, time(person.invitedAt)],
    [texts.invite.wave, code(wave)],
    [labels.invitationCode, code(invitationCode)],
    [labels.linkAt, time(person.linkAt)],
  ]);
}

function proofOf({ proof, wording, state }: ShownSignup, { person: labels }: ConsoleTexts): Html {
  if (!proof) {
    return markup`<p>${state === "unconfirmed" ? labels.noProofYet : labels.noProof}</p>`;
  }
  return markup`${
    wording
      ? markup`<blockquote lang="${wording.lang}">${wording.text}</blockquote>`
      : markup`<p>${labels.noWording}</p>`
  }
${
    facts([
      [labels.requestedAt, showTime(proof.requestedAt)],
      [labels.confirmedAt, showTime(proof.confirmedAt)],
      [labels.wordingId, markup`<code>${proof.consentText}</code>`],
    ])
  }`;
}

/** Says what the person did, by the record, and what operators did, by the audit log; the newest first. */
export async function historyOf(person: ShownSignup, pageContext: PageContext) {
  const { texts } = pageContext;
  const { person: labels, activity } = texts;
  const { createdAt, consentedAt, proof, invitedAt, wave = "", history } = person;
  // The call by name that has invited the person, if one has: the last one for the wave before the invitation.
  const invitation = history.find(({ at, action, details }) =>
    action === "inviteSignups" && details?.wave === wave && invitedAt !== undefined &&
    at <= invitedAt
  );
  const describe = (entry: AuditEntry) => {
    const { action, details } = entry;
    const changedNothing = action === "inviteSignups" && entry !== invitation;
    const what = changedNothing
      ? labels.invitedInVain
      : nameIn({ ...activity.actions, ...labels.actions }, action);
    return details?.wave === undefined ? what : `${what} ${details.wave}`;
  };
  const events = [
    { at: createdAt, what: labels.joined, who: labels.byPerson },
    ...history.map((entry) => ({ at: entry.at, what: describe(entry), who: entry.operator ?? "" })),
  ];
  const add = (at: string, what: string, who = labels.byPerson) => events.push({ at, what, who });
  if (consentedAt !== createdAt) add(consentedAt, labels.joinedAgain);
  if (proof) add(proof.confirmedAt, labels.confirmed);
  if (invitedAt && !invitation) {
    const operator = await inviterOf({ invitedAt, wave }, pageContext);
    add(invitedAt, labels.invitedIn({ wave }), operator ?? texts.invite.waveTitle);
  }
  return events.sort((a, b) => a.at < b.at ? 1 : -1);
}

/** The entries of the audit log before an invitation among which that of its wave is looked for. */
const READ_AT_MOST = 100;

/** The operator whose call invited people in a wave; `undefined` where the audit log does not tell. */
async function inviterOf(
  { invitedAt, wave }: { invitedAt: string; wave: string },
  { operations }: PageContext,
): Promise<string | undefined> {
  // A call has its entry at the moment of its first invitation, or before.
  const before = new Date(Date.parse(invitedAt) + 1).toISOString();
  const query = { before, newest: READ_AT_MOST };
  const answer = await operations.GET("/operator/v1/audit", {
    params: { query },
    parseAs: "stream",
  });
  const lines = await readToEnd<Partial<AuditEntry>>(answer);
  return lines?.find(({ action, details }) => action === "inviteSignups" && details?.wave === wave)
    ?.operator;
}

async function historyTable(person: ShownSignup, pageContext: PageContext): Promise<Html> {
  const { person: labels, words } = pageContext.texts;
  return table({
    caption: labels.historyCaption,
    head: [words.time, words.what, labels.who],
    rows: (await historyOf(person, pageContext)).map((
      { at, what, who },
    ) => [showTime(at), what, who]),
  });
}
