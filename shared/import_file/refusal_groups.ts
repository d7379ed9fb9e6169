/** Groups the refused rows of an import by their reasons, so that a message shows each reason once. @module */
import type { Refusal } from "../operator_schemas.ts";

/** Rows that are refused for the same reason. */
export interface RefusalGroup {
  /** The reason as a sentence. If it is about different values in the rows, the sentence names some of them. */
  reason: string;
  /** The field whose values are wrong; absent if the reason is not about the values of a field. */
  field?: string;
  /** The numbers of the lines, in the order of the refusals. */
  lines: number[];
}

/** How many line numbers of a group a message shows at most. */
export const SHOWN_LINES = 10;

/** How many of the values of a group its reason names if there are too many to name all of them. */
const NAMED_VALUES = 3;

/**
 * Matches a reason about a wrong value, such as "The field role is 'x'; it must be …". The value is in quotes, or a
 * note in brackets that it is not shown, or a number. Two such reasons are the same if all but their values is the same.
 */
const REASON_ABOUT_VALUE =
  /^(?<before>The field (?<field>[\w.]+) is )(?<value>'.*?'|\(.*?\)|[^\s;,]+)(?<behind>[;,] .+)$/su;

const VALUE_LIST = new Intl.ListFormat("en-GB", { type: "disjunction" });

/** Groups refusals by their reasons, in the order of the first line of each group. */
export function groupRefusals(refusals: Refusal[]): RefusalGroup[] {
  const groups = new Map<string, GroupParts>();
  for (const { line, reason } of refusals) {
    const parts = REASON_ABOUT_VALUE.exec(reason)?.groups ?? {};
    const { before = reason, field, value, behind = "" } = parts;
    const key = `${before}…${behind}`;
    let group = groups.get(key);
    if (!group) {
      group = { before, ...field !== undefined && { field }, behind, values: new Set(), lines: [] };
      groups.set(key, group);
    }
    if (value !== undefined) group.values.add(value);
    group.lines.push(line);
  }
  return Array.from(
    groups.values(),
    ({ before, behind, values, ...group }) => ({
      reason: `${before}${listValues([...values])}${behind}`,
      ...group,
    }),
  );
}

/** A group with the parts of its reason: the text before the values, the values, and the text behind the values. */
interface GroupParts extends Omit<RefusalGroup, "reason"> {
  before: string;
  values: Set<string>;
  behind: string;
}

/** Lists values for a sentence, such as `'a', 'b', 'c' or 5 other values`. */
function listValues(values: string[]): string {
  // A single value more is named, because "1 other value" would be no shorter.
  if (values.length <= NAMED_VALUES + 1) return VALUE_LIST.format(values);
  const named = values.slice(0, NAMED_VALUES);
  return VALUE_LIST.format([...named, `${values.length - NAMED_VALUES} other values`]);
}
