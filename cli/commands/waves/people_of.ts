/**
 * Describes the people of a wave, for `waitlist waves` and for its schedules.
 *
 * @module
 */
import type { WaveReport } from "../../../shared/operator_schemas.ts";

/** Describes the people of a wave in a few words: `next 100, de`, or `3 by name`. */
export function peopleOf(
  { next, named = 0, lang, source, role, building }: Pick<
    WaveReport,
    "next" | "named" | "lang" | "source" | "role" | "building"
  >,
): string {
  const filters = [lang, source, role, building].filter((each) => each !== undefined);
  return [next === undefined ? `${named} by name` : `next ${next}`, ...filters].join(", ");
}
