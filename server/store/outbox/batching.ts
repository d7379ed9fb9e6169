/**
 * Lets changes of items that arrive together share a commit, and reads of records that arrive together share a call of
 * KV. `work.ts` decides on the changes; `item_commits.ts` and `store/people/` make the commits. @module
 */
import type { Runtime } from "../../runtime/mod.ts";
import type { OutboxItem, SignUpRecord } from "../../waitlist/mod.ts";
import { Batcher, checksFor, type Kv } from "../kv/mod.ts";
import type { ItemChange, OutboxEntry } from "./changes.ts";
import type { ChangedItems } from "./item_commits.ts";

/** What a process needs so that its changes share commits, and its reads of records share calls of KV. */
export interface BatchOptions extends Pick<Runtime, "monotonic"> {
  /** Is called before an outcome is stored. `reason` says why the item was refused; absent if the item was sent. */
  onOutcome?: (item: OutboxItem, reason?: string) => void;
}

/** How the changes of one kind are committed. */
interface ItemCommitOptions<Change> {
  /** Commits several changes at once. */
  commitChanges: (kv: Kv, changes: Change[]) => Promise<ChangedItems>;
  /** How many entries a commit checks for each change. This number decides how many changes a commit can hold. */
  checksPerChange: number;
  /** If absent, each change has a commit of its own. */
  batching: BatchOptions | undefined;
}

/**
 * Makes a function that commits the change of an item. The function gives the item as it is afterwards, or `undefined` if
 * another process changed the item first.
 */
export function createItemCommit<Change extends ItemChange>(
  kv: Kv,
  { commitChanges, checksPerChange, batching }: ItemCommitOptions<Change>,
): (change: Change) => Promise<OutboxEntry | undefined> {
  const batcher = batching && new Batcher<Change, ChangedItems>({
    run: (changes) => commitChanges(kv, changes),
    maxBatch: Math.floor(checksFor(kv) / checksPerChange),
    maxRunning: kv.traits.commitsInFlight,
    deadlineMs: kv.deadlineMs,
    monotonic: batching.monotonic,
  });
  return async (change) => {
    const { entry, item, outcome } = change;
    // A refused item always has a reason. The empty text only satisfies the type.
    const reason = outcome?.kind === "refused" ? item?.reason ?? "" : undefined;
    if (outcome) batching?.onOutcome?.(entry.item, reason);
    const changedItems = await (batcher?.add(change) ?? commitChanges(kv, [change]));
    return changedItems.get(entry.id);
  };
}

/**
 * The record of each address, by the address; `undefined` if there is no record, or the error because of which the
 * record could not be read.
 */
export type RecordsByEmail = Map<string, SignUpRecord | Error | undefined>;

/**
 * Makes a function that finds the record of an address. Addresses that come together share a read, because many letters
 * are claimed at once, and a read for each of them would delay the reads of sign-ups. The function throws if the record
 * of its address cannot be read.
 */
export function createRecordRead(
  kv: Kv,
  findRecords: (emails: string[]) => Promise<RecordsByEmail>,
  batching: BatchOptions | undefined,
): (email: string) => Promise<SignUpRecord | undefined> {
  const batcher = batching && new Batcher<string, RecordsByEmail>({
    run: findRecords,
    deadlineMs: kv.deadlineMs,
    monotonic: batching.monotonic,
  });
  return async (email) => {
    const records = await (batcher?.add(email) ?? findRecords([email]));
    const record = records.get(email);
    if (record instanceof Error) throw record;
    return record;
  };
}
