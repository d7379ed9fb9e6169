/**
 * Changes the outbox in the commit in which a person leaves the list. `commit.ts` makes this commit, and `correct.ts`
 * changes the outbox after a correction of the address. @module
 */
import type { Leave, SignUpRecord } from "../../waitlist/mod.ts";
import { type Commit, type Kv, outboxKey } from "../kv/mod.ts";
import { findItems, findItemsByEmail, type OutboxChanges } from "../outbox/mod.ts";

/**
 * Removes the letters and events (items) of a person who leaves, and puts the event about the removal into the outbox,
 * in a commit. Does nothing if the address is corrected, because the person then stays on the list.
 */
export async function writeLeaveToOutbox(
  kv: Kv,
  commit: Commit,
  outboxChanges: OutboxChanges,
  { email, before, leave }: { email: string; before: SignUpRecord | undefined; leave: Leave },
): Promise<void> {
  if (leave.leaves === "corrected") return;
  const itemsOfPerson = before
    ? await findItems(kv, before.outbox)
    : await findItemsByEmail(kv, email);
  outboxChanges.replaceItemsByLeave(email, leave, { record: before, items: itemsOfPerson });
  // Items that cannot be read are removed as well, because they hold the address. The commit deletes them directly,
  // because `outboxChanges` takes only items whose queue is known, and counts the items of each queue.
  const readableIds = itemsOfPerson.map(({ id }) => id);
  const unreadableIds = before?.outbox?.filter((id) => !readableIds.includes(id)) ?? [];
  for (const id of unreadableIds) commit.delete(outboxKey(id));
}
