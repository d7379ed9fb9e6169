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

/**
 * The actions that send a test e-mail. The address of their entries is the operator's, not that of a person on the list.
 */
const TEST_ACTIONS = ["testLetter", "testInvitation"];

/**
 * For each action about several people, the name of the detail that counts the people whom the call has changed. The
 * column "About" shows this number, because such an entry names no person.
 */
const PEOPLE_COUNTS: Partial<Record<string, string>> = {
  remindSignups: "reminded",
  eraseSignups: "erased",
  startWave: "invited",
  scheduledWave: "invited",
  listWavePeople: "exported",
  startJob: "done",
};

/**
 * The names of the details that the list of details leaves out, because the column "About" says what they mean. `named`
 * is the number of addresses in the call.
 */
const DETAILS_OF_SUBJECT = [...Object.values(PEOPLE_COUNTS), "named", "formerAddress"];

/**
 * The names of the details that the row of a group leaves out, because they are numbers of people, and the row has the
 * number of the entries in the group.
 */
const COUNTS_OF_CALL = ["named", "reminded", "notReminded"];

/** For each action, the names of the details that a row leaves out if their value is 0. */
const COUNTS_IF_ANY: Partial<Record<string, string[]>> = {
  importSignups: ["new", "merged", "unchanged", "refused"],
  retryOutbox: ["left"],
};

/**
 * The actions of changes in several commits, each of which writes the entry of the change. The last commit adds the
 * detail `complete`. Without this detail, the change still goes on, or it was interrupted.
 */
const LONG_ACTIONS = [
  "importSignups",
  "remindSignups",
  "eraseSignups",
  "startWave",
  "scheduledWave",
  "startJob",
  "retryOutbox",
  "restoreLines",
];

/**
 * The keys of other labels, by the action and by the name of the detail. They are for details that have another meaning
 * in the entries of these actions.
 */
const OTHER_LABELS: Partial<Record<string, Partial<Record<string, string>>>> = {
  rotateLinkKey: { overlapSeconds: "overlapOfLinks" },
  restoreLines: { erased: "leftOut" },
};

/** The names of the details that are dates or date-times. */
const TIME_DETAILS = ["before", "since"];

/** The names of the details that are shown as code. */
const CODE_DETAILS = ["keyId", "checksum"];

/** The details of an entry, by name. */
type Details = NonNullable<AuditEntry["details"]>;

/** The pages to which the table can link. */
export interface LinkedPages {
  /** The names of the clients that still exist, by client id. */
  clientNames: Names;
  /** The ids of the jobs that still exist. */
  jobIds: Set<string>;
  /** Returns the path of what an operator has done; `undefined` if the table itself shows this. */
  operatorPath: (operator: string) => string | undefined;
}

/** Shows the groups of entries, the newest first. */
export function entriesTable(
  { groups, isCut }: Pick<LogPage, "groups" | "isCut">,
  pages: LinkedPages,
  texts: ConsoleTexts,
): Html {
  const { activity, words } = texts;
  const rows = groups.map((group, index) => {
    const mayGoOn = isCut && index === groups.length - 1;
    return rowOfGroup(shownEntries(group), { pages, mayGoOn, texts });
  });
  const head = [words.time, activity.action, activity.on, activity.operator, activity.details];
  return table({ caption: activity.caption, head, rows });
}

/**
 * Gives the entries that the row of a group shows: all of them, or only the entry of the whole call if e-mails and events
 * were tried again, because the numbers of this entry stand for the entries about the people as well.
 */
function shownEntries(group: EntryGroup): EntryGroup {
  const ofCall = group.find(({ address }) => address === undefined);
  return ofCall?.action === "retryOutbox" ? [ofCall] : group;
}

