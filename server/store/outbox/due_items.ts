/**
 * Reads the due items of a queue for the worker. Removes from the queue what the worker must not send: positions
 * without an item, and the invitations of paused or cancelled waves. @module
 */
import type { Queue } from "../../waitlist/mod.ts";
import { Commit, type Kv } from "../kv/mod.ts";
import type { OutboxEntry } from "./changes.ts";
import { unpackOldest } from "./new_letters.ts";
import { type QueueSelection, readFirstItems, readQueuePages } from "./reads.ts";
import { readStoppedInvitations } from "./stopped_invitations.ts";

/** How many invitations are read at most to find those of stopped waves, which are then removed from the outbox. */
const MAX_INVITATIONS_READ = 500;

/** What {@linkcode readDueItems} needs besides the queue. */
export interface DueItemOptions {
  selection: QueueSelection;
  /** Removes an invitation from the outbox, unless its wave has been resumed meanwhile. */
  removeIfStopped: (invitation: OutboxEntry) => Promise<unknown>;
}

/** Reads the due items on the first page of a queue, and removes from the queue what must not be sent. */
export async function readDueItems(
  kv: Kv,
  queue: Queue,
  { selection, removeIfStopped }: DueItemOptions,
): Promise<OutboxEntry[]> {
  const { limit } = selection;
  if (queue === "letters") await unpackOldest(kv, { limit });
  const { value: page } = await readQueuePages(kv, queue, selection).next();
  if (!page) return [];
  // A position without an item is left over if an item moves while its person is erased.
  for (const position of page.vacantPositions) {
    await kv.commit(new Commit().check(position).delete(position.key));
  }
  if (queue !== "invitations") return page.items;
  if ((await readStoppedInvitations(kv, page.items)).length === 0) return page.items;

  // Reads more invitations at once, because a stopped wave may have many invitations, which are removed together.
  const invitations = await readFirstItems(kv, queue, {
    ...selection,
    limit: MAX_INVITATIONS_READ,
  });
  const stoppedInvitations = new Set(await readStoppedInvitations(kv, invitations));
  await Promise.all(Array.from(stoppedInvitations, removeIfStopped));
  return invitations.filter((invitation) => !stoppedInvitations.has(invitation)).slice(0, limit);
}
