/**
 * Commits of changes of items. `changeItems()` changes items alone. `commitItems()` in `store/people/`, whose type is
 * here, changes items together with the records of their people. @module
 */
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import type { SignUpRecord } from "../../waitlist/mod.ts";
import type { RandomBytes } from "../../runtime/mod.ts";
import { Commit, type Kv, outboxKey, readMany } from "../kv/mod.ts";
import { createOutboxChanges, type ItemChange, NO_OUTBOX, type OutboxEntry } from "./changes.ts";

/** A function that commits changes of items together with the changes of the records of their people. */
export type ChangeItemsWithRecords = (
  kv: Kv,
  changes: ItemAndRecordChange[],
  audits?: ItemAudits,
) => Promise<ChangedItems>;

/** The audit entries of a change that an operator makes. */
export interface ItemAudits {
  /** The entry of the whole call, which each commit writes again. */
  audit: AuditEntry;
  /** The model of an entry about each person, so that the histories of the people name the operator. */
  auditPerPerson?: AuditEntry;
  /** Makes the key of the hashes by which the entries name addresses, if the store has no such key yet. */
  random: RandomBytes;
}

/** A change of an item, and of the record of its person. */
export interface ItemAndRecordChange extends ItemChange {
  /** Gives the changed record, or the given record if nothing changes. */
  changeRecord?: (record: SignUpRecord) => SignUpRecord;
  /** Whether the item changes only if its wave is still paused or cancelled. If so, the commit checks the wave. */
  onlyWhileStopped?: true;
}

/** The items that a commit has changed, by their ids. An item that another commit changed first is not in the map. */
export type ChangedItems = Map<string, OutboxEntry>;

/**
 * Gives the items as a commit has written them, and a removed item as it was before.
 * @param version the version of the commit
 */
export function itemsAfterCommit(version: string, changes: ItemChange[]): ChangedItems {
  return new Map(changes.map(({ entry, item = entry.item }) => {
    return [entry.id, { ...entry, item, version }];
  }));
}

/**
 * Changes items in one commit. Leaves out the items that another commit has changed first. After a conflict, the
 * function finds these items by their versions, because a commit for each item would delay the commits of sign-ups.
 */
export async function changeItems(kv: Kv, changes: ItemChange[]): Promise<ChangedItems> {
  let remainingChanges = changes;
  while (remainingChanges.length > 0) {
    const commit = new Commit();
    const outbox = createOutboxChanges(commit, NO_OUTBOX);
    for (const change of remainingChanges) outbox.changeItem(change);
    outbox.finish();
    // If the outcome of the commit is unknown, nothing is lost, because the items are due again when their leases end.
    const version = await kv.commit(commit);
    if (version !== "conflict") return itemsAfterCommit(version, remainingChanges);
    // A check fails only if another commit has changed one of the items, so the tries come to an end.
    const keys = remainingChanges.map(({ entry }) => outboxKey(entry.id));
    const currentEntries = await readMany(kv, keys);
    remainingChanges = remainingChanges.filter(({ entry }, index) =>
      currentEntries[index]?.version === entry.version
    );
  }
  return new Map();
}
