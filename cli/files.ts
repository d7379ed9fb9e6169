/**
 * Reads, writes and lists the files of this computer for commands. `file_errors.ts` explains failures.
 *
 * @module
 */
import type { Stats } from "node:fs";
import { open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { createFile, openOwnFile, PRIVATE_FILE_MODE } from "../shared/private_files.ts";
import { createWritable, readHandle, type WritableFile } from "./file_handles.ts";
import { spool } from "./spool.ts";

/** The permissions of a new file without personal data. The user's umask removes some of them. */
const SHARED_FILE_MODE = 0o666;

/** The files of this computer. */
export const LOCAL_FILES = {
  readText: (path: string): Promise<string> => readFile(path, "utf8"),
  /** Writes a text to a file, and replaces an existing file. */
  writeText: (path: string, text: string): Promise<void> =>
    replaceFile(path, text, SHARED_FILE_MODE),
  /** Writes a text with personal data to a file that only its owner can read, and replaces an existing file. */
  writePrivate: (path: string, text: string): Promise<void> =>
    replaceFile(path, text, PRIVATE_FILE_MODE),
  /** Reads the bytes from a position on. A stream has no positions, so it is always read from its beginning. */
  async *read(path: string, from = 0): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    const file = await open(path);
    try {
      yield* readHandle(file, isStream(await file.stat()) ? undefined : from);
    } finally {
      await file.close();
    }
  },
  /** Lists the names in a folder; `undefined` if the path belongs to a file. */
  async list(path: string): Promise<string[] | undefined> {
    return (await stat(path)).isDirectory() ? await readdir(path) : undefined;
  },
  /** Returns the size of a file, in bytes. */
  size: async (path: string): Promise<number> => (await stat(path)).size,
  /** Whether the path belongs to a stream: a pipe, a terminal or another device, which can be read only once. */
  isStream: async (path: string): Promise<boolean> => isStream(await stat(path)),
  /** Stores bytes in a temporary file until the result is disposed of. */
  spool,
  /** Creates a file that only its owner can read. It removes an existing file with the same name. */
  create: async (path: string): Promise<WritableFile> => createWritable(await createFile(path), 0),
  /**
   * Opens a file that {@linkcode create} has made, and cuts it to its first `length` bytes. New bytes are written
   * after them. The result is `undefined` if there is no such file, or if another account can read it.
   */
  async reopen(path: string, length: number): Promise<WritableFile | undefined> {
    const file = await openOwnFile(path);
    if (!file) return undefined;
    try {
      await file.truncate(length);
    } catch (error) {
      await file.close();
      throw error;
    }
    return createWritable(file, length);
  },
  rename: (from: string, to: string): Promise<void> => rename(from, to),
  /** Removes a file, if it exists. */
  remove: (path: string): Promise<void> => rm(path, { force: true }),
};

/** The files of this computer, or the files that a test provides. */
export type Files = typeof LOCAL_FILES;

/**
 * Writes a file under another name first, and then renames it, so that the file with the final name is always whole. If
 * `path` is a symbolic link to a file, the link is replaced, and the file to which it leads does not change. A stream,
 * such as `/dev/null`, is written to directly.
 */
async function replaceFile(path: string, text: string, mode: number): Promise<void> {
  const stats = await stat(path).catch(() => undefined);
  if (stats && isStream(stats)) return await writeFile(path, text);
  const partPath = `${path}.part`;
  const file = await createFile(partPath, mode);
  try {
    await file.writeFile(text);
    await file.sync();
    await rename(partPath, path);
  } catch (error) {
    await rm(partPath, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

/** Whether a path belongs to a stream, by its `stats`. */
function isStream(stats: Stats): boolean {
  return !stats.isFile() && !stats.isDirectory();
}
