import { CliError, UsageError } from "../cli_error.ts";
import type { Context } from "../context.ts";
import { EXIT } from "../exit_codes.ts";

/** A file that a command reads. */
export interface InputFile {
  /** In bytes. */
  size: number;
  /** How far the last reading has come, in bytes. */
  position: () => number;
  /** Reads it from a position on; each reading begins anew. */
  read: (from?: number) => AsyncGenerator<Uint8Array<ArrayBuffer>>;
}

/** Opens a file for reading; what goes wrong then or later is said in terms of the file. */
export async function openInput(path: string, { files }: Context): Promise<InputFile> {
  let position = 0;
  async function* read(from = 0) {
    position = from;
    try {
      for await (const bytes of files.read(path, from)) {
        position += bytes.byteLength;
        yield bytes;
      }
    } catch (error) {
      throw explain(path, error);
    }
  }
  try {
    return { size: await files.size(path), position: () => position, read };
  } catch (error) {
    throw explain(path, error);
  }
}

function explain(path: string, error: unknown): CliError {
  if (error instanceof Deno.errors.NotFound) {
    return new UsageError(`There is no file '${path}'; check its name`);
  }
  if (error instanceof Deno.errors.NotCapable) {
    const reason = "the program has no permission for it; install it with --allow-read";
    return new UsageError(`Cannot read '${path}': ${reason}`);
  }
  const message = (error as Error).message.replace(/ \(os error \d+\).*/, "");
  return new CliError(`Cannot read '${path}': ${message}; check the file`, EXIT.usage);
}
