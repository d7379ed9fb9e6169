/**
 * The operations on letters and events that wait or were refused, on the log of letters, and on test events. @module
 */
import { z } from "zod";
import { LETTER_KINDS, LETTER_STATE_FILTERS } from "../../shared/letter_kinds.ts";
import type * as Schemas from "../../shared/operator_schemas.ts";
import {
  AFTER_RULE,
  choiceRule,
  dateOrDateTimeSchema,
  dateTimeSchema,
  flagSchema,
  limitSchema,
  selectionSchemas,
} from "../../shared/people_query.ts";
import { LEASE_MS, refusalIn } from "../letters/mod.ts";
import { type AuditStore, writeCompletion } from "../store/audit/mod.ts";
import type { PeopleStore } from "../store/people/mod.ts";
import { type Delivery, marksOf, reasonNotToSend, type WaitingItem } from "../waitlist/mod.ts";
import { switchedOffFailure } from "./failure.ts";
import { positionSchema, trueSchema } from "./fields.ts";
import type { Operations } from "./operation.ts";
import { describeItem } from "./outbox_item.ts";

const BEFORE_RULE =
  "give the 'next' of the page before it, or a UTC date or date-time such as 2026-05-01";
const IDS_RULE = "give a list of 1 to 500 ids, as listOutbox has them";

/** The form of the id of an item in the outbox. */
const ID = /^[\w-]{1,100}$/;

/** The form of a position in the log of letters: the moment and the id of a letter. */
const LOG_POSITION = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z [\w-]{1,100}$/;

const listOutboxSchema: z.ZodType<Schemas.OutboxRequest> = z.strictObject({
  refused: flagSchema.exactOptional(),
  wave: selectionSchemas.wave,
  limit: limitSchema(1_000).exactOptional(),
  after: z.strictObject({
    at: dateTimeSchema(AFTER_RULE),
    id: z.string(AFTER_RULE).regex(ID, AFTER_RULE),
  }, AFTER_RULE).exactOptional(),
});

const listLettersSchema: z.ZodType<Schemas.LetterLogRequest> = z.strictObject({
  letter: z.enum(LETTER_KINDS, choiceRule(LETTER_KINDS)).exactOptional(),
  state: z.enum(LETTER_STATE_FILTERS, choiceRule(LETTER_STATE_FILTERS)).exactOptional(),
  wave: selectionSchemas.wave,
  since: dateOrDateTimeSchema.exactOptional(),
  limit: limitSchema(500).exactOptional(),
  before: z.union([positionSchema(LOG_POSITION, BEFORE_RULE), dateOrDateTimeSchema], BEFORE_RULE)
    .exactOptional(),
});

const retryOutboxSchema: z.ZodType<Schemas.RetryRequest> = z.strictObject({
  ids: z.array(z.string(IDS_RULE).regex(ID, IDS_RULE), IDS_RULE).min(1, IDS_RULE).max(500, IDS_RULE)
    .exactOptional(),
  all: trueSchema,
  unmarked: trueSchema,
  waiting: trueSchema,
  pause: trueSchema,
});

interface OutboxNeeds extends
  Pick<
    PeopleStore,
    | "listLetters"
    | "listOutbox"
    | "listDeliveries"
    | "retryItems"
    | "findItemsByIds"
    | "findPeople"
  >,
  Pick<AuditStore, "writeAuditEntry"> {
  /** Sends a test event. `undefined` if no `WEBHOOK_URL` is set. */
  sendTestEvent: (() => Promise<Delivery>) | undefined;
}

type OutboxOperations = Pick<
  Operations,
  "listLetters" | "listOutbox" | "retryOutbox" | "listDeliveries" | "testWebhook"
>;

/** Makes the operations on the outbox, on the log of letters and on events. */
export function outboxOperations(needs: OutboxNeeds): OutboxOperations {
  const { listLetters, listDeliveries, findItemsByIds, sendTestEvent } = needs;
  return {
    listOutbox: {
      body: listOutboxSchema,
      act: (request) => readOutboxPage(request, needs),
    },

    listLetters: {
      body: listLettersSchema,
      async act({ limit = 100, ...selection }) {
        const { letters, next } = await listLetters({ ...selection, limit });
        return {
          letters: letters.map(({ recordId: id, email, letter }) => {
            return { ...letter, id, ...email !== undefined && { email } };
          }),
          ...next !== undefined && { next },
        };
      },
    },

    retryOutbox: {
      body: retryOutboxSchema,
      async act(body, call) {
        if (Object.keys(body).length !== 1) {
          const message =
            "Give one of 'ids', those of e-mails and events, or 'all', 'unmarked', 'waiting' or 'pause' as true.";
          return { failure: "invalid_request", message };
        }
        const items = (body.ids ? await findItemsByIds(body.ids) : []).map(describeItem);
        const addresses = items.flatMap(({ email }) => email || []);
        const [message, ...others] = new Set(items.map((item) => item.message));
        const isOneKind = message !== undefined && others.length === 0;
        const entry = await call.auditEntryAbout(addresses, isOneKind ? { message } : undefined);
        return { lines: retryLines(body, entry, needs) };
      },
    },

    listDeliveries: {
      async act() {
        const deliveries = (await listDeliveries()).map((waitingItem): Schemas.ListedDelivery => {
          const { id, email, recordId, message, tries, dueAt } = describeItem(waitingItem);
          const { item } = waitingItem;
          return {
            id,
            event: message,
            tries,
            ...email && { email },
            ...recordId !== undefined && { recordId },
            ...describeDelivery(item.delivery!),
            ...item.queue === "events" && dueAt !== undefined && { nextAt: dueAt },
          };
        });
        return { deliveries };
      },
    },

    testWebhook: {
      async act() {
        if (!sendTestEvent) return switchedOffFailure("events", "WEBHOOK_URL");
        const delivery = await sendTestEvent();
        const reason = refusalIn(delivery);
        return { ...describeDelivery(delivery), ...reason && { reason } };
      },
    },
  };
}

