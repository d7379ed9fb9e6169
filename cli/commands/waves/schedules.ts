/**
 * `waitlist waves schedules`: lists schedules of waves, and pauses, resumes and cancels them.
 *
 * @module
 */
import { quotable } from "../../../shared/api_failure.ts";
import type { ScheduleReport } from "../../../shared/operator_schemas.ts";
import { askFirst } from "../../ask_first.ts";
import { type CommandInput, defineCommand, type RunnableCommand } from "../../command.ts";
import { formatTable } from "../../format.ts";
import { OPERATOR_ACCESS } from "../../operator/client.ts";
import { describeWavePeople } from "./describe_wave_people.ts";

const schedules = defineCommand({
  access: OPERATOR_ACCESS,
  examples: [
    ["waitlist waves schedules", "with the next run of each"],
    ["waitlist waves schedules --json", "with the runs that were left out"],
  ],
  parse: () => ({}),
  async run(_, { connect, print }) {
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

const HEADING = ["Schedule", "State", "Runs", "People", "Next run", "Started", "Left out"];

function toRow(schedule: ScheduleReport): string[] {
  const { id, state, nextRun, runs, times, leftOut } = schedule;
  return [
    quotable(id, 53),
    state,
    describeTimes(schedule),
    describeWavePeople(schedule),
    nextRun ? momentOf(nextRun.dueAt) : "",
    times === undefined ? String(runs) : `${runs} of ${times}`,
    leftOut.map(({ date, reason }) => `${quotable(date, 10)} (${reason})`).join(", "),
  ];
}

/** Describes when a schedule runs: `each monday at 09:00, Europe/Berlin, until 2027-01-31`. */
function describeTimes({ every, weekday, at, zone, until }: ScheduleReport): string {
  const day = every === "week" ? weekday : "day";
  const end = until === undefined ? "" : `, until ${quotable(until, 10)}`;
  return `each ${day} at ${quotable(at, 5)}, ${quotable(zone, 64)}${end}`;
}

/** Formats a date-time in UTC for people: `2026-11-23 08:00 UTC`. */
export function momentOf(dateTime: string): string {
  return quotable(dateTime).replace(/^(.+)T(\d\d:\d\d).*$/, "$1 $2 UTC");
}

/** Describes the state of a schedule in a sentence. */
export function describeSchedule({ id, state, nextRun }: ScheduleReport): string {
  const next = nextRun && state === "running"
    ? `; the next run is at ${momentOf(nextRun.dueAt)}`
    : "";
  return `The schedule ${quotable(id, 53)} is ${state}${next}.\n`;
}

/** Makes a command that changes a schedule. */
function defineChange(
  id: "pauseSchedule" | "resumeSchedule" | "cancelSchedule",
  effect: string,
): RunnableCommand {
  const name = id.slice(0, -"Schedule".length);
  return defineCommand({
    access: OPERATOR_ACCESS,
    examples: [[`waitlist waves schedules ${name} weekly`, effect]],
    declare: (command) => {
      command.argument("<id>", "the id of the schedule");
      if (id === "cancelSchedule") command.option("-y, --yes", "do not ask first");
    },
    parse: ({ args, flags }: CommandInput) => ({ schedule: args[0]!, yes: flags.yes === true }),
    async run({ schedule, yes }, { context, connect, print }) {
      if (id === "cancelSchedule" && !yes) {
        await askFirst(
          `Cancel the schedule ${schedule}? It cannot be resumed; the waves that it has started go on.`,
          context,
        );
      }
      const changed = await (await connect()).call(id, { path: { id: schedule } });
      return print({
        json: changed,
        text: () => describeSchedule(changed),
        quiet: `${changed.state}\n`,
      });
    },
  });
}

const pause = defineChange("pauseSchedule", "starts no wave until you resume it");
const resume = defineChange("resumeSchedule", "goes on with the first run that is due later");
const cancel = defineChange("cancelSchedule", "starts no further wave");

export default { schedules, pause, resume, cancel };
