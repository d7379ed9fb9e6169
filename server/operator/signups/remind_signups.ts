import { z } from "zod";
import type {
  AuditEntry,
  NotReminded,
  Progress,
  ReminderEnd,
  ReminderRequest,
} from "../../../shared/operator_schemas.ts";
import { auditEntry, auditEntryOf } from "../audit/mod.ts";
import { addressesInBody } from "./filters.ts";
import { type CreateOperatorOperation, onJson, type OperatorDependencies } from "../operation.ts";

const reminderSchema: z.ZodType<ReminderRequest> = z.strictObject({
  emails: addressesInBody.exactOptional(),
  all: z.literal(true, "give true").exactOptional(),
});

/** `remindSignups`: asks people again to confirm. */
export const remindSignupsOperation: CreateOperatorOperation = (dependencies) => ({
  id: "remindSignups",
  method: "POST",
  path: "/operator/v1/signups/remind",
  ...onJson(reminderSchema, async (request, call) => {
    if ((request.emails === undefined) === (request.all === undefined)) {
      const message = "Give either 'emails', the addresses of people, or 'all' as true.";
      return { failure: "invalid_request", message };
    }
    const { store } = dependencies;
    if (!store.sendsLetters) {
      const message =
        "The service sends no letters, as MAIL_URL is not set; set it, and start the " +
        "service again.";
      return { failure: "conflict", message };
    }
    const entry = auditEntry("remindSignups", call, dependencies);
    const audit = await auditEntryOf(request.emails, entry, dependencies);
    return { lines: reminderLines(request, audit, dependencies) };
  }),
});

async function* reminderLines(
  { emails }: ReminderRequest,
  audit: AuditEntry,
  { store }: OperatorDependencies,
): AsyncGenerator<(Progress | NotReminded | ReminderEnd)[]> {
  const counts = { reminded: 0, notReminded: 0 };
  for await (const people of store.remindPeople(emails, audit)) {
    const left: NotReminded[] = [];
    for (const { email, outcome } of people) {
      if (outcome === "reminded") counts.reminded++;
      else left.push({ notReminded: { email, reason: outcome } });
    }
    counts.notReminded += left.length;
    audit.details = { ...counts };
    yield [{ progress: counts.reminded }, ...emails ? left : []];
  }
  if (counts.reminded > 0) {
    await store.writeAuditEntry({ ...audit, details: { ...counts, complete: true } });
  }
  yield [{ complete: true, ...counts }];
}
