import { z } from "zod";

/** A UTC date, or a date-time in any zone; becomes a date-time in UTC as KV has it. */
export const dateOrDateTime = z.union(
  [z.iso.date(), z.iso.datetime({ offset: true })],
  "give a UTC date such as 2026-05-01, or a date-time",
).transform(inUtc);

/** Converts a date-time to UTC with milliseconds, the form in which KV has them; such texts sort by time. */
export function inUtc(moment: string): string {
  return new Date(moment).toISOString();
}
