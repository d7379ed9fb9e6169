/** The history of a person: what the person, operators and mail providers did, and what became of letters. @module */
import type { AuditEntry, ShownSignup } from "../../../shared/operator_schemas.ts";
import { type TimelineEvent, timelineOf } from "../../../shared/person_timeline.ts";
import type { ConsoleTexts, Html } from "../../content/mod.ts";
import { nameIn, showTime, table } from "../components.ts";

/** An event in the history of a person, in words. The downloaded file of a person has members of the same names. */
export interface HistoryLine {
  /** The date-time of the event. */
  at: string;
  /** What happened. */
  what: string;
  /** The name of the author of the event; empty for an event that the service has caused by itself. */
  who: string;
}

/** Returns what the person did, what became of letters, and what operators did. The newest line comes first. */
export function historyOf(person: ShownSignup, texts: ConsoleTexts): HistoryLine[] {
  const { person: labels, activity, outbox } = texts;
  const names = { ...activity.actions, ...labels.actions };
  const events = timelineOf(person, {
    history: person.history,
    texts: {
      steps: { ...labels.steps, invited: labels.invitedIn({ wave: person.wave ?? "" }) },
      letters: outbox.messages,
      outcomes: labels.ends,
      nameAction: (action) => nameIn(names, action),
    },
  });
  return events.reverse().map(({ at, what, by, entry }) => ({
    at,
    what,
    who: authorOf({ by, entry }, labels),
  }));
}

/** Names the author of an event; empty for an event that the service has caused by itself. */
function authorOf(
  { by, entry }: Pick<TimelineEvent<AuditEntry>, "by" | "entry">,
  labels: ConsoleTexts["person"],
): string {
  if (entry) return authorOfEntry(entry, labels);
  return by === "person" ? labels.byPerson : "";
}

/**
 * Names the operator of an audit entry, or the mail provider whose report the entry is about. Adds the reason if the
 * entry has one.
 */
function authorOfEntry(
  { operator = "", details }: AuditEntry,
  labels: ConsoleTexts["person"],
): string {
  const { provider, reason } = details ?? {};
  // An entry about a report of a mail provider has `mail` in place of an operator.
  const name = operator === "mail" && provider ? String(provider) : operator;
  return reason ? labels.withReason({ name, reason: String(reason) }) : name;
}

/** The history as a table. */
export function historyTable(person: ShownSignup, texts: ConsoleTexts): Html {
  const { person: labels, words } = texts;
  return table({
    caption: labels.historyCaption,
    head: [words.time, words.what, labels.who],
    rows: historyOf(person, texts).map(({ at, what, who }) => {
      return [showTime(at, texts), { rowHeading: what }, who];
    }),
    stacks: true,
  });
}
