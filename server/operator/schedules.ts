/** The operations on schedules of waves. @module */
import { z } from "zod";
import type * as Schemas from "../../shared/operator_schemas.ts";
import { EVERY, SCHEDULE_ID, TIME_OF_DAY, WEEKDAYS } from "../../shared/schedule_times.ts";
import { isZone } from "../../shared/zones.ts";
import { quote } from "../runtime/mod.ts";
import type { ScheduleConflict, WaveStore } from "../store/invitations/mod.ts";
import type { OperatorFailure } from "./failure.ts";
import {
  filterInBody,
  flagInBody,
  linkInBody,
  nextInBody,
  noLetters,
  quoteParameters,
} from "./fields.ts";
import type { Operations, OperatorOperation } from "./operation.ts";

const scheduleId = "give 1 to 53 of the characters A-Z, a-z, 0-9, '_' and '-'";
const days = "give a whole number from 1 to 3,650";
const every = "give 'day' or 'week'";
const weekday = "give 'monday', 'tuesday' or another day of the week";
const at = "give a time of day such as 09:00";
const zone = "give the IANA name of a zone, such as Europe/Berlin";
const until = "give a date such as 2027-01-31";
const times = "give a whole number from 1 on";

const scheduleSchema: z.ZodType<Schemas.ScheduleRequest> = z.strictObject({
  id: z.string(scheduleId).regex(SCHEDULE_ID, scheduleId),
  next: nextInBody,
  link: linkInBody,
  ...filterInBody,
  letters: flagInBody.default(true),
  expiresAfterDays: z.int(days).min(1, days).max(3_650, days).exactOptional(),
  every: z.enum(EVERY, every),
  weekday: z.enum(WEEKDAYS, weekday).exactOptional(),
  at: z.string(at).regex(TIME_OF_DAY, at),
  zone: z.string(zone).max(64, zone).refine(isZone, zone),
  until: z.iso.date(until).exactOptional(),
  times: z.int(times).min(1, times).exactOptional(),
  dryRun: flagInBody.exactOptional(),
});

type ScheduleNeeds = Pick<
  WaveStore,
  "createSchedule" | "planSchedule" | "listSchedules" | "changeSchedule"
>;

type ScheduleOperations = Pick<
  Operations,
  "listSchedules" | "createSchedule" | "pauseSchedule" | "resumeSchedule" | "cancelSchedule"
>;

export function scheduleOperations(
  { createSchedule, planSchedule, listSchedules, changeSchedule }: ScheduleNeeds,
): ScheduleOperations {
  const changeOperation = (
    change: "pause" | "resume" | "cancel",
  ): OperatorOperation<"pauseSchedule"> => ({
    async act({ id }, call) {
      if (!SCHEDULE_ID.test(id)) return unknownSchedule(id);
      const changed = await changeSchedule(id, change, call.auditEntry({ schedule: id }));
      if (changed === "unknown") return unknownSchedule(id);
      if (!("refusedAs" in changed)) return changed;
      const message = `The schedule ${quote(id)} is ${changed.refusedAs}; ${REFUSALS[change]}.`;
      return { failure: "conflict", message };
    },
  });

  return {
    listSchedules: {
      act: async () => ({ schedules: await listSchedules() }),
    },

    createSchedule: {
      body: scheduleSchema,
      async act({ id, dryRun, ...parameters }, call) {
        if ((parameters.every === "week") !== (parameters.weekday !== undefined)) {
          const message = "Field 'weekday' goes with 'every' as 'week', and is required there.";
          return { failure: "invalid_request", message };
        }
        const { link: _, ...shown } = parameters;
        const made = dryRun
          ? await planSchedule(id, parameters)
          : await createSchedule(id, parameters, call.auditEntry({ ...shown, schedule: id }));
        return "conflict" in made ? describeConflict(made, id) : made;
      },
    },

    pauseSchedule: changeOperation("pause"),
    resumeSchedule: changeOperation("resume"),
    cancelSchedule: changeOperation("cancel"),
  };
}

const REFUSALS = {
  pause: "only a running schedule can be paused",
  resume: "it cannot go on, so make another one",
  cancel: "only a schedule that is running or paused can be cancelled",
};

function unknownSchedule(id: string): OperatorFailure {
  const message = `There is no schedule ${quote(id)}; see the list of schedules.`;
  return { failure: "unknown", message };
}

function describeConflict(conflict: ScheduleConflict, id: string): OperatorFailure {
  switch (conflict.conflict) {
    case "no_letters":
      return noLetters("with 'letters' as false (--no-letters of the CLI)");
    case "no_run": {
      const message = "Field 'until' leaves no run; give a later date, or leave it out.";
      return { failure: "invalid_request", message };
    }
    case "other_parameters": {
      const made = quoteParameters(conflict.schedule.parameters).join(", ");
      const message = `The schedule ${quote(id)} was made with other parameters: ${made}. ` +
        "Repeat those, or choose another id.";
      return { failure: "conflict", message };
    }
  }
}
