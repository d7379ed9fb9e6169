/**
 * Changes of items share a commit if the changes arrive together. Reads of records share a call of KV if the reads
 * arrive together. `work.ts` decides on the changes. @module
 */
import type { Runtime } from "../../runtime/mod.ts";
import type { OutboxItem, SignUpRecord } from "../../waitlist/mod.ts";
import { Batcher, checksFor, type Kv } from "../kv/mod.ts";
import type { ItemChange, OutboxEntry } from "./changes.ts";
import type { ChangedItems } from "./item_commits.ts";

/** The options of a process whose changes share commits, and whose reads of records share calls of KV. */
export interface OutboxWorkOptions extends Pick<Runtime, "monotonic"> {
  /** Is called before an outcome is stored. `reason` says why the item was refused; absent if the item was sent. */
  onOutcome?: (item: OutboxItem, reason?: string) => void;
}

interface ItemCommitOptions<Change> {
  /** Commits several changes at once. */
  commitChanges: (kv: Kv, changes: Change[]) => Promise<ChangedItems>;
  /** The entries that a commit checks for each change. Their number decides how many changes a commit can hold. */
  checkedEntries: readonly ("item" | "record" | "wave")[];
  /** If absent, each change has a commit of its own. */
  shared: OutboxWorkOptions | undefined;
}

/**
 * Makes a function that commits the change of an item. The function gives the item as it is afterwards, or `undefined` if
 * another process changed the item first.
 */
export function createItemCommit<Change extends ItemChange>(
  kv: Kv,
  { commitChanges, checkedEntries, shared }: ItemCommitOptions<Change>,
): (change: Change) => Promise<OutboxEntry | undefined> {
  const batcher = shared && new Batcher<Change, ChangedItems>({
    run: (changes) => commitChanges(kv, changes),
    maxBatch: Math.floor(checksFor(kv) / checkedEntries.length),
    maxRunning: kv.traits.commitsInFlight,
    deadlineMs: kv.deadlineMs,
    monotonic: shared.monotonic,
  });
  return async (change) => {
    const { entry, item, outcome } = change;
    // A refused item always has a reason. The empty text only satisfies the type.
    const reason = outcome?.kind === "refused" ? item?.reason ?? "" : undefined;
    if (outcome) shared?.onOutcome?.(entry.item, reason);
    const changed = await (batcher?.add(change) ?? commitChanges(kv, [change]));
    return changed.get(entry.id);
  };
}

/**
 * The record of each address, by the address; `undefined` if there is no record, or the error because of which the
 * record could not be read.
 */
export type FoundRecords = Map<string, SignUpRecord | Error | undefined>;

/**
 * Makes a function that finds the record of an address. Addresses that come together share a read, because many letters
 * are claimed at once, and a read for each of them would delay the reads of sign-ups. The function throws if the record
 * of its address cannot be read.
 */
export function createRecordRead(
  kv: Kv,
  findRecords: (emails: string[]) => Promise<FoundRecords>,
  shared: OutboxWorkOptions | undefined,
): (email: string) => Promise<SignUpRecord | undefined> {
  const batcher = shared && new Batcher<string, FoundRecords>({
    run: findRecords,
    deadlineMs: kv.deadlineMs,
    monotonic: shared.monotonic,
  });
  return async (email) => {
    const records = await (batcher?.add(email) ?? findRecords([email]));
    const record = records.get(email);
    if (record instanceof Error) throw record;
    return record;
  };
}
