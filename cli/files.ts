/**
 * Files: how commands read and write them, and what is said where that fails.
 *
 * @module
 */
import { constants, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { UsageError } from "./errors.ts";

/** The mode of files that hold addresses, digests of secrets or the key of erasure marks: private. */
const PRIVATE = 0o600;

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
  writeText: (path: string, text: string): Promise<void> => writeFile(path, text),
  /** Writes a file; a new one can be read by its owner only. */
  writePrivate: (path: string, text: string): Promise<void> =>
    writeFile(path, text, { mode: PRIVATE }),
  /** The bytes from a position on, or of the whole file. */
  async *read(path: string, from = 0): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    const file = await open(path);
    try {
      for (let at = from;;) {
        const { bytesRead, buffer } = await file.read(new Uint8Array(CHUNK_BYTES), {
          position: at,
        });
        if (bytesRead === 0) return;
        at += bytesRead;
        yield buffer.subarray(0, bytesRead);
      }
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
  /**
   * Opens a file to write on behind its first `length` bytes, and cuts off what comes after them. A new
   * file can be read by its owner only.
   */
  async openAt(path: string, length: number): Promise<WritableFile> {
    const file = await open(path, constants.O_WRONLY | constants.O_CREAT, PRIVATE);
    await file.truncate(length);
    let at = length;
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
  },
  rename: (from: string, to: string): Promise<void> => rename(from, to),
  /** Removes a file, if it exists. */
  remove: (path: string): Promise<void> => rm(path, { force: true }),
};

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

/** A file that a command reads. */
export interface InputFile {
  /** In bytes. */
  size: number;
  /** How far the last reading has come, in bytes. */
  position: () => number;
  /** Reads the file from a position on; each call begins anew. */
  read: (from?: number) => AsyncGenerator<Uint8Array<ArrayBuffer>>;
}

/** Opens a file for reading. Whatever fails then or later is a `UsageError` that names the file. */
export async function openInput(path: string, { files }: { files: Files }): Promise<InputFile> {
  const explain = (error: unknown) => new UsageError(cannotRead(`'${path}'`, error));
  let position = 0;
  async function* read(from = 0) {
    position = from;
    try {
      for await (const bytes of files.read(path, from)) {
        position += bytes.byteLength;
        yield bytes;
      }
    } catch (error) {
      throw explain(error);
    }
  }
  try {
    return { size: await files.size(path), position: () => position, read };
  } catch (error) {
    throw explain(error);
  }
}
