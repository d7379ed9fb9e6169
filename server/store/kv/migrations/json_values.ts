/**
 * Schema 4: values are JSON, counters or bytes. In earlier schemas, values were in V8's own format, which only Deno
 * reads. @module
 */
import { Buffer } from "node:buffer";
import { oneAhead } from "../../../../shared/one_ahead.ts";
import type { Commit, Entry, Key, Kv } from "../engine.ts";
import { asReadable, pages, readEntries } from "../pages.ts";
import type { Migration, MigrationBatch } from "../schema.ts";

/**
 * The names of tables. A name is the first part of a key. A key of a table has one further part, a text. Unreadable
 * entries of tables stay as they are.
 */
const TABLE_NAMES = [
  "audit",
  "brake",
  "client",
  "client_use",
  "consent_text",
  "erased",
  "last_done",
  "outbox",
  "root_key",
  "sign_up",
  "wave",
];

/**
 * The names of lists, whose keys have several further parts. The command `counters repair` of earlier versions repairs
 * unreadable entries of lists.
 */
const LIST_NAMES = ["audit_of", "due", "expiry", "person", "wave_member"];

/** The names of single entries, whose keys have no further part. */
const SINGLE_NAMES = ["credentials", "expiry_clock", "mail", "place_keys", "restore", "slugs"];

/** The names of the entries that are removed, because schema 4 has no such entries, or the service makes them again. */
const REMOVED_NAMES = ["address_key", "limit_counts", "recount", "write_probe"];

/** All names, in alphabetical order, so that a stopped migration can go on where it was. */
const NAMES = [...TABLE_NAMES, ...LIST_NAMES, ...SINGLE_NAMES, ...REMOVED_NAMES].toSorted();

/**
 * The most bytes of the keys of one commit of the migration. Deno KV accepts 81,920 bytes; the keys of the schema and
 * of the proof (`outcomes.ts`) need some of them.
 */
const MAX_KEY_BYTES = 60_000;

/** The most bytes of one commit of the migration, well below the 819,200 bytes that Deno KV accepts. */
const MAX_BYTES = 500_000;

/** The number of entries in a page. */
const PAGE_SIZE = 500;

/** The migration to schema 4. */
export const JSON_VALUES: Migration = {
  to: 4,
  async *batches(kv: Kv, after: Key = []): AsyncGenerator<MigrationBatch> {
    const [reachedName = ""] = after;
    for (const name of NAMES.filter((name) => name >= String(reachedName))) {
      // The key that was reached, if more keys of the same name may follow it.
      const reachedKey = name === reachedName && after.length > 1 ? after : undefined;
      yield* oneAhead(
        REMOVED_NAMES.includes(name) ? removeAll(kv, [name]) : convertAll(kv, name, reachedKey),
      );
    }
  },
};

/**
 * Writes all entries whose keys begin with a name again, as JSON.
 * @param after the key after which to begin; by default, the first key
 */
async function* convertAll(
  kv: Kv,
  name: string,
  after?: Key,
): AsyncGenerator<MigrationBatch> {
  if (SINGLE_NAMES.includes(name)) {
    const [entry] = await kv.get([[name]]);
    if (entry && !("fault" in entry) && entry.version !== null) yield toBatch([entry]);
  } else if (TABLE_NAMES.includes(name)) {
    const selector = { prefix: [name], after: after && String(after[1]), limit: PAGE_SIZE };
    for await (const { entries, unreadable } of readEntries(kv, selector)) {
      for (const group of splitForCommits(entries)) yield toBatch(group);
      if (unreadable.length > 0) yield { ...toBatch([]), unreadable };
    }
  } else {
    const selector = { prefix: [name], ...after && { after } };
    for await (const page of pages(kv, selector, { limit: PAGE_SIZE })) {
      const entries = page.flatMap((entry) => asReadable(entry) ?? []);
      for (const group of splitForCommits(entries)) yield toBatch(group);
    }
  }
}

const toBatch = (entries: Entry[]): MigrationBatch => ({
  write: (commit) => entries.forEach(({ key, value }) => commit.set(key, value)),
  entries,
});

/** Splits entries into groups, each of which fits into a commit. */
function* splitForCommits(entries: Entry[]): Generator<Entry[]> {
  let group: Entry[] = [];
  let keyBytes = 0;
  let bytes = 0;
  for (const entry of entries) {
    // The size may be too high, never too low: in the engine, a number in a key needs nine bytes, and a text at most
    // the bytes of its JSON.
    const entryKeyBytes = Buffer.byteLength(JSON.stringify(entry.key)) + 9 * entry.key.length;
    const entryBytes = entryKeyBytes + Buffer.byteLength(JSON.stringify(entry.value));
    const isGroupFull = keyBytes + entryKeyBytes > MAX_KEY_BYTES || bytes + entryBytes > MAX_BYTES;
    if (group.length > 0 && isGroupFull) {
      yield group;
      group = [];
      keyBytes = 0;
      bytes = 0;
    }
    group.push(entry);
    keyBytes += entryKeyBytes;
    bytes += entryBytes;
  }
  if (group.length > 0) yield group;
}

/**
 * Removes all entries whose keys begin with a prefix, a page at a time. An earlier version of the program may still
 * write such entries meanwhile. A new entry is removed as well if its key comes after the last removed key.
 */
export async function* removeAll(kv: Kv, prefix: Key): AsyncGenerator<MigrationBatch> {
  let after = prefix;
  for (;;) {
    const keys = (await kv.list({ prefix, after }, { limit: PAGE_SIZE })).map(({ key }) => key);
    const keysToDelete = [prefix, ...keys];
    const write = (commit: Commit) => keysToDelete.forEach((key) => commit.delete(key));
    yield { write, entries: [] };
    if (keys.length === 0) return;
    after = keys.at(-1)!;
  }
}
