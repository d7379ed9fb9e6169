/**
 * `waitlist waves schedules`: lists schedules of waves, and pauses, resumes and cancels them.
 *
 * @module
 */
import { quotable } from "../../../shared/api_failure.ts";
import type { ScheduleReport } from "../../../shared/operator_schemas.ts";
import { askFirst } from "../../ask_first.ts";
import {
  type CommandInput,
  defineCommand,
  parseNoOptions,
  type RunnableCommand,
} from "../../command.ts";
import { formatTable } from "../../format.ts";
import { OPERATOR_ACCESS } from "../../operator/client.ts";
import { describeWavePeople } from "./describe_wave_people.ts";

const HEADING = ["Schedule", "State", "Runs", "People", "Next run", "Started", "Left out"];

/** The greatest lengths of the texts that the commands show, in characters. */
const MAX_LENGTHS = { id: 53, date: 10, timeOfDay: 5, zone: 64 };

const schedules = defineCommand({
  access: OPERATOR_ACCESS,
  examples: [
    ["waitlist waves schedules", "with the next run of each"],
    ["waitlist waves schedules --json", "with the runs that were left out"],
  ],
  parse: parseNoOptions,
  async run(_options, { connect, print }) {
    const { schedules } = await (await connect()).call("listSchedules", {});
    return print({
      json: { schedules },
      text: (style) =>
        schedules.length === 0
          ? "There are no schedules.\n"
          : formatTable(HEADING, schedules.map(toRow), style, {
            mayDrop: ["Started"],
            mayShorten: ["Left out", "People", "Runs"],
          }),
      quiet: schedules.map(({ id }) => `${id}\n`).join(""),
    });
  },
});

function toRow(schedule: ScheduleReport): string[] {
  const { id, state, nextRun, runs, times, leftOut } = schedule;
  return [
    quotable(id, MAX_LENGTHS.id),
    state,
    describeTimes(schedule),
    describeWavePeople(schedule),
    nextRun ? formatRunTime(nextRun.dueAt) : "",
    times === undefined ? String(runs) : `${runs} of ${times}`,
    leftOut.map(({ date, reason }) => `${quotable(date, MAX_LENGTHS.date)} (${reason})`).join(", "),
  ];
}

/** Describes when a schedule runs: `each monday at 09:00, Europe/Berlin, until 2027-01-31`. */
function describeTimes({ every, weekday, at, zone, until }: ScheduleReport): string {
  const day = every === "week" ? weekday : "day";
  const untilText = until === undefined ? "" : `, until ${quotable(until, MAX_LENGTHS.date)}`;
  return `each ${day} at ${quotable(at, MAX_LENGTHS.timeOfDay)}, ${
    quotable(zone, MAX_LENGTHS.zone)
  }${untilText}`;
}

/** Formats the time of a run, a date-time in UTC, to the minute: `2026-11-23 08:00 UTC`. */
export function formatRunTime(dateTime: string): string {
  return quotable(dateTime).replace(/^(.+)T(\d\d:\d\d).*$/, "$1 $2 UTC");
}

/** Describes the state of a schedule in a sentence. */
export function describeSchedule({ id, state, nextRun }: ScheduleReport): string {
  const nextRunText = nextRun && state === "running"
    ? `; the next run is at ${formatRunTime(nextRun.dueAt)}`
    : "";
  return `The schedule ${quotable(id, MAX_LENGTHS.id)} is ${state}${nextRunText}.\n`;
}

/** Makes a command that changes a schedule. */
function defineChange(action: "pause" | "resume" | "cancel", effect: string): RunnableCommand {
  return defineCommand({
    access: OPERATOR_ACCESS,
    examples: [[`waitlist waves schedules ${action} weekly`, effect]],
    declare: (command) => {
      command.argument("<id>", "the id of the schedule");
      if (action === "cancel") command.option("-y, --yes", "do not ask first");
    },
    parse: ({ args, flags }: CommandInput) => ({ id: args[0]!, yes: flags.yes === true }),
    async run({ id, yes }, { context, connect, print }) {
      if (action === "cancel" && !yes) {
        await askFirst(
          `Cancel the schedule ${id}? It cannot be resumed; the waves that it has started go on.`,
          context,
        );
      }
      const changed = await (await connect()).call(`${action}Schedule`, { path: { id } });
      return print({
        json: changed,
        text: () => describeSchedule(changed),
        quiet: `${changed.state}\n`,
      });
    },
  });
}

const pause = defineChange("pause", "starts no wave until you resume it");
const resume = defineChange("resume", "goes on with the first run that is due later");
const cancel = defineChange("cancel", "starts no further wave");

export default { schedules, pause, resume, cancel };
