/** What happened with a person. @module */
import type { AuditEntry, ShownSignup } from "../../../shared/operator_schemas.ts";
import { timelineOf } from "../../../shared/person_timeline.ts";
import type { ConsoleTexts, Html } from "../../content/mod.ts";
import { nameIn, showTime, table } from "../components.ts";

/** Says what the person did and became of letters, by the record, and what operators did; the newest first. */
export function historyOf(person: ShownSignup, texts: ConsoleTexts) {
  const { person: labels, activity, outbox } = texts;
  const names = { ...activity.actions, ...labels.actions };
  const events = timelineOf(person, person.history, {
    steps: { ...labels.steps, invited: labels.invitedIn({ wave: person.wave ?? "" }) },
    letters: outbox.messages,
    ends: labels.ends,
    nameAction: (action) => nameIn(names, action),
  });
  return events.reverse().map(({ at, what, by, entry }) => ({
    at,
    what,
    who: entry ? whoOf(entry, labels) : by === "person" ? labels.byPerson : "",
  }));
}

/** A mail provider is no operator, and its report may have a reason. */
function whoOf({ operator = "", details }: AuditEntry, labels: ConsoleTexts["person"]): string {
  const { provider, reason } = details ?? {};
  if (operator !== "mail" || !provider) return operator;
  if (!reason) return String(provider);
  return labels.byProvider({ provider: String(provider), reason: String(reason) });
}

export function historyTable(person: ShownSignup, texts: ConsoleTexts): Html {
  const { person: labels, words } = texts;
  return table({
    caption: labels.historyCaption,
    head: [words.time, words.what, labels.who],
    rows: historyOf(person, texts).map(({ at, what, who }) => {
      return [showTime(at, texts), { row: what }, who];
    }),
    stacks: true,
  });
}
