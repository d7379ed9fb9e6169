/**
 * Erasure: the record of an address is removed, its counters move, and a mark is left that keeps imports
 * from bringing the address back. A new sign-up clears the mark, so that no address has both. The exception
 * is a sign-up that came while a backup was restored, before the mark was; then the later of the two holds.
 *
 * @module
 */
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { CounterChanges, type LeaveReason, type SignUpRecord } from "../../waitlist/mod.ts";
import { setAuditEntry } from "../audit/mod.ts";
import {
  addToCounter,
  commitChange,
  isUnreadable,
  readSchema,
  SCHEMA,
  signUpKey,
  type StoredSchema,
  toSchema,
  VALUE_FAULT,
  withKvDeadline,
} from "../kv/mod.ts";
import { BrakeChanges, readMailboxes } from "./brakes.ts";
import {
  findItemsOf,
  NO_OUTBOX,
  OutboxChanges,
  type OutboxOptions,
  readItemsOf,
} from "../outbox/mod.ts";
import { findListKeys, isSound, writeRecord } from "./lists.ts";
import { findMarks, setMarks } from "./erasure_marks.ts";

/** What is known of an address: its record, or the moment of its erasure, or nothing. */
export type Known =
  | { record: SignUpRecord }
  | { erasedAt: string }
  | undefined;

/** Looks an address up; where it has a record and a mark, it gives the record. */
export async function findSignUp(kv: Deno.Kv, email: string): Promise<Known> {
  return await withKvDeadline(kv, async () => {
    const { record, schema } = await readBoth(kv, email);
    if (record === "unreadable") throw new Error(VALUE_FAULT);
    if (record.value) return { record: record.value };
    const mark = (await findMarks(kv, schema, [email])).get(email);
    return mark && { erasedAt: mark.erasedAt };
  });
}

/** Whether this call erased the address, an earlier call did, or the address is unknown. */
export type Erasure = {
  outcome: "erased" | "erased_before";
  erasedAt: string;
  /** Whether the counters still contain the record, as it could not be read. */
  countersLeft?: true;
} | undefined;

/** What {@linkcode eraseSignUp} needs besides KV and the address. */
export interface EraseOptions extends Pick<Runtime, "random"> {
  /** Milliseconds since 1970. */
  now: number;
  /** Who erases the person; the operator unless told otherwise. */
  reason?: LeaveReason;
  outbox?: OutboxOptions;
  /** The entry of the audit log that the commit writes; it gets the hash of the address. */
  audit?: AuditEntry;
}

/**
 * Erases an address: one commit removes its record and everything that waits in the outbox for it, takes it out
 * of the counters and leaves a mark. An address without a record is left as it is. A
 * record that cannot be read is erased, too; which counters it was in is not known, so they stay wrong until they
 * are repaired.
 *
 * @param email lower-cased
 */
export async function eraseSignUp(
  kv: Deno.Kv,
  email: string,
  { now, random, reason = "operator", outbox = NO_OUTBOX, audit }: EraseOptions,
): Promise<Erasure> {
  const erasedAt = new Date(now).toISOString();
  const lost = await findLostKeys(kv, email);
  return await commitChange<Erasure>(kv, async () => {
    const { record, schema } = await readBoth(kv, email);
    if (record !== "unreadable" && record.versionstamp === null) {
      const mark = (await findMarks(kv, schema, [email])).get(email);
      return { result: () => mark && { outcome: "erased_before", erasedAt: mark.erasedAt } };
    }
    const before = record === "unreadable" ? undefined : record.value ?? undefined;
    const commit = kv.atomic().check(schema.entry);
    if (record !== "unreadable") commit.check(record);
    const brakes = new BrakeChanges(await readMailboxes(kv, schema, before ? [email] : []));
    if (before) brakes.note(email, before, undefined);
    brakes.write(commit, schema, random);
    const [mark = ""] = setMarks(commit, schema, { emails: [email], at: now, random });
    setAuditEntry(commit, audit && { ...audit, address: mark });
    writeRecord(commit, email, { before, after: undefined });
    for (const key of lost) commit.delete(key);
    const items = new OutboxChanges(commit, { ...outbox, random });
    const waiting = before ? await readItemsOf(kv, before) : await findItemsOf(kv, email);
    items.putLeft(waiting, { email, record: before, reason, at: now });
    items.finish();
    const counters = new CounterChanges();
    counters.replace(before, undefined);
    for (const { counter, by } of counters) addToCounter(commit, counter, by);
    const countersLeft = record === "unreadable";
    const result = { outcome: "erased", erasedAt, ...countersLeft && { countersLeft } } as const;
    return { commit, result: () => result };
  });
}

/** Finds the entries of an address in lists, where its record cannot tell them. */
async function findLostKeys(kv: Deno.Kv, email: string): Promise<Deno.KvKey[]> {
  const { record } = await withKvDeadline(kv, () => readBoth(kv, email));
  const isKnown = record !== "unreadable" && (!record.value || isSound(record.value));
  return isKnown ? [] : await findListKeys(kv, email);
}

/** Reads an address's record and the schema; one snapshot, unless the record cannot be read. */
async function readBoth(kv: Deno.Kv, email: string) {
  const key = signUpKey(email);
  try {
    const [record, entry] = await kv.getMany<[SignUpRecord, StoredSchema]>([key, SCHEMA]);
    return { record, schema: toSchema(entry) };
  } catch (error) {
    if (!await isUnreadable(kv, key)) throw error;
    return { record: "unreadable" as const, schema: await readSchema(kv) };
  }
}
