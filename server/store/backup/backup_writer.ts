/**
 * Writes the objects of backups, which are files in a folder or objects in a bucket. Compresses them, and encrypts them
 * for the keys of `BACKUP_RECIPIENT`. @module
 */
import { ConfigError } from "../../config/mod.ts";
import type { BackupPlace } from "./backup_folder.ts";

/** Writes backups and copies of erasure marks to the folder or the bucket of `BACKUP_URL`. */
export interface BackupWriter {
  /** Whether the objects are encrypted. The caller chooses names that tell this. */
  isEncrypted: boolean;
  /**
   * Writes an object.
   * @param texts the parts of the content; no further part is made once the service stops
   * @param leaseLost aborts the write once another process does this work
   * @returns the size of the object in bytes
   */
  write: (name: string, texts: AsyncGenerator<string>, leaseLost: AbortSignal) => Promise<number>;
}

/**
 * Makes the writer for a place for backups.
 * @param options.recipients the age public keys; without any, objects are only compressed
 * @param options.stopping aborts when the service stops
 * @throws {ConfigError} if a recipient is not a public key of age
 */
export async function createBackupWriter(
  place: Pick<BackupPlace, "write">,
  { recipients, stopping }: { recipients: string[]; stopping: AbortSignal },
): Promise<BackupWriter> {
  const { isEncrypted, encode } = await createEncoder(recipients);
  return {
    isEncrypted,
    async write(name, texts, leaseLost) {
      const signal = AbortSignal.any([stopping, leaseLost]);
      return await place.write(name, await encode(endAtAbort(texts, signal)), signal);
    },
  };
}

/** Gives the parts of a content until the signal aborts. @throws the reason of the signal */
async function* endAtAbort<T>(parts: AsyncGenerator<T>, signal: AbortSignal): AsyncGenerator<T> {
  for await (const part of parts) {
    signal.throwIfAborted();
    yield part;
  }
}

/** Turns the texts of an object into the bytes that are written. */
interface ObjectEncoder {
  /** Whether the objects are encrypted. */
  isEncrypted: boolean;
  /** Compresses the texts of an object, and encrypts them if there are recipients. */
  encode: (
    texts: AsyncIterable<string>,
  ) => ReadableStream<Uint8Array> | Promise<ReadableStream<Uint8Array>>;
}

/**
 * Makes the encoder of objects.
 * @param recipients the age public keys; without any, objects are only compressed
 * @throws {ConfigError} if `BACKUP_RECIPIENT` has a text that is no public key of age
 */
async function createEncoder(recipients: string[]): Promise<ObjectEncoder> {
  if (recipients.length === 0) return { isEncrypted: false, encode: compress };
  // Loads the module only if there are recipients, because loading takes a tenth of a second.
  const { Encrypter } = await import("age-encryption");
  const encrypter = new Encrypter();
  for (const recipient of recipients) {
    try {
      encrypter.addRecipient(recipient);
    } catch {
      throw new ConfigError(
        `BACKUP_RECIPIENT has '${recipient}', which is not a public key of age: a character is wrong or ` +
          "missing. Copy it again from the output of age-keygen",
      );
    }
  }
  return { isEncrypted: true, encode: (texts) => encrypter.encrypt(compress(texts)) };
}

/** Compresses the texts of an object with gzip. */
const compress = (texts: AsyncIterable<string>): ReadableStream<Uint8Array> =>
  ReadableStream.from(texts).pipeThrough(new TextEncoderStream())
    .pipeThrough(new CompressionStream("gzip"));
