/**
 * Makes the KV file, recognizes the service's own file, tries to write to it, and makes its index small. An empty file,
 * or a file of another program, is refused, because it must not become a new store. `file_lock.ts` locks the file.
 * @module
 */
import { open, rename, stat } from "node:fs/promises";
import type { DatabaseSync, DatabaseSyncOptions } from "node:sqlite";
import { createFile } from "../../../shared/private_files.ts";

/** The id of the service in the header of its SQLite file: "wait" in ASCII. */
const APPLICATION_ID = 0x77616974;

/** The offset in the header at which the id begins, in bytes (sqlite.org/fileformat.html). */
const APPLICATION_ID_OFFSET = 68;

/** The offset in the header at which a byte tells whether the file has a write-ahead log. */
const FORMAT_OFFSET = 18;

/** The value of the byte at `FORMAT_OFFSET` in a file without a write-ahead log. */
const FORMAT_WITHOUT_LOG = 1;

/** The first bytes of every SQLite file. */
const SQLITE_MAGIC = "SQLite format 3\0";

/** How many bytes are read to recognize a file: the header, and the first page with the names of the tables. */
const HEAD_BYTES = 4_096;

/**
 * The first parts of some keys. Every store has at least one key that begins with one of these parts. Such a key shows
 * that a file of an older version, whose header has no id, is the service's own.
 */
const SERVICE_KEYS = ["address_key", "root_key", "sign_up"];

/** The fault of a file that is not the service's own. */
const FOREIGN_FILE = "it is another program's database";

/** How long a write waits for another program that is writing to the file, in milliseconds. */
const BUSY_MS = 1_000;

/**
 * The index by which Deno KV finds expired entries, as Deno 2.5 to 2.9 and `@deno/kv` 0.14 make it (denokv,
 * `sqlite/backend.rs`).
 */
const EXPIRY_INDEX = "CREATE INDEX kv_expiration_ms_idx on kv (expiration_ms)";

/**
 * Makes a KV file if there is none; only the file's owner may read and write it.
 * @throws {Error} if the file that is there is not the service's own
 */
export async function createOrCheckKvFile(file: string): Promise<void> {
  const head = await readHead(file);
  const writeAheadLog = await stat(`${file}-wal`).catch(() => undefined);
  if (!head && writeAheadLog && writeAheadLog.size > 0) {
    throw new Error(
      `it is missing, and '${file}-wal', which holds a part of its sign-ups, is there; put the file back beside ` +
        "it, or move that one away",
    );
  }
  if (!head) return await makeKvFile(file);
  if ((await stat(file)).nlink > 1) {
    throw new Error(
      "it has another name, too (a hard link), by which a second process could open it; remove that name",
    );
  }
  await refuseForeignFile(file, head, writeAheadLog !== undefined);
}

/**
 * Throws an error if a file is not the service's own.
 * @param head the first bytes of the file
 * @param hasLog whether there is a write-ahead log beside the file
 */
async function refuseForeignFile(
  file: string,
  head: Uint8Array<ArrayBuffer>,
  hasLog: boolean,
): Promise<void> {
  if (head.length === 0) throw new Error("it is empty");
  const text = new TextDecoder("latin1").decode(head);
  if (!text.startsWith(SQLITE_MAGIC)) throw new Error("file is not a database");
  const hasId = new DataView(head.buffer).getUint32(APPLICATION_ID_OFFSET) === APPLICATION_ID;
  // SQLite makes files beside each file that it opens, so a file that is clearly not Deno's is not opened.
  if (!hasId && !hasLog && !text.includes("CREATE TABLE kv ")) throw new Error(FOREIGN_FILE);

  await withDatabase(file, (db) => {
    const tables = db.prepare("select name from sqlite_master where type = 'table'").all()
      .map(({ name }) => name);
    if (tables.length === 0) {
      // The file is a new store, because the process that made the file ended before it wrote an entry.
      if (hasId && (hasLog || head[FORMAT_OFFSET] === FORMAT_WITHOUT_LOG)) return;
      throw new Error("it has no tables; the copy of a file in use needs its -wal file beside it");
    }
    if (hasId || tables.includes("kv") && SERVICE_KEYS.some((key) => hasKey(db, key))) return;
    throw new Error(FOREIGN_FILE);
  }, { readOnly: true });
}

