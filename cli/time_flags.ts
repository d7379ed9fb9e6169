/**
 * Reads the lengths of time that flags give.
 *
 * @module
 */

const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** Reads a length of time such as `30m` or `7d`, in seconds; `undefined` for anything else. */
export function parseDuration(text: string): number | undefined {
  const [, digits, unit = "s"] = /^(\d{1,8})([smhd])$/.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits) * SECONDS[unit as keyof typeof SECONDS];
}
