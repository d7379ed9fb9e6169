/**
 * Compacts the KV file of a stopped service: what was erased stays readable in parts of the file that SQLite has
 * freed, until it uses them again. As a program (`deno task compact`), it needs `-A`: SQLite's VACUUM attaches a
 * database, which Deno allows only with all permissions. @module
 */
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import process from "node:process";
import type { DatabaseSync } from "node:sqlite";
import { FileInUse, lockFile, prepareKvFile, withDatabase } from "./kv_file.ts";
import { fromProject, refuseOpenFolder, SERVICE_VARIABLES } from "../../config/mod.ts";

/** Rewrites a KV file so that it holds only its entries, which takes twice its room. @throws saying what to do */
export async function compactFile(path: string) {
  const file = fromProject(path);
  if (!await stat(file).then((info) => info.isFile(), () => false)) {
    throw new Error(`There is no KV file '${file}'; set KV_PATH to the file of the service`);
  }
  await refuseOpenFolder("KV_PATH", dirname(file));
  try {
    using _lock = await lockFile(file);
    await prepareKvFile(file);
    const before = await sizeOf(file);
    // When it is closed, SQLite removes its log, the last file that could hold erased entries.
    await withDatabase(file, rewrite);
    return { file, before, after: await sizeOf(file) };
  } catch (error) {
    const { message } = error as Error;
    if (error instanceof FileInUse) throw new Error(`${message}. Stop the service first`);
    const wayOut = message.includes("locked") ? ". Stop what has it open first" : "";
    throw new Error(`The KV file '${file}' cannot be compacted: ${message}${wayOut}`);
  }
}

function rewrite(db: DatabaseSync): void {
  // `secure_delete` also keeps old memory out of the new pages.
  db.exec("pragma secure_delete = on; vacuum");
  const state = db.prepare("pragma wal_checkpoint(truncate)").get();
  if (state?.busy !== 0) {
    throw new Error("another program has it open; stop that program first");
  }
}

async function sizeOf(file: string): Promise<number> {
  const log = await stat(`${file}-wal`).then(({ size }) => size, () => 0);
  return (await stat(file)).size + log;
}

const inMegabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

if (import.meta.main) {
  try {
    const path = process.argv[2] || SERVICE_VARIABLES.KV_PATH.default;
    const { file, before, after } = await compactFile(path);
    const sizes = `${inMegabytes(before)} before, ${inMegabytes(after)} now`;
    console.log(
      `Compacted ${file}: ${sizes}. It holds no erased address any more; copies and backups from before may.`,
    );
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}