/** Shows a group. @param options.mayGoOn whether the log may have more entries of the group, which were not read */
function rowOfGroup(
  group: EntryGroup,
  { pages, mayGoOn, texts }: {
    pages: LinkedPages;
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
  const isCounted = COUNTED_ACTIONS.includes(newest.action);
  const shared = sharedDetails(group);
  return [
    time,
    { rowHeading: actionName(newest, activity) },
    !isCounted && showSubject(group, { pages, mayGoOn, texts }),
    showOperator(newest, shared, { pages, texts }),
    detailsList(isCounted ? { count: countCalls(group) } : shownDetails(group, shared), {
      entry: newest,
      pages,
      texts,
    }),
  ];
}

/** Names the action of an entry. The test of a pause of all e-mails is a retry that has a name of its own. */
const actionName = ({ action, details }: AuditEntry, activity: ConsoleTexts["activity"]): string =>
  details?.testedPause ? activity.testOfPause : nameIn(activity.actions, action);

/**
 * Says who caused the entries of a group: an operator, the service itself, or a mail provider, whose name is in the
 * details. Links to what the operator has done.
 */
function showOperator(
  { action, operator }: AuditEntry,
  { provider }: Details,
  { pages, texts: { activity, words } }: { pages: LinkedPages; texts: ConsoleTexts },
): Html | string {
  if (operator === undefined) {
    return action === "failedSignIn" ? activity.unknown : activity.service;
  }
  const { generic } = words.mailProviders;
  // The name `generic` says that the report came in the form for any provider, so that the provider is not known.
  const providerName = provider === undefined || provider === "generic"
    ? generic
    : `${generic} ${provider}`;
  const name = operator === MAIL_OPERATOR ? providerName : operator;
  const path = pages.operatorPath(operator);
  return path === undefined ? name : markup`<a href="${path}">${name}</a>`;
}

/** Adds up the numbers of refused calls in the entries of a group. */
const countCalls = (group: EntryGroup): number =>
  group.reduce((sum, { details }) => sum + Number(details?.count ?? 0), 0);

/**
 * Says what the entries of a group are about: a client, how many people, how many e-mails and events, or the pause of all
 * e-mails.
 */
function showSubject(
  group: EntryGroup,
  { pages, mayGoOn, texts }: { pages: LinkedPages; mayGoOn: boolean; texts: ConsoleTexts },
): Html | string {
  const { activity } = texts;
  const [{ action, client_id, details }] = group;
  if (client_id !== undefined) return showClient(client_id, pages);
  if (action === "retryOutbox" && details?.retried !== undefined) {
    return showRetried(details, texts);
  }
  if (details?.testedPause) return activity.pauseTest;
  const count = countPeople(group);
  if (count === undefined) return "";
  if (mayGoOn && group.length > 1) return activity.peopleAtLeast({ count: texts.number(count) });
  const people = showPeople(group, count, texts);
  const addressCount = Number(details?.named ?? 0);
  if (addressCount > count) {
    return activity.ofAddresses({ people, count: texts.number(addressCount) });
  }
  return count > 1 ? markup`<span class="one-line">${people}</span>` : people;
}

/** Says how many e-mails and events were tried again, and of which kind if all of them were of one kind. */
function showRetried(
  { retried, message }: Details,
  { activity, outbox, number }: ConsoleTexts,
): string {
  const count = activity.retried({ count: number(Number(retried)) });
  return message === undefined ? count : `${nameIn(outbox.messages, String(message))}, ${count}`;
}

/** Shows a client. A client that was not found has no link, because a deleted client, for example, has no page. */
function showClient(clientId: string, { clientNames }: LinkedPages): Html {
  const name = ownMember(clientNames, clientId);
  if (name === undefined) return markup`<code>${clientId}</code>`;
  return markup`<a href="${clientPath(clientId)}">${name}</a>`;
}

/** Counts the people whom the entries of a group are about; `undefined` if they are not about people. */
function countPeople(group: EntryGroup): number | undefined {
  const [{ action, address, details }, ...older] = group;
  // The entry of a resumed wave has no address, and is in a group with the entries of the people who get a letter again.
  if (older.length > 0) {
    return group.filter((entry) => entry.address !== undefined).length || group.length;
  }
  if (address !== undefined) return 1;
  // An import that was cut before the first lines were counted has an entry without details.
  if (action === "importSignups" && details) {
    const { new: added, merged, unchanged } = details;
    return Number(added) + Number(merged) + Number(unchanged);
  }
  const count = details?.[ownMember(PEOPLE_COUNTS, action) ?? ""];
  return count === undefined ? undefined : Number(count);
}

/**
 * Shows how many people the entries of a group are about. A person has no link, because the log has only a hash of the
 * person's address.
 */
function showPeople(
  [{ action, address }, ...older]: EntryGroup,
  count: number,
  texts: ConsoleTexts,
): string {
  const { activity } = texts;
  if (older.length > 0 || address === undefined) {
    return activity.people({ count: texts.number(count) });
  }
  if (TEST_ACTIONS.includes(action)) return activity.testAddress;
  return activity.person;
}

/**
 * Returns the details of a single entry, or the details that have the same value in all entries of a group, without the
 * numbers of people.
 */
function sharedDetails([newest, ...older]: EntryGroup): Details {
  if (older.length === 0) return newest.details ?? {};
  const shared = Object.entries(newest.details ?? {}).filter(([name, value]) =>
    !COUNTS_OF_CALL.includes(name) && older.every(({ details }) => details?.[name] === value)
  );
  return Object.fromEntries(shared);
}

/**
 * Selects the details that the list of details shows. A long change without the detail `complete` gets the detail
 * `notComplete`.
 * @param shared the details that all entries of the group have
 */
function shownDetails(
  [{ action, operator, address }, ...older]: EntryGroup,
  shared: Details,
): Details {
  const details = Object.fromEntries(
    Object.entries(shared).filter(([name, value]) => {
      // The restore of a part counts erased people whom it has left out; the column "About" does not show them.
      if (DETAILS_OF_SUBJECT.includes(name) && action !== "restoreLines") return false;
      // The column "About" has the number and the kind of the items that were tried again.
      if (name === "retried" || name === "message") return false;
      if (value === 0 && ownMember(COUNTS_IF_ANY, action)?.includes(name)) return false;
      // Most changes are complete, so the row says only of a change that is not complete what its state is.
      if (name === "complete") return false;
      // The column of operators names the mail provider.
      if (name === "provider" && operator === MAIL_OPERATOR) return false;
      // The weekday of a schedule says already that the schedule starts a wave every week.
      if (name === "every" && shared.weekday !== undefined) return false;
      // A detail that is `false` says only that an option was not used.
      return value !== false;
    }),
  );
  const isLong = older.length === 0 && address === undefined && LONG_ACTIONS.includes(action);
  return isLong && !shared.complete ? { ...details, notComplete: true } : details;
}

/** Lists details of an entry, each with its name and its value. */
function detailsList(
  details: Details,
  { entry, pages, texts }: { entry: AuditEntry; pages: LinkedPages; texts: ConsoleTexts },
): Html {
  const lines = Object.entries(details).map(([name, value]) => {
    const label = nameIn(
      texts.activity.names,
      ownMember(ownMember(OTHER_LABELS, entry.action) ?? {}, name) ?? name,
    );
    // A wave that has invited nobody is not stored, so it has no page.
    if (name === "wave" && entry.details?.invited === 0) {
      return markup`<li>${label}: <code>${String(value)}</code></li>`;
    }
    return typeof value === "boolean"
      ? markup`<li>${label}</li>`
      : markup`<li>${label}: ${showValue(name, value, pages, texts)}</li>`;
  });
  return lines.length > 0 ? markup`<ul class="details">${lines}</ul>` : markup``;
}

/** Shows the value of a detail. */
function showValue(
  name: string,
  value: string | number,
  { jobIds }: LinkedPages,
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
