/**
 * Finds the complaint of a mailbox together with the record of an address that leads to the mailbox. The letter limit
 * of the mailbox holds the complaint, even if the record holds no complaint. @module
 */
import type { SignUpRecord } from "../../waitlist/mod.ts";
import { type Kv, readWithSchema, signUpKey } from "../kv/mod.ts";
import type { RecordsByEmail } from "../outbox/mod.ts";
import { readMailboxes } from "./letter_limits.ts";

/** The record of an address, and the complaint of its mailbox. */
interface RecordAndComplaint {
  /** `undefined` if there is no record, or if it cannot be read. */
  record: SignUpRecord | undefined;
  /** The date-time at which a letter to the mailbox was reported as spam; `undefined` without such a report. */
  complainedAt: string | undefined;
}

/**
 * Finds the record of an address, and the date-time at which the address's mailbox complained. A record that cannot be
 * read counts as absent.
 * @throws {Error} if the letter limit of the mailbox cannot be read
 */
export async function findRecordAndComplaint(kv: Kv, email: string): Promise<RecordAndComplaint> {
  const recordOrError = (await findRecordsOrErrors(kv, [email])).get(email)!;
  if (recordOrError instanceof Error) throw recordOrError;
  return recordOrError;
}

/**
 * Finds what `findRecordAndComplaint()` finds, for several addresses. Gives the error of an address instead of throwing
 * the error.
 */
async function findRecordsOrErrors(
  kv: Kv,
  emails: string[],
): Promise<Map<string, RecordAndComplaint | Error>> {
  const { schema, entries } = await readWithSchema<SignUpRecord>(kv, emails.map(signUpKey));
  const mailboxes = await readMailboxes(kv, schema, emails);
  return new Map(emails.map((email, index): [string, RecordAndComplaint | Error] => {
    const { limitEntry, isUnreadable } = mailboxes.get(email)!;
    if (isUnreadable) return [email, new Error("KV cannot read the letter limit of the mailbox.")];
    const record = entries[index]?.value ?? undefined;
    const complainedAt = limitEntry?.value?.complainedAt ?? record?.complainedAt;
    return [email, { record, complainedAt }];
  }));
}

/**
 * Finds records for the outbox worker. Each record gets the complaint of its mailbox. The error of an address takes the
 * place of its record.
 */
export async function findRecordsWithComplaints(
  kv: Kv,
  emails: string[],
): Promise<RecordsByEmail> {
  const records: RecordsByEmail = new Map();
  for (const [email, recordOrError] of await findRecordsOrErrors(kv, [...new Set(emails)])) {
    const isError = recordOrError instanceof Error;
    records.set(email, isError ? recordOrError : recordWithComplaint(recordOrError));
  }
  return records;
}

/** Adds the complaint of the mailbox to the record; `undefined` without a record. */
const recordWithComplaint = ({ record, complainedAt }: RecordAndComplaint) =>
  record && complainedAt !== undefined ? { ...record, complainedAt } : record;
