/** Puts items into the outbox for tests, and reads them. @module */
import assert from "node:assert/strict";
import type { OutboxEntry } from "../../server/store/outbox/changes.ts";
import { readOutboxCounts } from "../../server/store/outbox/counts.ts";
import { findItems } from "../../server/store/outbox/reads.ts";
import { createOutboxStore } from "../../server/store/people/outbox_commits.ts";
import { storeSignUps } from "../../server/store/people/sign_ups.ts";
import { OUTBOX, recordId, recordOf } from "./records.ts";
import { START } from "./service.ts";
import type { Kv } from "../../server/store/kv/engine.ts";

/** Stores sign-ups, one millisecond after another. */
export async function join(kv: Kv, emails: string[], outbox = OUTBOX): Promise<void> {
  const signUps = emails.map((email, n) => {
    return { signUp: { email }, at: new Date(START + n).toISOString(), id: recordId() };
  });
  await storeSignUps(kv, signUps, { outbox });
}

/** The only item of a person. */
export async function onlyItem(kv: Kv, email: string): Promise<OutboxEntry> {
  const [item, ...others] = await findItems(kv, (await recordOf(kv, email)).outbox);
  assert.deepEqual(others, []);
  return item!;
}

/** The numbers of messages that are due, refused, and sent on the day of the tests. */
export async function counts(kv: Kv): Promise<number[]> {
  const { due, refused, sent } = await readOutboxCounts(kv, "2026-11-21");
  return [due, refused, sent];
}

/** Puts the first `limit` due items of a queue among the refused ones. */
export async function refuseDue(
  kv: Kv,
  queue: "letters" | "events",
  { limit = 10, reason = "HTTP 500" } = {},
): Promise<void> {
  const store = createOutboxStore(kv);
  for (const entry of await store.readDue(queue, { dueBy: START, limit })) {
    await store.postpone(entry, { ...entry.item, queue: "refused", reason, tries: 8 });
  }
}

/** The ids of the buttons of a page. */
export const idsOf = (html: string) =>
  [...html.matchAll(/name="id" value="([\w-]+)"/g)].map(([, id]) => id!);
