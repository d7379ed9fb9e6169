/** Writes the objects of backups: compresses them, and encrypts them for the keys of `BACKUP_RECIPIENT`. @module */
import { ConfigError } from "../../config/mod.ts";
import type { BackupTarget } from "./folder.ts";

export interface BackupWriter {
  /** Whether the objects are encrypted. Their names say so. */
  isSealed: boolean;
  /**
   * Writes an object.
   * @param texts the parts of the content; the work on them ends when the service stops
   * @param lost aborts once another process does the work
   * @returns the size of the object in bytes
   */
  write: (name: string, texts: AsyncGenerator<string>, lost: AbortSignal) => Promise<number>;
}

/**
 * Makes the writer of a place for backups.
 * @param options.recipients the age public keys; without any, objects are only compressed
 * @param options.stopping aborts when the service stops
 * @throws {ConfigError} if a recipient is not a public key of age
 */
export async function createBackupWriter(
  target: Pick<BackupTarget, "write">,
  { recipients, stopping }: { recipients: string[]; stopping: AbortSignal },
): Promise<BackupWriter> {
  const { isSealed, seal } = await createSealing(recipients);
  return {
    isSealed,
    async write(name, texts, lost) {
      const signal = AbortSignal.any([stopping, lost]);
      return await target.write(name, await seal(untilAborted(texts, signal)), signal);
    },
  };
}

/** Gives the parts of a content until the signal aborts. @throws the reason of the signal */
async function* untilAborted<T>(parts: AsyncGenerator<T>, signal: AbortSignal): AsyncGenerator<T> {
  for await (const part of parts) {
    signal.throwIfAborted();
    yield part;
  }
}

/** Compresses and encrypts the objects that this service writes. */
interface Sealing {
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
async function createSealing(recipients: string[]): Promise<Sealing> {
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
