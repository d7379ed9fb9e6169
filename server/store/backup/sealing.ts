/** Compresses the objects of backups, and encrypts them for the keys of `BACKUP_RECIPIENT`. @module */
import { ConfigError } from "../../config/mod.ts";

/** Compresses and encrypts the objects that this service writes. */
export interface Sealing {
  /** Whether the objects are encrypted. */
  isSealed: boolean;
  /** Compresses the texts of an object, and encrypts them if there are recipients. */
  seal: (
    texts: AsyncIterable<string>,
  ) => ReadableStream<Uint8Array> | Promise<ReadableStream<Uint8Array>>;
}

/**
 * Makes the function that compresses and encrypts.
 * @param recipients the age public keys; without any, objects are only compressed
 * @throws {ConfigError} if `BACKUP_RECIPIENT` has a text that is no public key of age
 */
export async function createSealing(recipients: string[]): Promise<Sealing> {
  if (recipients.length === 0) return { isSealed: false, seal: compress };
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
  return { isSealed: true, seal: (texts) => encrypter.encrypt(compress(texts)) };
}

const compress = (texts: AsyncIterable<string>): ReadableStream<Uint8Array> =>
  ReadableStream.from(texts).pipeThrough(new TextEncoderStream())
    .pipeThrough(new CompressionStream("gzip"));
