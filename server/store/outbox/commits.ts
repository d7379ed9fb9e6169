/**
 * The commits of the outbox: items that move within a queue, and items that change together with the records that
 * they are about.
 *
 * @module
 */
import {
  CounterChanges,
  type OutboxItem,
  type SignUpRecord,
  withoutItem,
} from "../../waitlist/mod.ts";
import {
  addressOf,
  addToCounter,
  commitChange,
  commitKnown,
  readInTens,
  readMany,
  SCHEMA,
  signUpKey,
  type StoredSchema,
  toSchema,
} from "../kv/mod.ts";
import { NO_OUTBOX, OutboxChanges, type OutboxEntry } from "./changes.ts";

/** The items that a commit has changed, by their ids; those that others have changed before are missing. */
export type Changed = Map<string, OutboxEntry>;

/** An item that moves to another position, and stays among the due ones. */
export interface Claim {
  entry: OutboxEntry;
  change: (changes: OutboxChanges) => void;
  item: OutboxItem;
}

/** Moves items. Where one of them has been changed by another commit, each has a commit of its own. */
export async function claimItems(kv: Deno.Kv, claims: Claim[]): Promise<Changed> {
  const commit = kv.atomic().check(...claims.map(({ entry }) => entry.entry));
  const changes = new OutboxChanges(commit, NO_OUTBOX);
  for (const { change } of claims) change(changes);
  changes.finish();
  // Where its outcome is unknown, the leases of the items end, and nothing is lost.
  const versionstamp = await commitKnown(kv, commit);
  if (versionstamp !== undefined) return changedBy(versionstamp, claims);
  if (claims.length === 1) return new Map();
  const alone = await Promise.all(claims.map((claim) => claimItems(kv, [claim])));
  return new Map(alone.flatMap((changed) => [...changed]));
}

/** A change of an item together with the record that the item is about. */
export interface Finish {
  entry: OutboxEntry;
  change: (changes: OutboxChanges) => void;
  /** Gives the record as it is to be, itself where it stays. */
  changeRecord?: (record: SignUpRecord) => SignUpRecord;
  /** Adds to the commit what else it writes. */
  also?: (commit: Deno.AtomicOperation) => void;
  /** The item as it is then, unless it is removed. */
  item?: OutboxItem;
}

/** Adds to a commit what the change of a person's record writes: the record, and its entries in lists. */
export type WriteRecord = (
  commit: Deno.AtomicOperation,
  email: string,
  change: { before: SignUpRecord | undefined; after: SignUpRecord | undefined },
) => void;

/**
 * Commits changes of items together with the records that they are about.
 *
 * @returns the items that were changed; those that another commit has changed before are missing
 */
export function finishItems(
  kv: Deno.Kv,
  finishes: Finish[],
  writeRecord: WriteRecord,
): Promise<Changed> {
  return commitChange(kv, async () => {
    const emails = [...new Set(finishes.map(({ entry }) => entry.item.email))];
    const records = await readMany<SignUpRecord>(kv, emails.map(signUpKey));
    const keys = [SCHEMA, ...finishes.map(({ entry }) => entry.entry.key)];
    const [schemaEntry, ...items] = await readInTens(
      keys,
      (some) => kv.getMany<unknown[]>(some) as Promise<Deno.KvEntryMaybe<unknown>[]>,
    );
    const open = finishes.filter(({ entry }, index) =>
      items[index]!.versionstamp === entry.entry.versionstamp
    );
    if (open.length === 0) return { result: () => new Map() };
    const schema = toSchema(schemaEntry as Deno.KvEntryMaybe<StoredSchema>);
    const commit = kv.atomic().check(schema.entry, ...open.map(({ entry }) => entry.entry));
    const changes = new OutboxChanges(commit, NO_OUTBOX);
    const counters = new CounterChanges();
    for (const { change, also } of open) {
      change(changes);
      also?.(commit);
    }
    changes.finish();
    for (const record of records) {
      if (!record?.value) continue;
      const email = addressOf(record.key);
      const own = open.filter(({ entry: { item } }) =>
        item.email === email && item.recordId === record.value.id
      );
      if (own.length === 0) continue;
      const after = own.reduce((before, { entry: { id }, changeRecord }) => {
        const changed = changeRecord?.(before) ?? before;
        return changes.removed.has(id) ? withoutItem(changed, id) : changed;
      }, record.value);
      // Written even where it stays the same; see `readItemsOf()`.
      commit.check(record);
      writeRecord(commit, email, { before: record.value, after });
      counters.replace(record.value, after);
    }
    for (const { counter, by } of counters) addToCounter(commit, counter, by);
    return { commit, result: (versionstamp) => changedBy(versionstamp, open) };
  });
}

function changedBy(
  versionstamp: string,
  changes: { entry: OutboxEntry; item?: OutboxItem }[],
): Changed {
  return new Map(changes.map(({ entry, item = entry.item }) => {
    return [entry.id, { ...entry, item, entry: { ...entry.entry, value: item, versionstamp } }];
  }));
}
