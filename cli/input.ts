/**
 * What commands read: files, pipes and standard input.
 *
 * @module
 */
import type { Context } from "./context.ts";
import { UsageError } from "./errors.ts";
import { cannotRead, cannotWrite } from "./files.ts";
import type { Flags } from "./settings.ts";

/** A file that a command reads. */
export interface InputFile {
  /** In bytes; `undefined` for a pipe, which can be read once only, and from its beginning. */
  size: number | undefined;
  /** How far the last reading has come, in bytes. */
  position: () => number;
  /** Reads the file from a position on; each call begins anew. */
  read: (from?: number) => AsyncGenerator<Uint8Array<ArrayBuffer>>;
}

/** Whether the name of a file stands for standard input. Deno opens no `/dev/stdin`. */
export const isStandardInput = (path: string): boolean => path === "-" || path === "/dev/stdin";

/** The name of a file in a sentence. */
export const inputName = (path: string): string => isStandardInput(path) ? "standard input" : path;

/** Throws a `UsageError` where a command would read both a file and the operator key from standard input. */
export function checkStandardInput(path: string | undefined, { keyStdin }: Flags): void {
  if (path === undefined || !isStandardInput(path) || keyStdin !== true) return;
  throw new UsageError(`--key-stdin and '${path}' both read standard input; set one otherwise`);
}

/**
 * Opens a file, a pipe or standard input for reading. Whatever fails then or later is a `UsageError` that names the
 * file.
 */
export async function openInput(
  path: string,
  { files, stdin }: Pick<Context, "files" | "stdin">,
): Promise<InputFile> {
  const explain = (error: unknown) => new UsageError(cannotRead(`'${path}'`, error));
  async function* read(from: number) {
    try {
      yield* isStandardInput(path) ? stdin.read() : files.read(path, from);
    } catch (error) {
      throw explain(error);
    }
  }
  try {
    const isStream = isStandardInput(path) || await files.isStream(path);
    return inputOf(isStream ? undefined : await files.size(path), read);
  } catch (error) {
    throw explain(error);
  }
}

/** Keeps what a pipe brings, so that it can be read again. */
export async function spoolInput(
  path: string,
  input: InputFile,
  { files }: Pick<Context, "files">,
): Promise<InputFile & AsyncDisposable> {
  try {
    const spool = await files.spool(input.read());
    const dispose = () => spool[Symbol.asyncDispose]();
    return { ...inputOf(spool.size, spool.read), [Symbol.asyncDispose]: dispose };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const options = { nextStep: "put it into a file, and give that file" };
    throw new UsageError(
      cannotWrite(`what '${path}' brings into a temporary file`, error, options),
    );
  }
}

/** An input that knows how far its last reading has come. */
function inputOf(
  size: number | undefined,
  chunksFrom: (from: number) => AsyncIterable<Uint8Array<ArrayBuffer>>,
): InputFile {
  let position = 0;
  async function* read(from = 0) {
    position = from;
    for await (const bytes of chunksFrom(from)) {
      position += bytes.byteLength;
      yield bytes;
    }
  }
  return { size, position: () => position, read };
}
