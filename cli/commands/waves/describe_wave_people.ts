/**
 * Describes the people of a wave in a few words, for `waitlist waves` and `waitlist waves schedules`.
 *
 * @module
 */
import { CAMPAIGN_FIELDS, CAMPAIGN_PARAMETERS } from "../../../shared/campaigns.ts";
import type { WaveReport } from "../../../shared/operator_schemas.ts";
import { plural } from "../../format.ts";

/**
 * Describes the people of a wave in a few words: `next 100, de, utm_source=news`, or `3 by name`. On the wire, `named`
 * is the number of people whom the operator named.
 */
export function describeWavePeople(
  { next, named: namedCount = 0, lang, source, role, building, referrals, ...campaign }: Pick<
    WaveReport,
    | "next"
    | "named"
    | "lang"
    | "source"
    | "role"
    | "building"
    | "referrals"
    | typeof CAMPAIGN_FIELDS[number]
  >,
): string {
  const filters: string[] = [lang, source, role, building].filter((value) => value !== undefined);
  for (const field of CAMPAIGN_FIELDS) {
    const value = campaign[field];
    if (value !== undefined) filters.push(`${CAMPAIGN_PARAMETERS[field]}=${value}`);
  }
  if (referrals !== undefined) {
    filters.push(`${plural(referrals, "referral", "referrals")} or more`);
  }
  return [next === undefined ? `${namedCount} by name` : `next ${next}`, ...filters].join(", ");
}
