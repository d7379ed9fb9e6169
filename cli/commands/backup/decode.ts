/**
 * Decodes backups of a service: decrypts them if they are encrypted with age, and decompresses them by gzip. Only the part
 * that is being read is in memory. The tool age calls a secret key an identity.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { prepend } from "../../../shared/prepend.ts";
import type { Context } from "../../context.ts";
import { UsageError } from "../../errors.ts";
import { cannotRead } from "../../file_errors.ts";
import type { InputFile } from "../../input.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * The error about a file that cannot be decrypted or decompressed to its end. The message has no full stop, and `cause`
 * is the error that decrypting or decompressing has thrown.
 */
export class DecodeFault extends Error {
  override name = "DecodeFault";
}

/** How many bytes are decompressed at once. */
const PIECE_BYTES = 65_536;

/** The first bytes of a file that is encrypted with age. */
const AGE_START = new TextEncoder().encode("age-encryption.org/");

/** The first bytes of a file that is compressed by gzip. */
const GZIP_START = Uint8Array.of(0x1f, 0x8b);

/**
 * Reads the secret keys of age from a file that age-keygen wrote.
 *
 * @throws {UsageError} if the file cannot be read or has no such key
 */
export async function readIdentities(path: string, { files, hide }: Context): Promise<string[]> {
  const text = await files.readText(path).catch((error) => {
    throw new UsageError(cannotRead(`'${path}'`, error));
  });
  const identities = text.split("\n").map((line) => line.trim())
    .filter((line) => line.startsWith("AGE-SECRET-KEY-"));
  if (identities.length === 0) {
    throw new UsageError(
      `'${path}' has no line that begins with AGE-SECRET-KEY-, so it has no secret key of age; give the ` +
        "file that age-keygen wrote",
    );
  }
  for (const identity of identities) hide(identity);
  return identities;
}

/**
 * Wraps a file so that reading the result decodes the file. A file that is neither encrypted nor compressed is returned
 * as it is.
 *
 * @param options.identities the secret keys of age; empty if `--identity` is not given
 * @param options.warn is called with a sentence if a file is not encrypted, although its name or `--identity` suggests
 * an encrypted file
 */
export async function decodeFile(
  path: string,
  file: InputFile,
  { identities, warn }: { identities: string[]; warn: (sentence: string) => void },
): Promise<InputFile> {
  const chunks = file.read();
  const head = await readHead(chunks);
  await chunks.return(undefined);
  if (beginsWith(head, AGE_START)) {
    const decrypt = await createDecrypter(path, identities);
    return withContent(file, () => unzipIfZipped(decrypt(file.read())));
  }
  if (identities.length > 0 || path.endsWith(".age")) {
    const hint = path.endsWith(".age") ? "its name ends in .age" : "--identity is given";
    warn(
      `'${path}' is not encrypted, although ${hint}; before you trust this file, find out who made it.`,
    );
  }
  return beginsWith(head, GZIP_START) ? withContent(file, () => unzipIfZipped(file.read())) : file;
}

/**
 * Returns a file whose content is the result of `decode`. Reading from a position decodes all bytes from the beginning,
 * and skips the bytes before the position.
 */
function withContent(file: InputFile, decode: () => AsyncIterable<Bytes>): InputFile {
  async function* read(from = 0): AsyncGenerator<Bytes> {
    let bytesToSkip = from;
    try {
      for await (const bytes of decode()) {
        if (bytesToSkip < bytes.length) yield bytes.subarray(bytesToSkip);
        bytesToSkip = Math.max(0, bytesToSkip - bytes.length);
      }
    } catch (error) {
      if (error instanceof UsageError) throw error;
      throw new DecodeFault("its encryption or compression is damaged, or its end is missing", {
        cause: error,
      });
    }
  }
  return { ...file, read };
}

/**
 * Reads at least as many bytes as {@linkcode AGE_START} has, or all bytes if there are fewer, and returns these bytes.
 * It may read several chunks, because the first chunk may be shorter.
 */
async function readHead(chunks: AsyncGenerator<Bytes>): Promise<Bytes> {
  let head: Bytes = new Uint8Array();
  while (head.length < AGE_START.length) {
    const { done, value } = await chunks.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  return head;
}

function beginsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}

/** Decompresses bytes, or passes them on if they are not compressed. */
async function* unzipIfZipped(chunks: AsyncGenerator<Bytes>): AsyncGenerator<Bytes> {
  const head = await readHead(chunks);
  const allChunks = prepend(head, chunks);
  if (!beginsWith(head, GZIP_START)) return yield* allChunks;
  // Node's gunzip is used because it returns small pieces. A web stream would decompress a whole chunk at once, and the
  // decompressed chunk can be a thousand times as large.
  const gunzip = createGunzip({ chunkSize: PIECE_BYTES });
  // An error of the pipeline is not handled here, because reading from `gunzip` throws it.
  pipeline(Readable.from(allChunks, { objectMode: false }), gunzip, () => {});
  for await (const bytes of gunzip) yield new Uint8Array(bytes);
}

/**
 * Makes the function that decrypts a file. The function throws a `UsageError` if no secret key fits.
 * @throws {UsageError} if there is no secret key
 */
async function createDecrypter(path: string, identities: string[]) {
  if (identities.length === 0) {
    throw new UsageError(
      `'${path}' is encrypted with age; add --identity with the file of the secret key`,
    );
  }
  const { Decrypter } = await import("age-encryption");
  const decrypter = new Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);
  return async function* (chunks: AsyncIterable<Bytes>): AsyncGenerator<Bytes> {
    let content: ReadableStream<Uint8Array>;
    try {
      content = await decrypter.decrypt(ReadableStream.from(chunks));
    } catch (error) {
      if (!/no identity/.test((error as Error).message)) throw error;
      throw new UsageError(
        `No secret key in the file of --identity can decrypt '${path}'; give the file with the right key`,
      );
    }
    // The cast is needed because the library's type also allows chunks in shared memory, which the library does not
    // use.
    yield* content as ReadableStream<Bytes>;
  };
}
