/** Keeps backups in a folder. `shared/s3.ts` keeps backups in a bucket. @module */
import { type FileHandle, lstat, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { createFile } from "../../../shared/private_files.ts";

/** A place for backups: a folder or a bucket. The files of a folder are called objects, as in a bucket. */
export interface BackupPlace {
  /**
   * Writes an object. The object gets its name only once all of it is written.
   * @returns the size of the object in bytes
   */
  write: (
    name: string,
    content: ReadableStream<Uint8Array>,
    signal: AbortSignal,
  ) => Promise<number>;
  /** Gives the names of all objects in the place. */
  names: () => Promise<string[]>;
  remove: (name: string) => Promise<void>;
  /**
   * Removes the unfinished files that were last written before a moment.
   * @param before the moment, in milliseconds since 1970
   */
  clean: (before: number) => Promise<void>;
}

/** Matches the name of an unfinished file, whose write is under way or was interrupted. */
const UNFINISHED_NAME = /^\.waitlist-.*\.part$/;

/**
 * Keeps backups in a folder.
 * @param folder the path of a folder that exists. This function does not make the folder, because a missing folder may
 * be a disk that must be mounted first
 */
export function createBackupFolder(folder: string): BackupPlace {
  return {
    async write(name, content, signal) {
      const unfinishedPath = join(folder, `.${name}.part`);
      let size = 0;
      try {
        const file = await createFile(unfinishedPath);
        try {
          for await (const bytes of content) {
            signal.throwIfAborted();
            await writeAll(file, bytes);
            size += bytes.length;
          }
          await file.sync();
        } finally {
          await file.close();
        }
        signal.throwIfAborted();
        await rename(unfinishedPath, join(folder, name));
      } catch (error) {
        await content.cancel().catch(() => {});
        await rm(unfinishedPath, { force: true }).catch(() => {});
        throw error;
      }
      return size;
    },
    names: () => readdir(folder),
    remove: (name) => rm(join(folder, name), { force: true }),
    async clean(before) {
      for (const name of (await readdir(folder)).filter((name) => UNFINISHED_NAME.test(name))) {
        const path = join(folder, name);
        // Removes a link itself, and not the file to which the link leads.
        if ((await lstat(path)).mtimeMs < before) await rm(path, { force: true });
      }
    },
  };
}

/** Writes all of the bytes to a file. One call of `file.write()` may write only some of them. */
async function writeAll(file: Pick<FileHandle, "write">, bytes: Uint8Array): Promise<void> {
  let remaining = bytes;
  while (remaining.length > 0) {
    const { bytesWritten } = await file.write(remaining);
    remaining = remaining.subarray(bytesWritten);
  }
}
