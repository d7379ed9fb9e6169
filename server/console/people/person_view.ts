/**
 * The components of a person's page: the facts, the proof of consent and the history.
 *
 * @module
 */
import type { AuditEntry, ShownSignup } from "../../../shared/operator_schemas.ts";
import { type Html, markup } from "../../content/mod.ts";
import { facts, showNumber, showTime, stateBadge, table } from "../components.ts";
import type { PersonTexts } from "./person_texts.ts";

/**
 * Everything that is kept of a person, but for the proof. The address of the person's own page is left out, as it
 * holds the e-mail address in an encrypted form; the download has it.
 */
export function factsOf(person: ShownSignup, texts: PersonTexts): Html {
  const { state = "waiting", source, confirmations, wave, invitationCode } = person;
  const time = (moment: string | undefined) => moment && showTime(moment);
  const code = (text: string | undefined) => text && markup`<code>${text}</code>`;
  return facts([
    [texts.address, person.email],
    [texts.state, stateBadge(texts.lang, state)],
    [texts.undeliverableAt, time(person.undeliverableAt)],
    [texts.createdAt, time(person.createdAt)],
    [texts.consentedAt, time(person.consentedAt)],
    [texts.updatedAt, time(person.updatedAt)],
    [texts.language, texts.langs[person.lang]],
    [texts.form, source && texts.sources[source]],
    [texts.role, person.role],
    [texts.building, person.building],
    [texts.confirmations, confirmations && showNumber(texts.lang, confirmations.count)],
    [texts.lastConfirmation, time(confirmations?.lastAt)],
    [texts.takenAt, time(confirmations?.takenAt)],
    [texts.invitedAt, time(person.invitedAt)],
    [texts.wave, code(wave)],
    [texts.invitationCode, code(invitationCode)],
    [texts.linkAt, time(person.linkAt)],
  ]);
}

/** What the person agreed to, and when; or why there is no proof. */
export function proofOf({ proof, wording, state }: ShownSignup, texts: PersonTexts): Html {
  if (!proof) {
    return markup`<p>${state === "unconfirmed" ? texts.noProofYet : texts.noProof}</p>`;
  }
  return markup`${
    wording
      ? markup`<blockquote lang="${wording.lang}">${wording.text}</blockquote>`
      : markup`<p>${texts.noWording}</p>`
  }
${
    facts([
      [texts.requestedAt, showTime(proof.requestedAt)],
      [texts.confirmedAt, showTime(proof.confirmedAt)],
      [texts.wordingId, markup`<code>${proof.consentText}</code>`],
    ])
  }`;
}

/** What the person did, by the record, and what operators did, by the audit log; the newest first. */
export function historyOf(person: ShownSignup, texts: PersonTexts): Html {
  const { createdAt, consentedAt, proof, invitedAt, wave = "", history } = person;
  // The call by name that has invited the person, if one has: the last one for the wave before the invitation.
  const invitation = history.find(({ at, action, details }) =>
    action === "inviteSignups" && details?.wave === wave && invitedAt !== undefined &&
    at <= invitedAt
  );
  const describe = (entry: AuditEntry) => {
    const { action, details } = entry;
    const changedNothing = action === "inviteSignups" && entry !== invitation;
    const known: Partial<Record<string, string>> = texts.actions;
    const what = changedNothing
      ? texts.invitedInVain
      : known[action] ?? markup`<code>${action}</code>`;
    return details?.wave === undefined
      ? what
      : markup`${what} <code>${String(details.wave)}</code>`;
  };
  const events: [at: string, what: string | Html, who: string][] = [
    [createdAt, texts.joined, texts.byPerson],
    ...history.map((entry): [string, string | Html, string] => [
      entry.at,
      describe(entry),
      entry.operator ?? "",
    ]),
  ];
  if (consentedAt !== createdAt) events.push([consentedAt, texts.joinedAgain, texts.byPerson]);
  if (proof) events.push([proof.confirmedAt, texts.confirmed, texts.byPerson]);
  if (invitedAt && !invitation) events.push([invitedAt, texts.invitedIn(wave), texts.byService]);
  events.sort(([a], [b]) => a < b ? 1 : -1);
  const rows = events.map(([at, what, who]) => [showTime(at), what, who]);
  return table({ caption: texts.historyCaption, head: [texts.time, texts.what, texts.who], rows });
}
