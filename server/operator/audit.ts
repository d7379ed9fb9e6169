/** The audit log: the entries that calls leave in it, and the operation that reads it. @module */
import { z } from "zod";
import type { AuditEnd, AuditEntry, ExportUnreadable } from "../../shared/operator_schemas.ts";
import type { Call } from "../http/mod.ts";
import type { Log, Repeat } from "../runtime/mod.ts";
import { newAuditEntry } from "../store/audit/mod.ts";
import { dateOrDateTime, positionInBody } from "./fields.ts";
import { onQuery, type OperatorDependencies, type OperatorStore } from "./operation.ts";

/** Makes the entry of a call, under the id of its operation. @param details absent where there are none yet */
export function auditEntry(
  { operationId, operator, requestId }: Pick<Call, "operationId" | "operator" | "requestId">,
  dependencies: Pick<OperatorDependencies, "now" | "random">,
  details?: AuditEntry["details"],
): AuditEntry {
  return {
    ...newAuditEntry(operationId, dependencies),
    ...(operator && { operator: operator.name }),
    requestId,
    ...details && { details },
  };
}

/** Makes the entry of a call about some addresses: it names the address where there is only one. */
export async function auditEntryOf(
  emails: string[] | undefined,
  call: Call,
  dependencies: OperatorDependencies,
  details?: AuditEntry["details"],
): Promise<AuditEntry> {
  const entry = auditEntry(call, dependencies, details);
  const [email, ...others] = new Set(emails);
  if (email === undefined || others.length > 0) return entry;
  return { ...entry, address: await dependencies.store.hashAddress(email) };
}

/** Writes that a long change is complete. Its commits have written the entry with what was done before them. */
export function writeCompletion(store: OperatorStore, audit: AuditEntry): Promise<void> {
  return store.writeAuditEntry({ ...audit, details: { ...audit.details, complete: true } });
}

/** How often refused calls are written, in milliseconds. */
const WRITE_MS = 60_000;

/**
 * Makes the counter of calls without a right key, and of those that an operator's role does not let through; it writes
 * one entry of each a minute. An entry that KV did not take is written later as it is: its commit may have gone
 * through, and a repetition must not count twice.
 */
export function countRefusals(
  { store, repeat, log, ...dependencies }: Omit<OperatorDependencies, "forbid"> & {
    repeat: Repeat;
    log: Log;
  },
) {
  /** By the operator's name, which calls without a right key do not have. */
  const counts = new Map<string | undefined, number>();
  let unwritten: AuditEntry[] = [];

  async function write(): Promise<void> {
    if (unwritten.length === 0) {
      unwritten = Array.from(counts, ([operator, count]) => ({
        ...newAuditEntry(operator === undefined ? "failedSignIn" : "forbidden", dependencies),
        ...operator !== undefined && { operator },
        details: { count },
      }));
      counts.clear();
    }
    try {
      for (; unwritten[0]; unwritten.shift()) await store.writeAuditEntry(unwritten[0]);
    } catch (error) {
      const { message } = error as Error;
      log.warn("refused calls are not in the audit log yet, as KV did not answer", {
        error: message,
      });
    }
  }

  const beat = repeat(WRITE_MS, write);
  return {
    /** @param operator whose key it was; absent without a right key */
    count: (operator?: string) => void counts.set(operator, (counts.get(operator) ?? 0) + 1),
    async close() {
      await beat.close();
      await write();
      // The entry may have been one that waited, with the calls of an earlier minute.
      if (unwritten.length === 0) await write();
    },
  };
}

const POSITION = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z [\w-]{1,40}$/;

const before =
  "give a UTC date such as 2026-05-01, a date-time, or the 'next' of an earlier answer";
const newest = "give a whole number from 1 to 1,000";

const parametersSchema = z.strictObject({
  since: dateOrDateTime.exactOptional(),
  before: z.union([positionInBody(POSITION, before), dateOrDateTime], before).exactOptional(),
  operator: z.string().regex(/^[a-z0-9_-]{1,40}$/, "give the name of an operator").exactOptional(),
  newest: z.string().regex(/^([1-9]\d{0,2}|1000)$/, newest).transform(Number).exactOptional(),
});

type Parameters = z.infer<typeof parametersSchema>;

export const auditOperations = ({ store }: OperatorDependencies) => ({
  /** Streams what the operators have done, the oldest first, or the newest page of it. */
  readAuditLog: onQuery(parametersSchema, ({ newest, ...parameters }) => {
    const lines = newest === undefined
      ? auditLines(parameters, store)
      : newestLines({ ...parameters, newest }, store);
    return { lines };
  }),
});

type AuditLine = AuditEntry | ExportUnreadable | AuditEnd;

async function* auditLines(
  { operator, ...selection }: Omit<Parameters, "newest">,
  store: OperatorStore,
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

/** The most entries that a page reads, so that a page of an operator who has few of them takes no longer than others. */
const READ_AT_MOST = 2_000;

async function* newestLines(
  { operator, newest, ...selection }: Omit<Parameters, "newest"> & { newest: number },
  store: OperatorStore,
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
