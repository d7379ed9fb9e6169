/** Removes the letters and events of a person who leaves the list or an address. @module */
import type { Leave, SignUpRecord } from "../../waitlist/mod.ts";
import { type Commit, type Kv, outboxKey } from "../kv/mod.ts";
import { findItems, findItemsOf, type OutboxChanges } from "../outbox/mod.ts";

/**
 * Removes the items of a person who leaves. The items of a corrected person go to the new address; see `correct.ts`.
 */
export async function rechangeItems(
  kv: Kv,
  commit: Commit,
  items: OutboxChanges,
  { email, before, leave }: { email: string; before: SignUpRecord | undefined; leave: Leave },
): Promise<void> {
  if (leave.leaves === "corrected") {
    items.putLeave(email, leave, { record: before, items: [] });
    return;
  }
  const found = before ? await findItems(kv, before.outbox) : await findItemsOf(kv, email);
  items.putLeave(email, leave, { record: before, items: found });
  // Items that cannot be read are removed as well, because they hold the address.
  const known = found.map(({ id }) => id);
  const unreadable = before?.outbox?.filter((id) => !known.includes(id)) ?? [];
  for (const id of unreadable) commit.delete(outboxKey(id));
}
