/**
 * Reads and writes the files of this computer for commands. `file_errors.ts` explains failures.
 *
 * @module
 */
import type { Stats } from "node:fs";
import {
  type FileHandle,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFile, openOwnFile, PRIVATE_FILE_MODE } from "../shared/private_files.ts";

/** The permissions of a new file without personal data. The user's umask removes some of them. */
const SHARED_FILE_MODE = 0o666;

/** How many bytes are read at once. */
const CHUNK_BYTES = 65_536;

/** An open file that is written from a position on. */
export interface WritableFile extends Disposable {
  /** Writes bytes behind all bytes that were written before. */
  write: (bytes: Uint8Array) => Promise<void>;
  /** Resolves when all written bytes are on the disk. */
  sync: () => Promise<void>;
}

/** The files of this computer. */
export const LOCAL_FILES = {
  readText: (path: string): Promise<string> => readFile(path, "utf8"),
  /** Writes a text to a file, and replaces an existing file. */
  writeText: (path: string, text: string): Promise<void> =>
    replaceFile(path, text, SHARED_FILE_MODE),
  /** Writes a text with personal data to a file that only its owner can read, and replaces an existing file. */
  writePrivate: (path: string, text: string): Promise<void> =>
    replaceFile(path, text, PRIVATE_FILE_MODE),
  /** Reads the bytes from a position on. A pipe has no positions, so it is always read from its beginning. */
  async *read(path: string, from = 0): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    const file = await open(path);
    try {
      yield* readHandle(file, (await file.stat()).isFile() ? from : undefined);
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
  /** Whether the path belongs to a pipe, a terminal or another device, which can be read only once. */
  isStream: async (path: string): Promise<boolean> => isDevice(await stat(path)),
  /** Stores bytes in a temporary file, which no other program can open, until the result is disposed of. */
  async spool(chunks: AsyncIterable<Uint8Array>): Promise<Spool> {
    const { file, close } = await openTemporaryFile();
    try {
      const { write } = createWritable(file, 0);
      let size = 0;
      for await (const bytes of chunks) {
        await write(bytes);
        size += bytes.length;
      }
      return { size, read: (from = 0) => readHandle(file, from), [Symbol.asyncDispose]: close };
    } catch (error) {
      await close();
      throw error;
    }
  },
  /** Creates a file that only its owner can read. It removes an existing file with the same name. */
  create: async (path: string): Promise<WritableFile> => createWritable(await createFile(path), 0),
  /**
   * Opens a file that {@linkcode create} has made, and cuts it to its first `length` bytes. New bytes are written
   * after them. The result is `undefined` if there is no such file, or if another account can read it.
   */
  async reopen(path: string, length: number): Promise<WritableFile | undefined> {
    const file = await openOwnFile(path);
    await file?.truncate(length);
    return file && createWritable(file, length);
  },
  rename: (from: string, to: string): Promise<void> => rename(from, to),
  /** Removes a file, if it exists. */
  remove: (path: string): Promise<void> => rm(path, { force: true }),
};

/**
 * Writes a file under another name first, and then renames it, so that the file with the final name is always whole. If
 * `path` is a symbolic link to a file, the link is replaced, and the file to which it leads does not change. A device,
 * such as `/dev/null`, is written to directly.
 */
async function replaceFile(path: string, text: string, mode: number): Promise<void> {
  const stats = await stat(path).catch(() => undefined);
  if (stats && isDevice(stats)) return await writeFile(path, text);
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

/** Whether a path belongs to a pipe, a terminal or another device. */
function isDevice(stats: Stats): boolean {
  return !stats.isFile() && !stats.isDirectory();
}

/** Opens a temporary file, which no other program can open. `close` closes and removes it. */
async function openTemporaryFile(): Promise<{ file: FileHandle; close: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "waitlist-"));
  const removeFolder = () => rm(folder, { recursive: true, force: true });
  try {
    const file = await open(join(folder, "spool"), "wx+", PRIVATE_FILE_MODE);
    // The folder is removed at once, because an open file without a name disappears when the program ends, in whatever
    // way. On Windows the removal fails, because an open file keeps its name there.
    await removeFolder().catch(() => {});
    const close = async () => {
      await file.close();
      await removeFolder();
    };
    return { file, close };
  } catch (error) {
    await removeFolder();
    throw error;
  }
}

/** Bytes in a temporary file. */
export interface Spool extends AsyncDisposable {
  /** The number of bytes. */
  size: number;
  /** Reads the bytes from a position on; from 0 by default. */
  read: (from?: number) => AsyncGenerator<Uint8Array<ArrayBuffer>>;
}

/** Makes the {@linkcode WritableFile} that writes from a position on. Its disposal closes `file`. */
function createWritable(file: FileHandle, from: number): WritableFile {
  let position = from;
  return {
    async write(bytes) {
      let unwritten = bytes;
      while (unwritten.length > 0) {
        const { bytesWritten } = await file.write(unwritten, 0, unwritten.length, position);
        position += bytesWritten;
        unwritten = unwritten.subarray(bytesWritten);
      }
    },
    sync: () => file.sync(),
    [Symbol.dispose]: () => void file.close(),
  };
}

/** Reads an open file from a position on. `undefined` stands for the present position, the only one that a pipe has. */
async function* readHandle(
  file: FileHandle,
  from: number | undefined,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let position = from;
  for (;;) {
    const chunk = new Uint8Array(CHUNK_BYTES);
    const { bytesRead } = await file.read(chunk, { position: position ?? null });
    if (bytesRead === 0) return;
    if (position !== undefined) position += bytesRead;
    yield chunk.subarray(0, bytesRead);
  }
}

/** The files of this computer, or the files that a test provides. */
export type Files = typeof LOCAL_FILES;
