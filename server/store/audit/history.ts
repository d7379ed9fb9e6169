/** The history of a person: the audit entries about the addresses that the person has or had. @module */
import { storedAuditEntrySchema } from "../../../shared/backup_lines.ts";
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import { erasureMarks, type SignUpRecord } from "../../waitlist/mod.ts";
import { auditKeyOf, auditOfSelector, type Kv, readMany, readPage, readSchema } from "../kv/mod.ts";

/** How many entries a history has at most, and how many are read for one address at most. */
const MAX_ENTRIES = 100;

/** A period in which the person had an address. */
interface AddressPeriod {
  /** The keyed hashes of the address, one for each erasure key. */
  hashes: string[];
  /** The beginning, a date-time in UTC. */
  from: string;
  /** The end, a date-time in UTC; absent for the present address. */
  until?: string;
}

/**
 * Reads the latest entries about one person, the newest first. An entry that cannot be read is left out, and so is an
 * entry that says only how many addresses it is about.
 *
 * A former address counts up to its correction, and the present address from the last correction on, because other
 * people may have had these addresses at other times.
 */
export async function readAuditLogOf(
  kv: Kv,
  email: string,
  { createdAt, corrections = [] }: Pick<SignUpRecord, "createdAt" | "corrections">,
): Promise<AuditEntry[]> {
  const { erasureKeys } = await readSchema(kv);
  const startOf = (index: number) => corrections[index - 1]?.at ?? createdAt;
  const former = corrections.map(({ address, at }, index): AddressPeriod => {
    return { hashes: [address], from: startOf(index), until: at };
  });
  const hashes = erasureKeys ? erasureMarks(erasureKeys, email) : [];
  const periods = [...former, { hashes, from: startOf(corrections.length) }];
  const found = await Promise.all(periods.map((period) => readEntriesOf(kv, period)));
  // Removes duplicates: the entry of a correction is found twice, because it is about both addresses.
  const unique = new Map(found.flat().map((entry) => [entry.id, entry]));
  return [...unique.values()].sort(newestFirst).slice(0, MAX_ENTRIES);
}

const newestFirst = (a: AuditEntry, b: AuditEntry) => a.at < b.at ? 1 : -1;

async function readEntriesOf(
  kv: Kv,
  { hashes, from, until }: AddressPeriod,
): Promise<AuditEntry[]> {
  // A range that ends before it begins is not read, because KV rejects it. A clock that was set back can cause this.
  if (until !== undefined && until < from) return [];
  const latest = { limit: MAX_ENTRIES, reverse: true };
  const lists = hashes.map((hash) => readPage(kv, auditOfSelector(hash, from, until), latest));
  const keys = (await Promise.all(lists)).flat().map(({ key }) => auditKeyOf(key));
  const entries = (await readMany<unknown>(kv, keys))
    .flatMap((entry) => storedAuditEntrySchema.safeParse(entry?.value).data ?? [])
    .sort(newestFirst);
  // An import can date a record back to a time when another person had the address. The entry that ended the other
  // person's record is then in this list, and older entries are about that person. For a former address, the newest
  // such entry is the correction of this person, so the second newest one is used.
  const ends = entries.filter((entry) => endsRecordOf(entry, hashes));
  const endOfOther = ends[until === undefined ? 0 : 1];
  return endOfOther ? entries.slice(0, entries.indexOf(endOfOther)) : entries;
}

/** Whether an entry reports that a person does not have the address any more, because of an erasure or a correction. */
function endsRecordOf({ action, details }: AuditEntry, hashes: string[]): boolean {
  return action === "eraseSignup" || hashes.includes(String(details?.formerAddress));
}
