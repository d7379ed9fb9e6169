import { z } from "zod";
import type * as Schemas from "../../shared/operator_schemas.ts";
import { jsonAnswer } from "../http/mod.ts";
import { LEASE_MS, refusalIn } from "../letters/mod.ts";
import type { Delivery, WaitingItem } from "../waitlist/mod.ts";
import { auditEntry, auditEntryOf, writeCompletion } from "./audit.ts";
import {
  addressInBody,
  allInBody,
  badNext,
  dateTimeInBody,
  filterInBody,
  flagInBody,
} from "./fields.ts";
import { limitInBody } from "./fields.ts";
import { isOff, onCall, onJson } from "./operation.ts";
import type { OperatorDependencies, OperatorStore } from "./operation.ts";

const ids = "give a list of 1 to 500 ids, as listOutbox has them";

const ID = /^[\w-]{1,100}$/;

const outboxSchema: z.ZodType<Schemas.OutboxRequest> = z.strictObject({
  refused: flagInBody.exactOptional(),
  limit: limitInBody(1_000).exactOptional(),
  after: z.strictObject({
    at: dateTimeInBody(badNext),
    id: z.string(badNext).regex(ID, badNext),
  }, badNext).exactOptional(),
});

const retrySchema: z.ZodType<Schemas.RetryRequest> = z.strictObject({
  ids: z.array(z.string(ids).regex(ID, ids), ids).min(1, ids).max(500, ids).exactOptional(),
  all: allInBody,
});

const letterSchema: z.ZodType<Schemas.LetterTestRequest> = z.strictObject({
  email: addressInBody,
  lang: filterInBody.lang,
});

export function outboxOperations(dependencies: OperatorDependencies) {
  const { store, sendTestEvent, sendTestLetter } = dependencies;
  return {
    listOutbox: onJson(outboxSchema, async ({ refused = false, limit = 100, after }) => {
      const items = await store.listOutbox({
        refused,
        after: after && { at: Date.parse(after.at), id: after.id },
        limit: limit + 1,
      });
      const last = items.length > limit ? items[limit - 1] : undefined;
      return jsonAnswer<Schemas.OutboxList>({
        items: items.slice(0, limit).map(describeItem),
        ...last && { next: { at: new Date(last.item.dueAt).toISOString(), id: last.id } },
      });
    }),

    retryOutbox: onJson(retrySchema, ({ ids, all }, call) => {
      if ((ids === undefined) === (all === undefined)) {
        const message = "Give either 'ids', those of letters and events, or 'all' as true.";
        return { failure: "invalid_request", message };
      }
      return { lines: retryLines(ids, auditEntry(call, dependencies), store) };
    }),

    listDeliveries: onCall(async () => {
      const deliveries = (await store.listDeliveries()).map((entry): Schemas.ListedDelivery => {
        const { id, email, message, tries, dueAt } = describeItem(entry);
        return {
          ...{ id, event: message, tries, ...email && { email } },
          ...describeDelivery(entry.item.delivery!),
          ...entry.item.queue === "events" && dueAt !== undefined && { nextAt: dueAt },
        };
      });
      return jsonAnswer<Schemas.DeliveryList>({ deliveries });
    }),

    testLetter: onJson(letterSchema, async ({ email, lang = "en" }, call) => {
      if (!sendTestLetter) return isOff("letters", "MAIL_URL");
      if ((await store.findComplaint(email)).complainedAt !== undefined) {
        const message = "The mailbox has reported a letter as spam; lift that first.";
        return { failure: "conflict", message };
      }
      await store.writeAuditEntry(await auditEntryOf([email], call, dependencies));
      const { at, ...tested } = await sendTestLetter(email, lang);
      return jsonAnswer<Schemas.LetterTest>({ at: new Date(at).toISOString(), ...tested });
    }),

    testWebhook: onCall(async () => {
      if (!sendTestEvent) return isOff("events", "WEBHOOK_URL");
      const delivery = await sendTestEvent();
      const reason = refusalIn(delivery);
      return jsonAnswer<Schemas.WebhookTest>({
        ...describeDelivery(delivery),
        ...reason && { reason },
      });
    }),
  };
}

function describeDelivery({ at, ...delivery }: Delivery) {
  const delivered = refusalIn({ at, ...delivery }) === undefined;
  return { delivered, at: new Date(at).toISOString(), ...delivery };
}

function describeItem({ id, item }: WaitingItem): Schemas.ListedItem {
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

async function* retryLines(
  ids: string[] | undefined,
  audit: Schemas.AuditEntry,
  store: OperatorStore,
): AsyncGenerator<[Schemas.Progress] | [Schemas.RetryEnd]> {
  const counts = { retried: 0, left: 0 };
  for await (const { retried, left } of store.retryItems({ ids, leaseMs: LEASE_MS, audit })) {
    counts.retried += retried;
    counts.left += left;
    audit.details = counts;
    yield [{ progress: counts.retried }];
  }
  if (counts.retried > 0) await writeCompletion(store, audit);
  yield [{ complete: true, ...counts }];
}
