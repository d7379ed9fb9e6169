/** Locks the KV file, so that only one process opens it. @module */
import { lstat, readFile, realpath, rm } from "node:fs/promises";
import process from "node:process";
import type { DatabaseSync } from "node:sqlite";
import { openOrCreateFile } from "../../../shared/private_files.ts";

/**
 * Is thrown if another process has locked the file. The message names the file and the process; callers add what to do.
 */
export class FileInUse extends Error {}

/**
 * Locks a KV file until the lock is disposed of or the process ends, in whatever way. SQLite itself would let a second
 * process open the file, and would then fail some commits of both processes with "database is locked".
 *
 * The lock is an exclusive transaction on `<path>.lock.sqlite3`, because Node cannot lock a file. `<path>.lock` holds
 * the id of the process that has the lock. These two files stand beside the KV file itself, even if `path` is a
 * symbolic link to it.
 * @throws {FileInUse} if another process has locked the file
 */
export async function lockFile(path: string) {
  const kvFile = await resolveLink(path);
  const ownerFile = `${kvFile}.lock`;
  const databaseFile = `${kvFile}.lock.sqlite3`;
  for (const file of [ownerFile, databaseFile]) {
    await openOrCreateFile(file).then((opened) => opened.close()).catch((error) => {
      if (kvFile === path) throw error;
      throw new Error(
        `it is a link to '${kvFile}', whose folder is closed to the service; give that path`,
      );
    });
  }
  const db = await openExclusively(databaseFile);
  if (!db) {
    const ownerId = (await readFile(ownerFile, "utf8")).trim();
    throw new FileInUse(`The KV file '${path}' is in use by process ${ownerId}`);
  }
  await writeOwner(ownerFile);
  return {
    /** Ends the lock and removes its files, for a KV file that could not be opened after all. */
    async remove(): Promise<void> {
      for (const file of [ownerFile, databaseFile]) await rm(file, { force: true }).catch(() => {});
      db.close();
    },
    [Symbol.dispose]: () => db.close(),
  };
}

/** Gives the path to which a symbolic link leads. A path without a link, or with a broken link, stays as it is. */
async function resolveLink(path: string): Promise<string> {
  const isLink = await lstat(path).then((stats) => stats.isSymbolicLink(), () => false);
  return isLink ? await realpath(path).catch(() => path) : path;
}

/** Opens a database, and begins an exclusive transaction; `undefined` if another process has such a transaction. */
async function openExclusively(databaseFile: string): Promise<DatabaseSync | undefined> {
  const { DatabaseSync } = await import("node:sqlite");
  const db = new DatabaseSync(databaseFile);
  try {
    db.exec("begin exclusive");
    return db;
  } catch (error) {
    db.close();
    if (!(error as Error).message.includes("locked")) throw error;
    return undefined;
  }
}

/** Writes the id of this process to the file that names the process with the lock. */
async function writeOwner(ownerFile: string): Promise<void> {
  await using opened = await openOrCreateFile(ownerFile);
  await opened.truncate();
  await opened.writeFile(String(process.pid));
}
