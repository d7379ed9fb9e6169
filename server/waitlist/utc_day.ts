/** The UTC days by which people and letters are counted. @module */
import { DAY } from "../runtime/mod.ts";

/**
 * Gives the UTC day of a moment, or an earlier day, as `YYYY-MM-DD`.
 *
 * @param moment the moment, in milliseconds since 1970
 * @param daysBefore how many days earlier the day is
 */
export function utcDay(moment: number, daysBefore = 0): string {
  return new Date(moment - daysBefore * DAY).toISOString().slice(0, 10);
}
