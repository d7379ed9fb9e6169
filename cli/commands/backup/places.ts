/**
 * Opens a backup: a file that `waitlist backup` wrote, or an object in the folder or bucket of `BACKUP_URL`. There, the
 * service stores the erasure marks made after a backup beside the backup.
 *
 * @module
 */
import { basename, dirname, join } from "node:path";
import { readObjectName, sortObjects } from "../../../shared/backup_objects.ts";
import { createObjectStore } from "../../../shared/s3.ts";
import { parseS3Url, type S3Location } from "../../../shared/s3_location.ts";
import { shownAddress } from "../../../shared/shown_address.ts";
import type { Context } from "../../context.ts";
import { UsageError } from "../../errors.ts";
import { cannotRead } from "../../files.ts";
import { type InputFile, isStandardInput, openInput, spoolInput } from "../../input.ts";
import { openSealed, readIdentities } from "./unseal.ts";

/** The flag of commands that read encrypted backups. */
export const IDENTITY = [
  "--identity <file>",
  "the file with the secret key of age, if the backup is encrypted",
] as const;

/** An opened file with its path. */
export interface OpenedFile {
  path: string;
  file: InputFile;
}

/** An opened backup. The caller disposes of it after the last reading. */
export interface OpenedBackup extends OpenedFile, AsyncDisposable {
  /** The files with the erasure marks that were made after the beginning of the backup. */
  erasures: OpenedFile[];
}

/** A place of backups: a folder, or a prefix in a bucket. */
interface Place {
  /** The name of the backup; `undefined` for the newest one. */
  name: string | undefined;
  /** The names of all files in the folder, or of all objects under the prefix. */
  names: string[];
  pathOf: (name: string) => string;
  open: (name: string) => Promise<InputFile>;
}

/**
 * Opens a backup, and decrypts and decompresses it while it is read.
 *
 * @param text a file, an object, standard input, or a folder or a prefix, which stands for its newest backup
 * @param options.identity the path of a file with the secret keys of age
 * @throws {UsageError} if there is no backup, or if it cannot be read
 */
export async function openBackup(
  text: string,
  { identity }: { identity: string | undefined },
  context: Context,
): Promise<OpenedBackup> {
  const identities = identity === undefined ? [] : await readIdentities(identity, context);
  const warn = (sentence: string) => context.stderr.write(`Warning: ${sentence}\n`);
  const spools: AsyncDisposable[] = [];
  async function dispose(): Promise<void> {
    for (const spool of spools) await spool[Symbol.asyncDispose]();
  }
  const place = await findPlace(text, context);
  const name = place.name ?? sortObjects(place.names, "backup").at(-1)?.name;
  if (name === undefined) {
    const shown = shownAddress(text);
    throw new UsageError(
      `'${shown}' has no backup whose name begins with 'waitlist-', as the backups of a service do; ` +
        "check the service's BACKUP_URL",
    );
  }
  const open = async (name: string): Promise<OpenedFile> => {
    const path = place.pathOf(name);
    const input = await place.open(name);
    // A restore reads a backup several times, and a pipe can be read only once, so a file stores the bytes of a pipe.
    if (input.size !== undefined) {
      return { path, file: await openSealed(path, input, identities, warn) };
    }
    const spool = await spoolInput(path, input, context);
    spools.push(spool);
    return { path, file: await openSealed(path, spool, identities, warn) };
  };
  const object = readObjectName(name);
  const later = object === undefined ? [] : sortObjects(place.names, "erasures")
    .filter(({ moment }) => moment >= object.moment);
  try {
    const erasures = await Promise.all(later.map(({ name }) => open(name)));
    const backup = await open(name);
    return { ...backup, erasures, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

function findPlace(text: string, context: Context): Promise<Place> {
  if (isStandardInput(text)) {
    const open = () => openInput(text, context);
    return Promise.resolve({ name: text, names: [], pathOf: () => text, open });
  }
  return text.startsWith("s3:") ? findInBucket(text, context) : findInFolder(text, context);
}

async function findInFolder(path: string, context: Context): Promise<Place> {
  const { files } = context;
  try {
    const inside = await files.list(path);
    const folder = inside ? path : dirname(path);
    const name = inside ? undefined : basename(path);
    const pathOf = (each: string) => each === name ? path : join(folder, each);
    const names = inside ?? (readObjectName(name ?? "") ? await files.list(folder) : []);
    return { name, names: names ?? [], pathOf, open: (name) => openInput(pathOf(name), context) };
  } catch (error) {
    throw new UsageError(cannotRead(`'${path}'`, error));
  }
}

async function findInBucket(
  text: string,
  { variables, fetch, hide }: Context,
): Promise<Place> {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = variables;
  if (!accessKeyId || !secretAccessKey) {
    throw new UsageError(
      "The key of the bucket is missing; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    );
  }
  hide(secretAccessKey);
  const { prefix: path, ...location } = readLocation(text);
  const last = basename(path);
  const name = readObjectName(last) ? last : undefined;
  // If the URL names an object, the rest of the path is the prefix.
  const prefix = name === undefined ? path : path.slice(0, -last.length - 1);
  const store = createObjectStore(
    { ...location, prefix, accessKeyId, secretAccessKey },
    { fetch },
  );
  return {
    name,
    names: await explained(text, () => store.names()),
    pathOf: (name) => `s3://${location.bucket}/${prefix}${name}`,
    async open(name) {
      let position = 0;
      return {
        size: await explained(text, () => store.size(name)),
        position: () => position,
        async *read(from = 0) {
          position = from;
          for await (const bytes of store.read(name, from)) {
            position += bytes.length;
            yield bytes;
          }
        },
      };
    },
  };
}

function readLocation(text: string): S3Location {
  try {
    return parseS3Url(text);
  } catch (error) {
    throw new UsageError(`The address of the bucket ${(error as Error).message}`);
  }
}

/** Does `work`, which uses a bucket, and turns an error into a `UsageError` that names the bucket. */
async function explained<T>(text: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { message } = error as Error;
    throw new UsageError(
      `Cannot read '${shownAddress(text)}': ${message}; check the address and the key`,
    );
  }
}
