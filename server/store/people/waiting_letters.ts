/** Finds the people to whom a letter waits in the outbox. @module */
import { mustStillBeSent } from "../../waitlist/mod.ts";
import type { Kv } from "../kv/mod.ts";
import { peekItems } from "../outbox/mod.ts";
import type { AddressedRecord } from "./records.ts";

/**
 * Tells for each person whether a letter to the person waits to be sent. A rejected letter does not wait, and neither
 * does a letter that the worker of the outbox will drop. Reads the outbox only for people who have something in it.
 */
export async function readWaitingLetters(kv: Kv, people: AddressedRecord[]): Promise<boolean[]> {
  const ids = people.flatMap(({ record: { outbox = [], undeliverableAt } }) =>
    undeliverableAt ? [] : outbox
  );
  const items = new Map((await peekItems(kv, ids)).map(({ id, item }) => [id, item]));
  return people.map(({ record }) =>
    (record.outbox ?? []).some((id) => {
      const item = items.get(id);
      return item !== undefined && item.queue !== "refused" && mustStillBeSent(item, record);
    })
  );
}
