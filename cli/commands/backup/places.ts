/**
 * Opens a backup: a file that `waitlist backup` wrote, or an object in the folder or bucket of `BACKUP_URL`. In such a
 * folder or bucket, the service also stores the erasure marks that were made since a backup began, in separate files.
 *
 * @module
 */
import { basename, dirname, join } from "node:path";
import { readObjectName, selectObjects } from "../../../shared/backup_objects.ts";
import { createObjectStore } from "../../../shared/s3.ts";
import type { S3Key } from "../../../shared/s3_bucket_api.ts";
import { parseS3Url, type S3Location } from "../../../shared/s3_location.ts";
import { redactUrl } from "../../../shared/redact_url.ts";
import { describeNetworkError } from "../../../shared/send.ts";
import type { Context } from "../../context.ts";
import { UsageError } from "../../errors.ts";
import { cannotRead } from "../../file_errors.ts";
import {
  createInput,
  type InputFile,
  isStandardInput,
  openInput,
  spoolInput,
} from "../../input.ts";
import { proxyAdvice } from "../../proxies.ts";
import { decodeFile, readIdentities } from "./decode.ts";

/** The flag that names the secret key for encrypted backups, and its description. */
export const IDENTITY_FLAG = [
  "--identity <file>",
  "the file with the secret key of age, if the backup is encrypted",
] as const;

/** An opened file with its path. */
export interface OpenedFile {
  path: string;
  file: InputFile;
}

/** An opened backup. The caller disposes of it after reading it for the last time. */
export interface OpenedBackup extends OpenedFile, AsyncDisposable {
  /** The files with the erasure marks that were made since the backup began. */
  erasures: OpenedFile[];
}

/** A place of backups: a folder, a prefix in a bucket, or a single file. */
interface Place {
  /** The name of the backup that the user has named; `undefined` if the newest backup of the place is to be opened. */
  backupName: string | undefined;
  /**
   * The names of the files in the folder, or of the objects under the prefix. Empty for standard input, and for a
   * single file whose name is not that of a service's backup.
   */
  fileNames: string[];
  /** Opens the backup, or one of the files or objects in `fileNames`. */
  open: (name: string) => Promise<OpenedFile>;
}

/**
 * Opens a backup, and decrypts and decompresses it while it is read.
 *
 * @param source a file, an object in a bucket, or `-` for standard input; a folder, or a prefix in a bucket, stands for
 * the newest backup in it
 * @param options.identity the path of a file with the secret keys of age
 * @throws {UsageError} if there is no backup, or if it cannot be read
 */
