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

/** The path of the page with the form for a schedule. */
export const SCHEDULE_PATH = "/operator/invite/schedule/";

/** The path of the list of schedules on the page "Invite". */
export const SCHEDULES_ANCHOR = `${PATHS.invite}#schedules`;

/** The changes of a schedule, as the field `change` of a form names them. */
const CHANGES = ["pause", "resume", "cancel"] as const;

/** All schedules, and the link to the form for a new schedule. */
export async function schedulesList(pageContext: PageContext): Promise<Html> {
  const { operations, texts, may } = pageContext;
  const { invite, words } = texts;
  const { schedules: labels } = invite;
  const scheduleList = await operations.listSchedules({});
  if ("failure" in scheduleList) return failureNote(scheduleList, texts);
  const { schedules } = scheduleList;
  const newScheduleLink = may("createSchedule") &&
    markup`<p><a class="button" href="${SCHEDULE_PATH}">${labels.make}</a></p>`;
  if (schedules.length === 0 && !newScheduleLink) return markup``;
  const rows = schedules.map((schedule): Cell[] => [
    { rowHeading: schedule.id },
    markup`<span class="badge ${schedule.state}">${invite.states[schedule.state]}</span>`,
    describeTimes(schedule, texts),
    describePeople(schedule, texts),
    schedule.nextRun ? showTime(schedule.nextRun.dueAt, texts) : "",
    startedWaves(schedule, texts),
    leftOutRuns(schedule, texts),
    changeButtons(schedule, pageContext),
  ]);
  const head = [
    labels.schedule,
    words.fields.state,
    labels.times,
    invite.whom,
    labels.nextRun,
    labels.started,
    labels.leftOut,
    labels.actions,
  ];
  const tableOrNote = schedules.length > 0
    ? table({ caption: labels.caption, head, rows })
    : markup`<p class="empty">${labels.none}</p>`;
  return section("schedules", labels.heading, markup`${tableOrNote}${newScheduleLink}`);
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
): Html {
  const changeButton = (change: typeof CHANGES[number], label: string, kind?: "danger") =>
    may(`${change}Schedule`) &&
    postForm({ action: CHANGE_SCHEDULE_PATH, fields: { id, change } }, button(label, kind));
  const isOpen = state === "running" || state === "paused";
  return markup`<div class="actions">
${state === "running" && changeButton("pause", labels.pause({ id }))}
${state === "paused" && changeButton("resume", labels.resume({ id }))}
${isOpen && changeButton("cancel", labels.cancel({ id }), "danger")}
</div>`;
}

/** Answers the forms that the buttons of schedules send. */
export const changeSchedulePage: ConsolePage = {
  path: CHANGE_SCHEDULE_PATH,
  // The page only acts on its form. Without the form, there is nothing to show.
  get: () => seeOther(SCHEDULES_ANCHOR),
  async post({ operations, texts }, form) {
    const { invite: { schedules: labels }, words } = texts;
    const id = form.get("id") ?? "";
    const change = knownValue(CHANGES, form.get("change"));
    if (!change) return seeOther(SCHEDULES_ANCHOR);
    if (change === "cancel" && !isConfirmed(form)) {
      return confirmView({
        title: labels.cancelTitle,
        body: markup`<p><code>${id}</code></p>
<p>${labels.cancelBody}</p>`,
        action: CHANGE_SCHEDULE_PATH,
        fields: { id, change },
        submit: labels.cancelNow,
        cancel: markup`<a class="button" href="${SCHEDULES_ANCHOR}">${words.back}</a>`,
        cannotUndo: words.cannotUndo,
      });
    }
    const outcome = await operations[`${change}Schedule`]({ id });
    return "failure" in outcome ? changeFailedView(outcome, texts) : seeOther(SCHEDULES_ANCHOR);
  },
};

function changeFailedView(failure: PageFailure, texts: ConsoleTexts): View {
  const { pages, invite: { schedules: labels } } = texts;
  return failedView(failure, texts, {
    title: pages.invite,
    back: SCHEDULES_ANCHOR,
    messages: { conflict: labels.isOver },
  });
}
