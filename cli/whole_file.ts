/**
 * Writes a file that gets its name when it is whole, so that a command that fails leaves no part of it behind.
 *
 * @module
 */
import { CliError, EXIT } from "./errors.ts";
import { cannotWrite } from "./file_errors.ts";
import type { Files } from "./files.ts";
import type { WritableFile } from "./file_handles.ts";

/** What {@linkcode writeWhole} gets besides the path and the function that writes. */
interface WholeFileOptions {
  files: Pick<Files, "create" | "rename" | "remove">;
  /** What the user is to do if the file cannot be written; by default, to run the command again. */
  nextStep?: string;
}

/**
 * Writes a file, which only its owner can read. The file has the name `<path>.part` until it is whole. If writing
 * fails, the `.part` file is removed, because it may hold addresses. An existing file at `path` then stays unchanged.
 *
 * @param write writes the content; `writeWhole()` returns the result of `write`
 * @throws {CliError} the `CliError` that `write` throws, or the reason why the file cannot be written, such as a full
 * disk
 */
export async function writeWhole<Result>(
  path: string,
  write: (file: WritableFile) => Promise<Result>,
  { files, nextStep }: WholeFileOptions,
): Promise<Result> {
  const partPath = `${path}.part`;
  let isCreated = false;
  try {
    using file = await files.create(partPath);
    isCreated = true;
    const result = await write(file);
    await file.sync();
    await files.rename(partPath, path);
    return result;
  } catch (error) {
    // A failure of the removal is not thrown, because it would hide the first error.
    if (isCreated) await files.remove(partPath).catch(() => {});
    if (error instanceof CliError) throw error;
    const message = cannotWrite(`'${path}'`, error, nextStep === undefined ? {} : { nextStep });
    throw new CliError(message, EXIT.failedCheck);
  }
}
