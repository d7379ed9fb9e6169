/** What tests put into the outbox, and what they find there. @module */
import assert from "node:assert/strict";
import type { OutboxEntry } from "../../server/store/outbox/changes.ts";
import { readItemsOf, readOutboxCounts } from "../../server/store/outbox/reads.ts";
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
  const [item, ...others] = await readItemsOf(kv, await recordOf(kv, email));
  assert.deepEqual(others, []);
  return item!;
}

/** How many messages are due, refused and sent, of the day of the tests. */
export async function counts(kv: Kv): Promise<number[]> {
  const { due, refused, sent } = await readOutboxCounts(kv, "2026-11-21");
  return [due, refused, sent];
}
