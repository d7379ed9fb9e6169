/**
 * Makes and stores audit entries, and restores the entries of a backup. The entry of a change is written in the commit
 * of the change, so that the store has both the change and its entry, or neither. If the commit is tried again, it
 * writes the same entry. `read_log.ts` reads the log. @module
 */
import { base64url } from "jose";
import type { LineOf } from "../../../shared/backup_lines.ts";
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import { DAY, digestSha256, type Runtime } from "../../runtime/mod.ts";
import {
  auditByHashKey,
  auditKey,
  Commit,
  type Key,
  type Kv,
  lastDoneKey,
  readMany,
  readOne,
  retry,
} from "../kv/mod.ts";

/** How long an entry is kept, in milliseconds. */
export const AUDIT_MS = 400 * DAY;

/** The length of an entry's id, in bytes. */
const ID_BYTES = 9;

/** The length of an entry's id in base64url, in characters. */
const ID_LENGTH = 12;

/** Makes an entry of an action. The caller adds the operator and the details. */
export function newAuditEntry(
  action: string,
  { now, random }: Pick<Runtime, "now" | "random">,
): AuditEntry {
  return { at: new Date(now()).toISOString(), id: base64url.encode(random(ID_BYTES)), action };
}

/**
 * Makes the entry about one person from the entry of a call about several people. The id of the new entry depends only
 * on the two arguments, so that a further try of the commit writes the same entry.
 * @param addressHash the keyed hash of the person's address
 */
export function entryAbout(addressHash: string, entry: AuditEntry): AuditEntry {
  const id = digestSha256(`${entry.id} ${addressHash}`).toString("base64url").slice(0, ID_LENGTH);
  return { ...entry, id, address: addressHash };
}

/**
 * Gives the keys of an entry in the index by addresses, one key for each address that the entry is about. The entry has
 * the keyed hashes of these addresses.
 */
export const indexKeysOf = (entry: AuditEntry): Key[] =>
  [entry.address, entry.details?.formerAddress]
    .filter((addressHash) => typeof addressHash === "string")
    .map((addressHash) => auditByHashKey(addressHash, entry));

/** Whether an entry is about an import. */
const isOfImport = ({ action }: AuditEntry): boolean => action === "importSignups";

/**
 * Adds an audit entry to a commit. Adds nothing if `entry` is absent, as for a change that no operator has made. With the
 * entry of an import, the commit also stores when the last import began, which the overview says.
 */
export function setAuditEntry(commit: Commit, entry: AuditEntry | undefined): Commit {
  if (!entry) return commit;
  if (isOfImport(entry)) commit.set(lastDoneKey("import"), entry.at);
  return setEntry(commit, entry);
}

/** Adds an entry to a commit, with its keys in the index by addresses. */
function setEntry(commit: Commit, entry: AuditEntry): Commit {
  for (const key of indexKeysOf(entry)) commit.set(key, true);
  return commit.set(auditKey(entry), entry);
}

/** Writes an entry in a commit of its own. A repeated call writes the same entry again, and adds no second entry. */
export async function writeAuditEntry(kv: Kv, entry: AuditEntry): Promise<void> {
  const commit = setAuditEntry(new Commit(), entry);
  await retry(() => kv.commit(commit));
}

/** How many entries of a backup are read at once, and stored in one commit. */
const ENTRIES_AT_ONCE = 200;

/**
 * Stores the entries of a backup that are new in this store and not too old. Each commit also writes the audit entry of
 * the restore itself.
 * @param options.now the present moment, in milliseconds since 1970
 * @param options.audit the audit entry of the restore
 * @returns the number of entries of the backup that were stored
 */
export async function restoreAuditLog(
  kv: Kv,
  lines: LineOf<"audit">[],
  { now, audit }: { now: number; audit: AuditEntry | undefined },
): Promise<number> {
  let storedCount = 0;
  for (let from = 0; from < lines.length; from += ENTRIES_AT_ONCE) {
    const entries = lines.slice(from, from + ENTRIES_AT_ONCE).map(({ entry }) => entry);
    const storedEntries = await retry(() => readMany(kv, entries.map(auditKey)));
    const newEntries = entries.filter(({ at }, index) => {
      return storedEntries[index]?.version === null && Date.parse(at) > now - AUDIT_MS;
    });
    if (newEntries.length === 0) continue;
    const commit = setAuditEntry(new Commit(), audit);
    for (const entry of newEntries) setEntry(commit, entry);
    const lastImport = newEntries.filter(isOfImport).map(({ at }) => at).toSorted().at(-1);
    if (lastImport !== undefined) {
      const stored = await retry(() => readOne<string>(kv, lastDoneKey("import")));
      if (lastImport > (stored.value ?? "")) commit.set(lastDoneKey("import"), lastImport);
    }
    await retry(() => kv.commit(commit));
    storedCount += newEntries.length;
  }
  return storedCount;
}
