/** Removes the letters and events of a person who leaves the list. @module */
import type { Leave, SignUpRecord } from "../../waitlist/mod.ts";
import { type Commit, type Kv, outboxKey } from "../kv/mod.ts";
import { findItems, findItemsOf, type OutboxChanges } from "../outbox/mod.ts";

/**
 * Removes the items of a person who leaves, in a commit. After a correction of the address, `correct.ts` changes the
 * items instead.
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
