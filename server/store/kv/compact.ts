/**
 * Compacts the KV file of a stopped service, because erased entries stay readable in parts of the file that SQLite has
 * freed, until SQLite uses these parts again. The program (`deno task compact`) needs `-A`: SQLite's VACUUM attaches a
 * database, which Deno allows only with all permissions. @module
 */
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import process from "node:process";
import type { DatabaseSync } from "node:sqlite";
import { fromProject, refuseOpenFolder, SERVICE_VARIABLES } from "../../config/mod.ts";
import { FileInUse, lockFile } from "./file_lock.ts";
import { createOrCheckKvFile, withDatabase } from "./kv_file.ts";

/**
 * Rewrites a KV file so that it holds only its entries. The work needs free space of up to twice the size of the file
 * (sqlite.org/lang_vacuum.html).
 * @returns the path of the file, and its size before and afterwards, in bytes
 * @throws {Error} with a message that says what to do
 */
export async function compactFile(path: string) {
  const file = fromProject(path);
  if (!await stat(file).then((stats) => stats.isFile(), () => false)) {
    throw new Error(`There is no KV file '${file}'; set KV_PATH to the file of the service`);
  }
  await refuseOpenFolder("KV_PATH", dirname(file));
  try {
    using _lock = await lockFile(file);
    await createOrCheckKvFile(file);
    const bytesBefore = await sizeOf(file);
    // SQLite removes its write-ahead log when the database is closed. After the rewrite, only this log could still hold
    // erased entries.
    await withDatabase(file, rewrite);
    return { file, bytesBefore, bytesAfter: await sizeOf(file) };
  } catch (error) {
    const { message } = error as Error;
    if (error instanceof FileInUse) throw new Error(`${message}. Stop the service first`);
    const advice = message.includes("locked") ? ". Stop what has it open first" : "";
    throw new Error(`The KV file '${file}' cannot be compacted: ${message}${advice}`);
  }
}

function rewrite(db: DatabaseSync): void {
  // `secure_delete` writes zeros to the unused parts of the new pages.
  db.exec("pragma secure_delete = on; vacuum");
  const state = db.prepare("pragma wal_checkpoint(truncate)").get();
  if (state?.busy !== 0) {
    throw new Error("another program has it open; stop that program first");
  }
}

/** Gives the bytes of a file and of its write-ahead log. */
async function sizeOf(file: string): Promise<number> {
  const log = await stat(`${file}-wal`).then(({ size }) => size, () => 0);
  return (await stat(file)).size + log;
}

const inMegabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

if (import.meta.main) {
  try {
    const path = process.argv[2] || SERVICE_VARIABLES.KV_PATH.default;
    const { file, bytesBefore, bytesAfter } = await compactFile(path);
    const sizes = `${inMegabytes(bytesBefore)} before, ${inMegabytes(bytesAfter)} now`;
    console.log(
      `Compacted ${file}: ${sizes}. The file holds no erased address any more; older copies and backups may still ` +
        "hold erased addresses.",
    );
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}
