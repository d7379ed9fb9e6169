/** The form of the page "Activity" that chooses which entries of the audit log the page shows. @module */
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import {
  type ChoiceGroup,
  type ConsoleTexts,
  type Html,
  markup,
  select,
} from "../../content/mod.ts";
import { utcDay } from "../../waitlist/mod.ts";
import { checkbox, field, knownValue, pathWith } from "../forms.ts";
import { type PageContext, PATHS } from "../page_context.ts";
import { MAIL_OPERATOR } from "./entry_groups.ts";

type ActionName = keyof ConsoleTexts["activity"]["actions"];
type Subject = keyof ConsoleTexts["activity"]["subjects"];

/** The subject of each action, under which the menu of actions has the action. */
const SUBJECTS: Record<ActionName, Subject> = {
  showSignup: "people",
  eraseSignup: "people",
  eraseSignups: "people",
  correctSignup: "people",
  setAnswers: "people",
  setNote: "people",
  startJob: "people",
  cancelJob: "people",
  startWave: "invitations",
  listWavePeople: "invitations",
  pauseWave: "invitations",
  resumeWave: "invitations",
  cancelWave: "invitations",
  createSchedule: "invitations",
  pauseSchedule: "invitations",
  resumeSchedule: "invitations",
  cancelSchedule: "invitations",
  scheduledWave: "invitations",
  redeemInvitation: "invitations",
  renewInvitation: "invitations",
  resendInvitation: "invitations",
  remindSignups: "letters",
  testLetter: "letters",
  testInvitation: "letters",
  markUndeliverable: "letters",
  markDeliverable: "letters",
  mailBounced: "letters",
  mailComplained: "letters",
  retryOutbox: "letters",
  createClient: "clients",
  rotateClient: "clients",
  disableClient: "clients",
  enableClient: "clients",
  renameClient: "clients",
  deleteClient: "clients",
  exportSignups: "data",
  importSignups: "data",
  repairCounters: "data",
  backUp: "data",
  scheduledBackup: "data",
  beginRestore: "data",
  restoreLines: "data",
  finishRestore: "data",
  rotateKeys: "settings",
  rotateLinkKey: "settings",
  saveFilter: "settings",
  removeFilter: "settings",
  failedSignIn: "refusals",
  forbidden: "refusals",
};

/**
 * The filter in the query of the page's URL. Each member has the name of its parameter. An empty text leaves no entry
 * out.
 */
export interface ActivityFilter {
  operator: string;
  action: string;
  /**
   * Whether to show the entries about invitations that products redeemed. The page hides these entries until the
   * operator chooses an action or an operator, or sets this filter, because there are many of them.
   */
  redeemed: boolean;
  /** The first UTC day whose entries are shown. */
  since: string;
  /** The last UTC day whose entries are shown. */
  until: string;
}

/** Whether the page shows the entries about invitations that products redeemed. */
export const showsRedeemed = (filter: ActivityFilter): boolean =>
  filter.redeemed || selectsByOperatorOrAction(filter);

/** Whether a filter names an operator or an action. Such a filter shows redeemed invitations in any case. */
const selectsByOperatorOrAction = ({ operator, action }: ActivityFilter): boolean =>
  operator !== "" || action !== "";

/** Reads the filter from a query. An action without a name in the texts is ignored. */
export function readFilter(
  query: URLSearchParams,
  { activity: { actions } }: ConsoleTexts,
): ActivityFilter {
  const textOf = (name: string) => query.get(name)?.trim() ?? "";
  return {
    operator: textOf("operator"),
    action: knownValue(Object.keys(actions), query.get("action")) ?? "",
    redeemed: query.has("redeemed"),
    since: textOf("since"),
    until: textOf("until"),
  };
}

/**
 * The form of the filter. The menu of operators has the operators with a key, and those whom the page shows without one.
 * @param entries the entries on the page
 */
export function activityFilterForm(
  filter: ActivityFilter,
  entries: AuditEntry[],
  { texts, operatorNames, now }: PageContext,
): Html {
  const { operator, action, redeemed, since, until } = filter;
  const { activity, words } = texts;
  const shownOperators = [operator, ...entries.flatMap((entry) => entry.operator ?? [])];
  const operators = operatorChoices(operatorNames, shownOperators, texts);
  const actions = actionGroups(texts);
  const today = utcDay(now);
  const todayPath = pathWith(PATHS.activity, { operator, action, redeemed, since: today });
  // With an operator or an action, a sentence stands in place of the checkbox. The form then sends no value for it, so
  // the operator who takes the operator or the action out of the filter does not see redeemed invitations without having
  // asked.
  const redeemedChoice = selectsByOperatorOrAction(filter)
    ? markup`<p class="soft">${activity.showsRedeemed}</p>
${redeemed && markup`<input type="hidden" name="redeemed" value="yes">`}`
    : checkbox("redeemed", { label: activity.redeemed, checked: redeemed });
  const isFiltered = redeemed || [operator, action, since, until].some((text) => text !== "");
  return markup`<form class="filters" method="get" action="${PATHS.activity}">
${
    select({ name: "operator", label: activity.operator, chosen: operator }, [
      ["", words.all],
      ...operators,
    ])
  }
${select({ name: "action", label: activity.action, chosen: action }, [["", words.all], ...actions])}
${field("since", { label: activity.since, attributes: markup` type="date" value="${since}"` })}
${field("until", { label: activity.until, attributes: markup` type="date" value="${until}"` })}
${redeemedChoice}
<button type="submit">${words.show}</button>
${since !== today && markup`<a href="${todayPath}">${activity.today}</a>`}
${isFiltered && markup`<a href="${PATHS.activity}">${activity.clear}</a>`}
</form>`;
}

/**
 * The choices of the menu of operators. A key can be gone, so the menu also has the operators of the page who have none.
 * @param shownNames the operator in the filter, who can be empty, and the operators of the entries on the page
 */
function operatorChoices(
  operatorNames: string[],
  shownNames: string[],
  { activity: { mailReports, withoutKey } }: ConsoleTexts,
) {
  const known = new Set([...operatorNames, MAIL_OPERATOR, ""]);
  const others = [...new Set(shownNames)].filter((name) => !known.has(name));
  const group: ChoiceGroup = { heading: withoutKey, choices: others.toSorted().map(sameLabel) };
  return [
    ...operatorNames.toSorted().map(sameLabel),
    [MAIL_OPERATOR, mailReports] as const,
    ...others.length > 0 ? [group] : [],
  ];
}

/** A choice whose label is its value. */
const sameLabel = (value: string) => [value, value] as const;

/** The choices of the menu of actions, in alphabetical order in the group of each subject. */
function actionGroups({ activity: { actions, subjects }, lang }: ConsoleTexts): ChoiceGroup[] {
  const choices = Object.entries(actions).toSorted(([, a], [, b]) => a.localeCompare(b, lang));
  return Object.entries(subjects).map(([subject, heading]) => ({
    heading,
    choices: choices.filter(([action]) => SUBJECTS[action as ActionName] === subject),
  }));
}