export async function openBackup(
  source: string,
  { identity }: { identity: string | undefined },
  context: Context,
): Promise<OpenedBackup> {
  const identities = identity === undefined ? [] : await readIdentities(identity, context);
  const warn = (sentence: string) => context.stderr.write(`Warning: ${sentence}\n`);
  async function decode({ path, file }: OpenedFile): Promise<OpenedFile> {
    return { path, file: await decodeFile(path, file, { identities, warn }) };
  }
  const place = await findPlace(source, context);
  const backupName = place.backupName ?? selectObjects(place.fileNames, "backup").at(-1)?.name;
  if (backupName === undefined) {
    throw new UsageError(
      `'${
        redactUrl(source)
      }' has no backup that a service has made (the name of such a file begins with 'waitlist-'); give the ` +
        "value of the service's BACKUP_URL, or the path of a backup file",
    );
  }
  const erasures = await Promise.all(
    laterErasures(backupName, place.fileNames).map(async (erasureName) =>
      await decode(await place.open(erasureName))
    ),
  );
  const { path, file: openedFile } = await place.open(backupName);
  const file = await makeRereadable(path, openedFile, context);
  const dispose = () => file[Symbol.asyncDispose]();
  try {
    return { ...await decode({ path, file }), erasures, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** Returns the names of the files with the erasure marks that were made since a backup began. */
function laterErasures(backupName: string, fileNames: string[]): string[] {
  const backup = readObjectName(backupName);
  if (backup === undefined) return [];
  return selectObjects(fileNames, "erasures")
    .filter(({ moment }) => moment >= backup.moment)
    .map(({ name }) => name);
}

/**
 * Makes an input that can be read several times, because a restore reads a backup several times. A pipe can be read only
 * once, so its bytes are copied to a temporary file. Disposing of any other input does nothing.
 */
async function makeRereadable(
  path: string,
  input: InputFile,
  context: Context,
): Promise<InputFile & AsyncDisposable> {
  if (input.size === undefined) return await spoolInput(path, input, context);
  return { ...input, [Symbol.asyncDispose]: () => Promise.resolve() };
}

/** Finds the place of a backup. @param source a source as for {@linkcode openBackup} */
async function findPlace(source: string, context: Context): Promise<Place> {
  if (source.startsWith("s3:")) return await findInBucket(source, context);
  if (!isStandardInput(source)) return await findInFolder(source, context);
  return { backupName: source, fileNames: [], open: () => openPath(source, context) };
}

/**
 * Lists the files of a folder of backups. If the path belongs to a single file with the name of a service's backup,
 * lists the files in the same folder.
 */
async function findInFolder(path: string, context: Context): Promise<Place> {
  const { files } = context;
  try {
    const namesInside = await files.list(path);
    if (namesInside !== undefined) {
      return {
        backupName: undefined,
        fileNames: namesInside,
        open: (name) => openPath(join(path, name), context),
      };
    }
    const ownName = basename(path);
    const folder = dirname(path);
    // The folder can have files with erasure marks only if a service has stored the backup by itself.
    const namesBeside = readObjectName(ownName) ? await files.list(folder) : undefined;
    return {
      backupName: ownName,
      fileNames: namesBeside ?? [],
      // The file itself is opened by the path that the user has written. The paths of the other files are made from the
      // folder.
      open: (name) => openPath(name === ownName ? path : join(folder, name), context),
    };
  } catch (error) {
    throw new UsageError(cannotRead(`'${path}'`, error));
  }
}

/** Opens a file, a pipe or standard input. */
async function openPath(path: string, context: Context): Promise<OpenedFile> {
  return { path, file: await openInput(path, context) };
}

/** Lists the objects under a prefix in a bucket. If the URL names a single object, lists the objects beside it. */
async function findInBucket(url: string, context: Context): Promise<Place> {
  const key = readBucketKey(context);
  const location = parseLocation(url);
  const { prefix, backupName } = splitPath(location.prefix);
  const store = createObjectStore({ ...location, ...key, prefix }, { fetch: context.fetch });
  const throwBucketError = (error: Error): never => {
    throw bucketError(error, { url, endpoint: location.endpoint }, context);
  };
  async function* read(object: string, from: number) {
    try {
      yield* store.read(object, from);
    } catch (error) {
      throwBucketError(error as Error);
    }
  }
  return {
    backupName,
    fileNames: await store.names().catch(throwBucketError),
    open: async (object) => ({
      path: `s3://${location.bucket}/${prefix}${object}`,
      file: createInput(
        await store.size(object).catch(throwBucketError),
        (from) => read(object, from),
      ),
    }),
  };
}

/** Reads the key of the bucket from the environment variables, and hides the secret part in all later output. */
function readBucketKey({ variables, hide }: Context): S3Key {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = variables;
  if (!accessKeyId || !secretAccessKey) {
    throw new UsageError(
      "The access key of the bucket is missing; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    );
  }
  hide(secretAccessKey);
  return { accessKeyId, secretAccessKey };
}

/**
 * Splits the path of a URL into the prefix of the bucket and the name of a backup. The last part of the path is the name
 * of a backup if it has the form of the service's object names. Otherwise, the last part belongs to the prefix.
 */
function splitPath(path: string): { prefix: string; backupName: string | undefined } {
  const lastPart = basename(path);
  if (!readObjectName(lastPart)) return { prefix: path, backupName: undefined };
  return { prefix: path.slice(0, path.lastIndexOf(lastPart)), backupName: lastPart };
}

/** Makes the error about a bucket that cannot be read. The message names the proxy if a proxy may be the reason. */
function bucketError(
  error: Error,
  { url, endpoint }: { url: string; endpoint: string },
  context: Context,
): UsageError {
  // A `fetch` without an answer throws a `TypeError`.
  const isUnanswered = error instanceof TypeError;
  const reason = isUnanswered ? describeNetworkError(error) : error.message;
  const advice = isUnanswered ? proxyAdvice(endpoint, context) : undefined;
  const message = `Cannot read '${
    redactUrl(url)
  }': ${reason}; check the URL and the bucket's access key`;
  return new UsageError(advice === undefined ? message : `${message}; ${advice}`);
}

/** Reads the URL of a bucket. @throws {UsageError} if the URL is malformed */
function parseLocation(url: string): S3Location {
  try {
    return parseS3Url(url);
  } catch (error) {
    throw new UsageError(`The URL of the bucket ${(error as Error).message}`);
  }
}
