/**
 * The components of a person's page: the facts, the proof of consent and the history.
 *
 * @module
 */
import type { AuditEntry, ShownSignup } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { facts, showTime, stateBadge, table } from "../components.ts";

/**
 * Everything that is kept of a person, but for the proof. The address of the person's own page is left out, as it
 * holds the e-mail address in an encrypted form; the download has it.
 */
export function factsOf(person: ShownSignup, texts: ConsoleTexts): Html {
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
    [labels.wave, code(wave)],
    [labels.invitationCode, code(invitationCode)],
    [labels.linkAt, time(person.linkAt)],
  ]);
}

/** What the person agreed to, and when; or why there is no proof. */
export function proofOf(
  { proof, wording, state }: ShownSignup,
  { person: labels }: ConsoleTexts,
): Html {
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

/** What the person did, by the record, and what operators did, by the audit log; the newest first. */
export function historyOf(person: ShownSignup, texts: ConsoleTexts): Html {
  const { person: labels, activity, words } = texts;
  const { createdAt, consentedAt, proof, invitedAt, wave = "", history } = person;
  // The call by name that has invited the person, if one has: the last one for the wave before the invitation.
  const invitation = history.find(({ at, action, details }) =>
    action === "inviteSignups" && details?.wave === wave && invitedAt !== undefined &&
    at <= invitedAt
  );
  const describe = (entry: AuditEntry) => {
    const { action, details } = entry;
    const changedNothing = action === "inviteSignups" && entry !== invitation;
    const known: Partial<Record<string, string>> = { ...activity.actions, ...labels.actions };
    const what = changedNothing
      ? labels.invitedInVain
      : known[action] ?? markup`<code>${action}</code>`;
    return details?.wave === undefined
      ? what
      : markup`${what} <code>${String(details.wave)}</code>`;
  };
  const events: [at: string, what: string | Html, who: string][] = [
    [createdAt, labels.joined, labels.byPerson],
    ...history.map((entry): [string, string | Html, string] => [
      entry.at,
      describe(entry),
      entry.operator ?? "",
    ]),
  ];
  if (consentedAt !== createdAt) events.push([consentedAt, labels.joinedAgain, labels.byPerson]);
  if (proof) events.push([proof.confirmedAt, labels.confirmed, labels.byPerson]);
  if (invitedAt && !invitation) {
    events.push([invitedAt, labels.invitedIn({ wave }), labels.byService]);
  }
  events.sort(([a], [b]) => a < b ? 1 : -1);
  const rows = events.map(([at, what, who]) => [showTime(at), what, who]);
  return table({
    caption: labels.historyCaption,
    head: [words.time, words.what, labels.who],
    rows,
  });
}
