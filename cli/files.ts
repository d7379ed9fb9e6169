/**
 * Files: how commands read and write them, and what is said where that fails.
 *
 * @module
 */
import type { FileHandle } from "node:fs/promises";
import { mkdtemp, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFile, openOwnFile, PRIVATE_FILE } from "../shared/private_files.ts";

/** The mode of files that hold nothing of people; the umask takes rights away from it. */
const OPEN_FILE = 0o666;

/** The bytes of a read. */
const CHUNK_BYTES = 65_536;

/** A file that is written to its end. */
export interface WritableFile extends Disposable {
  write: (bytes: Uint8Array) => Promise<void>;
  /** Resolves once everything that was written is on the disk. */
  sync: () => Promise<void>;
}

/** The files of this computer. */
export const LOCAL_FILES = {
  readText: (path: string): Promise<string> => readFile(path, "utf8"),
  /** Puts a text into a file that the person has named. */
  writeText: (path: string, text: string): Promise<void> => replace(path, text, OPEN_FILE),
  /** The same for a text about people: only the file's owner can read it. */
  writePrivate: (path: string, text: string): Promise<void> => replace(path, text, PRIVATE_FILE),
  /** The bytes from a position on, or of the whole file; a pipe has no positions. */
  async *read(path: string, from = 0): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    const file = await open(path);
    try {
      yield* readHandle(file, (await file.stat()).isFile() ? from : undefined);
    } finally {
      await file.close();
    }
  },
  /** The names in a folder; `undefined` where the path is that of a file. */
  async list(path: string): Promise<string[] | undefined> {
    return (await stat(path)).isDirectory() ? await readdir(path) : undefined;
  },
  /** In bytes. */
  size: async (path: string): Promise<number> => (await stat(path)).size,
  /** Whether it is a pipe, a terminal or the like, which can be read once only. */
  isStream: async (path: string): Promise<boolean> => {
    const info = await stat(path);
    return !info.isFile() && !info.isDirectory();
  },
  /** Keeps bytes on the disk until the result is disposed of. No other program can open them there. */
  async spool(chunks: AsyncIterable<Uint8Array>): Promise<Spool> {
    const folder = await mkdtemp(join(tmpdir(), "waitlist-"));
    const removeFolder = () => rm(folder, { recursive: true, force: true });
    try {
      const file = await open(join(folder, "spool"), "wx+", PRIVATE_FILE);
      // Without a name, it goes with the program, however that ends. Windows keeps the name of an open file.
      await removeFolder().catch(() => {});
      const close = async () => {
        await file.close();
        await removeFolder();
      };
      try {
        const { write } = writable(file, 0);
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
    } catch (error) {
      await removeFolder();
      throw error;
    }
  },
  /** Creates a file that only its owner can read; what has its name is removed. */
  create: async (path: string): Promise<WritableFile> => writable(await createFile(path), 0),
  /**
   * Opens a file that {@linkcode create} has made, to write on behind its first `length` bytes, and cuts off what comes
   * after them; `undefined` where there is no such file, or one that another account can read.
   */
  async goOn(path: string, length: number): Promise<WritableFile | undefined> {
    const file = await openOwnFile(path);
    await file?.truncate(length);
    return file && writable(file, length);
  },
  rename: (from: string, to: string): Promise<void> => rename(from, to),
  /** Removes a file, if it exists. */
  remove: (path: string): Promise<void> => rm(path, { force: true }),
};

/** Writes a file under another name first, so that it is whole under its own, and never written through a link. */
async function replace(path: string, text: string, mode: number): Promise<void> {
  const isDevice = await stat(path).then(
    (info) => !info.isFile() && !info.isDirectory(),
    () => false,
  );
  if (isDevice) return await writeFile(path, text);
  const part = `${path}.part`;
  const file = await createFile(part, mode);
  try {
    await file.writeFile(text);
    await file.sync();
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

/** Bytes that are kept on the disk for a while. */
export interface Spool extends AsyncDisposable {
  /** In bytes. */
  size: number;
  /** The bytes from a position on, or all of them. */
  read: (from?: number) => AsyncGenerator<Uint8Array<ArrayBuffer>>;
}

/** A file that is written from a position on. */
function writable(file: FileHandle, from: number): WritableFile {
  let at = from;
  return {
    async write(bytes) {
      for (let rest = bytes; rest.length > 0;) {
        const { bytesWritten } = await file.write(rest, 0, rest.length, at);
        at += bytesWritten;
        rest = rest.subarray(bytesWritten);
      }
    },
    sync: () => file.sync(),
    [Symbol.dispose]: () => void file.close(),
  };
}

/** Reads an open file from a position on, or what comes next out of a pipe. */
async function* readHandle(
  file: FileHandle,
  from: number | undefined,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let at = from;;) {
    const chunk = new Uint8Array(CHUNK_BYTES);
    const { bytesRead } = await file.read(chunk, { position: at ?? null });
    if (bytesRead === 0) return;
    if (at !== undefined) at += bytesRead;
    yield chunk.subarray(0, bytesRead);
  }
}

/** The files that a command reads and writes. */
export type Files = typeof LOCAL_FILES;

/** Says why something could not be read, and the next step; a sentence without the full stop. */
export function cannotRead(what: string, error: unknown): string {
  const reason = explainFileError(error, { flags: "--allow-read", nextStep: "check the path" });
  return `Cannot read ${what}: ${reason}`;
}

/** Says why something could not be written, and the next step; a sentence without the full stop. */
export function cannotWrite(
  what: string,
  error: unknown,
  {
    flags = "--allow-read and --allow-write",
    nextStep = "set it right and run the command again",
  }: { flags?: string; nextStep?: string } = {},
): string {
  return `Cannot write ${what}: ${explainFileError(error, { flags, nextStep })}`;
}

/**
 * Says why a file could not be used.
 *
 * @param flags the permissions that the program needs
 * @param nextStep what to do where permissions are not the reason
 */
function explainFileError(
  error: unknown,
  { flags, nextStep }: { flags: string; nextStep: string },
): string {
  const { code } = error as NodeJS.ErrnoException;
  if (lacksPermission(error)) {
    return `the program has no permission for it; install it with ${flags}`;
  }
  if (code === "ENOENT") return `there is no such file or folder; ${nextStep}`;
  if (code === "EISDIR") return `it is a folder; ${nextStep}`;
  if (code === "EACCES" || code === "EPERM") return `the system does not permit it; ${nextStep}`;
  return `${(error as Error).message.replace(/ \(os error \d+\).*/, "")}; ${nextStep}`;
}

/** Whether Deno refuses what it has no permission for. */
export function lacksPermission(error: unknown): boolean {
  return (error as Error).name === "NotCapable";
}

/** The sentences about lines that cannot be read. */
export const LINE_FAULTS = {
  too_long: "The line is longer than 64 KB.",
  not_utf8: "The line is not UTF-8 text; save the file as UTF-8.",
};
