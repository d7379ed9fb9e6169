/**
 * The table of entries of the audit log. Each row is a group of entries that belong together, such as the entries of one
 * call. `entry_groups.ts` reads and groups the entries. @module
 */
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import { ownMember } from "../../../shared/own_member.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { clientPath } from "../clients/mod.ts";
import {
  type Cell,
  nameIn,
  type Names,
  showDuration,
  showEnd,
  showTime,
  table,
} from "../components.ts";
import { SCHEDULE_LIST_PATH, wavePath } from "../invite/mod.ts";
import { jobPath } from "../people/mod.ts";
import { COUNTED_ACTIONS, type EntryGroup, type LogPage, MAIL_OPERATOR } from "./entry_groups.ts";

/** The actions that send a test e-mail. The address of their entries is the operator's, not that of a person on the list. */
const TEST_ACTIONS = ["testLetter", "testInvitation"];

/**
 * The names of the details that are numbers of people. The row of a group does not show these details, because the row
 * has the number of the entries in the group.
 */
const PEOPLE_COUNTS = ["named", "reminded", "notReminded"];

/** The names of the details that are dates or date-times. */
const TIME_DETAILS = ["before", "since"];

/** The names of the details that are shown as code. */
const CODE_DETAILS = ["keyId", "checksum", "formerAddress"];

/** The details of an entry, by name. */
type Details = NonNullable<AuditEntry["details"]>;

/** The clients and jobs that still exist, so that the table can link to their pages. */
export interface ExistingSubjects {
  /** The names of the clients, by client id. */
  clientNames: Names;
  jobIds: Set<string>;
}

/** Shows the groups of entries, the newest first. */
export function entriesTable(
  { groups, isCut }: Pick<LogPage, "groups" | "isCut">,
  existing: ExistingSubjects,
  texts: ConsoleTexts,
): Html {
  const { activity, words } = texts;
  const rows = groups.map((group, index) => {
    const mayGoOn = isCut && index === groups.length - 1;
    return rowOfGroup(group, { existing, mayGoOn, texts });
  });
  const head = [words.time, activity.action, activity.on, activity.operator, activity.details];
  return table({ caption: activity.caption, head, rows });
}

/** Shows a group. @param options.mayGoOn whether the log may have more entries of the group, which were not read */
function rowOfGroup(
  group: EntryGroup,
  { existing, mayGoOn, texts }: {
    existing: ExistingSubjects;
    mayGoOn: boolean;
    texts: ConsoleTexts;
  },
): Cell[] {
  const { activity } = texts;
  const [newest, ...older] = group;
  const oldest = older.at(-1);
  // Times are shown to the minute, so that a group of one minute has no range.
  const time = oldest && texts.date(oldest.at) !== texts.date(newest.at)
    ? markup`${showTime(oldest.at, texts)} – ${showTime(newest.at, texts)}`
    : showTime(newest.at, texts);
  const countPeople = mayGoOn ? activity.peopleAtLeast : activity.people;
  const isCounted = COUNTED_ACTIONS.includes(newest.action);
  const shared = sharedDetails(group);
  // The column of operators names the mail provider, so the details leave the name out.
  const { provider: _, ...detailsWithoutProvider } = shared;
  const shownDetails = newest.operator === MAIL_OPERATOR ? detailsWithoutProvider : shared;
  return [
    time,
    { rowHeading: nameIn(activity.actions, newest.action) },
    oldest && !isCounted
      ? countPeople({ count: texts.number(countPeopleOf(group)) })
      : showSubject(newest, existing, texts),
    showOperator(newest, shared, texts),
    detailsList(isCounted ? { count: countCalls(group) } : shownDetails, existing, texts),
  ];
}

/**
 * Says who caused the entries of a group: an operator, the service itself, or a mail provider, whose name is in the
 * details.
 */
function showOperator(
  { action, operator }: AuditEntry,
  { provider }: Details,
  { activity, words }: ConsoleTexts,
): string {
  if (operator === undefined) {
    return action === "failedSignIn" ? activity.unknown : activity.service;
  }
  if (operator !== MAIL_OPERATOR) return operator;
  const { generic } = words.mailProviders;
  // The name `generic` says that the report came in the form for any provider, so that the provider is not known.
  return provider === undefined || provider === "generic" ? generic : `${generic} ${provider}`;
}

