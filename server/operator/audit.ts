/** The operation that reads the audit log, and the function that completes the audit entry of a long change. @module */
import { z } from "zod";
import { SLUG } from "../../shared/name_patterns.ts";
import type { AuditEnd, AuditEntry, ExportUnreadable } from "../../shared/operator_schemas.ts";
import { dateOrDateTimeSchema } from "../../shared/people_query.ts";
import type { AuditStore } from "../store/audit/mod.ts";
import { positionSchema, wholeNumberParameterSchema } from "./fields.ts";
import type { Operations, QueryOf } from "./operation.ts";

/**
 * Marks the audit entry of a long change as complete, by writing the entry again. Each commit of the change has already
 * written this entry, with the counts so far.
 */
export function writeCompletion(
  writeAuditEntry: AuditStore["writeAuditEntry"],
  audit: AuditEntry,
): Promise<void> {
  return writeAuditEntry({ ...audit, details: { ...audit.details, complete: true } });
}

const POSITION = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z [\w-]{1,40}$/;

const BEFORE_RULE =
  "give a UTC date such as 2026-05-01, a date-time, or the 'next' of an earlier answer";

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

type Selection = QueryOf<"readAuditLog">;

type AuditNeeds = Pick<AuditStore, "readAuditLog" | "readNewestAuditEntries">;

export function auditOperations(
  { readAuditLog, readNewestAuditEntries }: AuditNeeds,
): Pick<Operations, "readAuditLog"> {
  return {
    /** Streams the entries of the audit log, the oldest first. With `newest`, gives one page of the newest entries. */
    readAuditLog: {
      query: parametersSchema,
      act({ newest, ...parameters }) {
        const lines = newest === undefined
          ? auditLines(parameters, readAuditLog)
          : newestLines({ ...parameters, newest }, readNewestAuditEntries);
        return { lines };
      },
    },
  };
}

type AuditLine = AuditEntry | ExportUnreadable | AuditEnd;

/** Whether a query asks for an entry, apart from the times in the query, which this function does not check. */
function isWanted(
  entry: AuditEntry,
  { operator = entry.operator, action = entry.action, without }: Omit<Selection, "newest">,
): boolean {
  return entry.operator === operator && entry.action === action && entry.action !== without;
}

async function* auditLines(
  selection: Omit<Selection, "newest">,
  readAuditLog: AuditStore["readAuditLog"],
): AsyncGenerator<AuditLine[]> {
  let count = 0;
  for await (const { entries, unreadable } of readAuditLog(selection)) {
    const wanted = entries.map(({ value }) => value).filter((entry) => isWanted(entry, selection));
    count += wanted.length;
    yield [...wanted, ...unreadable.map((entry) => ({ unreadable: entry }))];
  }
  yield [{ complete: true, count }];
}

/**
 * How many entries are read at most for one page. Without this limit, a page could read the whole log, because few
 * entries may have the operator and the action that the query names.
 */
const READ_AT_MOST = 2_000;

async function* newestLines(
  { newest, ...selection }: Omit<Selection, "newest"> & { newest: number },
  readNewestAuditEntries: AuditStore["readNewestAuditEntries"],
): AsyncGenerator<AuditLine[]> {
  let count = 0;
  let read = 0;
  let unread = 0;
  let position = "";
  const most = READ_AT_MOST + 1;
  for await (
    const { entries, unreadable } of readNewestAuditEntries({ ...selection, most })
  ) {
    const lines: AuditLine[] = unreadable.map((entry) => ({ unreadable: entry }));
    unread += unreadable.length;
    for (const { key, value } of entries) {
      if (count === newest || read === READ_AT_MOST) {
        return yield [...lines, { complete: true, count, next: position }];
      }
      read++;
      position = String(key[1]);
      if (!isWanted(value, selection)) continue;
      count++;
      lines.push(value);
    }
    yield lines;
  }
  // If the limit was reached, the page ends here, and there may be older entries. Unreadable entries count for the
  // limit.
  const isCut = read + unread > READ_AT_MOST && position !== "";
  yield [{ complete: true, count, ...isCut && { next: position } }];
}
