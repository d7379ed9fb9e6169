/** Removes the items of a person who leaves the list: the letters and events in the outbox. @module */
import type { Leave, SignUpRecord } from "../../waitlist/mod.ts";
import { type Commit, type Kv, outboxKey } from "../kv/mod.ts";
import { findItems, findItemsOf, type OutboxChanges } from "../outbox/mod.ts";

/**
 * Adds to a commit the removal of the items of a person who leaves. If the address is corrected, removes nothing,
 * because `correct.ts` changes the items.
 */
export async function removeItems(
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
  const foundIds = found.map(({ id }) => id);
  const unreadable = before?.outbox?.filter((id) => !foundIds.includes(id)) ?? [];
  for (const id of unreadable) commit.delete(outboxKey(id));
}
