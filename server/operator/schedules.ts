/** The operations on schedules of waves. @module */
import { z } from "zod";
import { SCHEDULE_ID } from "../../shared/name_patterns.ts";
import type * as Schemas from "../../shared/operator_schemas.ts";
import { filterSchemas, flagSchema } from "../../shared/people_query.ts";
import { INTERVALS, TIME_OF_DAY, WEEKDAYS } from "../../shared/schedule_times.ts";
import { isZone } from "../../shared/zones.ts";
import { quote } from "../runtime/mod.ts";
import type { ScheduleConflict, WaveStore } from "../store/invitations/mod.ts";
import type { OperatorFailure } from "./failure.ts";
import { linkSchema, nextSchema, noLettersFailure, quoteParameters } from "./fields.ts";
import type { Operations, OperatorOperation } from "./operation.ts";

const ID_RULE = "give 1 to 53 of the characters A-Z, a-z, 0-9, '_' and '-'";
const DAYS_RULE = "give a whole number from 1 to 3,650";
const EVERY_RULE = "give 'day' or 'week'";
const WEEKDAY_RULE = "give 'monday', 'tuesday' or another day of the week";
const AT_RULE = "give a time of day such as 09:00";
const ZONE_RULE = "give the IANA name of a zone, such as Europe/Berlin";
const UNTIL_RULE = "give a date such as 2027-01-31";
const TIMES_RULE = "give a whole number from 1 on";

const scheduleSchema: z.ZodType<Schemas.ScheduleRequest> = z.strictObject({
  id: z.string(ID_RULE).regex(SCHEDULE_ID, ID_RULE),
  next: nextSchema,
  link: linkSchema,
  ...filterSchemas,
  letters: flagSchema.default(true),
  expiresAfterDays: z.int(DAYS_RULE).min(1, DAYS_RULE).max(3_650, DAYS_RULE).exactOptional(),
  every: z.enum(INTERVALS, EVERY_RULE),
  weekday: z.enum(WEEKDAYS, WEEKDAY_RULE).exactOptional(),
  at: z.string(AT_RULE).regex(TIME_OF_DAY, AT_RULE),
  zone: z.string(ZONE_RULE).max(64, ZONE_RULE).refine(isZone, ZONE_RULE),
  until: z.iso.date(UNTIL_RULE).exactOptional(),
  times: z.int(TIMES_RULE).min(1, TIMES_RULE).exactOptional(),
  dryRun: flagSchema.exactOptional(),
});

/** Says which change a schedule allows, by the change that was refused. */
const CHANGE_RULES = {
  pause: "only a running schedule can be paused",
  resume: "it cannot go on, so make another one",
  cancel: "only a schedule that is running or paused can be cancelled",
};

type ScheduleNeeds = Pick<
  WaveStore,
  "createSchedule" | "planSchedule" | "listSchedules" | "changeSchedule"
>;

type ScheduleOperations = Pick<
  Operations,
  "listSchedules" | "createSchedule" | "pauseSchedule" | "resumeSchedule" | "cancelSchedule"
>;

/** Makes the operations on schedules. */
export function scheduleOperations(
  { createSchedule, planSchedule, listSchedules, changeSchedule }: ScheduleNeeds,
): ScheduleOperations {
  /** Makes one of the three operations that change a schedule. All have the input and the result of `pauseSchedule`. */
  const changeOperation = (
    change: keyof typeof CHANGE_RULES,
  ): OperatorOperation<"pauseSchedule"> => ({
    async act({ id }, call) {
      if (!SCHEDULE_ID.test(id)) return unknownScheduleFailure(id);
      const outcome = await changeSchedule(id, change, call.auditEntry({ schedule: id }));
      if (outcome === "unknown") return unknownScheduleFailure(id);
      if (!("refusedAs" in outcome)) return outcome;
      const message = `The schedule ${quote(id)} is ${outcome.refusedAs}; ${CHANGE_RULES[change]}.`;
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
        // The audit entry leaves out the link, because the schedule itself has it.
        const { link: _, ...auditedParameters } = parameters;
        const entry = call.auditEntry({ ...auditedParameters, schedule: id });
        const outcome = dryRun
          ? await planSchedule(id, parameters)
          : await createSchedule(id, parameters, entry);
        return "conflict" in outcome ? conflictFailure(outcome, id) : outcome;
      },
    },

    pauseSchedule: changeOperation("pause"),
    resumeSchedule: changeOperation("resume"),
    cancelSchedule: changeOperation("cancel"),
  };
}

function unknownScheduleFailure(id: string): OperatorFailure {
  const message = `There is no schedule ${quote(id)}; see the list of schedules.`;
  return { failure: "unknown", message };
}

/** Makes the failure of a schedule that was not stored. */
function conflictFailure(outcome: ScheduleConflict, id: string): OperatorFailure {
  switch (outcome.conflict) {
    case "no_letters":
      return noLettersFailure("with 'letters' as false (--no-letters of the CLI)");
    case "no_run": {
      const message = "Field 'until' leaves no run; give a later date, or leave it out.";
      return { failure: "invalid_request", message };
    }
    case "other_parameters": {
      const parameters = quoteParameters(outcome.schedule.parameters).join(", ");
      const message = `The schedule ${quote(id)} was made with other parameters: ${parameters}. ` +
        "Repeat those, or choose another id.";
      return { failure: "conflict", message };
    }
  }
}
