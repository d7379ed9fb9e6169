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
 * The first parts of the keys that have one further part, a text. Unreadable entries with these keys stay as they are.
 */
const TABLE_PARTS = [
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
 * The first parts of the keys that have several further parts. The command `counters repair` of earlier versions
 * repairs unreadable entries with these keys.
 */
const LIST_PARTS = ["audit_of", "due", "expiry", "person", "wave_member"];

/** The keys that have only one part. */
const SINGLE_PARTS = ["credentials", "expiry_clock", "mail", "place_keys", "restore", "slugs"];

/**
 * The first parts of the keys whose entries are removed, because schema 4 has no such entries, or the service makes
 * them again.
 */
const REMOVED_PARTS = ["address_key", "limit_counts", "recount", "write_probe"];

/** All first parts of keys, in alphabetical order, so that a stopped migration can go on where it was. */
const FIRST_PARTS = [...TABLE_PARTS, ...LIST_PARTS, ...SINGLE_PARTS, ...REMOVED_PARTS].toSorted();

/**
 * The most bytes of the keys of one commit of the migration. Deno KV accepts 81,920 bytes; the keys of the schema and
 * of the proof (`outcomes.ts`) need some of them.
 */
const MAX_KEY_BYTES = 60_000;

/** The most bytes of one commit of the migration, well below the 819,200 bytes that Deno KV accepts. */
const MAX_BYTES = 500_000;

/** The number of entries in a page. */
const PAGE_SIZE = 500;

export const JSON_VALUES: Migration = {
  to: 4,
  async *batches(kv: Kv, after: Key = []): AsyncGenerator<MigrationBatch> {
    const [reachedPart = ""] = after;
    for (const part of FIRST_PARTS.filter((part) => part >= String(reachedPart))) {
      const afterInPart = part === reachedPart && after.length > 1 ? after : undefined;
      yield* oneAhead(
        REMOVED_PARTS.includes(part) ? removeAll(kv, [part]) : convertAll(kv, part, afterInPart),
      );
    }
  },
};

/**
 * Writes all entries whose keys begin with `firstPart` again, as JSON.
 * @param after the key after which to begin; by default, the first key
 */
async function* convertAll(
  kv: Kv,
  firstPart: string,
  after?: Key,
): AsyncGenerator<MigrationBatch> {
  if (SINGLE_PARTS.includes(firstPart)) {
    const [entry] = await kv.get([[firstPart]]);
    if (entry && !("fault" in entry) && entry.version !== null) yield toBatch([entry]);
  } else if (TABLE_PARTS.includes(firstPart)) {
    const afterName = after && String(after[1]);
    const table = readEntries(kv, { prefix: [firstPart], after: afterName, limit: PAGE_SIZE });
    for await (const { entries, unreadable } of table) {
      for (const group of splitForCommits(entries)) yield toBatch(group);
      if (unreadable.length > 0) yield { ...toBatch([]), unreadable };
    }
  } else {
    const selector = { prefix: [firstPart], ...after && { after } };
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
