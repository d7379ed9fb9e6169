/**
 * Stores bytes in a temporary file, which no other program can open.
 *
 * @module
 */
import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PRIVATE_FILE_MODE } from "../shared/private_files.ts";
import { createWritable, readHandle } from "./file_handles.ts";

/** Bytes in a temporary file. Its disposal removes the file. */
export interface Spool extends AsyncDisposable {
  /** The number of bytes. */
  size: number;
  /** Reads the bytes from a position on; from 0 by default. */
  read: (from?: number) => AsyncGenerator<Uint8Array<ArrayBuffer>>;
}

/** Stores bytes in a temporary file until the result is disposed of. */
export async function spool(chunks: AsyncIterable<Uint8Array>): Promise<Spool> {
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
}

/** Opens a temporary file. `close` closes and removes it. */
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