/** How many items a call reads at most to find those of a wave. */
const MAX_READ = 1_500;

/** Reads a page of the waiting or refused items: of all of them, or only of the invitations of a wave. */
async function readOutboxPage(
  { refused = false, wave, limit = 100, after }: Schemas.OutboxRequest,
  { listOutbox, findPeople }: Pick<OutboxNeeds, "listOutbox" | "findPeople">,
): Promise<Schemas.OutboxList> {
  // Of all items, one more than the page has is read, to know whether there is a next page.
  const readLimit = wave === undefined ? limit + 1 : MAX_READ;
  const readItems = await listOutbox({
    refused,
    after: after && { at: Date.parse(after.at), id: after.id },
    limit: readLimit,
  });
  const mustReadPeople = refused || wave !== undefined;
  const emails = mustReadPeople ? readItems.map(({ item }) => item.email) : [];
  const people = new Map((await findPeople(emails)).map(({ email, record }) => [email, record]));
  const fitting = readItems.filter(({ item: { email, message } }) =>
    wave === undefined ||
    "letter" in message && message.letter === "invitation" && people.get(email)?.wave === wave
  );
  const page = fitting.slice(0, limit);
  const hasMoreFitting = fitting.length > limit;
  const mayHaveMore = readItems.length === readLimit;
  const last = hasMoreFitting ? page.at(-1) : mayHaveMore ? readItems.at(-1) : undefined;
  return {
    items: page.map((waitingItem) => {
      const record = refused ? people.get(waitingItem.item.email) : undefined;
      const getsNoLetters = record !== undefined && marksOf(record).length > 0;
      const notSent = record && reasonNotToSend(waitingItem.item, record);
      return {
        ...describeItem(waitingItem),
        ...getsNoLetters && { noLetters: true },
        ...notSent && { notSent },
      };
    }),
    ...last && { next: positionOf(last) },
  };
}

/** Gives the position of an item in the list of the outbox. */
const positionOf = ({ id, item }: WaitingItem) => ({ at: new Date(item.dueAt).toISOString(), id });

/** Describes an attempt to deliver an event. */
function describeDelivery({ at, ...delivery }: Delivery) {
  const delivered = refusalIn({ at, ...delivery }) === undefined;
  return { delivered, at: new Date(at).toISOString(), ...delivery };
}

/** Makes items due again, and gives the lines of the answer. */
async function* retryLines(
  { ids, waiting, unmarked, pause = false }: Schemas.RetryRequest,
  entry: Schemas.AuditEntry,
  { retryItems, writeAuditEntry }: Pick<OutboxNeeds, "retryItems" | "writeAuditEntry">,
): AsyncGenerator<[Schemas.Progress] | [Schemas.RetryEnd]> {
  const counts = { retried: 0, left: 0 };
  // The kind of the items, if all of them are of one kind
  const givenDetails = entry.details;
  let marksLifted = 0;
  let changed = 0;
  const refusedItems = unmarked ? "unmarked" : "refused";
  const which = ids ? { ids } : waiting ? "waiting" : pause ? "test" : refusedItems;
  const pages = retryItems({ which, leaseMs: LEASE_MS, audit: entry });
  for await (const { retried, unchanged, removed, liftedMarks } of pages) {
    changed += retried + removed;
    counts.retried += retried;
    counts.left += unchanged;
    marksLifted += liftedMarks;
    entry.details = {
      ...givenDetails,
      ...counts,
      ...marksLifted > 0 && { liftedMarks: marksLifted },
    };
    yield [{ progress: counts.retried }];
  }
  if (pause) entry.details = { testedPause: true };
  if (changed > 0 || pause) await writeCompletion(writeAuditEntry, entry);
  yield [{ complete: true, ...counts }];
}
