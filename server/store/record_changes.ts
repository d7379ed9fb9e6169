/**
 * Changes records by group commit: one atomic carries many of them, checks each record and the schema, moves
 * every counter once, and has the letters and events that the changes lead to.
 *
 * @module
 */
import type { Step } from "../waitlist/life.ts";
import type { LeaveReason } from "../waitlist/outbox_item.ts";
import type { Confirmations, SignUpRecord } from "../waitlist/record.ts";
import { CounterChanges } from "../waitlist/statistics.ts";
import { type BoundedKv, MAX_FAILURES, pauseAfter } from "./deadline.ts";
import { VALUE_FAULT } from "./entries.ts";
import { clearMarks, type ErasedRecord, findMarks, setMarks } from "./marks.ts";
import { SCHEMA, signUpKey } from "./keys.ts";
import { OutboxChanges, type OutboxOptions } from "./outbox.ts";
import { readItemsOf } from "./outbox_reads.ts";
import { writeRecord } from "./people.ts";
import { addToCounter, readRecords } from "./records.ts";
import { type StoreSchema, toSchema } from "./schema.ts";

/** A change of one address. */
export interface AddressChange {
  email: string;
  /**
   * Decides on the record as it was read; is called again where another commit came first, or where a commit
   * gave no answer, so it must leave a record as it is that it has changed already.
   *
   * @param earlier the confirmation letters of an address that was erased
   * @returns `undefined` to leave the record as it is
   */
  decide: (
    existing: SignUpRecord | undefined,
    earlier: Confirmations | undefined,
  ) => Step | Leave | undefined;
}

/** The person leaves the list: the record is removed. Who expires leaves no mark. */
export interface Leave {
  leaves: LeaveReason;
}

/** What {@linkcode changeRecords} needs besides KV. */
export interface AddressChangeOptions {
  outbox: OutboxOptions;
  /** The moment of the changes, in milliseconds since 1970. */
  at: number;
  /** Ends the tries of changes that nobody waits for any more. */
  signal?: AbortSignal | undefined;
  /** Adds to each commit what belongs to the changes. */
  also?: ((commit: Deno.AtomicOperation) => void) | undefined;
}

/** Checks of a commit besides those of the records: the check of the schema. */
export const FURTHER_CHECKS = 1;

/**
 * The most people in a commit of work on many of them. Each takes six writes or more, and sign-ups that arrive
 * meanwhile wait for the commit: with twice as many people, they wait half as long again.
 */
export const PEOPLE_IN_COMMIT = 48;

/** A change, and what was last read of its address. */
interface Read extends AddressChange {
  entry: Deno.KvEntryMaybe<SignUpRecord>;
  earlier: Confirmations | undefined;
  /** Whether the address may have a mark. */
  mayBeMarked: boolean;
}

/**
 * Makes changes, at least one fewer than the engine takes checks in an atomic; resolves once all are durable.
 * New and known addresses take the same path.
 *
 * @returns the addresses that were not changed, as their records cannot be read
 */
export async function changeRecords(
  kv: Deno.Kv,
  changes: AddressChange[],
  options: AddressChangeOptions,
): Promise<ReadonlySet<string>> {
  const { read, schema, unreadable } = await readState(kv, changes, options);
  await commitChanges(kv, { changes: read, schema }, { ...options, failures: 0 });
  return unreadable;
}

/** What a commit changes, and what it relies on besides the records. */
interface Batch {
  changes: Read[];
  schema: StoreSchema;
}

async function commitChanges(
  kv: Deno.Kv,
  batch: Batch,
  { failures, ...options }: AddressChangeOptions & { failures: number },
): Promise<void> {
  if (batch.changes.length === 0) return;
  options.signal?.throwIfAborted();
  try {
    if (await commitOnce(kv, batch, options)) return;
    // A check fails only where another commit went through, so the tries come to an end.
  } catch (error) {
    // The commit may have gone through all the same. Then the records are read as it wrote them, and the
    // changes leave them as they are, and move no counter twice.
    if (++failures === MAX_FAILURES) throw error;
    await pauseAfter(failures);
  }
  const { read, schema, unreadable } = await readState(kv, batch.changes, options);
  if (unreadable.size > 0) throw new Error(VALUE_FAULT);
  const { changed = [], unchanged = [] } = Object.groupBy(read, ({ entry }, index) => {
    const before = batch.changes[index]!.entry;
    return entry.versionstamp === before.versionstamp ? "unchanged" : "changed";
  });
  // In separate commits, so that an address that others write to delays no other address.
  await Promise.all(
    [unchanged, changed].map((changes) =>
      commitChanges(kv, { changes, schema }, { ...options, failures })
    ),
  );
}

/** Commits all changes in one atomic; false where an entry is no longer what was read. */
async function commitOnce(
  kv: Deno.Kv,
  { changes, schema }: Batch,
  { outbox, at, also }: AddressChangeOptions,
): Promise<boolean> {
  const decided = changes.flatMap(({ email, entry, earlier, mayBeMarked, decide }) => {
    const decision = decide(entry.value ?? undefined, earlier);
    if (decision && "leaves" in decision && !entry.value) return [];
    return decision ? [{ email, entry, mayBeMarked, decision }] : [];
  });
  if (decided.length === 0) return true;
  const commit = kv.atomic().check(schema.entry);
  const counters = new CounterChanges();
  const items = new OutboxChanges(commit, outbox);
  const erased: ErasedRecord[] = [];
  for (const { email, entry, mayBeMarked, decision } of decided) {
    const before = entry.value ?? undefined;
    const leaves = "leaves" in decision;
    const after = leaves ? undefined : items.putStep(email, decision, { at });
    commit.check(entry);
    writeRecord(commit, email, { before, after });
    counters.replace(before, after);
    if (leaves && before) {
      const waiting = await readItemsOf(kv, before);
      items.putLeft(waiting, { email, recordId: before.id, reason: decision.leaves, at });
      if (decision.leaves !== "expired") erased.push({ email, before });
    }
    // Only an address without a record can have a mark.
    if (schema.erasureKeys && !before && mayBeMarked) clearMarks(commit, schema.erasureKeys, email);
  }
  if (erased.length > 0) setMarks(commit, schema, { erased, at, random: outbox.random });
  for (const { counter, by } of counters) addToCounter(commit, counter, by);
  items.finish();
  also?.(commit);
  return (await commit.commit()).ok;
}

/** Reads the records of changes, with what else they need. */
async function readState(
  kv: BoundedKv,
  changes: AddressChange[],
  { outbox }: AddressChangeOptions,
): Promise<{ read: Read[]; schema: StoreSchema; unreadable: ReadonlySet<string> }> {
  const keys = [SCHEMA, ...changes.map(({ email }) => signUpKey(email))];
  const [schemaEntry, ...entries] = await readRecords(kv, keys);
  if (!schemaEntry) throw new Error(`The entry of the schema: ${VALUE_FAULT}`);
  const schema = toSchema(schemaEntry as Deno.KvEntryMaybe<unknown> as StoreSchema["entry"], kv);
  const marks = outbox.letters
    ? await findMarks(kv, schema, changes.map(({ email }) => email))
    : undefined;
  const read: Read[] = [];
  const unreadable = new Set<string>();
  for (const [index, { email, decide }] of changes.entries()) {
    const entry = entries[index];
    if (!entry) {
      unreadable.add(email);
      continue;
    }
    const earlier = marks?.get(email)?.confirmations;
    read.push({ email, decide, entry, earlier, mayBeMarked: marks?.has(email) ?? true });
  }
  return { read, schema, unreadable };
}
