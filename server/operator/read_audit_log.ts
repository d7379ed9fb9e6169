import { z } from "zod";
import type { AuditEnd, AuditEntry, ExportUnreadable } from "../../shared/operator_schemas.ts";
import { rawQuery } from "../http/request_target.ts";
import { quote } from "../quote.ts";
import { dateOrDateTime } from "./moments.ts";
import type { CreateOperatorOperation, OperatorDependencies } from "./operation.ts";

const parametersSchema = z.strictObject({
  since: dateOrDateTime.exactOptional(),
  operator: z.string().regex(/^[a-z0-9_-]{1,40}$/, "give the name of an operator").exactOptional(),
});

type Parameters = z.infer<typeof parametersSchema>;

/** `readAuditLog`: streams what the operators have done, the oldest first. */
export const readAuditLogOperation: CreateOperatorOperation = ({ store }) => ({
  id: "readAuditLog",
  method: "GET",
  path: "/operator/v1/audit",
  body: "none",
  act({ url }) {
    const given = Object.fromEntries(new URLSearchParams(rawQuery(url)));
    const parsed = parametersSchema.safeParse(given);
    if (parsed.success) return { lines: auditLines(parsed.data, store) };
    return { failure: "invalid_request", message: explain(parsed.error.issues, given) };
  },
});

function explain([issue]: z.core.$ZodIssue[], given: Record<string, string>): string {
  if (issue?.code === "unrecognized_keys") {
    return `The parameter ${quote(issue.keys[0])} is not known here; give since or operator.`;
  }
  const name = String(issue?.path[0]);
  return `The parameter ${name} is ${quote(given[name])}; ${issue?.message}.`;
}

async function* auditLines(
  { since, operator }: Parameters,
  store: OperatorDependencies["store"],
): AsyncGenerator<(AuditEntry | ExportUnreadable | AuditEnd)[]> {
  let count = 0;
  for await (const { entries, unreadable } of store.readAuditLog(since)) {
    const wanted = entries.map(({ value }) => value)
      .filter((entry) => operator === undefined || entry.operator === operator);
    count += wanted.length;
    yield [...wanted, ...unreadable.map((each) => ({ unreadable: each }))];
  }
  yield [{ complete: true, count }];
}
