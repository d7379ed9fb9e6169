import { z } from "zod";
import type {
  AuditEntry,
  ListedItem,
  OutboxList,
  OutboxRequest,
  Progress,
  RetryEnd,
  RetryRequest,
} from "../../../shared/operator_schemas.ts";
import { jsonAnswer } from "../../http/mod.ts";
import { LEASE_MS } from "../../letters/mod.ts";
import type { WaitingItem } from "../../waitlist/mod.ts";
import { auditEntry } from "../audit/mod.ts";
import { type CreateOperatorOperation, onJson, type OperatorDependencies } from "../operation.ts";

const limit = "give a whole number from 1 to 1,000";
const badNext = "give the 'next' of the page before it";
const yesOrNo = "give true or false";
const ids = "give a list of 1 to 500 ids, as listOutbox has them";

const ID = /^[\w-]{1,100}$/;

/** How many items are listed unless the request says otherwise. */
const LISTED = 100;

const outboxSchema: z.ZodType<OutboxRequest> = z.strictObject({
  refused: z.boolean(yesOrNo).exactOptional(),
  limit: z.int(limit).min(1, limit).max(1_000, limit).exactOptional(),
  after: z.strictObject({
    at: z.iso.datetime({ offset: true, error: badNext }),
    id: z.string(badNext).regex(ID, badNext),
  }, badNext).exactOptional(),
});

/** `listOutbox`: lists letters and events that wait, or that are not tried any more. */
export const listOutboxOperation: CreateOperatorOperation = ({ store }) => ({
  id: "listOutbox",
  method: "POST",
  path: "/operator/v1/outbox/list",
  ...onJson(outboxSchema, async ({ refused = false, limit = LISTED, after }) => {
    const items = await store.listOutbox({
      refused,
      after: after && { at: Date.parse(after.at), id: after.id },
      limit: limit + 1,
    });
    const last = items.length > limit ? items[limit - 1] : undefined;
    const list: OutboxList = {
      items: items.slice(0, limit).map(describeItem),
      ...last && { next: { at: new Date(last.item.dueAt).toISOString(), id: last.id } },
    };
    return jsonAnswer(list);
  }),
});

function describeItem({ id, item }: WaitingItem): ListedItem {
  const { email, message, queue, putAt, dueAt, tries, reason } = item;
  const moment = new Date(dueAt).toISOString();
  return {
    id,
    email,
    message: "letter" in message ? message.letter : message.event,
    putAt: new Date(putAt).toISOString(),
    ...queue === "refused" ? { refusedAt: moment } : { dueAt: moment },
    tries,
    ...reason !== undefined && { reason },
  };
}

const retrySchema: z.ZodType<RetryRequest> = z.strictObject({
  ids: z.array(z.string(ids).regex(ID, ids), ids).min(1, ids).max(500, ids)
    .exactOptional(),
  all: z.literal(true, "give true").exactOptional(),
});

/** `retryOutbox`: makes letters and events due at once. */
export const retryOutboxOperation: CreateOperatorOperation = (dependencies) => ({
  id: "retryOutbox",
  method: "POST",
  path: "/operator/v1/outbox/retry",
  ...onJson(retrySchema, (request, call) => {
    if ((request.ids === undefined) === (request.all === undefined)) {
      const message = "Give either 'ids', those of letters and events, or 'all' as true.";
      return { failure: "invalid_request", message };
    }
    const audit = auditEntry("retryOutbox", call, dependencies);
    return { lines: retryLines(request, audit, dependencies) };
  }),
});

async function* retryLines(
  { ids }: RetryRequest,
  audit: AuditEntry,
  { store }: OperatorDependencies,
): AsyncGenerator<[Progress] | [RetryEnd]> {
  const counts = { retried: 0, left: 0 };
  for await (const { retried, left } of store.retryItems({ ids, leaseMs: LEASE_MS, audit })) {
    counts.retried += retried;
    counts.left += left;
    audit.details = counts;
    yield [{ progress: counts.retried }];
  }
  if (counts.retried > 0) {
    await store.writeAuditEntry({ ...audit, details: { ...counts, complete: true } });
  }
  yield [{ complete: true, ...counts }];
}
