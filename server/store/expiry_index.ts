/**
 * Narrows the index that Deno's engine keeps in its file of when entries expire.
 *
 * @module
 */

const INDEX = "kv_expiration_ms_idx";

/** The index as Deno 2.5 to 2.9 and denokv make it: with every entry, although few ever expire. */
const WIDE = `CREATE INDEX ${INDEX} on kv (expiration_ms)`;

/** The same with what Deno asks of it: its statements on it have this condition, too. */
const NARROW = `${WIDE} where expiration_ms >= 0`;

/** How long to wait for what Deno does with a file that it has just opened, in milliseconds. */
const BUSY_MS = 1_000;

/**
 * Makes the index anew with no more than the entries that expire. Sign-ups do not, so each is then written to one
 * tree of the file and not to two, and a commit of them has a third fewer pages. Nothing but speed depends on it: a
 * file whose index Deno has made in another way is left as it is, and so is one that cannot be changed at the moment.
 */
export async function narrowExpiryIndex(file: string): Promise<void> {
  const { DatabaseSync } = await import("node:sqlite");
  const db = new DatabaseSync(file);
  try {
    const index = db.prepare("select sql from sqlite_master where name = ?").get(INDEX);
    if (index?.sql !== WIDE) return;
    db.exec(
      `pragma busy_timeout = ${BUSY_MS}; begin immediate; drop index ${INDEX}; ${NARROW}; commit`,
    );
  } catch {
    // Another program has the file, or the disk is full; the next start tries again.
  } finally {
    db.close();
  }
}
