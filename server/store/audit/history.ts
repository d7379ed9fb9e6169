/** The history of a person: the audit entries about the present address and the former addresses. @module */
import { storedAuditEntrySchema } from "../../../shared/backup_lines.ts";
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import { erasureMarksOf, type SignUpRecord } from "../../waitlist/mod.ts";
import {
  auditByHashSelector,
  auditKeyOf,
  type Kv,
  readMany,
  readPage,
  readSchema,
} from "../kv/mod.ts";

/** How many entries a history has at most, and how many are read for one address at most. */
const MAX_ENTRIES = 100;

/** A period in which the person had an address. */
interface AddressPeriod {
  /**
   * The keyed hashes of the address: one for each erasure key, or only the stored hash of an address before a
   * correction.
   */
  hashes: string[];
  /** The beginning, a date-time in UTC. */
  start: string;
  /** The end: the moment of a correction, a date-time in UTC; absent for the present address. */
  end?: string;
}

/**
 * Reads the history of a person: the latest entries, the newest first. Leaves out entries that cannot be read. Entries
 * about several people are left out as well, because they hold only the number of addresses.
 *
 * A former address counts up to its correction, and the present address from the last correction on, because other
 * people may have had these addresses at other times.
 */
export async function readHistory(
  kv: Kv,
  email: string,
  { createdAt, corrections = [] }: Pick<SignUpRecord, "createdAt" | "corrections">,
): Promise<AuditEntry[]> {
  const { erasureKeys } = await readSchema(kv);
  const periodStart = (index: number) => corrections[index - 1]?.at ?? createdAt;
  // The member `address` of a correction has the keyed hash of the former address.
  const formerPeriods = corrections.map(({ address, at }, index): AddressPeriod => {
    return { hashes: [address], start: periodStart(index), end: at };
  });
  const presentPeriod: AddressPeriod = {
    hashes: erasureKeys ? erasureMarksOf(erasureKeys, email) : [],
    start: periodStart(corrections.length),
  };
  const periods = [...formerPeriods, presentPeriod];
  const entries = (await Promise.all(periods.map((period) => readEntriesOf(kv, period)))).flat();
  // Removes duplicates: the entry of a correction is read twice, because the entry is about both addresses.
  const entriesById = new Map(entries.map((entry) => [entry.id, entry]));
  return [...entriesById.values()].sort(newestFirst).slice(0, MAX_ENTRIES);
}

/**
 * Compares two entries in the order of their keys: by moment, and within a millisecond by id. The newest comes first.
 */
function newestFirst(one: AuditEntry, other: AuditEntry): number {
  if (one.at !== other.at) return one.at < other.at ? 1 : -1;
  if (one.id !== other.id) return one.id < other.id ? 1 : -1;
  return 0;
}

/** Reads the latest entries about the person's address in a period, the newest first. */
async function readEntriesOf(
  kv: Kv,
  { hashes, start, end }: AddressPeriod,
): Promise<AuditEntry[]> {
  // A range that ends before it begins is not read, because KV rejects it. A clock that was set back can cause this.
  if (end !== undefined && end < start) return [];
  const pages = await Promise.all(hashes.map((hash) => {
    return readPage(kv, auditByHashSelector(hash, start, end), {
      limit: MAX_ENTRIES,
      reverse: true,
    });
  }));
  const keys = pages.flat().map(({ key }) => auditKeyOf(key));
  const entries = (await readMany<unknown>(kv, keys))
    .flatMap((entry) => storedAuditEntrySchema.safeParse(entry?.value).data ?? [])
    .sort(newestFirst);
  // An import can date a record back to a time when another person had the address. If an entry reports the end of the
  // other person's record, this entry and all older entries are about the other person.
  const recordEnds = entries.filter((entry) => endsRecordOf(entry, hashes));
  // The newest end in a period of a former address is the correction that ended the period. The entry of this
  // correction is about the person of the history.
  const [newestEndOfOther] = end === undefined ? recordEnds : recordEnds.slice(1);
  return newestEndOfOther ? entries.slice(0, entries.indexOf(newestEndOfOther)) : entries;
}

/**
 * Whether an entry reports that a person does not have the address any more, because of an erasure or a correction.
 * People who leave by the self-service page, by expiry or with many people at once (`eraseSignups`) leave no such
 * entry.
 */
function endsRecordOf({ action, details }: AuditEntry, hashes: string[]): boolean {
  return action === "eraseSignup" || hashes.includes(String(details?.formerAddress));
}
