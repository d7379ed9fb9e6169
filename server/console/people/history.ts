/** What happened with a person. @module */
import type { AuditEntry, ShownSignup } from "../../../shared/operator_schemas.ts";
import type { ConsoleTexts, Html } from "../../content/mod.ts";
import { readToEnd } from "../answer_lines.ts";
import { nameIn, showTime, table } from "../components.ts";
import type { PageContext } from "../page_context.ts";

/** Says what the person did, by the record, and what operators did, by the audit log; the newest first. */
export async function historyOf(person: ShownSignup, pageContext: PageContext) {
  const { texts } = pageContext;
  const { person: labels, activity } = texts;
  const { createdAt, consentedAt, proof, invitedAt, wave = "", history } = person;
  // The call by name that has invited the person, if one has: the last one for the wave before the invitation.
  const invitation = history.find(({ at, action, details }) =>
    action === "startWave" && details?.wave === wave && invitedAt !== undefined &&
    at <= invitedAt
  );
  const describe = (entry: AuditEntry) => {
    const { action, details } = entry;
    const changedNothing = action === "startWave" && entry !== invitation;
    const what = changedNothing
      ? labels.invitedInVain
      : nameIn({ ...activity.actions, ...labels.actions }, action);
    return details?.wave === undefined ? what : `${what} ${details.wave}`;
  };
  const events = [
    { at: createdAt, what: labels.joined, who: labels.byPerson },
    ...history.map((entry) => ({ at: entry.at, what: describe(entry), who: whoOf(entry, labels) })),
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

/** A mail provider is no operator, and its report has a reason. */
function whoOf({ operator = "", details }: AuditEntry, labels: ConsoleTexts["person"]): string {
  return operator === "mail" && details?.provider
    ? labels.byProvider({ provider: String(details.provider), reason: String(details.reason) })
    : operator;
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
  return lines?.find(({ action, details }) => action === "startWave" && details?.wave === wave)
    ?.operator;
}

export async function historyTable(person: ShownSignup, pageContext: PageContext): Promise<Html> {
  const { person: labels, words } = pageContext.texts;
  return table({
    caption: labels.historyCaption,
    head: [words.time, words.what, labels.who],
    rows: (await historyOf(person, pageContext)).map((
      { at, what, who },
    ) => [showTime(at), what, who]),
  });
}