/**
 * Begins to write to a KV file, and rolls the write back. The test is needed, because Deno's engine opens even a file
 * that it may only read.
 * @throws {Error} if the file cannot be written to
 */
export async function tryToWrite(file: string): Promise<void> {
  const write = `begin immediate; pragma application_id = ${APPLICATION_ID}; rollback`;
  await withDatabase(file, (db) => db.exec(`pragma busy_timeout = ${BUSY_MS}; ${write}`));
}

/**
 * Makes Deno KV's index of expired entries leave out the entries that do not expire, which are all entries of the
 * service. With Deno's own index, SQLite writes each new key twice. Deno uses the smaller index as well, because its
 * statements have the same condition, `expiration_ms >= 0`.
 *
 * Does nothing if Deno has not made its index yet, or has made it in another form. The old index holds addresses, so
 * its place in the file is filled with zeros.
 * @throws {Error} if the file cannot be written to, for example because the disk is full; nothing has changed then
 */
export async function shrinkExpiryIndex(file: string): Promise<void> {
  await withDatabase(file, (db) => {
    db.exec(`pragma busy_timeout = ${BUSY_MS}; pragma secure_delete = on`);
    const select = "select sql from sqlite_master where name = 'kv_expiration_ms_idx'";
    if (db.prepare(select).get()?.sql !== EXPIRY_INDEX) return;
    db.exec(
      "begin immediate; drop index kv_expiration_ms_idx; " +
        `${EXPIRY_INDEX} where expiration_ms >= 0; commit`,
    );
  });
}

/**
 * Does some work on a file that SQLite opens. SQLite is loaded here, because a service with PostgreSQL never needs it.
 *
 * On Node, the KV must not have the file open at the same time. `@deno/kv` contains an SQLite of its own, and two
 * copies of SQLite in one process do not respect each other's locks (sqlite.org/howtocorrupt.html, section 2.2.1).
 */
export async function withDatabase(
  file: string,
  work: (db: DatabaseSync) => void,
  options: DatabaseSyncOptions = {},
): Promise<void> {
  const { DatabaseSync } = await import("node:sqlite");
  const db = new DatabaseSync(file, options);
  try {
    work(db);
  } finally {
    db.close();
  }
}

/** Makes the file under another name, and then renames it, so that a file with the final name always has the id. */
async function makeKvFile(file: string): Promise<void> {
  const newFile = `${file}.new`;
  await (await createFile(newFile)).close();
  await withDatabase(newFile, (db) => db.exec(`pragma application_id = ${APPLICATION_ID}`));
  await rename(newFile, file);
}

/** Reads the first bytes of a file; `undefined` if there is no such file. */
async function readHead(file: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  await using opened = await open(file).catch((error: NodeJS.ErrnoException): undefined => {
    if (error.code !== "ENOENT") throw error;
  });
  if (!opened) return undefined;
  const { buffer, bytesRead } = await opened.read({ buffer: new Uint8Array(HEAD_BYTES) });
  return buffer.slice(0, bytesRead);
}

/**
 * Whether a file has a key whose first part is the given text. Deno encodes a text as the byte 2, the text itself, and
 * the byte 0.
 */
function hasKey(db: DatabaseSync, part: string): boolean {
  const key = new TextEncoder().encode(`\x02${part}\0`);
  // The first bytes after all keys with this first part.
  const end = new TextEncoder().encode(`\x02${part}\x01`);
  return db.prepare("select 1 from kv where k >= ? and k < ? limit 1").get(key, end) !== undefined;
}
