/**
 * Erasure: the record of an address is removed, its counters move, and a mark is left that keeps imports from bringing
 * the address back. A new sign-up clears the mark, so that no address has both, but for a sign-up that came while a
 * backup was restored, before the mark was; then the later of the two holds. @module
 */
import type { AuditEntry, ErasureOutcome } from "../../../shared/operator_schemas.ts";
import type { SignUpRecord } from "../../waitlist/mod.ts";
import { setAuditEntry } from "../audit/mod.ts";
import { type Kv, readWithSchema, signUpKey, VALUE_FAULT } from "../kv/mod.ts";
import { NO_OUTBOX, type OutboxOptions } from "../outbox/mod.ts";
import { changeRecords } from "./commit.ts";
import { findMarks } from "./erasure_marks.ts";
import { type AddressedRecord, findListKeys, isSound } from "./records.ts";

/** Where an address has a record and a mark, it gives the record. */
export async function findSignUp(
  kv: Kv,
  email: string,
): Promise<AddressedRecord | { erasedAt: string } | undefined> {
  const { schema, entries: [entry] } = await readWithSchema<SignUpRecord>(kv, [signUpKey(email)]);
  if (!entry) throw new Error(VALUE_FAULT);
  if (entry.value) return { email, record: entry.value };
  const erasedAt = (await findMarks(kv, schema, [email])).get(email);
  return erasedAt ? { erasedAt } : undefined;
}

/**
 * Erases a lower-cased address in one commit, which writes the audit entry with the hash of the address. A record that
 * cannot be read is erased, too; which counters it was in is not known, so they stay wrong until they are repaired.
 * @returns `undefined` where the address is unknown
 */
export async function eraseSignUp(
  kv: Kv,
  email: string,
  { now, random, outbox = NO_OUTBOX, audit, longKv = kv }: Pick<OutboxOptions, "random"> & {
    now: number;
    /** Searches the lists for an address whose record cannot tell its entries. */
    longKv?: Kv;
    outbox?: OutboxOptions;
    audit?: AuditEntry;
  },
): Promise<ErasureOutcome | undefined> {
  const { entries: [entry] } = await readWithSchema<SignUpRecord>(kv, [signUpKey(email)]);
  const isSoundOrAbsent = entry !== undefined && (!entry.value || isSound(entry.value));
  const lost = isSoundOrAbsent ? [] : await findListKeys(longKv, email);
  let isErased = false;
  const unreadable = await changeRecords(isSoundOrAbsent ? kv : longKv, [{
    email,
    takesUnreadable: true,
    decide(record) {
      isErased = record !== undefined;
      return { leaves: "operator", at: now };
    },
  }], {
    outbox: { ...outbox, random },
    also(commit, _items, [address = ""]) {
      setAuditEntry(commit, audit && { ...audit, address });
      for (const key of lost) commit.delete(key);
    },
  });
  const erased = { outcome: "erased", erasedAt: new Date(now).toISOString() } as const;
  if (unreadable.has(email)) return { ...erased, countersLeft: true };
  if (isErased) return erased;
  const known = await findSignUp(kv, email);
  return known && "erasedAt" in known ? { outcome: "erased_before", ...known } : undefined;
}
