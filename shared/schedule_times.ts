/**
 * The values of a schedule of waves (its interval, weekday and time of day) that the server and the CLI both check.
 *
 * @module
 */
import type { ScheduleRequest } from "./operator_schemas.ts";

/** How often the runs of a schedule are due. */
export const INTERVALS = ["day", "week"] as const satisfies readonly ScheduleRequest["every"][];

/** The days of a week, in the order of ISO 8601. */
export const WEEKDAYS = [
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
  "sunday",
] as const satisfies readonly ScheduleRequest["weekday"][];

/** A day of the week. */
export type Weekday = typeof WEEKDAYS[number];

/** Matches a time of day such as `09:00`. */
export const TIME_OF_DAY = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
