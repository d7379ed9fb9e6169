/**
 * Reads and writes open files by position.
 *
 * @module
 */
import type { FileHandle } from "node:fs/promises";

/** How many bytes are read at once. */
const CHUNK_BYTES = 65_536;

/** An open file that is written from a position on. Its disposal closes the file. */
export interface WritableFile extends Disposable {
  /** Writes bytes behind all bytes that were written before. */
  write: (bytes: Uint8Array) => Promise<void>;
  /** Resolves when all written bytes are on the disk. */
  sync: () => Promise<void>;
}

/** Makes the {@linkcode WritableFile} that writes to an open file from a position on. */
export function createWritable(file: FileHandle, from: number): WritableFile {
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
    // Nothing waits for the end of `close()`, because the system already has all bytes that `write()` was given.
    [Symbol.dispose]: () => void file.close(),
  };
}

/** Reads an open file from a position on. `undefined` stands for the present position, the only one that a pipe has. */
export async function* readHandle(
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
