/** The history of a person: the entries of the audit log about the addresses that the person has had. @module */
import { keptAuditEntrySchema } from "../../../shared/backup_lines.ts";
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import { erasureMarks, type SignUpRecord } from "../../waitlist/mod.ts";
import { auditKeyOf, auditOfSelector, type Kv, readMany, readPage, readSchema } from "../kv/mod.ts";

/** The most entries of an address that are given. */
const MAX_HISTORY = 100;

/** A time in which an address was that of a person. */
interface Holding {
  /** The keyed hashes of the address. */
  marks: string[];
  /** Date-times in UTC. The present address has no end. */
  from: string;
  until?: string;
}

/**
 * Reads the latest entries about one person, the newest first; those that cannot be read are left out. Entries that name
 * several addresses by their number only are not among them. An address that the person had before counts up to its
 * correction, and the present address from there on, because other people may have had them at other times.
 */
export async function readAuditLogOf(
  kv: Kv,
  email: string,
  { createdAt, corrections = [] }: Pick<SignUpRecord, "createdAt" | "corrections">,
): Promise<AuditEntry[]> {
  const { erasureKeys } = await readSchema(kv);
  const startOf = (index: number) => corrections[index - 1]?.at ?? createdAt;
  const former = corrections.map(({ address, at }, index): Holding => {
    return { marks: [address], from: startOf(index), until: at };
  });
  const marks = erasureKeys ? erasureMarks(erasureKeys, email) : [];
  const holdings = [...former, { marks, from: startOf(corrections.length) }];
  const found = await Promise.all(holdings.map((holding) => readEntriesOf(kv, holding)));
  // The entry of a correction is about both addresses.
  const unique = new Map(found.flat().map((entry) => [entry.id, entry]));
  return [...unique.values()].sort(newestFirst).slice(0, MAX_HISTORY);
}

const newestFirst = (a: AuditEntry, b: AuditEntry) => a.at < b.at ? 1 : -1;

async function readEntriesOf(kv: Kv, { marks, from, until }: Holding): Promise<AuditEntry[]> {
  // KV refuses a range that ends before it begins, as after a clock that was set back.
  if (until !== undefined && until < from) return [];
  const latest = { limit: MAX_HISTORY, reverse: true };
  const lists = marks.map((mark) => readPage(kv, auditOfSelector(mark, from, until), latest));
  const keys = (await Promise.all(lists)).flat().map(({ key }) => auditKeyOf(key));
  const entries = (await readMany<unknown>(kv, keys))
    .flatMap((entry) => keptAuditEntrySchema.safeParse(entry?.value).data ?? [])
    .sort(newestFirst);
  // An import can date a record back to a time when somebody else had the address. What ended that record is here too.
  // A former address has one end more, which is the correction of this person.
  const ends = entries.filter((entry) => endsRecordOf(entry, marks));
  const other = ends[until === undefined ? 0 : 1];
  return other ? entries.slice(0, entries.indexOf(other)) : entries;
}

/** Whether somebody with an address left it by what an entry tells of. */
function endsRecordOf({ action, details }: AuditEntry, marks: string[]): boolean {
  return action === "eraseSignup" || marks.includes(String(details?.formerAddress));
}
