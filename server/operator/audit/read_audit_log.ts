import { z } from "zod";
import type { AuditEnd, AuditEntry, ExportUnreadable } from "../../../shared/operator_schemas.ts";
import { rawQuery } from "../../http/mod.ts";
import { quote } from "../../runtime/mod.ts";
import { dateOrDateTime } from "../date_fields.ts";
import type { CreateOperatorOperation, OperatorDependencies } from "../operation.ts";

/** The moment and the id of an entry, with a space between them. */
const POSITION = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z [\w-]{1,40}$/;

const before =
  "give a UTC date such as 2026-05-01, a date-time, or the 'next' of an earlier answer";
const newest = "give a whole number from 1 to 1,000";

const parametersSchema = z.strictObject({
  since: dateOrDateTime.exactOptional(),
  before: z.union([z.string().regex(POSITION, before), dateOrDateTime], before).exactOptional(),
  operator: z.string().regex(/^[a-z0-9_-]{1,40}$/, "give the name of an operator").exactOptional(),
  newest: z.string().regex(/^([1-9]\d{0,2}|1000)$/, newest).transform(Number).exactOptional(),
});

type Parameters = z.infer<typeof parametersSchema>;

/** `readAuditLog`: streams what the operators have done, the oldest first, or the newest page of it. */
export const readAuditLogOperation: CreateOperatorOperation = ({ store }) => ({
  id: "readAuditLog",
  method: "GET",
  path: "/operator/v1/audit",
  body: "none",
  act({ url }) {
    const given = Object.fromEntries(new URLSearchParams(rawQuery(url)));
    const parsed = parametersSchema.safeParse(given);
    if (!parsed.success) {
      return { failure: "invalid_request", message: explain(parsed.error.issues, given) };
    }
    const { newest, ...parameters } = parsed.data;
    const lines = newest === undefined
      ? auditLines(parameters, store)
      : newestLines({ ...parameters, newest }, store);
    return { lines };
  },
});

function explain([issue]: z.core.$ZodIssue[], given: Record<string, string>): string {
  if (issue?.code === "unrecognized_keys") {
    const names = "since, before, operator or newest";
    return `The parameter ${quote(issue.keys[0])} is not known here; give ${names}.`;
  }
  const name = String(issue?.path[0]);
  return `The parameter ${name} is ${quote(given[name])}; ${issue?.message}.`;
}

type AuditLine = AuditEntry | ExportUnreadable | AuditEnd;

async function* auditLines(
  { operator, ...selection }: Omit<Parameters, "newest">,
  store: OperatorDependencies["store"],
): AsyncGenerator<AuditLine[]> {
  let count = 0;
  for await (const { entries, unreadable } of store.readAuditLog(selection)) {
    const wanted = entries.map(({ value }) => value)
      .filter((entry) => operator === undefined || entry.operator === operator);
    count += wanted.length;
    yield [...wanted, ...unreadable.map((each) => ({ unreadable: each }))];
  }
  yield [{ complete: true, count }];
}

/** The most entries that are read for a page, so that a rare operator's page is as fast as any other. */
const READ_AT_MOST = 2_000;

async function* newestLines(
  { operator, newest, ...selection }: Omit<Parameters, "newest"> & { newest: number },
  store: OperatorDependencies["store"],
): AsyncGenerator<AuditLine[]> {
  let count = 0;
  let read = 0;
  let unread = 0;
  let position = "";
  const most = READ_AT_MOST + 1;
  for await (
    const { entries, unreadable } of store.readNewestAuditEntries({ ...selection, most })
  ) {
    const lines: AuditLine[] = unreadable.map((each) => ({ unreadable: each }));
    unread += unreadable.length;
    for (const { key, value } of entries) {
      if (count === newest || read === READ_AT_MOST) {
        return yield [...lines, { complete: true, count, next: position }];
      }
      read++;
      position = String(key[1]);
      if (operator !== undefined && value.operator !== operator) continue;
      count++;
      lines.push(value);
    }
    yield lines;
  }
  // Entries that cannot be read were among those that were taken, so older ones may be left.
  const isCut = read + unread > READ_AT_MOST && position !== "";
  yield [{ complete: true, count, ...isCut && { next: position } }];
}
