import type { AuditEntry, ShownSignup } from "../../../shared/operator_schemas.ts";
import type { ConsoleTexts, Html } from "../../content/mod.ts";
import { nameIn, showTime, table } from "../components.ts";

/** Says what the person did, by the record, and what operators did, by the audit log; the newest first. */
export function historyOf(person: ShownSignup, texts: ConsoleTexts) {
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
  if (invitedAt && !invitation) add(invitedAt, labels.invitedIn({ wave }), labels.byService);
  return events.sort((a, b) => a.at < b.at ? 1 : -1);
}

export function historyTable(person: ShownSignup, texts: ConsoleTexts): Html {
  const { person: labels, words } = texts;
  return table({
    caption: labels.historyCaption,
    head: [words.time, words.what, labels.who],
    rows: historyOf(person, texts).map(({ at, what, who }) => [showTime(at), what, who]),
  });
}
