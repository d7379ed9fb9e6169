/** Compresses what is kept, and encrypts it by age (https://age-encryption.org/v1) for some recipients. @module */
import { ConfigError } from "../../../config/mod.ts";

/**
 * Makes what seals texts; `isSealed` tells whether there are recipients.
 * @throws {ConfigError} that names `BACKUP_RECIPIENT` and the recipient which is not a public key of age
 */
export async function createSealing(recipients: string[]) {
  if (recipients.length === 0) {
    return { isSealed: false, seal: compress };
  }
  // Loaded only where it is used, as that takes a tenth of a second.
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
  return {
    isSealed: true,
    seal: (texts: AsyncIterable<string>) => encrypter.encrypt(compress(texts)),
  };
}

const compress = (texts: AsyncIterable<string>): ReadableStream<Uint8Array> =>
  ReadableStream.from(texts).pipeThrough(new TextEncoderStream())
    .pipeThrough(new CompressionStream("gzip"));
