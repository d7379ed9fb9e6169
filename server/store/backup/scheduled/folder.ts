/** Keeps backups in a folder. @module */
import { lstat, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { createFile } from "../../../../shared/private_files.ts";

/** Where backups are kept. */
export interface BackupTarget {
  /** Writes an object, which has its name only once it is whole; gives its size in bytes. */
  write: (
    name: string,
    content: ReadableStream<Uint8Array>,
    signal: AbortSignal,
  ) => Promise<number>;
  names: () => Promise<string[]>;
  remove: (name: string) => Promise<void>;
  /** Removes what writes that were cut before a moment, in milliseconds since 1970, have left behind. */
  clean: (before: number) => Promise<void>;
}

const PART = /^\.waitlist-.*\.part$/;

/** @param folder is there already: it may be a disk that must be mounted first */
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
        // A link is removed, too, and not what it leads to.
        if ((await lstat(path)).mtimeMs < before) await rm(path, { force: true });
      }
    },
  };
}
