/**
 * Changes records by group commit: one atomic has many records with their checks, counters, letters and events.
 *
 * @module
 */
import {
  type Brake,
  CounterChanges,
  type LeaveReason,
  type SignUpRecord,
  type Step,
} from "../../waitlist/mod.ts";
import { BrakeChanges, type Mailboxes, readMailboxes, splitByChecks } from "./brakes.ts";
import {
  addToCounter,
  type BoundedKv,
  commitKnown,
  type Engine,
  LOCAL_ENGINE,
  MAX_FAILURES,
  pauseAfter,
  readMany,
  SCHEMA,
  signUpKey,
  SLOT_CHECKS,
  type StoreSchema,
  toSchema,
  UnknownOutcome,
  VALUE_FAULT,
} from "../kv/mod.ts";
import { clearMarks, findMarks, setMarks } from "./erasure_marks.ts";
import { OutboxChanges, type OutboxOptions, readItemsOf } from "../outbox/mod.ts";
import { writeRecord } from "./lists.ts";

/** A change of one address. */
export interface AddressChange {
  email: string;
  /**
   * Decides on the record as it was read; is called again where its decision was not committed.
   */
  decide: (existing: SignUpRecord | undefined, known: AddressHistory) => Step | Leave | "unchanged";
  /** Gives how long a letter waits that goes to an unconfirmed address, in milliseconds; it does not wait if absent. */
  letterDelay?: () => number;
}

/** What is known of an address besides its record. */
export interface AddressHistory {
  /** The brake of its mailbox. */
  brake: Brake;
  /** When the address was erased, a date-time; it is known only where there are events and no record. */
  erasedAt: string | undefined;
}

/** The person leaves the list: the record is removed. Who expires leaves no mark. */
export interface Leave {
  leaves: LeaveReason;
}

/** What {@linkcode changeRecords} needs besides KV. */
export interface AddressChangeOptions {
  outbox: OutboxOptions;
  /** What the engine takes; that of a file if absent. */
  engine?: Pick<Engine, "checksPerCommit">;
  /** The moment of the changes, in milliseconds since 1970. */
  at: number;
  /** Ends the tries of changes that nobody waits for any more. */
  signal?: AbortSignal | undefined;
  /** Adds to each commit what belongs to the changes. */
  also?: ((commit: Deno.AtomicOperation) => void) | undefined;
}

/** Checks of a commit besides those of the records: the check of the schema. */
export const FURTHER_CHECKS = 1 + SLOT_CHECKS;

/** The most people in a commit of work on many of them; sign-ups wait for each: with twice as many, half as long again. */
export const PEOPLE_IN_COMMIT = 48;

/** A change, and what was last read of its address. */
interface Read extends AddressChange {
  entry: Deno.KvEntryMaybe<SignUpRecord>;
  erasedAt: string | undefined;
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
  const { unreadable, ...batch } = await readState(kv, changes, options);
  await commitChanges(kv, batch, { ...options, failures: 0 });
  return unreadable;
}

/** What a commit changes, and what it relies on besides the records. */
interface Batch {
  changes: Read[];
  schema: StoreSchema;
  mailboxes: Mailboxes;
}

async function commitChanges(
  kv: Deno.Kv,
  batch: Batch,
  { failures, ...options }: AddressChangeOptions & { failures: number },
): Promise<void> {
  if (batch.changes.length === 0) return;
  const { engine = LOCAL_ENGINE } = options;
  const parts = splitByChecks(
    batch.changes,
    batch.mailboxes,
    engine.checksPerCommit - FURTHER_CHECKS,
  );
  if (parts.length > 1) {
    const commits = parts.map((changes) => {
      return commitChanges(kv, { ...batch, changes }, { ...options, failures });
    });
    return void await Promise.all(commits);
  }
  options.signal?.throwIfAborted();
  try {
    if (await commitOnce(kv, batch, options)) return;
    // A check fails only where another commit went through, so the tries come to an end.
  } catch (error) {
    if (++failures === MAX_FAILURES || error instanceof UnknownOutcome) throw error;
    await pauseAfter(failures);
  }
  const { unreadable, ...now } = await readState(kv, batch.changes, options);
  if (unreadable.size > 0) throw new Error(VALUE_FAULT);
  const { changed = [], unchanged = [] } = Object.groupBy(now.changes, ({ entry }, index) => {
    const before = batch.changes[index]!.entry;
    return entry.versionstamp === before.versionstamp ? "unchanged" : "changed";
  });
  // In separate commits, so that an address that others write to delays no other address.
  await Promise.all(
    [unchanged, changed].map((changes) =>
      commitChanges(kv, { ...now, changes }, { ...options, failures })
    ),
  );
}

