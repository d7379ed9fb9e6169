/**
 * Erasure: removes the record of an address, subtracts it from the counters, and leaves an erasure mark that keeps
 * imports from bringing the address back. A new sign-up removes the mark, so that an address has either a record or a
 * mark. There is one exception: if a person signs up while a backup is restored, the restore may add a mark of the
 * person's address. The record stays valid. A later backup holds record and mark, and a restore of this later backup
 * brings back the record only if the consent is later than the mark. @module
 */
import type { AuditEntry, ErasureOutcome } from "../../../shared/operator_schemas.ts";
import type { SignUpRecord } from "../../waitlist/mod.ts";
import { setAuditEntry } from "../audit/mod.ts";
import { type Kv, lineKey, readWithSchema, recordIdOf, signUpKey, VALUE_FAULT } from "../kv/mod.ts";
import { NO_OUTBOX, type OutboxOptions } from "../outbox/mod.ts";
import { changeRecords } from "./commit.ts";
import { findErasureMoments } from "./erasure_marks.ts";
import { trimLetterLogs } from "./letter_log.ts";
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
  if (!entry) throw new Error(VALUE_FAULT);
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
  const isSoundOrAbsent = entry !== undefined && (!entry.value || isSound(entry.value));
  // All lists are searched, because a damaged record does not tell in which lists it has entries.
  const listKeys = isSoundOrAbsent ? [] : await findListKeys(longKv, email);
  const ids = listKeys.flatMap((key) => recordIdOf(key) ?? []);
  const logKeys = await trimLetterLogs(longKv, ids);
  let isErased = false;
  const unreadable = await changeRecords(isSoundOrAbsent ? kv : longKv, [{
    email,
    decidesOnUnreadable: true,
    decide(record) {
      isErased = record !== undefined;
      return { leaves: "operator", at: now };
    },
  }], {
    outbox: { ...outbox, random },
    extend(commit, _items, [address = ""]) {
      setAuditEntry(commit, audit && { ...audit, address });
      for (const key of logKeys) commit.delete(key);
      for (const key of listKeys) {
        commit.delete(key);
        // Subtracts the person from the counters of the place in line even without a sound record, because these
        // counters must equal the list of waiting people. The person's entry in that list tells which counters count
        // the person.
        for (const counter of lineCountersOfListKey(key)) commit.add(lineKey(counter), -1);
      }
    },
  });
  const erased = { outcome: "erased", erasedAt: new Date(now).toISOString() } as const;
  if (unreadable.has(email)) return { ...erased, countersLeft: true };
  if (isErased) return erased;
  const earlier = await findSignUp(kv, email);
  return earlier && "erasedAt" in earlier ? { outcome: "erased_before", ...earlier } : undefined;
}
