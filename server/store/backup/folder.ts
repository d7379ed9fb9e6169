/** Keeps backups in a folder. `shared/s3.ts` keeps backups in a bucket. @module */
import { lstat, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { createFile } from "../../../shared/private_files.ts";

/** A place for backups. Its files are called objects, as in a bucket. */
export interface BackupTarget {
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

/** Matches the name of a file whose write is under way, or was interrupted. */
const PART = /^\.waitlist-.*\.part$/;

/**
 * Keeps backups in a folder.
 * @param folder the path of a folder that exists. This function does not make the folder, because a missing folder may
 * be a disk that must be mounted first
 */
export function createBackupFolder(folder: string): BackupTarget {
  return {
    async write(name, content, signal) {
      const part = join(folder, `.${name}.part`);
      let size = 0;
      try {
        const file = await createFile(part);
        try {
          for await (const bytes of content) {
            signal.throwIfAborted();
            for (let rest = bytes; rest.length > 0;) {
              rest = rest.subarray((await file.write(rest)).bytesWritten);
            }
            size += bytes.length;
          }
          await file.sync();
        } finally {
          await file.close();
        }
        signal.throwIfAborted();
        await rename(part, join(folder, name));
      } catch (error) {
        await content.cancel().catch(() => {});
        await rm(part, { force: true }).catch(() => {});
        throw error;
      }
      return size;
    },
    names: () => readdir(folder),
    remove: (name) => rm(join(folder, name), { force: true }),
    async clean(before) {
      for (const name of (await readdir(folder)).filter((name) => PART.test(name))) {
        const path = join(folder, name);
        // Removes a link itself, and not the file to which the link leads.
        if ((await lstat(path)).mtimeMs < before) await rm(path, { force: true });
      }
    },
  };
}