/**
 * Counts the people of a group. The entry of a resumed wave, which has no address, is in a group with those about the
 * people who get a letter again.
 */
const countPeopleOf = (group: EntryGroup): number =>
  group.filter(({ address }) => address !== undefined).length || group.length;

/** Adds up the numbers of refused calls in the entries of a group. */
const countCalls = (group: EntryGroup): number =>
  group.reduce((sum, { details }) => sum + Number(details?.count ?? 0), 0);

/**
 * Shows the client that the entry is about, or how many people it is about. A person has no link, because the log has
 * only a hash of the person's address.
 */
function showSubject(
  { action, client_id, address, details }: AuditEntry,
  { clientNames }: ExistingSubjects,
  { activity }: ConsoleTexts,
): Html | string {
  // An import that was cut before the first lines were counted has an entry without details.
  if (action === "importSignups" && details) {
    const { new: added, merged, unchanged } = details;
    return activity.people({ count: Number(added) + Number(merged) + Number(unchanged) });
  }
  if (client_id === undefined) {
    if (address === undefined) return "";
    return TEST_ACTIONS.includes(action) ? activity.testAddress : activity.person;
  }
  const name = ownMember(clientNames, client_id);
  // A client that was not found is shown without a link. A deleted client, for example, has no page.
  if (name === undefined) return markup`<code>${client_id}</code>`;
  return markup`<a href="${clientPath(client_id)}">${name}</a>`;
}

/**
 * Returns the details of a single entry, or the details that have the same value in all entries of a group, without the
 * numbers of people.
 */
function sharedDetails([newest, ...older]: EntryGroup): Details {
  if (older.length === 0) return newest.details ?? {};
  const shared = Object.entries(newest.details ?? {}).filter(([name, value]) =>
    !PEOPLE_COUNTS.includes(name) && older.every(({ details }) => details?.[name] === value)
  );
  return Object.fromEntries(shared);
}

/** The details of an entry, each with its name and its value. */
function detailsList(
  details: Details,
  existing: ExistingSubjects,
  texts: ConsoleTexts,
): Html {
  const shownDetails = Object.entries(details).filter(([name, value]) => {
    // The weekday of a schedule says already that the schedule starts a wave every week.
    if (name === "every" && details.weekday !== undefined) return false;
    // A detail that is `false` says only that an option was not used.
    return value !== false;
  });
  const lines = shownDetails.map(([name, value]) => {
    const label = nameIn(texts.activity.names, name);
    // A wave that has invited nobody is not stored, so it has no page.
    if (name === "wave" && details.invited === 0) {
      return markup`<li>${label}: <code>${String(value)}</code></li>`;
    }
    return typeof value === "boolean"
      ? markup`<li>${label}</li>`
      : markup`<li>${label}: ${showValue(name, value, existing, texts)}</li>`;
  });
  return lines.length > 0 ? markup`<ul class="details">${lines}</ul>` : markup``;
}

/** Shows the value of a detail. */
function showValue(
  name: string,
  value: string | number,
  { jobIds }: ExistingSubjects,
  texts: ConsoleTexts,
): string | Html {
  const {
    words: { states, langs, sources, steps },
    people: { acts },
    answers,
    lang,
  } = texts;
  if (name === "overlapSeconds") return showDuration(lang, Number(value), { isExact: true });
  if (typeof value === "number") return texts.number(value);
  const valueNames: Record<string, Names> = {
    state: states,
    lang: langs,
    source: sources,
    act: acts,
    mark: texts.invite.reasons,
    reached: steps,
    every: texts.invite.schedules.days,
    weekday: texts.invite.schedules.days,
    ...answers,
  };
  if (name === "expires") return showEnd(value, texts);
  if (TIME_DETAILS.includes(name)) return showTime(value, texts);
  if (name === "wave") return markup`<a href="${wavePath(value)}">${value}</a>`;
  if (name === "schedule") return markup`<a href="${SCHEDULE_LIST_PATH}">${value}</a>`;
  if (name === "job" && jobIds.has(value)) {
    return markup`<a href="${jobPath(value)}"><code>${value}</code></a>`;
  }
  if (name === "job" || CODE_DETAILS.includes(name)) return markup`<code>${value}</code>`;
  return nameIn(ownMember(valueNames, name) ?? {}, value);
}
