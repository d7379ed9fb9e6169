/**
 * Opens the input of commands, which is a file, a pipe or standard input, and copies an input to a temporary file for
 * commands that read the input several times.
 *
 * @module
 */
import type { Context } from "./context.ts";
import { UsageError } from "./errors.ts";
import { cannotRead, cannotWrite } from "./file_errors.ts";
import type { FlagValues } from "./flag_values.ts";

/** An input that a command reads: a file, a pipe, standard input, or an object in a bucket. */
export interface InputFile {
  /**
   * The size in bytes; `undefined` for a stream, such as a pipe, which can be read only once and from its beginning.
   */
  size: number | undefined;
  /** How far the last call of `read` has read, in bytes from the beginning of the input. */
  position: () => number;
  /** Reads the input from a position on; from 0 by default. */
  read: (from?: number) => AsyncGenerator<Uint8Array<ArrayBuffer>>;
}

/** Whether a path stands for standard input. `/dev/stdin` is handled here because Deno cannot open it. */
export const isStandardInput = (path: string): boolean => path === "-" || path === "/dev/stdin";

/** Returns the name of an input for a sentence. */
export const inputName = (path: string): string => isStandardInput(path) ? "standard input" : path;

/** Throws a `UsageError` if a command would read both its input and the operator key from standard input. */
export function checkStandardInput(path: string | undefined, { keyStdin }: FlagValues): void {
  if (path === undefined || !isStandardInput(path) || keyStdin !== true) return;
  throw new UsageError(
    `--key-stdin and '${path}' both read standard input; set WAITLIST_OPERATOR_KEY in place of ` +
      `--key-stdin, or give a file in place of '${path}'`,
  );
}

/**
 * Opens a file, a pipe or standard input for reading.
 *
 * @throws {UsageError} naming the file, if opening or a later reading fails
 */
export async function openInput(
  path: string,
  { files, stdin }: Pick<Context, "files" | "stdin">,
): Promise<InputFile> {
  const toReadError = (error: unknown) => new UsageError(cannotRead(`'${path}'`, error));
  async function* read(from: number) {
    try {
      yield* isStandardInput(path) ? stdin.read() : files.read(path, from);
    } catch (error) {
      throw toReadError(error);
    }
  }
  try {
    const isStream = isStandardInput(path) || await files.isStream(path);
    return createInput(isStream ? undefined : await files.size(path), read);
  } catch (error) {
    throw toReadError(error);
  }
}

/** Copies an input to a temporary file, so that it can be read several times. */
export async function spoolInput(
  path: string,
  input: InputFile,
  { files }: Pick<Context, "files">,
): Promise<InputFile & AsyncDisposable> {
  try {
    const spool = await files.spool(input.read());
    const dispose = () => spool[Symbol.asyncDispose]();
    return { ...createInput(spool.size, spool.read), [Symbol.asyncDispose]: dispose };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const options = { nextStep: "save the input as a file, and give the command this file" };
    throw new UsageError(
      cannotWrite(`${inputName(path)} to a temporary file`, error, options),
    );
  }
}

/**
 * Makes an input that counts the bytes that are read from it.
 *
 * @param size the size in bytes; `undefined` for a stream
 * @param readFrom reads the bytes from a position on
 */
export function createInput(
  size: number | undefined,
  readFrom: (position: number) => AsyncIterable<Uint8Array<ArrayBuffer>>,
): InputFile {
  let position = 0;
  async function* read(from = 0) {
    position = from;
    for await (const bytes of readFrom(from)) {
      position += bytes.byteLength;
      yield bytes;
    }
  }
  return { size, position: () => position, read };
}
