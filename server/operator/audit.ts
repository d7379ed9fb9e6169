/** The operation that reads the audit log. @module */
import { z } from "zod";
import { SLUG } from "../../shared/name_patterns.ts";
import type { AuditEnd, AuditEntry, ExportUnreadable } from "../../shared/operator_schemas.ts";
import { dateOrDateTimeSchema } from "../../shared/people_query.ts";
import type { AuditStore } from "../store/audit/mod.ts";
import { type EntryBatch, nameOf } from "../store/kv/mod.ts";
import { positionSchema, wholeNumberParameterSchema } from "./fields.ts";
import type { Operations, QueryOf } from "./operation.ts";

/** The form of the position of an entry in the log: the date-time, a space and the id of the entry. */
const POSITION = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z [\w-]{1,40}$/;

const BEFORE_RULE =
  "give a UTC date such as 2026-05-01, a date-time, or the 'next' of an earlier answer";

/**
 * How many entries are read at most for one page, unreadable entries included. Without this limit, a page could read
 * the whole log, because few entries may have the operator and the action of the query.
 */
const MAX_READ_FOR_PAGE = 2_000;

const actionSchema = z.string().regex(
  /^[A-Za-z0-9]{1,40}$/,
  "give the name of an action, such as eraseSignup",
);

const parametersSchema = z.strictObject({
  since: dateOrDateTimeSchema.exactOptional(),
  before: z.union([positionSchema(POSITION, BEFORE_RULE), dateOrDateTimeSchema], BEFORE_RULE)
    .exactOptional(),
  operator: z.string().regex(SLUG, "give the name of an operator").exactOptional(),
  action: actionSchema.exactOptional(),
  without: actionSchema.exactOptional(),
  newest: wholeNumberParameterSchema(1_000).exactOptional(),
});

/** The members of a query that select entries. */
type Selection = Omit<QueryOf<"readAuditLog">, "newest">;

type AuditNeeds = Pick<AuditStore, "readAuditLog" | "readNewestAuditEntries">;

/** Makes the operation that reads the audit log. */
export function auditOperations(
  { readAuditLog, readNewestAuditEntries }: AuditNeeds,
): Pick<Operations, "readAuditLog"> {
  return {
    /** Streams the entries of the audit log, the oldest first. With `newest`, gives one page of the newest entries. */
    readAuditLog: {
      query: parametersSchema,
      act({ newest, ...selection }) {
        const lines = newest === undefined
          ? auditLines(selection, readAuditLog)
          : newestAuditLines(selection, newest, readNewestAuditEntries);
        return { lines };
      },
    },
  };
}

/** A line of the answer: an entry, an unreadable entry, or the end of the list. */
type AuditLine = AuditEntry | ExportUnreadable | AuditEnd;

/**
 * Whether an entry fits `operator`, `action` and `without` of a selection. The store checks the times of the selection.
 */
function fitsSelection(entry: AuditEntry, { operator, action, without }: Selection): boolean {
  return (operator === undefined || entry.operator === operator) &&
    (action === undefined || entry.action === action) &&
    entry.action !== without;
}

/** Streams all entries of a selection, the oldest first. */
async function* auditLines(
  selection: Selection,
  readAuditLog: AuditStore["readAuditLog"],
): AsyncGenerator<AuditLine[]> {
  let count = 0;
  for await (const { entries, unreadable } of readAuditLog(selection)) {
    const selectedEntries = entries.map(({ value }) => value)
      .filter((entry) => fitsSelection(entry, selection));
    count += selectedEntries.length;
    yield [...selectedEntries, ...unreadable.map((entry) => ({ unreadable: entry }))];
  }
  yield [{ complete: true, count }];
}

/**
 * Streams one page of the newest entries. If there may be older entries, the last line has `next`, the position of the
 * last entry that was read, even if this entry is not on the page.
 *
 * @param pageSize how many entries the page has at most; lines about unreadable entries do not count
 */
async function* newestAuditLines(
  selection: Selection,
  pageSize: number,
  readNewestAuditEntries: AuditStore["readNewestAuditEntries"],
): AsyncGenerator<AuditLine[]> {
  let shownCount = 0;
  let readCount = 0;
  let next: string | undefined;
  // One entry more than the limit is read, to know whether there is a next page.
  for await (const batch of readNewestAuditEntries({ ...selection, most: MAX_READ_FOR_PAGE + 1 })) {
    const lines: AuditLine[] = [];
    for (const { position, line } of newestFirst(batch)) {
      if (shownCount === pageSize || readCount === MAX_READ_FOR_PAGE) {
        const end = {
          complete: true,
          count: shownCount,
          ...next !== undefined && { next },
        } as const;
        return yield [...lines, end];
      }
      readCount++;
      // If the key of an unreadable entry is damaged, the position of this entry is not known, so `next` stays the
      // position of the entry that was read before.
      if (POSITION.test(position)) next = position;
      if ("unreadable" in line) lines.push(line);
      else if (fitsSelection(line, selection)) {
        shownCount++;
        lines.push(line);
      }
    }
    yield lines;
  }
  yield [{ complete: true, count: shownCount }];
}

/** Gives the entries of a batch, and the lines about unreadable entries, in one list with the newest first. */
function newestFirst({ entries, unreadable }: EntryBatch<AuditEntry>) {
  return [
    ...entries.map(({ key, value }) => ({ position: nameOf(key), line: value })),
    ...unreadable.map((entry) => ({ position: nameOf(entry.key), line: { unreadable: entry } })),
  ].sort((one, other) => one.position < other.position ? 1 : -1);
}