/** Commits all changes in one atomic; false where an entry is no longer what was read. */
async function commitOnce(
  kv: Deno.Kv,
  { changes, schema: read, mailboxes }: Batch,
  { outbox, at, also }: AddressChangeOptions,
): Promise<boolean> {
  const schema = { ...read };
  const brakes = new BrakeChanges(mailboxes);
  const decided = changes.flatMap(({ email, entry, erasedAt, decide, letterDelay }) => {
    const before = entry.value ?? undefined;
    const decision = decide(before, { brake: brakes.of(email, before), erasedAt });
    if (decision === "unchanged" || "leaves" in decision && !before) return [];
    if ("leaves" in decision) brakes.note(email, before, undefined);
    else if (decision.letter) brakes.note(email, before, decision.record);
    return [{ email, entry, decision, letterDelay }];
  });
  if (decided.length === 0) return true;
  const commit = kv.atomic().check(schema.entry);
  const counters = new CounterChanges();
  const items = new OutboxChanges(commit, outbox);
  const erased: string[] = [];
  for (const { email, entry, decision, letterDelay } of decided) {
    const before = entry.value ?? undefined;
    const leaves = "leaves" in decision;
    const after = leaves ? undefined : items.putStep(email, decision, { letterDelay });
    commit.check(entry);
    writeRecord(commit, email, { before, after });
    counters.replace(before, after);
    if (leaves && before) {
      items.putLeft(await readItemsOf(kv, before), {
        email,
        record: before,
        reason: decision.leaves,
        at,
      });
      if (decision.leaves !== "expired") erased.push(email);
    }
    // Only an address without a record can have a mark. To remove one that is not there costs less than to look.
    if (schema.erasureKeys && !before) clearMarks(commit, schema.erasureKeys, email);
  }
  brakes.write(commit, schema, outbox.random);
  if (erased.length > 0) setMarks(commit, schema, { emails: erased, at, random: outbox.random });
  for (const { counter, by } of counters) addToCounter(commit, counter, by);
  items.finish();
  also?.(commit);
  return await commitKnown(kv, commit) !== undefined;
}

/** Reads the records of changes, with what else they need. */
async function readState(
  kv: BoundedKv,
  changes: AddressChange[],
  { outbox }: AddressChangeOptions,
): Promise<Batch & { unreadable: ReadonlySet<string> }> {
  const keys = [SCHEMA, ...changes.map(({ email }) => signUpKey(email))];
  const [schemaEntry, ...entries] = await readMany<SignUpRecord>(kv, keys);
  if (!schemaEntry) throw new Error(`The entry of the schema: ${VALUE_FAULT}`);
  const schema = toSchema(schemaEntry as Deno.KvEntryMaybe<unknown> as StoreSchema["entry"], kv);
  const unreadable = new Set(changes.flatMap(({ email }, index) => entries[index] ? [] : email));
  const isNew = (_: unknown, index: number) => entries[index]?.versionstamp === null;
  const marks = outbox.events
    ? await findMarks(kv, schema, changes.filter(isNew).map(({ email }) => email))
    : undefined;
  const read = changes.flatMap((change, index): Read | [] => {
    const entry = entries[index];
    return entry ? { ...change, entry, erasedAt: marks?.get(change.email)?.erasedAt } : [];
  });
  // Who is removed while there is no mail may have got letters before.
  const braked = read.filter(({ entry }) => outbox.letters || entry.value?.letters);
  const mailboxes = await readMailboxes(kv, schema, braked.map(({ email }) => email));
  return { changes: read, schema, mailboxes, unreadable };
}
