/**
 * Reads what a service has compressed by gzip and encrypted by age, as the bytes that it holds. Nothing is kept in
 * memory but the part that is being read.
 *
 * @module
 */
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { Context } from "../../context.ts";
import { UsageError } from "../../errors.ts";
import { cannotRead } from "../../files.ts";
import type { InputFile } from "../../input.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** A file that cannot be read to its end; the message says why, without a full stop. */
export class SealFault extends Error {
  override name = "SealFault";
}

/** How much is decompressed at a time, in bytes. */
const PIECE_BYTES = 65_536;

const AGE = "age-encryption.org/";

/** Reads the secret keys of age in a file, as age-keygen writes it. */
export async function readIdentities(path: string, { files, hide }: Context): Promise<string[]> {
  const text = await files.readText(path).catch((error) => {
    throw new UsageError(cannotRead(`'${path}'`, error));
  });
  const identities = text.split("\n").map((line) => line.trim())
    .filter((line) => line.startsWith("AGE-SECRET-KEY-"));
  if (identities.length === 0) {
    throw new UsageError(
      `'${path}' has no secret key of age, which is a line that begins with AGE-SECRET-KEY-; give the file ` +
        "that age-keygen wrote",
    );
  }
  for (const identity of identities) hide(identity);
  return identities;
}

/**
 * Opens a file that may be compressed, or encrypted and then compressed; any other is read as it is.
 *
 * @param warn is told where a file that should be encrypted is not
 */
export async function openSealed(
  path: string,
  file: InputFile,
  identities: string[],
  warn: (sentence: string) => void,
): Promise<InputFile> {
  const head = await headOf(file.read());
  if (head.startsWith(AGE)) {
    const decrypt = await createDecrypter(path, identities);
    return opened(file, () => unzipped(decrypt(file.read())));
  }
  if (identities.length > 0 || path.endsWith(".age")) {
    warn(
      `'${path}' is not encrypted, though ${
        path.endsWith(".age") ? "its name says so" : "--identity is given"
      }; find out who has put it there before you trust it.`,
    );
  }
  return isGzip(head) ? opened(file, () => unzipped(file.read())) : file;
}

function opened(file: InputFile, unseal: () => AsyncIterable<Bytes>): InputFile {
  async function* read(from = 0): AsyncGenerator<Bytes> {
    let skip = from;
    try {
      for await (const bytes of unseal()) {
        if (skip < bytes.length) yield bytes.subarray(skip);
        skip = Math.max(0, skip - bytes.length);
      }
    } catch (error) {
      if (error instanceof UsageError) throw error;
      throw new SealFault("its encryption or compression is damaged, or it was cut");
    }
  }
  return { ...file, read };
}

/** The first bytes, one character for each. */
async function headOf(chunks: AsyncIterable<Bytes>): Promise<string> {
  for await (const bytes of chunks) return String.fromCharCode(...bytes.subarray(0, AGE.length));
  return "";
}

const isGzip = (head: string) => head.startsWith("\x1f\x8b");

async function* unzipped(chunks: AsyncIterable<Bytes>): AsyncGenerator<Bytes> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done) return;
  async function* all() {
    yield first.value as Bytes;
    for (;;) {
      const next = await iterator.next();
      if (next.done) return;
      yield next.value;
    }
  }
  if (!isGzip(String.fromCharCode(...first.value.subarray(0, 2)))) return yield* all();
  // Node's gunzip gives small pieces. A web stream would decompress a whole chunk at once, and a chunk of gzip may hold a
  // thousand times its size.
  const unzip = createGunzip({ chunkSize: PIECE_BYTES });
  pipeline(Readable.from(all(), { objectMode: false }), unzip, () => {});
  for await (const bytes of unzip) yield new Uint8Array(bytes);
}

async function createDecrypter(path: string, identities: string[]) {
  if (identities.length === 0) {
    throw new UsageError(
      `'${path}' is encrypted by age; add --identity and the file with the secret key`,
    );
  }
  const { Decrypter } = await import("age-encryption");
  const decrypter = new Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);
  return async function* (chunks: AsyncIterable<Bytes>): AsyncGenerator<Bytes> {
    let plain;
    try {
      plain = await decrypter.decrypt(ReadableStream.from(chunks));
    } catch (error) {
      if (!/no identity/.test((error as Error).message)) throw error;
      throw new UsageError(`No secret key of --identity opens '${path}'; give the one it is for`);
    }
    yield* plain as ReadableStream<Bytes>;
  };
}
