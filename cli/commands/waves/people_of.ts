/**
 * Describes the people of a wave, for `waitlist waves` and for its schedules.
 *
 * @module
 */
import type { WaveReport } from "../../../shared/operator_schemas.ts";
import { plural } from "../../print.ts";

/** Describes the people of a wave in a few words: `next 100, de`, or `3 by name`. */
export function peopleOf(
  { next, named = 0, lang, source, role, building, referrals }: Pick<
    WaveReport,
    "next" | "named" | "lang" | "source" | "role" | "building" | "referrals"
  >,
): string {
  const filters = [lang, source, role, building].filter((filter) => filter !== undefined);
  if (referrals !== undefined) {
    filters.push(`${plural(referrals, "referral", "referrals")} or more`);
  }
  return [next === undefined ? `${named} by name` : `next ${next}`, ...filters].join(", ");
}
