/**
 * Erases one person: removes the record, subtracts the person from the counters, and leaves an erasure mark
 * (`erasure_marks.ts`). Finds, for an address, either the record or the moment of the erasure.
 *
 * A new sign-up removes the mark, so that no address has both a record and a mark. The only exception is a sign-up
 * during a restore: the restore may then add a mark of the same address, and the record stays valid. If a backup holds
 * both the record and the mark, a restore brings the record back only if the consent is later than the mark. @module
 */
import type { AuditEntry, ErasureOutcome } from "../../../shared/operator_schemas.ts";
import type { SignUpRecord } from "../../waitlist/mod.ts";
import { setAuditEntry } from "../audit/mod.ts";
import {
  type Commit,
  type Key,
  type Kv,
  lineKey,
  readWithSchema,
  recordIdOf,
  signUpKey,
} from "../kv/mod.ts";
import { NO_OUTBOX, type OutboxOptions } from "../outbox/mod.ts";
import { changeRecords } from "./change_records.ts";
import { findErasureMoments } from "./erasure_marks.ts";
import { beginLogRemoval } from "./letter_log.ts";
import { lineCountersOfListKey } from "./line.ts";
import { type AddressedRecord, findListKeys, isSound } from "./records.ts";

/**
 * Finds the record of an address, or else the date-time of its erasure.
 * @throws {Error} if the record cannot be read
 */
export async function findSignUp(
  kv: Kv,
  email: string,
): Promise<AddressedRecord | { erasedAt: string } | undefined> {
  const { schema, entries: [entry] } = await readWithSchema<SignUpRecord>(kv, [signUpKey(email)]);
  if (!entry) throw new Error("KV cannot read the record of the address.");
  if (entry.value) return { email, record: entry.value };
  const erasedAt = (await findErasureMoments(kv, schema, [email])).get(email);
  return erasedAt ? { erasedAt } : undefined;
}

interface ErasureOptions extends Pick<OutboxOptions, "random"> {
  /** The present moment, in milliseconds since 1970. */
  now: number;
  outbox?: OutboxOptions;
  audit?: AuditEntry;
  /**
   * The KV with which all lists are searched if the record is damaged. With this KV, the search as a whole has no
   * deadline.
   */
  longKv?: Kv;
}

/**
 * Erases a lower-cased address in one commit, whose audit entry has the hash of the address. A record that cannot be
 * read is erased as well. After that, some counters stay wrong until they are repaired, because such a record does not
 * tell which counters count the person.
 * @returns `undefined` if the address is unknown
 */
export async function eraseSignUp(
  kv: Kv,
  email: string,
  { now, random, outbox = NO_OUTBOX, audit, longKv = kv }: ErasureOptions,
): Promise<ErasureOutcome | undefined> {
  const { entries: [entry] } = await readWithSchema<SignUpRecord>(kv, [signUpKey(email)]);
  const isDamaged = entry === undefined || entry.value !== null && !isSound(entry.value);
  // All lists are searched, because a damaged record does not tell in which lists it has entries.
  const listKeys = isDamaged ? await findListKeys(longKv, email) : [];
  const recordIds = listKeys.flatMap((key) => recordIdOf(key) ?? []);
  const logKeys = await beginLogRemoval(longKv, recordIds);
  let hadRecord = false;
  const unreadable = await changeRecords(isDamaged ? longKv : kv, [{
    email,
    decidesOnUnreadable: true,
    decide(record) {
      hadRecord = record !== undefined;
      return { leaves: "operator", at: now };
    },
  }], {
    outbox: { ...outbox, random },
    extend(commit, { erasureMarks: [mark = ""] }) {
      // The audit log names an address by its erasure mark.
      setAuditEntry(commit, audit && { ...audit, address: mark });
      for (const key of logKeys) commit.delete(key);
      for (const key of listKeys) removeFromList(commit, key);
    },
  });
  const erasure = { outcome: "erased", erasedAt: new Date(now).toISOString() } as const;
  if (unreadable.has(email)) return { ...erasure, countersLeft: true };
  if (hadRecord) return erasure;
  const earlierErasure = await findSignUp(kv, email);
  if (!earlierErasure || !("erasedAt" in earlierErasure)) return undefined;
  return { outcome: "erased_before", erasedAt: earlierErasure.erasedAt };
}

/** Removes an entry of a list, in the commit that erases a damaged record. @param key the key of the entry */
function removeFromList(commit: Commit, key: Key): void {
  commit.delete(key);
  // Subtracts the person from the counters of the place in line even without a sound record, because these counters
  // must equal the list of waiting people. The person's entry in that list tells which counters count the person.
  for (const counter of lineCountersOfListKey(key)) commit.add(lineKey(counter), -1);
}
