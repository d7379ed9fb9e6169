import type { Overview } from "./operator_schemas.ts";

/**
 * Finds out whether the counters of the statistics differ from the records, as far as is known.
 *
 * @returns the date-time of the verification that found it, if nothing has shown or made them equal since
 */
export function findCounterDrift({ lastDone }: Pick<Overview, "lastDone">): string | undefined {
  const { difference, verify = "", repair = "" } = lastDone;
  return difference !== undefined && difference > verify && difference > repair
    ? difference
    : undefined;
}
