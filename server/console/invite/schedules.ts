/**
 * The list of schedules of waves on the page "Invite", and the buttons that pause, resume and cancel a schedule.
 * `schedule.ts` has the form for a new schedule. @module
 */
import type { ScheduleReport } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { type Cell, failedView, failureNote, section, showTime, table } from "../components.ts";
import { button, confirmView, isConfirmed, knownValue, postForm } from "../forms.ts";
import {
  type ConsolePage,
  type PageContext,
  type PageFailure,
  PATHS,
  seeOther,
  type View,
} from "../page_context.ts";
import { describePeople } from "./wave_choices.ts";
import { wavePath } from "./waves.ts";

/** The path to which the buttons of a schedule send their forms. */
const CHANGE_SCHEDULE_PATH = "/operator/invite/schedules/";

/**
 * The path of the page with the form for a new schedule. The page is in `schedule.ts`, which imports this file, so this
 * file cannot import the path from there.
 */
export const NEW_SCHEDULE_PATH = "/operator/invite/schedule/";

/** The id of the section with the list of schedules. */
const SECTION_ID = "schedules";

/** The path of the page "Invite", which the browser then scrolls to the list of schedules. */
export const SCHEDULE_LIST_PATH = `${PATHS.invite}#${SECTION_ID}`;

/** The changes of a schedule, as the field `change` of a form names them. */
const CHANGES = ["pause", "resume", "cancel"] as const;

/** The section with all schedules, and the link to the form for a new schedule. */
export async function schedulesSection(pageContext: PageContext): Promise<Html> {
  const { operations, texts, may } = pageContext;
  const { invite, words } = texts;
  const { schedules: labels } = invite;
  const scheduleList = await operations.listSchedules({});
  if ("failure" in scheduleList) return failureNote(scheduleList, texts);
  const { schedules } = scheduleList;
  const newScheduleLink = may("createSchedule") &&
    markup`<p><a class="button" href="${NEW_SCHEDULE_PATH}">${labels.make}</a></p>`;
  if (schedules.length === 0 && !newScheduleLink) return markup``;
  const scheduleBadge = ({ state }: ScheduleReport) =>
    markup`<span class="badge ${state}">${invite.states[state]}</span>`;
  const columns: [heading: string, cellOf: (schedule: ScheduleReport) => Cell][] = [
    [labels.schedule, ({ id }) => ({ rowHeading: id })],
    [words.fields.state, scheduleBadge],
    [labels.times, (schedule) => describeTimes(schedule, texts)],
    [invite.whom, (schedule) => describePeople(schedule, texts)],
    [labels.nextRun, ({ nextRun }) => nextRun ? showTime(nextRun.dueAt, texts) : ""],
    [labels.started, (schedule) => startedWaves(schedule, texts)],
    [labels.leftOut, (schedule) => leftOutRuns(schedule, texts)],
    [labels.actions, (schedule) => changeButtons(schedule, pageContext)],
  ];
  const head = columns.map(([heading]) => heading);
  const rows = schedules.map((schedule) => columns.map(([, cellOf]) => cellOf(schedule)));
  const tableOrNote = schedules.length > 0
    ? table({ caption: labels.caption, head, rows })
    : markup`<p class="empty">${labels.none}</p>`;
  return section(SECTION_ID, labels.heading, markup`${tableOrNote}${newScheduleLink}`);
}

/** Says when a schedule runs. */
export function describeTimes(
  { every, weekday, at, zone, until }: Pick<
    ScheduleReport,
    "every" | "weekday" | "at" | "zone" | "until"
  >,
  { invite: { schedules: labels }, date }: ConsoleTexts,
): string {
  const day = labels.days[every === "week" && weekday !== undefined ? weekday : "day"];
  const end = until === undefined ? "" : `, ${labels.untilDay({ day: date(until) })}`;
  return `${labels.dayAt({ day, at, zone })}${end}`;
}

/** The number of waves that a schedule has started, with a link to the last wave. */
function startedWaves(
  { runs, times, lastWave }: ScheduleReport,
  { invite: { schedules: labels }, number }: ConsoleTexts,
): Html {
  const count = times === undefined ? number(runs) : labels.ofTimes({ count: runs, times });
  return lastWave === undefined
    ? markup`${count}`
    : markup`<a href="${wavePath(lastWave)}">${count}</a>`;
}

/** Lists the runs that were left out, each with the reason. */
function leftOutRuns(
  { leftOut }: ScheduleReport,
  { invite: { schedules: labels }, date }: ConsoleTexts,
): Html {
  if (leftOut.length === 0) return markup``;
  const lines = leftOut.map((run) =>
    markup`<li>${date(run.date)}: ${labels.reasons[run.reason]}</li>`
  );
  return markup`<ul class="details">${lines}</ul>`;
}

/** The buttons for what can be done with a schedule in its present state. */
function changeButtons(
  { id, state }: ScheduleReport,
  { texts: { invite: { schedules: labels } }, may }: PageContext,
): Html | undefined {
  const changeButton = (change: typeof CHANGES[number], label: string, kind?: "danger") =>
    may(`${change}Schedule`) &&
    postForm({ action: CHANGE_SCHEDULE_PATH, fields: { id, change } }, button(label, kind));
  const isOpen = state === "running" || state === "paused";
  const buttons = [
    state === "running" && changeButton("pause", labels.pause({ id })),
    state === "paused" && changeButton("resume", labels.resume({ id })),
    isOpen && changeButton("cancel", labels.cancel({ id }), "danger"),
  ].filter((each) => each !== false);
  return buttons.length > 0 ? markup`<div class="actions">\n${buttons}\n</div>` : undefined;
}

/**
 * Answers the forms that the buttons of schedules send. Before a schedule is cancelled, asks the operator for
 * confirmation.
 */
export const changeSchedulePage: ConsolePage = {
  path: CHANGE_SCHEDULE_PATH,
  // Without a form, there is nothing to confirm and nothing to change.
  get: () => seeOther(SCHEDULE_LIST_PATH),
  async post({ operations, texts }, form) {
    const { invite: { schedules: labels }, words } = texts;
    const id = form.get("id") ?? "";
    const change = knownValue(CHANGES, form.get("change"));
    if (!change) return seeOther(SCHEDULE_LIST_PATH);
    if (change === "cancel" && !isConfirmed(form)) {
      return confirmView({
        title: labels.cancelTitle,
        body: markup`<p><code>${id}</code></p>
<p>${labels.cancelBody}</p>`,
        action: CHANGE_SCHEDULE_PATH,
        fields: { id, change },
        submit: labels.cancelNow,
        cancel: markup`<a class="button" href="${SCHEDULE_LIST_PATH}">${words.back}</a>`,
        cannotUndo: words.cannotUndo,
      });
    }
    const outcome = await operations[`${change}Schedule`]({ id });
    return "failure" in outcome ? changeFailedView(outcome, texts) : seeOther(SCHEDULE_LIST_PATH);
  },
};

/** The page that says why a change of a schedule failed. */
function changeFailedView(failure: PageFailure, texts: ConsoleTexts): View {
  const { pages, invite: { schedules: labels } } = texts;
  return failedView(failure, texts, {
    title: pages.invite,
    back: SCHEDULE_LIST_PATH,
    messages: { conflict: labels.isOver },
  });
}
