/**
 * Reads a page of the audit log. Neighbouring entries that belong together, such as the entries of one job, are one
 * group, and a page has a number of groups, so that a job for many people does not fill pages. `entries_table.ts` shows
 * the groups. @module
 */
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import type { InputOf } from "../../operator/mod.ts";
import type { PageContext, PageFailure } from "../page_context.ts";

/** The action of the entries that products cause when they redeem invitation codes. */
export const PRODUCT_ACTION = "redeemInvitation";

/** The name that stands for the operator in the entries about reports of mail providers. */
export const MAIL_OPERATOR = "mail";

/** The actions of the entries that count refused calls: one entry a minute while there are such calls. */
export const COUNTED_ACTIONS = ["failedSignIn", "forbidden"];

/** The largest number of groups on a page. */
const MAX_GROUPS = 50;

/** How many entries one call of the operation gives at most. */
const ENTRIES_A_CALL = 1_000;

/**
 * How often a page calls the operation at most. A page thus has at most 5,000 entries. If the filter leaves entries
 * out, the operation looks at up to 2,000 entries in a call, so a page looks at 10,000 entries at most.
 */
const MAX_CALLS = 5;

/** Neighbouring entries of the log with the same action and operator, which share a row of the table. */
export type EntryGroup = [newest: AuditEntry, ...older: AuditEntry[]];

/** A page of the audit log. */
export interface LogPage {
  /** The groups of entries, the newest first. */
  groups: EntryGroup[];
  /** How many entries of the page cannot be read. */
  unreadableCount: number;
  /** The position of the next page; `undefined` on the last page. */
  nextPosition: string | undefined;
  /** Whether the page ends because of {@linkcode MAX_CALLS}. Its last group may then go on on the next page. */
  isCut: boolean;
}

/** Reads a page of the audit log. A page ends before the first entry that would begin a group too many. */
export async function readLogPage(
  { operations, yieldToCalls }: Pick<PageContext, "operations" | "yieldToCalls">,
  request: Omit<InputOf<"readAuditLog">, "newest">,
): Promise<LogPage | PageFailure> {
  const groups: EntryGroup[] = [];
  let unreadableCount = 0;
  // Unreadable entries behind the last entry of a full page belong to the next page, which begins behind this entry.
  let unreadableBeforeLastEntry = 0;
  let nextPosition: string | undefined;
  for (let calls = 0; calls < MAX_CALLS; calls++) {
    const position = nextPosition ?? request.before;
    const log = await operations.readAuditLog({
      ...request,
      newest: ENTRIES_A_CALL,
      ...position !== undefined && { before: position },
    });
    if ("failure" in log) return log;
    nextPosition = undefined;
    // The operation reads the log in batches. The entries behind a full page are not read, because the loop ends early.
    for await (const lines of log.lines) {
      for (const line of lines) {
        if ("complete" in line) nextPosition = line.next;
        else if ("unreadable" in line) unreadableCount++;
        else if (addToGroups(groups, line)) unreadableBeforeLastEntry = unreadableCount;
        else return { ...fullPage(groups), unreadableCount: unreadableBeforeLastEntry };
      }
      await yieldToCalls();
    }
    if (nextPosition === undefined) break;
  }
  return { groups, unreadableCount, nextPosition, isCut: nextPosition !== undefined };
}

/** A page with all its groups. The next page begins behind the last entry of the last group. */
function fullPage(groups: EntryGroup[]): Omit<LogPage, "unreadableCount"> {
  const { at, id } = groups.at(-1)!.at(-1)!;
  return { groups, nextPosition: `${at} ${id}`, isCut: false };
}

/**
 * Adds an entry to the last group, or begins a new group with the entry. A group has entries of one kind: those of one
 * call for several people, those about invitations that one product redeemed, those about equal reports of mail providers
 * on one day, or those that count the refused calls of one operator on one day.
 * @returns `false` if the entry was not added, because it would begin a group too many
 */
function addToGroups(groups: EntryGroup[], entry: AuditEntry): boolean {
  const lastGroup = groups.at(-1);
  if (lastGroup && belongsTo(lastGroup, entry)) lastGroup.push(entry);
  else if (groups.length === MAX_GROUPS) return false;
  else groups.push([entry]);
  return true;
}

/** Returns the UTC day of a date-time. */
const dayOf = (moment: string): string => moment.slice(0, 10);

/** Whether an entry belongs to the group of the entries that stand before it in the log. */
function belongsTo(
  [newest]: EntryGroup,
  { action, operator, requestId, at }: AuditEntry,
): boolean {
  if (newest.action !== action || newest.operator !== operator) return false;
  if (action === PRODUCT_ACTION) return true;
  // Without the limit of a day, a page that shows only refused calls or only reports would have one row for all of them.
  if (COUNTED_ACTIONS.includes(action) || operator === MAIL_OPERATOR) {
    return dayOf(newest.at) === dayOf(at);
  }
  return requestId !== undefined && newest.requestId === requestId;
}
